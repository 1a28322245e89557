print("gamelab")

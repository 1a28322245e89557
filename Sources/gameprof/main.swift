print("gameprof")

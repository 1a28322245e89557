// placeholder while the target is founded

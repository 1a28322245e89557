// founded

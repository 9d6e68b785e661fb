"""Between tensors and Python's own objects: numbers, lists, arrays, storages, questions."""

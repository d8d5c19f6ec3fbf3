"""A cache that forgets what was not used for the longest time."""


class LRUCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.hits = 0
        self.misses = 0

    def get(self, key, default=None):
        raise NotImplementedError

    def put(self, key, value):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def __contains__(self, key):
        raise NotImplementedError

    def items(self):
        raise NotImplementedError

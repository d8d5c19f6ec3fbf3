"""Plays random games against a slow model of the cache, and counts hashes and comparisons of keys."""

import random
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from lru import LRUCache  # noqa: E402


class Model:
    """A list of pairs, the least recently used first."""

    def __init__(self, capacity):
        self.capacity, self.pairs, self.hits, self.misses = capacity, [], 0, 0

    def get(self, key, default=None):
        for pair in self.pairs:
            if pair[0] == key:
                self.pairs.remove(pair)
                self.pairs.append(pair)
                self.hits += 1
                return pair[1]
        self.misses += 1
        return default

    def put(self, key, value):
        self.pairs = [pair for pair in self.pairs if pair[0] != key] + [(key, value)]
        self.pairs = self.pairs[-self.capacity :]


class Key:
    used = 0

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        Key.used += 1
        return hash(self.name)

    def __eq__(self, other):
        Key.used += 1
        return self.name == other.name


def plays_like_the_model(numbers, capacity):
    cache, model = LRUCache(capacity), Model(capacity)
    for turn in range(400):
        key = numbers.randrange(capacity * 2 + 1)
        action = numbers.choice(["get", "get", "put", "in"])
        if action == "get":
            assert cache.get(key, "none") == model.get(key, "none"), f"get({key}) in turn {turn}"
        elif action == "put":
            value = numbers.choice([None, 0, turn])
            cache.put(key, value)
            model.put(key, value)
        else:
            assert (key in cache) == any(pair[0] == key for pair in model.pairs), f"{key} in cache"
        assert len(cache) == len(model.pairs), "len(cache)"
        assert list(cache.items()) == model.pairs, f"items() after turn {turn}"
    assert (cache.hits, cache.misses) == (model.hits, model.misses), "hits and misses"


def used_per_call(capacity):
    cache = LRUCache(capacity)
    for name in range(capacity):
        cache.put(Key(name), name)
    Key.used = 0
    for turn in range(1000):
        cache.get(Key(turn * 7 % capacity))
        cache.put(Key(capacity + turn), turn)
    return Key.used / 2000


def refuses(capacity):
    try:
        LRUCache(capacity)
    except ValueError:
        return True
    return False


numbers = random.Random(2025)
for capacity in [1, 2, 3, 8, 20]:
    plays_like_the_model(numbers, capacity)
assert refuses(0) and refuses(-3), "a capacity below 1 raises ValueError"
small, large = used_per_call(10), used_per_call(5000)
print(f"hashes and comparisons per call: {small:.1f} with 10 entries, {large:.1f} with 5000")
assert large < 16 and large < small * 2 + 4, "get and put take constant time"

# The paired bootstrap of scipy, timed without starting Python: prints the seconds of the fastest of three.
import sys, time
import numpy
from scipy.stats import bootstrap

pairs, resamples = int(sys.argv[1]), int(sys.argv[2])
generator = numpy.random.default_rng(1)
control = generator.normal(size=pairs)
candidate = control + generator.normal(0.1, 0.5, size=pairs)


def difference(a, b, axis=-1):
    return a.mean(axis=axis) - b.mean(axis=axis)


def seconds():
    started = time.perf_counter()
    bootstrap((candidate, control), difference, paired=True, vectorized=True, n_resamples=resamples,
              method="percentile", random_state=1, batch=1000)
    return time.perf_counter() - started


print(min(seconds() for _ in range(3)))

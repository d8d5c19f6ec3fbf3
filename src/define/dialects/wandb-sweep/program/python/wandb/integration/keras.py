from ..keras import WandbCallback, WandbMetricsLogger
from ..keras import __getattr__ as __getattr__

__all__ = ["WandbCallback", "WandbMetricsLogger"]

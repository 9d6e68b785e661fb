"""torch.optim.lr_scheduler: how fast to learn, as a function of time or of results."""

from .base import EPOCH_DEPRECATION_WARNING, LRScheduler
from .combined import ChainedScheduler, SequentialLR
from .cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from .cyclic import CyclicLR
from .decays import ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
from .lambdas import LambdaLR, MultiplicativeLR
from .one_cycle import OneCycleLR
from .plateau import ReduceLROnPlateau

_LRScheduler = LRScheduler  # the name that older programs subclass

for _kind in [value for value in globals().values() if isinstance(value, type)]:
    _kind.__module__ = __name__  # what their users import, print and pickle

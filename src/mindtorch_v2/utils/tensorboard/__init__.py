"""torch.utils.tensorboard: files for TensorBoard, written with the tensorboard package, which must be installed."""

from tensorboard.summary.writer.record_writer import RecordWriter

from ...core.missing_name import answer_for_missing as _answer_for_missing
from . import summary
from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]

_answer_for_missing(__name__)

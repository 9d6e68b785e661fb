"""Losses by the names of their ops, ``torch.kl_div``: a reduction that nobody names is none."""

from __future__ import annotations

from ..dispatch.packet import Packet

MEAN, NONE = 1, 0


class LossFunction(Packet):
    """A loss as a function of torch. The schema says "mean" where no reduction is given, and so does torch.ops; but
    torch's own functions read the word as 0, and programs that call them get one loss for each sample."""

    def __init__(self, name, ops):
        super().__init__(name, ops)
        self.place = place_of_reduction(ops)

    def __call__(self, *args, **kwargs):
        if len(args) <= self.place and "reduction" not in kwargs:
            try:
                return super().__call__(*args, reduction=NONE, **kwargs)
            except TypeError:
                pass  # arguments that do not fit are complained of as they were given
        return super().__call__(*args, **kwargs)


def place_of_reduction(ops) -> int:
    """Where the reduction stands that means "mean" if it is not given; -1 for functions without."""
    places = [i for op in ops for i, p in enumerate(op.schema.params) if p.name == "reduction" and p.default == MEAN]
    return places[0] if places else -1

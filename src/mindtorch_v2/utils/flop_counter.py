"""torch.utils.flop_counter: multiplications and additions of products and convolutions, counted as they run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from math import prod
from typing import Any

from ..api.namespace import aten
from ..core.mode_stack import TorchDispatchMode
from ..core.tensor import Tensor
from ._pytree import tree_map
from .module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

flop_registry: dict[Any, Callable] = {}
_SUFFIXES = ("", "K", "M", "B", "T")
_THOUSAND = 1000


def _shape(value: Any) -> Any:
    return value.shape if isinstance(value, Tensor) else value


def _shape_wrapper(formula: Callable) -> Callable:
    """A formula of shapes, as one of tensors."""
    def wrapped(*args, out_val=None, **kwargs) -> int:
        args, kwargs, out_shape = tree_map(_shape, (args, kwargs, out_val))
        return formula(*args, out_shape=out_shape, **kwargs)
    return wrapped


def register_flop_formula(targets: Any, get_raw: bool = False) -> Callable[[Callable], Callable]:
    """A decorator for a formula of ops: of the shapes of their arguments and ``out_shape``, or of the tensors."""
    def register(formula: Callable) -> Callable:
        for target in targets if isinstance(targets, (list, tuple)) else (targets,):
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = formula if get_raw else _shape_wrapper(formula)
        return formula
    return register


@register_flop_formula(aten.mm)
def mm_flop(a_shape, b_shape, *args, out_shape=None, **kwargs) -> int:
    """Of a product of matrices."""
    return 2 * a_shape[0] * a_shape[1] * b_shape[1]


@register_flop_formula(aten.addmm)
def addmm_flop(self_shape, a_shape, b_shape, out_shape=None, **kwargs) -> int:
    """Of a product that is added to something."""
    return mm_flop(a_shape, b_shape)


@register_flop_formula(aten.bmm)
def bmm_flop(a_shape, b_shape, out_shape=None, **kwargs) -> int:
    """Of products of a batch."""
    return 2 * prod(a_shape) * b_shape[-1]


@register_flop_formula(aten.baddbmm)
def baddbmm_flop(self_shape, a_shape, b_shape, out_shape=None, **kwargs) -> int:
    """Of products of a batch that are added to something."""
    return bmm_flop(a_shape, b_shape)


def conv_flop_count(x_shape, w_shape, out_shape, transposed: bool = False) -> int:
    """Of a convolution: every place of the output, or of a transposed one's input, takes the whole kernel."""
    return 2 * x_shape[0] * prod((x_shape if transposed else out_shape)[2:]) * prod(w_shape)


@register_flop_formula([aten.convolution, aten._convolution])
def conv_flop(x_shape, w_shape, _bias, _stride, _padding, _dilation, transposed, *args, out_shape=None,
              **kwargs) -> int:
    """Of a convolution."""
    return conv_flop_count(x_shape, w_shape, out_shape, transposed)


@register_flop_formula(aten.convolution_backward)
def conv_backward_flop(grad_out_shape, x_shape, w_shape, _bias, _stride, _padding, _dilation, transposed,
                       _output_padding, _groups, output_mask, out_shape) -> int:
    """Of a convolution's gradients: each costs what the convolution does."""
    of_one = conv_flop_count(x_shape, w_shape, grad_out_shape, transposed)
    return of_one * sum(output_mask[:2])


class FlopCounterMode(TorchDispatchMode):
    """A block whose ops are counted, in all and by module; at its end it prints a table unless told not to."""

    def __init__(self, mods=None, depth: int = 2, display: bool = True, custom_mapping: dict | None = None) -> None:
        super().__init__()
        self.flop_counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self.depth, self.display, self.mod_tracker = depth, display, ModuleTracker()
        custom = {op: f if getattr(f, "_get_raw", False) else _shape_wrapper(f)
                  for op, f in (custom_mapping or {}).items()}
        self.flop_registry = {**flop_registry, **custom}

    def get_total_flops(self) -> int:
        """All of them."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """By module, and by op; ``Global`` is all modules."""
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth: int | None = None) -> str:
        """A table of modules down to a depth."""
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        rows: list[tuple[str, str, str]] = []
        for name in sorted(self.flop_counts):
            if name != "Global" and name.count(".") + 1 <= depth:
                rows += self._rows(name, total)
        if not rows or total != sum(self._under_modules().values()):
            rows = [*self._rows("Global", total), *rows]
        return _table(rows or [("Global", "0", "0%")])

    def _under_modules(self) -> dict[str, int]:
        return {name: sum(counts.values()) for name, counts in self.flop_counts.items()
                if name != "Global" and "." not in name}

    def _rows(self, name: str, total: int) -> list[tuple[str, str, str]]:
        counts = self.flop_counts[name]
        lines = [(name, sum(counts.values())), *((f"- {op}", count) for op, count in counts.items())]
        return [(label, _shortened(count, total), f"{count / total:.2%}" if total else "0%") for label, count in lines]

    def __enter__(self) -> FlopCounterMode:
        self.flop_counts.clear()
        self.mod_tracker.__enter__()
        super().__enter__()
        return self

    def __exit__(self, *error) -> None:
        super().__exit__(*error)
        self.mod_tracker.__exit__()
        if self.display:
            print(self.get_table(self.depth))

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        formula = self.flop_registry.get(func.overloadpacket)
        if formula is not None:
            count = formula(*args, **(kwargs or {}), out_val=result)
            for parent in set(self.mod_tracker.parents):
                self.flop_counts[parent][func.overloadpacket] += count
        return result


def _shortened(count: int, total: int) -> str:
    """A number with the suffix that suits the total."""
    power = min(len(_SUFFIXES) - 1, (len(str(total)) - 1) // 3)
    return f"{count / _THOUSAND ** power:.3f}{_SUFFIXES[power]}" if power else str(count)


def _table(rows: list[tuple[str, str, str]]) -> str:
    """Columns two spaces apart under their heads, names to the left, numbers to the right."""
    head = ("Module", "FLOP", "% Total")
    widths = [max(len(name) + 2, *(len(row[i]) for row in rows)) for i, name in enumerate(head)]
    lines = [head, tuple("-" * width for width in widths), *rows]
    return "\n".join(f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}" for a, b, c in lines)

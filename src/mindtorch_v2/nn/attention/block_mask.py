"""Masks by blocks: which blocks of scores are computed in part, which wholly, and which not at all."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

from ...core.tensor import Tensor
from .block_lists import (
    _adjust_num_blocks_and_indices,
    _convert_mask_to_block_mask,
    _dense_to_ordered,
    _ordered_to_dense,
    _transpose_ordered,
    write_order,
)
from .mods import Mod, _get_mod_type, _ModificationType, create_mask, default_device, noop_mask

_DEFAULT_SPARSE_BLOCK_SIZE = 128
_LARGE_SPARSE_BLOCK_SIZE = 1 << 30
_SHADES = {1: "█", 0: " "}  # blocks that are all computed, and none of them
_COMPILED = ("_compile flag on create_block_mask was originally added to work around a torch.compile limitation. That "
             "limitation has since been addressed. So, to compile create_block_mask, we suggest doing "
             "torch.compile(create_block_mask). This still works for now, but will be removed in the future.")
_SLICED = ("Cannot use mask_mod from a sliced BlockMask. When you slice a BlockMask using [], the mask_mod attribute "
           "is reset. You must set it from the original BlockMask's mask_mod."
           "\n\nIncorrect usage:"
           "\n  base_mask = create_block_mask(my_mask_fn, ...)"
           "\n  sliced_mask = base_mask[:, :, block_idx]"
           "\n  sliced_mask.mask_mod = apply_offset(sliced_mask.mask_mod, offset)  # WRONG!"
           "\n\nCorrect usage:"
           "\n  base_mask = create_block_mask(my_mask_fn, ...)"
           "\n  sliced_mask = base_mask[:, :, block_idx]"
           "\n  sliced_mask.mask_mod = apply_offset(base_mask.mask_mod, offset)  # Use base_mask!")


def _sliced_mask_mod_error(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor):
    """In the place of the function of a mask that was sliced: it would be told positions of the slice."""
    raise RuntimeError(_SLICED)


class BlockMask:
    """Lists of blocks by rows and by columns, those computed in part and those computed wholly apart."""

    _TENSOR_ATTRS = ["kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_kv_indices", "q_num_blocks",
                     "q_indices", "full_q_num_blocks", "full_q_indices", "dq_write_order", "dq_write_order_full",
                     "dq_kv_order"]
    _CONTEXT_ATTRS = ["seq_lengths", "BLOCK_SIZE", "mask_mod", "dq_kv_order_spt"]

    def __init__(self, seq_lengths: tuple[int, int], kv_num_blocks: Tensor, kv_indices: Tensor,
                 full_kv_num_blocks: Tensor | None, full_kv_indices: Tensor | None, q_num_blocks: Tensor | None,
                 q_indices: Tensor | None, full_q_num_blocks: Tensor | None, full_q_indices: Tensor | None,
                 BLOCK_SIZE: tuple[int, int] = (_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),  # noqa: N803
                 mask_mod: Mod = noop_mask, *, dq_write_order: Tensor | None = None,
                 dq_write_order_full: Tensor | None = None, dq_kv_order: Tensor | None = None,
                 dq_kv_order_spt: bool | None = None) -> None:
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if kv_num_blocks is None:
            raise AssertionError("kv_num_blocks must be provided")
        _check_pair("full_kv", full_kv_num_blocks, full_kv_indices)
        _check_pair("full_q", full_q_num_blocks, full_q_indices)
        if dq_write_order_full is not None and dq_write_order is None:
            raise ValueError("dq_write_order_full requires dq_write_order")
        self.seq_lengths = seq_lengths
        self.kv_num_blocks, self.kv_indices = kv_num_blocks, kv_indices
        self.full_kv_num_blocks, self.full_kv_indices = full_kv_num_blocks, full_kv_indices
        self.q_num_blocks, self.q_indices = q_num_blocks, q_indices
        self.full_q_num_blocks, self.full_q_indices = full_q_num_blocks, full_q_indices
        self.dq_write_order, self.dq_write_order_full = dq_write_order, dq_write_order_full
        self.dq_kv_order, self.dq_kv_order_spt = dq_kv_order, dq_kv_order_spt
        self.BLOCK_SIZE = BLOCK_SIZE
        self.mask_mod = mask_mod

    @classmethod
    def from_kv_blocks(cls, kv_num_blocks: Tensor, kv_indices: Tensor, full_kv_num_blocks: Tensor | None = None,
                       full_kv_indices: Tensor | None = None,
                       BLOCK_SIZE: int | tuple[int, int] = _DEFAULT_SPARSE_BLOCK_SIZE,  # noqa: N803  torch's name
                       mask_mod: Mod | None = None, seq_lengths: tuple[int, int] | None = None,
                       compute_q_blocks: bool = True, *, dq_write_order: Tensor | None = None,
                       dq_write_order_full: Tensor | None = None,
                       dq_kv_order: Tensor | bool | None = None) -> BlockMask:
        """A mask of lists by rows; those by columns are worked out."""
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        _check_pair("full_kv", full_kv_num_blocks, full_kv_indices)
        nothing = (None, None)
        by_column = _transpose_ordered(kv_num_blocks, kv_indices) if compute_q_blocks else nothing
        full = compute_q_blocks and full_kv_num_blocks is not None
        full_by_column = _transpose_ordered(full_kv_num_blocks, full_kv_indices) if full else nothing
        if isinstance(BLOCK_SIZE, int):
            BLOCK_SIZE = (BLOCK_SIZE, BLOCK_SIZE)  # noqa: N806  torch's name
        if seq_lengths is None:
            seq_lengths = (kv_indices.shape[-2] * BLOCK_SIZE[0], kv_indices.shape[-1] * BLOCK_SIZE[1])
        if dq_kv_order is not None and not isinstance(dq_kv_order, (bool, Tensor)):
            raise ValueError("dq_kv_order must be a bool, Tensor, or None")
        return cls(seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *by_column,
                   *full_by_column, BLOCK_SIZE, noop_mask if mask_mod is None else mask_mod,
                   dq_write_order=dq_write_order, dq_write_order_full=dq_write_order_full,
                   dq_kv_order=dq_kv_order if isinstance(dq_kv_order, Tensor) else None,
                   dq_kv_order_spt=dq_kv_order if isinstance(dq_kv_order, bool) else None)

    def as_tuple(self, flatten: bool = True) -> tuple[Any, ...]:
        """Lengths, all tensors, the size of a block and the function; pairs of numbers as such if not flattened."""
        lengths, size = (self.seq_lengths, self.BLOCK_SIZE) if flatten else ((self.seq_lengths,), (self.BLOCK_SIZE,))
        tensors = [getattr(self, name) for name in self._TENSOR_ATTRS]
        return (*lengths, *tensors, self.dq_kv_order_spt, *size, self.mask_mod)

    @property
    def shape(self) -> tuple[int, ...]:
        """Batch, heads, queries and keys."""
        return tuple(self.kv_indices.shape[:-2]) + self.seq_lengths

    def numel(self) -> int:
        """How many scores there are, hidden ones included."""
        return math.prod(self.shape)

    def sparsity(self) -> float:
        """How many percent of the scores lie in blocks that are not computed."""
        computed = self.kv_num_blocks.sum()
        if self.full_kv_num_blocks is not None:
            computed += self.full_kv_num_blocks.sum()
        return 100 * (1 - computed.item() * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1] / self.numel())

    def to_dense(self) -> Tensor:
        """A one for each block that is computed."""
        dense = _ordered_to_dense(self.kv_num_blocks, self.kv_indices, self.kv_indices.shape[-1])
        if self.full_kv_num_blocks is None:
            return dense
        return dense | _ordered_to_dense(self.full_kv_num_blocks, self.full_kv_indices, self.full_kv_indices.shape[-1])

    def to(self, device) -> BlockMask:
        """The same with its tensors on another device."""
        tensors = [getattr(self, name) for name in self._TENSOR_ATTRS]
        moved = {name: t if t is None else t.to(device) for name, t in zip(self._TENSOR_ATTRS, tensors)}
        return BlockMask(seq_lengths=self.seq_lengths, **moved, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod,
                         dq_kv_order_spt=self.dq_kv_order_spt)

    def __getitem__(self, index) -> BlockMask:
        """Some batches, heads and rows of blocks; the function is to be set anew."""
        self._refuse_given_order("Slicing")
        index = (*(index if isinstance(index, tuple) else (index,)), *[slice(None)] * 3)[:3]
        index = tuple([_as_slice(part, size) for part, size in zip(index, self.kv_num_blocks.shape[:3], strict=True)])
        full = None if self.full_kv_num_blocks is None else self.full_kv_num_blocks[index], \
            None if self.full_kv_indices is None else self.full_kv_indices[index]
        sliced = BlockMask.from_kv_blocks(self.kv_num_blocks[index], self.kv_indices[index], *full,
                                          BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=_sliced_mask_mod_error,
                                          seq_lengths=self.seq_lengths, compute_q_blocks=self.q_indices is not None)
        return self._with_order(sliced)

    def _adjust(self, new_q_len: int, new_kv_len: int) -> BlockMask:
        """The upper left corner, for fewer queries and keys."""
        self._refuse_given_order("Adjusting")
        rows, columns = -(-new_q_len // self.BLOCK_SIZE[0]), -(-new_kv_len // self.BLOCK_SIZE[1])
        lists = _adjust_num_blocks_and_indices(self.kv_num_blocks, self.kv_indices, rows, columns)
        full = (None, None)
        if self.full_kv_num_blocks is not None:
            full = _adjust_num_blocks_and_indices(self.full_kv_num_blocks, self.full_kv_indices, rows, columns)
        adjusted = self.from_kv_blocks(*lists, *full, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod,
                                       seq_lengths=(new_q_len, new_kv_len),
                                       compute_q_blocks=self.q_indices is not None)
        return self._with_order(adjusted)

    def _refuse_given_order(self, doing: str) -> None:
        if self.dq_kv_order is not None:
            raise NotImplementedError(f"{doing} BlockMask with tensor dq_kv_order is not supported yet. Construct a "
                                      "new BlockMask with matching precomputed dq_write_order metadata.")

    def _with_order(self, mask: BlockMask) -> BlockMask:
        """A part of this mask with the order of writing that this one has."""
        mask.dq_kv_order_spt = self.dq_kv_order_spt
        if self.dq_write_order is not None:
            mask.dq_write_order, mask.dq_write_order_full = _write_order_of(mask, mask.dq_kv_order_spt)
        return mask

    def __str__(self) -> str:
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string().strip()}\n)"

    def __repr__(self) -> str:
        names = self._TENSOR_ATTRS[:8]
        tensors = [getattr(self, name) for name in names]
        shown = {name: None if t is None else t.shape for name, t in zip(names, tensors)}
        shown |= {"BLOCK_SIZE": self.BLOCK_SIZE, "shape": self.shape, "sparsity": f"{self.sparsity():.2f}%",
                  "mask_mod": getattr(self.mask_mod, "__name__", self.mask_mod)}
        return "BlockMask(\n" + ",\n".join([f"    {name}={value}" for name, value in shown.items()]) + "\n)"

    def to_string(self, grid_size: int | tuple[int, int] = (20, 20), limit: int = 4) -> str:
        """A picture of the blocks of each batch and head."""
        dense = self.to_dense()
        *batch, rows, columns = dense.shape
        most = (grid_size, grid_size) if isinstance(grid_size, int) else grid_size
        steps = [max(1, -(-size // wanted)) for size, wanted in zip((rows, columns), most)]
        pictures = []
        for at, index in enumerate(itertools.product(*map(range, batch))):
            if at == limit:
                pictures += ["...", "To print out more, set BlockMask.to_string(limit=N)",
                             "You can also index (BlockMask[batch, head]) to choose a specific batch or head"]
                break
            pictures.append(f"{index}\n" + _picture(dense[index], *steps))
        return "\n".join(pictures)


def _check_pair(name: str, num_blocks: Tensor | None, indices: Tensor | None) -> None:
    if (num_blocks is None) != (indices is None):
        raise AssertionError(f"{name}_num_blocks and {name}_indices must be both provided or omitted")


def _as_slice(part, size: int):
    """A number as a slice of one, so that no dimension is lost."""
    if not isinstance(part, int):
        return part
    start = part + size if -size <= part < 0 else part
    return slice(start, start + 1)


def _picture(dense: Tensor, row_step: int, column_step: int) -> str:
    rows, columns = dense.shape
    lines = []
    for row in range(0, rows, row_step):
        shares = [dense[row:row + row_step, column:column + column_step].float().mean().item()
                  for column in range(0, columns, column_step)]
        lines.append("".join([_SHADES.get(share, "░") * 2 for share in shares]) + "\n")
    return "".join(lines)


def _write_order_of(mask: BlockMask, is_descending: bool | None) -> tuple[Tensor, Tensor | None]:
    full = None if mask.full_kv_num_blocks is None else (mask.full_kv_num_blocks, mask.full_kv_indices)
    return write_order((mask.kv_num_blocks, mask.kv_indices), full, mask.q_indices, mask.full_q_indices, is_descending)


def create_block_mask(mask_mod: Mod, B: int | None, H: int | None, Q_LEN: int, KV_LEN: int,  # noqa: N803
                      device=None, BLOCK_SIZE: int | tuple[int, int] = _DEFAULT_SPARSE_BLOCK_SIZE,  # noqa: N803
                      _compile: bool = False, separate_full_blocks: bool = True, compute_dq_write_order: bool = False,
                      dq_kv_order: bool = True) -> BlockMask:
    """The mask that a function of positions describes, by blocks."""
    if _get_mod_type(mask_mod) is not _ModificationType.MASK_MOD:
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    if _compile:
        warnings.warn(_COMPILED, DeprecationWarning, stacklevel=2)
    if not isinstance(dq_kv_order, bool):
        raise ValueError("dq_kv_order must be a bool when using create_block_mask")
    size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, default_device(device))
    partial, full = _convert_mask_to_block_mask(mask, *size, separate_full_blocks)
    full = (None, None) if full is None else _dense_to_ordered(full)
    blocks = BlockMask.from_kv_blocks(*_dense_to_ordered(partial), *full, BLOCK_SIZE=tuple(size), mask_mod=mask_mod,
                                      seq_lengths=(Q_LEN, KV_LEN))
    if compute_dq_write_order:
        blocks.dq_write_order, blocks.dq_write_order_full = _write_order_of(blocks, dq_kv_order)
        blocks.dq_kv_order_spt = dq_kv_order
    return blocks

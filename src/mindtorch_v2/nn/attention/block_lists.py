"""Blocks of a mask in two forms: a number for each block, or for each row of blocks a list of those to be computed."""

from __future__ import annotations

from ...api.install import FUNCTIONS
from ...core.device import contiguous_format
from ...core.dtype import bool_, int8, int32, int64
from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter

_arange, _argsort, _where = FUNCTIONS["arange"], FUNCTIONS["argsort"], FUNCTIONS["where"]


def _ordered_to_dense(num_blocks_in_row: Tensor, col_indices: Tensor, num_cols: int) -> Tensor:
    """Ones at the blocks that the first so many entries of each list name."""
    entries = _arange(col_indices.shape[-1], dtype=int32, device=num_blocks_in_row.device)
    is_listed = entries < num_blocks_in_row.unsqueeze(-1)
    columns = _where(is_listed, col_indices, num_cols).to(int64)  # the others into a column that is cut off
    dense = col_indices.new_zeros((*col_indices.shape[:-1], num_cols + 1), dtype=int32)
    return dense.scatter_(-1, columns, 1)[..., :num_cols].contiguous()


def _dense_to_ordered(dense_mask: Tensor) -> tuple[Tensor, Tensor]:
    """How many blocks of each row are to be computed, and all columns, those first."""
    dense_mask = dense_mask.to(dtype=int32)
    counts = dense_mask.sum(dim=-1)
    columns = _argsort(dense_mask, dim=-1, descending=True, stable=True)
    return (counts.to(int32, memory_format=contiguous_format), columns.to(int32, memory_format=contiguous_format))


def _transpose_ordered(num_blocks_in_row: Tensor, col_indices: Tensor) -> tuple[Tensor, Tensor]:
    """The same blocks listed by columns."""
    dense = _ordered_to_dense(num_blocks_in_row, col_indices, col_indices.shape[-1])
    return _dense_to_ordered(dense.transpose(-2, -1))


def _adjust_num_blocks_and_indices(num_blocks: Tensor, indices: Tensor, new_num_rows: int,
                                   new_num_cols: int) -> tuple[Tensor, Tensor]:
    """The lists of the upper left corner."""
    indices = indices[:, :, :new_num_rows, :new_num_cols]
    num_blocks = num_blocks[:, :, :new_num_rows]
    num_blocks = _where(num_blocks < new_num_cols, num_blocks, new_num_cols)
    return (indices < num_blocks[:, :, :, None]).sum(dim=-1).to(int32), indices


def _convert_mask_to_block_mask(mask: Tensor, Q_BLOCK_SIZE: int, KV_BLOCK_SIZE: int,  # noqa: N803  torch's names
                                separate_full_blocks: bool = False) -> tuple[Tensor, Tensor | None]:
    """Which blocks a mask leaves in part and, if that is asked for apart, which wholly."""
    if mask.dtype is not bool_:
        raise AssertionError(f"mask.dtype must be torch.bool, got {mask.dtype}")
    while mask.dim() < 4:
        mask = mask.unsqueeze(0)
    mask = F.pad(mask, (0, -mask.shape[-1] % KV_BLOCK_SIZE, 0, -mask.shape[-2] % Q_BLOCK_SIZE))
    batch, heads, rows, columns = mask.shape
    mask = mask.view(batch, heads, rows // Q_BLOCK_SIZE, Q_BLOCK_SIZE, columns // KV_BLOCK_SIZE, KV_BLOCK_SIZE)
    seen = mask.permute(0, 1, 2, 4, 3, 5).sum(dim=[-2, -1])
    if not separate_full_blocks:
        return (seen > 0).to(dtype=int8), None
    whole = Q_BLOCK_SIZE * KV_BLOCK_SIZE
    return ((seen > 0) & (seen < whole)).to(dtype=int8), (seen == whole).to(dtype=int8)


def write_order(by_row: tuple[Tensor, Tensor], full_by_row: tuple[Tensor, Tensor] | None, by_column: Tensor | None,
                full_by_column: Tensor | None, is_descending: bool | None) -> tuple[Tensor, Tensor | None]:
    """For each block listed by columns, the how-manieth of its row it is: the order in which gradients are added."""
    if by_column is None:
        raise ValueError("BlockMask must have q_num_blocks and q_indices to compute dq_write_order")
    columns = by_column.shape[-2]
    dense = _ordered_to_dense(*by_row, columns)
    if full_by_row is not None:
        dense = (dense + _ordered_to_dense(*full_by_row, columns)).clamp(max=1)
    counted = dense.cumsum(dim=-1)
    rank = (counted - dense).to(int32)
    if is_descending:
        rank = (counted[..., -1:] - 1 - rank).to(int32)
    by_block = rank.transpose(-2, -1)

    def of(rows: Tensor) -> Tensor:
        shape = (*FUNCTIONS["broadcast_shapes"](by_block.shape[:2], rows.shape[:2]), *rows.shape[2:])
        ranks = by_block.expand(*shape[:2], *by_block.shape[2:])
        return ranks.gather(-1, rows.to(int64).clamp(0, rank.shape[-2] - 1).expand(shape))

    return of(by_column), None if full_by_column is None or full_by_row is None else of(full_by_column)

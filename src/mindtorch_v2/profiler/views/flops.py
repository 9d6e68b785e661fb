"""Floating-point operations of a call, from its described inputs: one table, a multiplication and an addition are two.

torch counts seven ops, wherever they are called. The others are counted beyond torch, the outermost of them, and only
where no product below is counted already, so that a sum over all rows counts no product twice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from .inputs import is_tensor


def shape(value) -> tuple[int, ...]:
    """The shape of a described tensor; a number has none, like a tensor without dimensions."""
    return value[0] if is_tensor(value) else ()


def numbers(value) -> tuple[int, ...]:
    """A described list of integers."""
    return value[1:]


# ---- torch's seven --------------------------------------------------------------------------------------------


def matrix_product(a, b, *_) -> int:
    *_, m, k = shape(a)
    return 2 * m * k * shape(b)[-1]


def batched_product(a, b, *_) -> int:
    return shape(a)[0] * matrix_product(a, b)


def after_first(count: Callable) -> Callable:
    """The same for the forms that add their product to a first input."""
    return lambda added, *given: count(*given)


def elements(value, *_) -> int:
    """One per element of the first input, as torch counts ``add`` and ``mul``."""
    return prod(shape(value))


def conv2d(x, weight, bias, stride, padding, dilation, groups) -> int:
    """torch's own; it counts nothing for a single image and where padding is a word."""
    if len(shape(x)) != 4 or len(shape(weight)) != 4:
        return 0
    return convolution(x, weight, bias, stride, padding, dilation, groups)


TORCH = {
    "aten::mm": matrix_product,
    "aten::addmm": after_first(matrix_product),
    "aten::bmm": batched_product,
    "aten::baddbmm": after_first(batched_product),
    "aten::add": elements,
    "aten::mul": elements,
    "aten::conv2d": conv2d,
}

# ---- beyond torch: vectors and matrices -----------------------------------------------------------------------


def per_element(value, *_) -> int:
    """A multiplication and an addition for each element: products of a matrix or a vector with a vector."""
    return 2 * prod(shape(value))


def outer_sum(added, x, y, *_) -> int:
    return 2 * prod(shape(x)) * prod(shape(y))


def square(count: Callable[[int], float]) -> Callable:
    """For ops on square matrices, alone or in batches: ``count`` of one side."""
    def counted(a, *_) -> int:
        *batch, _, n = shape(a)
        return round(prod(batch) * count(n))
    return counted


def tall(count: Callable[[int, int], float]) -> Callable:
    """For ops on matrices of any shape: ``count`` of the longer and the shorter side."""
    def counted(a, *_) -> int:
        *batch, m, n = shape(a)
        return round(prod(batch) * count(max(m, n), min(m, n)))
    return counted


def solved(a, b, *_) -> int:
    """LU of the matrix, and two triangular systems for each right-hand side."""
    n = shape(a)[-1]
    return round(2 / 3 * n * prod(shape(a))) + 2 * n * right_sides(a, b)


def triangular(a, b, *_) -> int:
    return shape(a)[-1] * right_sides(a, b)


def right_sides(a, b) -> int:
    """Numbers on the right-hand side: one vector per matrix, or a matrix of them."""
    batch = prod(shape(a)[:-2])
    return max(prod(shape(b)), batch * shape(a)[-1])


def twice_triangular(b, a, *_) -> int:
    """Two triangular systems, for ops that take the right-hand side first."""
    return 2 * triangular(a, b)


# Leading terms, as textbooks count them (Golub and Van Loan).
LINEAR_ALGEBRA = {
    "aten::linalg_cholesky_ex": square(lambda n: n**3 / 3),
    "aten::linalg_lu_factor_ex": tall(lambda m, n: n**2 * (m - n / 3)),
    "aten::linalg_lu": tall(lambda m, n: n**2 * (m - n / 3)),
    "aten::linalg_inv_ex": square(lambda n: 2 * n**3),
    "aten::_linalg_det": square(lambda n: 2 / 3 * n**3),
    "aten::_linalg_slogdet": square(lambda n: 2 / 3 * n**3),
    "aten::_linalg_solve_ex": solved,
    "aten::linalg_solve_triangular": triangular,
    "aten::triangular_solve": lambda b, a, *_: triangular(a, b),
    "aten::linalg_lu_solve": lambda lu, pivots, b, *_: 2 * triangular(lu, b),
    "aten::cholesky_solve": twice_triangular,
    "aten::cholesky_inverse": square(lambda n: 2 / 3 * n**3),
    "aten::linalg_qr": tall(lambda m, n: 4 * (m * n**2 - n**3 / 3)),  # the factors, and Q written out
    "aten::_linalg_eigh": square(lambda n: 9 * n**3),
    "aten::linalg_eig": square(lambda n: 25 * n**3),
    "aten::_linalg_svd": tall(lambda m, n: 4 * m**2 * n + 8 * m * n**2 + 9 * n**3),
}

# ---- convolutions ---------------------------------------------------------------------------------------------


def convolution(x, weight, bias, stride, padding, dilation, groups) -> int:
    """Every element of the result is a product of the weights' other dimensions."""
    places = 1
    windows = zip(shape(x)[2:], shape(weight)[2:], numbers(stride), numbers(padding), numbers(dilation), strict=True)
    for size, kernel, step, border, spread in windows:
        places *= (size + 2 * border - spread * (kernel - 1) - 1) // step + 1
    return 2 * shape(x)[0] * places * prod(shape(weight))


def transposed_convolution(x, weight, *_) -> int:
    """Every element of the input is multiplied with the weights of its channel."""
    return 2 * prod(shape(x)) * prod(shape(weight)[1:])


def convolution_backward(grad, x, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
                         mask) -> int:
    """As much as the forward pass for each of the two gradients, and a sum for the bias."""
    wide = x if transposed == ("bool", True) else grad
    for_x, for_weight, for_bias = (wanted == ("bool", True) for wanted in mask[1:])
    return (for_x + for_weight) * 2 * prod(shape(wide)) * prod(shape(weight)[1:]) + for_bias * prod(shape(grad))


# ---- attention and recurrent networks -------------------------------------------------------------------------


# Counted on the fused kernels' own rows, forward and backward; attention written in ops is counted on its products.


def attention(query, key, value, dropout=0.0, causal=("bool", False), *_) -> int:
    """Scores, and values weighted by them."""
    return 2 * scores(query, key, causal) * (shape(query)[-1] + shape(value)[-1])


def attention_backward(grad, query, key, value, out=None, logsumexp=None, dropout=0.0, causal=("bool", False),
                       *_) -> int:
    """Scores again, then the gradients of values, scores, queries and keys."""
    return 2 * scores(query, key, causal) * (3 * shape(query)[-1] + 2 * shape(value)[-1])


def scores(query, key, causal) -> int:
    """How many pairs of a query and a key are looked at; in causal attention, query i sees the first i + 1 keys."""
    *heads, queries, _ = shape(query)
    keys = shape(key)[-2]
    if causal != ("bool", True):
        return prod(heads) * queries * keys
    growing = min(queries, keys)
    return prod(heads) * (growing * (growing + 1) // 2 + (queries - growing) * keys)


def recurrent(x, hidden, weights, *_) -> int:
    """Every weight matrix meets every step of every sequence once."""
    return 2 * prod(shape(x)[:-1]) * sum(prod(shape(w)) for w in weights[1:] if len(shape(w)) == 2)


def recurrent_of_any(x, *given) -> int:
    """``lstm`` and its like; packed sequences bring the sizes of their steps first."""
    packed = len(shape(x)) == 2 and is_tensor(given[0]) and len(shape(given[0])) == 1
    return recurrent(x, *given[packed:])


def recurrent_cell(x, hidden, input_weight, hidden_weight, *_) -> int:
    return 2 * shape(x)[0] * (prod(shape(input_weight)) + prod(shape(hidden_weight)))


def recurrent_layer(x, input_weight, hidden_weight, *_) -> int:
    return 2 * prod(shape(x)[:-1]) * (prod(shape(input_weight)) + prod(shape(hidden_weight)))


BEYOND = LINEAR_ALGEBRA | {
    "aten::mv": per_element,
    "aten::addmv": after_first(per_element),
    "aten::addmv_": after_first(per_element),
    "aten::dot": per_element,
    "aten::vdot": per_element,
    "aten::addr": outer_sum,
    "aten::addbmm": after_first(batched_product),
    "aten::_addmm_activation": after_first(matrix_product),
    "aten::conv1d": convolution,
    "aten::conv3d": convolution,
    "aten::conv_transpose1d": transposed_convolution,
    "aten::conv_transpose2d": transposed_convolution,
    "aten::conv_transpose3d": transposed_convolution,
    "aten::convolution_backward": convolution_backward,
    "aten::_scaled_dot_product_flash_attention_for_cpu": attention,
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward": attention_backward,
    **{f"aten::{name}": recurrent_of_any for name in ("lstm", "gru", "rnn_tanh", "rnn_relu")},
    **{f"aten::{name}_cell": recurrent_cell for name in ("lstm", "gru", "rnn_tanh", "rnn_relu")},
    "aten::mkldnn_rnn_layer": recurrent_layer,
}


# Of torch's seven, those that do the work of what stands above them.
PRODUCTS = frozenset(TORCH) - {"aten::add", "aten::mul"}


def count(name: str, described: tuple) -> int:
    """The operations of one call; 0 for ops and inputs of which nothing is known."""
    formula = TORCH.get(name) or BEYOND.get(name)
    if formula is None:
        return 0
    try:
        return formula(*described[:_taken(formula)])
    except (IndexError, TypeError, ValueError):
        return 0  # inputs of a kind the formula says nothing about: torch leaves them at 0 too


def _taken(formula: Callable) -> int | None:
    """How many inputs a formula names; an ``out`` that stands behind them is not counted."""
    code = formula.__code__
    return None if code.co_flags & 4 else code.co_argcount

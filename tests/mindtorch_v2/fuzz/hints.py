"""What random arguments look like: tables of values, and hints for ops that refuse almost every random call.

A hint for a tensor is ``"<numbers> <shape>"``. The shape is a word of SHAPE_WORDS or letters, each a size that is drawn
once per call (``ij``, ``jk``; a capital is never 0; alternatives are separated by ``|``). A hint for anything else is a
list of values to choose from, or the name of a method of ``generate.Draw``.
"""

from __future__ import annotations

INF, NAN = float("inf"), float("nan")

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
          "complex128")
USUAL_DTYPES = ("float32", "float32", "float64", "int64", "float16", "bool", "complex64")
FLOATING = ("float16", "bfloat16", "float32", "float64")
SHAPES = ([], [1], [3], [5], [0], [2, 3], [3, 3], [1, 3], [4, 1], [2, 0], [0, 3], [2, 3, 4], [2, 1, 3], [3, 1, 1],
          [2, 2, 2, 2], [1, 2, 3, 2], [1, 1], [2, 0, 3])
LAYOUTS = ("contiguous", "contiguous", "contiguous", "transposed", "sliced", "offset", "expanded")
FILLS = ("small", "small", "small", "whole", "positive", "unit", "special", "extreme")

NUMBERS = (0, 1, 2, -1, 3, 0.5, -0.5, 1.0, 2.5, 0.0, True, False)
STRANGE_NUMBERS = (NAN, INF, -INF, 1e300, 2**31, 2**40, -2**31, 255, -129, 2**63 - 1, 2**64, {"complex": [1.0, 2.0]},
                   {"complex": [0.0, 0.0]}, {"numpy": "float32", "value": 1.5}, {"numpy": "int64", "value": 2},
                   {"numpy": "bool_", "value": True})
# What stands where something of another kind is wanted.
WRONG = (None, "a", "", 1.5, 2, -1, True, [], [1], [1, 2], [1.5], {"tuple": []}, {"tuple": [0, 1]}, [None], ["a"],
         {"complex": [1.0, 1.0]}, {"dtype": "float32"}, {"dtype": "int64"}, {"ellipsis": 1}, {"slice": [None, 1, None]},
         {"constant": "strided"}, {"device": "cpu"}, {"numpy": "int64", "value": 1}, NAN, 2**40, 2**64)
UNKNOWN_KEYWORDS = ("by", "dim", "dtype", "other", "input", "out", "axis", "keepdims", "x")

# By the parameter's name, for every op.
BY_NAME = {
    "dim": "dim", "dim0": "dim", "dim1": "dim", "dim2": "dim", "axis0": "dim", "axis1": "dim", "dimension": "dim",
    "start_dim": "dim", "end_dim": "dim", "source": "dim", "destination": "dim", "dims": "dims",
    "size": "size", "sizes": "size", "shape": "size", "stride": "strides", "normalized_shape": "tail",
    "repeats": "repeats", "self_sizes": "base_shape", "split_sizes": "split_sizes",
    "p": [0.0, 0.5, 1.0, 2.0, 0.25, 1, 0, INF, -0.1, 3.0], "eps": [1e-5, 1e-8, 0.0, 1, 0.1],
    "reduction": [0, 1, 2, 0, 1, 2, 3],
    "momentum": [0.1, 0.0, 1.0], "rounding_mode": [None, "floor", "trunc", "ceil", ""],
    "approximate": ["none", "tanh", "other"], "reduce": ["add", "multiply", "sum", "mean", "amax", "other"],
    "side": [None, "left", "right", "other"], "correction": [0, 1, 2, None, 0.5, -1, 10],
    "k": [0, 1, 2, 3, 1, -1], "n": [0, 1, 2, 3, 5, -1], "m": [0, 1, 2, 3, 5, -1], "steps": [0, 1, 3, 5, -1],
    "bins": [1, 3, 5, 0], "chunks": [1, 2, 3, 7, 0], "sections": [1, 2, 3, 0, -1], "split_size": [1, 2, 3, 0],
    "offset": [0, 1, -1, 2, -5], "diagonal": [0, 1, -1, 3, -5], "decimals": [0, 1, 2, -1, 3],
    "low": [0, -3, 1, 5], "high": [5, 10, 1, 2**40, 0], "from": [0.0, -1.0, 1.0, 0, -3], "to": [1.0, 5.0, 2, 10, 0.0],
    "num_samples": [1, 2, 3, 0], "storage_offset": [0, 1, None, 2], "index": [0, 1, -1, 2],
    "start": [0, 1, -1, 2, 0.5, -2.0], "end": [3, 5, 0, 2.5, 1, -1], "length": [0, 1, 2],
    "step": [1, 2, 0.5, -1, 3, 0],
    "ord": [2, 1, 0, INF, -INF, 3, 0.5, -1, "fro", None], "output_size": [None, 3, 6], "ignore_index": [-100, 0, 1],
    "padding_idx": [-1, 0, 1, -2], "num_weights": [3, 5], "minlength": [0, 3, 10], "memory_format": [
        {"constant": "contiguous_format"}, {"constant": "preserve_format"}, {"constant": "channels_last"}, None],
    "layout": [{"constant": "strided"}, None], "device": ["cpu", {"device": "cpu"}, None],
    "pin_memory": [False, None],
    "generator": [{"generator": 5}, None], "non_blocking": [False, True], "shifts": [1, [1], [1, 2], -1, [0], 5],
    "pad": [[1, 1], [0, 1], [1, 1, 1, 1], [-1, 0], [], [1], [2, 1, 0, -1]], "std": [1.0, 0.5, 0.0, -1.0],
    "dropout_p": [0.0], "scale": [None, 0.5, 1.0], "output_mask": [[True, True, True], [True, False, True]],
    "group": [1, 2, 3], "num_groups": [1, 2, 3, 0], "lambd": [0.5, 1.0, 0.0, -1.0], "sigma": [1.0, 0.5, -1.0],
    "base": [10.0, 2.0, 1.0],
    "equation": ["ij,jk->ik", "i,i", "ii->i", "ij->ji", "ij,ij", "i,j->ij", "...i->...", "ij->k"],
    "indices_or_sections": [1, 2, 3, [1], [1, 2]],
}
# Tensors by the parameter's name, for every op.
TENSOR_BY_NAME = {
    "index": "index smaller", "indices": "index smaller", "mask": "bool base|broadcast",
    "condition": "bool base|broadcast",
    "batch1": "any bij", "batch2": "any bjk", "mat1": "any ij", "mat2": "any jk", "mat": "any ij", "vec": "any j",
    "vec1": "any i", "vec2": "any j", "running_mean": "any C", "running_var": "positive C", "attn_mask": "any ls",
    "sorter": "none", "total_weight": "positive ", "found_inf": "none", "grad_scale": "none",
    "sorted_sequence": "ordered n",
    "boundaries": "ordered n", "tensor_indices_or_sections": "count |k", "grad_output": "any base",
    "weights": "any n",
    "exponent": "any base|broadcast", "std": "positive base|broadcast",
}
IMAGE = {"self": "any NCHW|NCH|CHW|NC", "input": "any NCHW|NCH|CHW|NC", "weight": "any C", "bias": "any C"}
CLASSES = {"self": "any NC", "input": "any NC", "target": "class N", "weight": "positive C"}
SHAPED = {
    "mm": {"self": "any ij"}, "addmm": {"self": "any ik|k|"}, "bmm": {"self": "any bij", "mat2": "any bjk"},
    "baddbmm": {"self": "any bik|ik|k"}, "addbmm": {"self": "any ik|k"}, "mv": {"self": "any ij"},
    "addmv": {"self": "any i|"}, "addr": {"self": "any ij|j"}, "dot": {"self": "any j", "tensor": "any j"},
    "vdot": {"self": "any j", "other": "any j"}, "outer": {"self": "any i"}, "ger": {"self": "any i"},
    "matmul": {"self": "any ij|j|bij", "other": "any jk|j|bjk"}, "trace": {"self": "any ij"},
    "t": {"self": "any ij|j|"},
    "linear": {"input": "any bij|ij|j", "weight": "any kj|j", "bias": "any k"},
    "bilinear": {"input1": "any bi", "input2": "any bj", "weight": "any kij", "bias": "any k"},
    "scaled_dot_product_attention": {"query": "any nhle|nle", "key": "any nhse|nse", "value": "any nhsv|nsv"},
    "batch_norm": IMAGE, "native_batch_norm": IMAGE, "instance_norm": IMAGE, "_batch_norm_impl_index": IMAGE,
    "group_norm": IMAGE, "prelu": {"self": "any NC|NCH|C|", "weight": "any C|1"},
    "layer_norm": {"weight": "any tail", "bias": "any tail"},
    "native_layer_norm": {"weight": "any tail", "bias": "any tail"},
    "rms_norm": {"weight": "any tail"},
    "embedding": {"weight": "any VE", "indices": "vocabulary i|ij|", "input": "vocabulary i|ij|"},
    "embedding_renorm_": {"self": "any VE", "indices": "vocabulary i|ij", "max_norm": [1.0, 0.5],
                          "norm_type": [2.0, 1.0]},
    "embedding_dense_backward": {"grad_output": "any iE", "indices": "vocabulary i"},
    "nll_loss": CLASSES, "nll_loss_nd": CLASSES, "nll_loss_forward": CLASSES, "cross_entropy_loss": CLASSES,
    "nll_loss_backward": {**CLASSES, "grad_output": "any N|"}, "one_hot": {"self": "class i|ij|"},
    "binary_cross_entropy": {"self": "unit base", "target": "unit base", "input": "unit base"},
    "cosine_embedding_loss": {"input1": "any NC", "input2": "any NC", "target": "sign N"},
    "index_select": {"index": "index i|"}, "index_fill": {"index": "index i|"}, "index_copy": {"index": "index i|"},
    "index_add": {"index": "index i|"}, "index_fill_": {"index": "index i|"}, "index_copy_": {"index": "index i|"},
    "index_add_": {"index": "index i|"}, "take": {"index": "flat i|ij|"},
    "put": {"index": "flat i", "source": "any i"},
    "put_": {"index": "flat i", "source": "any i"}, "take_along_dim": {"indices": "index base|smaller"},
    "multinomial": {"self": "positive NC|C"}, "bernoulli": {"self": "unit base"}, "bincount": {"self": "count n"},
    "repeat_interleave": {"repeats": "count n|1|"}, "bucketize": {"self": "any base"},
    "glu": {"self": "any Ne|NCe|e"},
    "view_as_complex": {"self": "any ie|e|ije"}, "masked_fill": {"value": "any "}, "masked_fill_": {"value": "any "},
    "lerp": {"weight": "any base|broadcast|"}, "clamp": {"min": "any base|broadcast|", "max": "any base|broadcast|"},
    "linalg_multi_dot": {"tensors": "chain"}, "chain_matmul": {"matrices": "chain"}, "rot90": {"dims": "two_dims"},
    "roll": {"dims": "dims"}, "repeat": {"repeats": "repeats"}, "tile": {"dims": "repeats"},
    "squeeze": {"self": "any 1i1|i1|1|base"},
    "random_": {"from": [0, -5, 3], "to": [5, 10, None, 1]}, "to": {"dtype": "any_dtype"},
    "item": {"self": "any |1|11|base"},
    "is_nonzero": {"self": "any |1|11"}, "kthvalue": {"k": [1, 2, 3]}, "hsplit": {"indices": [[1], [1, 2]]},
    "vsplit": {"indices": [[1], [1, 2]]}, "dsplit": {"indices": [[1], [1, 2]]},
    "tensor_split": {"indices": [[1], [1, 2], []]},
    "searchsorted": {"self": "any i|"}, "view": {"size": "new_shape"}, "reshape": {"shape": "new_shape"},
    "expand": {"size": "expanded_shape"}, "broadcast_to": {"size": "expanded_shape"},
    "permute": {"dims": "permutation"},
    "movedim": {"source": "dim", "destination": "dim"},
    "unflatten": {"sizes": [[-1, 1], [1, -1], [2, -1], [3], [1, 3]]},
    "as_strided": {"size": [[2], [2, 2], [], [1], [3]], "stride": [[1], [1, 1], [], [0], [2]]},
    "index": {"indices": "index_tensors"}, "index_put": {"indices": "index_tensors"},
    "index_put_": {"indices": "index_tensors"}, "_index_put_impl_": {"indices": "index_tensors"},
    "interpolate": {"input": "any NCHW|NCH"}, "unfold": {"size": [1, 2, 3, 0], "step": [1, 2, 0]},
    "set_": {"source": "any base"}, "tensordot": {"dims": [0, 1, 2]}, "cdist": {"x1": "any ij", "x2": "any kj"},
    "cross_entropy": CLASSES,
    "as_strided_": {"size": [[2], [2, 2], [], [1], [3]], "stride": [[1], [1, 1], [], [0], [2]]},
}
# Sentences for what torch or we write in Python, so that there is no schema.
PYTHON_FUNCTIONS = """
split(Tensor tensor, SymInt split_size, int dim=0) -> Tensor[]
split(Tensor tensor, SymInt[] split_sizes, int dim=0) -> Tensor[]
norm(Tensor input, Scalar? p=2, int[]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
einsum(str equation, Tensor[] operands) -> Tensor
tensordot(Tensor a, Tensor b, int dims=2) -> Tensor
broadcast_tensors(Tensor a, Tensor b) -> Tensor[]
meshgrid(Tensor a, Tensor b) -> Tensor[]
chain_matmul(Tensor[] matrices) -> Tensor
unique(Tensor input, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Tensor
unique_consecutive(Tensor input, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Tensor
nonzero(Tensor input, *, bool as_tuple=False) -> Tensor
numel(Tensor input) -> int
is_floating_point(Tensor input) -> bool
is_complex(Tensor input) -> bool
size(Tensor self, int? dim=None) -> int
stride(Tensor self, int? dim=None) -> int
dim(Tensor self) -> int
is_contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format) -> bool
tolist(Tensor self) -> int
__len__(Tensor self) -> int
__bool__(Tensor self) -> bool
__int__(Tensor self) -> int
__float__(Tensor self) -> float
__index__(Tensor self) -> int
__contains__(Tensor self, Scalar other) -> bool
__reversed__(Tensor self) -> Tensor
type(Tensor self, ScalarType? dtype=None) -> Tensor
float(Tensor self) -> Tensor
int(Tensor self) -> Tensor
bool(Tensor self) -> Tensor
half(Tensor self) -> Tensor
long(Tensor self) -> Tensor
new_tensor(Tensor self, Scalar data, *, ScalarType? dtype=None) -> Tensor
tensor(Scalar data, *, ScalarType? dtype=None) -> Tensor
tensor(Scalar[] data, *, ScalarType? dtype=None) -> Tensor
as_tensor(Scalar[] data, *, ScalarType? dtype=None) -> Tensor
cross_entropy(Tensor input, Tensor target, Tensor? weight=None) -> Tensor
normalize(Tensor input, float p=2.0, int dim=1) -> Tensor
""".strip().splitlines()
# Results whose numbers nobody promised.
UNINITIALISED = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_", "resize_as_"}
# Results that are drawn.
RANDOM = {name + tail for tail in ("", "_") for name in (
    "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "normal", "bernoulli", "uniform",
    "random", "exponential", "log_normal", "cauchy", "geometric", "multinomial", "dropout", "alpha_dropout",
    "feature_dropout", "feature_alpha_dropout", "native_dropout")}
# Parameters that are never left out: torch's functions read their default, "Mean", as "none" (docs/DIFFERENCES.md).
GIVEN = {"reduction"}
# Names that mean something else in torch: Tensor.index belongs to another package that it contains.
EXCLUDED = {("method", "index"), ("method", "stride")}

"""The tensors whose text is compared with torch's, as recipes that NumPy turns into the same bits everywhere.

A recipe is a dict. `dtype` and `shape` are always there. The values are either written out (`values`: one number or
string per element, repeated to fill the shape) or drawn (`seed`, `draw`, `exponents`, `specials`). Optional facts:
`options` (for set_printoptions), `default_dtype`, `grad` ("leaf" or the name of a node), `name`, `device`.
"""

from __future__ import annotations

import numpy as np

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int16", "int32", "int64", "uint16", "uint32", "uint64")
COMPLEX = ("complex64", "complex128")

# Numbers at, or a hair beside, the places where torch changes its notation.
TURNING_POINTS = (0.0, -0.0, 1.0, 999.9999, 1000.0, 1000.5, 1e8, 100000008.0, 1e-4, 9.999e-5, 0.99995)
SPECIALS = (np.inf, -np.inf, np.nan, 0.0, -0.0)


def build(recipe: dict) -> np.ndarray:
    """The array of a recipe; bfloat16 comes as float32 holding bfloat16 values, for want of it in NumPy."""
    dtype, shape = recipe["dtype"], tuple(recipe["shape"])
    carrier = "float32" if dtype == "bfloat16" else dtype
    with np.errstate(over="ignore", under="ignore"):
        if "values" in recipe:
            array = np.resize(np.array(recipe["values"], _written_as(dtype)).astype(carrier), shape)
        else:
            array = _drawn(recipe, shape).astype(carrier)
    if dtype == "bfloat16":
        array = (array.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.asarray(array)  # operations on 0-d arrays give scalars


def _written_as(dtype: str) -> type:
    """What the written values of a recipe are read as; a complex one is written as a string."""
    return complex if dtype in COMPLEX else float if dtype in FLOATS else object


def _drawn(recipe: dict, shape: tuple[int, ...]) -> np.ndarray:
    # RandomState's stream is frozen for good, and only exactly rounded arithmetic follows it.
    stream = np.random.RandomState(recipe["seed"])
    dtype = recipe["dtype"]
    if dtype == "bool":
        return stream.random_sample(shape) < 0.5
    if dtype in INTEGERS:
        largest = min(10 ** max(recipe["exponents"][1], 1), int(np.iinfo(dtype).max))
        smallest = max(-largest, int(np.iinfo(dtype).min))
        return np.asarray(stream.randint(smallest, largest, shape, dtype=dtype))
    if dtype in COMPLEX:
        # Assigned, not added: 0 + inf*1j would spoil the real part.
        array = np.empty(shape, complex)
        array.real, array.imag = _reals(stream, recipe, shape), _reals(stream, recipe, shape)
        return array
    return _reals(stream, recipe, shape)


def _reals(stream: np.random.RandomState, recipe: dict, shape: tuple[int, ...]) -> np.ndarray:
    smallest, largest = recipe["exponents"]
    mantissas = np.asarray(stream.random_sample(shape)) * 20.0 - 10.0
    powers = np.array([float(f"1e{exponent}") for exponent in range(smallest, largest + 1)])
    reals = mantissas * powers[stream.randint(0, len(powers), shape)]
    if recipe["draw"] == "integral":
        reals = np.trunc(reals)
    elif recipe["draw"] == "turning points":
        reals = np.copysign(1.0, mantissas) * np.array(TURNING_POINTS)[stream.randint(0, len(TURNING_POINTS), shape)]
    special = stream.random_sample(shape) < recipe["specials"]
    return np.where(special, np.array(SPECIALS)[stream.randint(0, len(SPECIALS), shape)], reals)


def case(values, shape=None, dtype="float32", **facts) -> dict:
    values = values if isinstance(values, list) else [values]
    return {"dtype": dtype, "shape": [len(values)] if shape is None else shape, "values": values, **facts}


def counted(shape, dtype="float32", **facts) -> dict:
    return case(list(range(int(np.prod(shape)))), shape, dtype, **facts)


LINE_WIDTHS = (-5, 0, 1, 10, 19, 20, 21, 22, 30, 31, 36, 37, 38, 45, 46, 50, 57, 58, 65, 100)
ANY_DTYPE = (*FLOATS, *INTEGERS, *COMPLEX, "bool")

WRITTEN = {
    "0-d": [
        *(case(v, []) for v in (0, -0.0, 1, -1, 1.5, 1e8, 100000008, 1e10, 1.2e-4, 1e-4, 1.5e-5, "nan", "-inf")),
        *(case(1, [], dtype) for dtype in ANY_DTYPE),
        case("1.5-2.5j", [], "complex64"),
        case(1e-4, [], "float64"),
        case(1e-4, [], "float16"),
    ],
    "one dimension wraps at the line width": [
        *(counted([40], options={"linewidth": width}) for width in LINE_WIDTHS),
        counted([40], "int32"),
        case([1 / 7, 2 / 7], [30]),
        case([True, False], [30], "bool"),
        *(case(["1.25-100j", "2-3j"], [9], "complex64", options={"linewidth": width}) for width in LINE_WIDTHS),
        *(case(["2.5+0j"], [9], "complex64", options={"linewidth": width}) for width in LINE_WIDTHS),
    ],
    "dimensions nest and part by blank lines": [
        *(counted(s, d) for d in ("float32", "int64") for s in ([2, 3], [2, 3, 4], [2, 2, 2, 2], [2, 1, 2, 1, 2])),
        counted([2, 25]),
        case(["1+2j", "30-4j"], [2, 2, 2], "complex64"),
    ],
    "a middle beyond the threshold becomes dots": [
        *(counted(s, "int64") for s in ([1000, 1], [1001], [3, 500], [1001, 1], [2, 8, 100])),
        counted([1200], "complex64"),
        *(counted([12], options={"threshold": limit}) for limit in (-1, 0, 11, 11.5, 12, 13)),
        *(counted([3, 2, 6], options={"threshold": 5, "edgeitems": edge}) for edge in (1, 2, 3, 5)),
        counted([12], options={"threshold": 5, "edgeitems": -1}),
        case([True], [40], "bool", options={"threshold": 5}),
    ],
    "what is left out does not decide the notation": [
        case([1, 5e5, 2, 1e9, 1e9, 1e9, 3, 1e-9, 4], [3, 3], options={"threshold": 2, "edgeitems": 1}),
        case([1, 1000, 2, 5, 6, 7, 3, 100000, 4], [3, 3], "int64", options={"threshold": 2, "edgeitems": 1}),
    ],
    "without edge items the size stands in": [
        *(counted([12], dtype, options={"threshold": 5, "edgeitems": 0}) for dtype in ANY_DTYPE),
        counted([5], options={"threshold": 5, "edgeitems": 0}),
        *(case(1, [], options={"threshold": limit, "edgeitems": 0}) for limit in (-1, 5)),
        *(case(1, shape, options={"edgeitems": 0}) for shape in ([0], [0, 3])),
    ],
    "scientific notation begins": [
        *(case([1.5, v]) for v in (1499.5, 1500, 1500.5, 1e-3, 1.5e-3, 1e5)),
        *(case([1, v]) for v in (999, 1000, 1001, 1e8)),
        *(case([1, v], dtype=dtype) for dtype in FLOATS for v in (1000, 1001, 1004)),
        case([1e8, 1e8]),
        case([1e8, 2e8]),
        case([1e-5, 0]),
        case([0.00012345, 0.1]),
        case([1e17], dtype="float64"),
        # Above a ratio of 1000 only when divided in double precision.
        case([1.0044746398925781, 1004.4746704101562]),
    ],
    "inf and nan take the column of the others": [
        *(case(["inf", "-inf", "nan", v]) for v in (0, 1, 100, 1.5, 1e-9, -1.5)),
        case(["inf", "-inf"]),
        case(["nan"]),
        case([0, "inf"], options={"sci_mode": True}),
    ],
    "integral values print a bare point": [case([1, 2, 10]), case([0, 0]), case([-0.0, 0.0]), case([-0.0, 1.5])],
    "subnormal and extreme values": [
        case([1e-45, 1]),
        case(1e-45, []),
        case(5e-324, [], "float64"),
        case([1e308, 5e-324], dtype="float64"),
        case([3e38, 1e-38]),
        case([6e-8, 1], dtype="float16"),
        case([65504, 0.5], dtype="float16"),
        case([3e38, 0.1], dtype="bfloat16"),
    ],
    "complex parts choose apart": [
        case(["1+200j", "30-1j"], dtype="complex64"),
        case(["1e10+2j", "3"], dtype="complex64"),
        case(["1e-5-2.5j"], dtype="complex128"),
        case(["nan+infj", "1-infj", "-inf-2j", "1.5-0j"], dtype="complex64"),
        case(["-0-0j", "1-0j"], dtype="complex64"),
        case(["1e10-1e-10j"], dtype="complex64", options={"sci_mode": False}),
    ],
    "precision": [
        case(values, dtype=dtype, options={"precision": precision})
        for precision in (0, 1, 2, 7, 12)
        for values, dtype in (([1.5, 2.25], "float32"), ([1.0], "float32"), ([1e-5, 1.5], "float64"))
    ],
    "sci_mode asked for": [
        case(values, dtype=dtype, options={"sci_mode": wanted})
        for wanted in (True, False)
        for values, dtype in (([1, 2.5], "float32"), ([1, 1e10], "float32"), ([0], "float32"), ([1, 2], "int64"))
    ],
    "an empty tensor tells its size and dtype": [
        case(0, shape, dtype) for shape in ([0], [2, 0], [0, 3, 1]) for dtype in ANY_DTYPE
    ],
    "the dtype is told unless default": [
        case(1, shape, dtype, default_dtype=default)
        for default in FLOATS
        for dtype in ANY_DTYPE
        for shape in ([1], [0])
    ],
    "suffixes wrap at the line width": [
        recipe | {"options": {"linewidth": width}}
        for width in LINE_WIDTHS
        for recipe in (
            case(1, [8], "float64", grad="leaf"),
            case(1, [2, 1], "float64", grad="CloneBackward0"),
            case(0, [2, 0], "float64", grad="CloneBackward0"),
        )
    ],
    "the name sets the indent": [
        counted([2, 15], name=name) for name in ("Sub", "Tokens", "ATensorWithQuiteALongNameForASubclass")
    ],
    "a meta tensor has no values": [
        case(1, shape, dtype, device="meta", grad=grad)
        for shape in ([], [0], [2, 3])
        for dtype, grad in (("float32", None), ("float64", "leaf"), ("int64", None))
    ],
}

# Calls of set_printoptions, made one after the other.
OPTION_CALLS = (
    {"profile": "short"},
    {"precision": 7},
    {"profile": "default"},
    {"profile": "full"},
    {"profile": "Full"},
    {"profile": "SHORT", "edgeitems": 9},
    {"sci_mode": True},
    {"linewidth": 120},
    {"sci_mode": False, "threshold": 0},
    {"profile": "short", "precision": 6},
    {"profile": "nonsense"},
    {"precision": 0, "edgeitems": 0, "linewidth": 0},
    {"profile": "default"},
)


def drawn_recipes(count: int) -> list[dict]:
    """Recipes over dtypes, shapes, magnitudes and options, drawn from one seed."""
    stream = np.random.RandomState(20130213)

    def pick(*choices):
        return choices[stream.randint(len(choices))]

    recipes = []
    for seed in range(count):
        smallest = pick(-40, -12, -6, -4, -2, 0, 0, 0, 3, 6)
        recipe = {
            "seed": seed,
            "dtype": pick(*ANY_DTYPE, *FLOATS, *COMPLEX, "float32", "float32"),
            "shape": pick(
                [], [1], [3], [7], [11], [17], [50], [2, 3], [3, 12], [1, 9], [9, 9], [2, 2, 3], [3, 1, 2, 2]
            ),
            "draw": pick("decimal", "decimal", "decimal", "integral", "turning points"),
            "exponents": [smallest, smallest + pick(0, 0, 1, 2, 4, 10)],
            "specials": pick(0.0, 0.0, 0.0, 0.3),
            "default_dtype": pick("float32", "float32", "float64"),
        }
        if recipe["dtype"] in FLOATS + COMPLEX:
            recipe["grad"] = pick(None, None, "leaf", "CloneBackward0")
        every_option = {
            "precision": int(stream.randint(0, 9)),
            "threshold": pick(0, 5, 10, 20),
            "edgeitems": pick(0, 1, 1, 2, 2, 4),
            "linewidth": int(stream.randint(0, 130)),
            "profile": pick("default", "short", "full"),
            "sci_mode": pick(True, False),
        }
        recipe["options"] = {name: value for name, value in every_option.items() if stream.randint(3) == 0}
        recipes.append(recipe)
    return recipes

"""One frozen row of the table of ops: what the dispatcher reads on every call."""

from __future__ import annotations

from .autocast_policy import AS_GIVEN, policy_of
from .derivative import Derivative
from .schema import DEVICE, OPTIONAL_TENSORS, TENSOR, TENSORS

# How an op does its work.
KERNEL, VIEW, BODY, INTO = 1, 2, 3, 4
# How an elementwise op chooses its result type.
NOT_POINTWISE, SAME, BOOL, FLOAT = 0, 1, 2, 3
# When the rule of an elementwise op is asked for its complaint: never, unless all are floats of one type, always.
NO_CHECK, CHECKS_TYPES, CHECKS_ALL = 0, 1, 2
# The types that ``out=`` may have: the result's, any that the result can be cast to, or any at all.
SAME_TYPE, CASTABLE, ANY_TYPE = 0, 1, 2


class Operator:
    """Everything the dispatcher needs to know about one overload, in typed fields."""

    def __init__(self, name: str, overload: str, schema):
        self.name = name
        self.overload = overload
        self.schema = schema
        self.event = f"{schema.namespace}::{name}"
        self._read_parameters(schema.params)
        self._read_aliases(schema)
        self.how = 0
        self.kernel = ""  # the name of what computes it, on every device
        self.work = None
        self.loop = None
        self.ufunc = None  # what NumPy calls an elementwise kernel whose numbers are at their defaults
        self.meta = None
        self.kernel_types = None  # the types it is for, where torch refuses some
        self.scalars = None  # how its kernel converts numbers, and the parameters that are converted
        self.converts: tuple[int, ...] = ()
        self.pointwise = NOT_POINTWISE
        self.checks = NO_CHECK  # the elementwise rule has a complaint of its own
        self.copies_integers = False  # so does torch where an elementwise op leaves integers as they are
        self.takes_out = False
        self.out_type = SAME_TYPE  # which types ``out=`` may have
        self.out_words = None  # what is said of others, where torch has words of its own: one text, or one a result
        self.check_out = None  # a complaint about ``out=`` that torch makes before any other
        self.inplace_view = False  # looks at its memory in another way instead of writing to it
        # Memory that is written twice, or while it is read, is refused (dispatch/written_memory.py), except:
        self.writes_expanded = False  # each place of an expanded tensor is written several times
        self.warns_expanded = False  # so it is, but torch warns of it
        self.shares_inputs = False  # inputs may lie in the memory that is written
        self.spares_inputs = False  # on the contrary: not even the written tensor itself may be an input
        self.shares_first = False  # except the first of the inputs
        self.composite = False
        self.differentiable = False
        self.backward: Derivative | None = None
        self.refused_as = name  # what autograd calls an ``out=`` form when it refuses it
        self.numbers = 0  # bit i: a Python number may stand for tensor parameter i
        self.name_id = -1
        self.in_python = True
        self.no_grad_for = ()  # numbers of the results that get no gradient
        self.result_type = None  # a tuple with named fields, where torch returns one
        self.doc = ""
        self.form = None
        self.autocast = policy_of(name, overload) if schema.namespace == "aten" else AS_GIVEN

    def _read_parameters(self, params) -> None:
        """What binding and the kernel call need to know of the parameters."""
        self.n_params = len(params)
        self.kinds = [p.kind for p in params]
        self.codes = bytes(self.kinds)
        self.sizes = bytes([p.size for p in params])  # of lists that take one int for all
        self.optional = sum(1 << i for i, p in enumerate(params) if p.optional)
        self.required = sum(1 << i for i, p in enumerate(params) if not p.has_default)
        self.defaults = tuple(p.default for p in params)
        self.tails = tuple(self.defaults[n:] for n in range(self.n_params + 1))
        self.index = {p.name: i for i, p in enumerate(params)}
        self.n_positional = sum(not p.keyword_only for p in params)
        self.n_required = sum(not p.has_default for p in params if not p.keyword_only)
        self.keyword_required = any(p.keyword_only and not p.has_default for p in params)
        self.tensors = tuple(i for i, p in enumerate(params) if p.kind == TENSOR)
        self.lists = tuple(i for i, p in enumerate(params) if p.kind in (TENSORS, OPTIONAL_TENSORS))
        operands = [i for i in self.tensors
                    if not (params[i].keyword_only and params[i].alias.endswith("!"))]
        self.operands = tuple(operands)  # the tensors that go in
        self.n_tensors = len(operands)
        self.tensor0, self.tensor1 = (*operands, -1, -1)[:2]
        self.has_tensors = bool(self.tensors or self.lists)
        self.device_at = next((i for i, p in enumerate(params) if p.kind == DEVICE), -1)

    def _read_aliases(self, schema) -> None:
        """Which parameters are written, and which one results look at."""
        params = schema.params
        returned = [r.alias for r in schema.results]  # what is written on the side, as noise, is not returned
        self.mutates = next((i for i, p in enumerate(params)
                             if p.alias.endswith("!") and (p.alias in returned or not returned)), -1)
        self.is_out = self.mutates >= 0 and params[self.mutates].keyword_only
        self.aliases = next((i for i, p in enumerate(params) if p.alias == "a"), -1)
        self.outs = tuple(i for i, p in enumerate(params) if p.keyword_only and p.alias.endswith("!"))

    def __repr__(self) -> str:
        return f"<op {self.event}{'.' + self.overload if self.overload else ''}>"

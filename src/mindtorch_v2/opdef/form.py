# cython: annotation_typing=False
"""The form an op is declared on: a class body, checked when the class is made and frozen into one Operator when the op
is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..devices.cpu.kernels import KERNELS, LOOPS, UFUNCS
from ..record.names import names
from . import derivative, operator, results, rules, table
from .kernel_types import KernelTypes
from .scalars import Scalars
from .schema import Schema, parse

# Everything a form may say; docs/ARCHITECTURE.md explains each under "Declaring an op".
FACETS = {"schema", "meta", "kernel", "view", "body", "into", "out_type", "out_words", "check_out", "grads",
          "grads_of", "variants", "tuned", "node", "results", "numbers", "internal", "inplace", "out", "event", "below",
          "no_grad_for", "inplace_view", "conjugate", "no_formula", "kernel_types", "scalars", "overlap",
          "of_kind", "composed", "exact_number"}
# What the facet ``overlap`` may say about memory that is written twice, or while it is read.
OVERLAP = {"expanded", "expanded_out", "expanded_warns", "shares_inputs", "spares_inputs", "spares_others"}
OUT_TYPES = {"same": operator.SAME_TYPE, "castable": operator.CASTABLE, "any": operator.ANY_TYPE}
WORK = {"kernel": operator.KERNEL, "view": operator.VIEW, "body": operator.BODY, "into": operator.INTO}


class Op:
    """Base of all ops. A subclass is never instantiated: its body is the declaration."""

    def __init_subclass__(cls):
        form = {k: v for k, v in vars(cls).items() if not k.startswith("__")}
        if "schema" not in form:
            raise TypeError(f"op {cls.__name__}: a form needs a schema")
        cls.op = declare(doc=(cls.__doc__ or "").strip(), **form)  # and, once it was asked for, the Operator


def declare(schema: str, doc: str, **form) -> table.Declaration:
    """The same form as a call: for families, whose members are the rows of a table."""
    name = schema.partition("(")[0]
    if not any(work in form for work in WORK):
        form["kernel"] = name.partition(".")[0]  # computed by the kernel of its own name
    _check(name, form)
    form["schema"] = schema
    in_python, variants = "internal" not in form, form.get("variants", "").split()
    is_method = "method" in variants
    declared = table.add(table.Declaration(name, lambda: _operator(parse(schema), form, doc), in_python, is_method))
    for variant in variants:
        if variant != "method":
            table.add(table.Declaration(_variant_name(name, variant), partial(_variant, declared, form, variant),
                                        in_python, is_method and variant == "inplace"))
    return declared


def declare_derived(full_name: str, internal: str | None, form_of: Callable[[], dict]) -> table.Declaration:
    """The same for an op whose form follows from another op's: it is filled in when somebody asks for the op."""
    def make() -> operator.Operator:
        form = form_of() | ({} if internal is None else {"internal": internal})
        doc = form.pop("doc")
        _check(full_name, form)
        return _operator(parse(form["schema"]), form, doc)

    return table.add(table.Declaration(full_name, make, internal is None))


def _variant_name(full_name: str, variant: str) -> str:
    name, _, overload = full_name.partition(".")
    if variant == "inplace":
        return f"{name}_.{overload}"
    word = variant.partition("(")[0]
    return f"{name}.{overload_out(overload) if word == 'out' else word.removeprefix('.')}"


def _check(name: str, form: dict) -> None:
    for facet in form:
        if facet not in FACETS and not facet.startswith(("grad_", "_")):
            import difflib  # only for the mistaken
            near = difflib.get_close_matches(facet, FACETS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(sorted(FACETS))}, grad_<param>"
            raise TypeError(f"op {name}: unknown facet {facet!r}{hint}")
    work = [w for w in WORK if w in form]
    if len(work) != 1 and work != ["body", "into"]:  # into for out= and in place, and a hand-tuned way to new results
        raise TypeError(f"op {name}: one of kernel, into, view, body says how it works, got {work}")


def _operator(schema: Schema, form: dict, doc: str) -> operator.Operator:
    op = operator.Operator(schema.name, schema.overload, schema)
    work = next(w for w in WORK if w in form)
    op.how = WORK[work]
    op.work = form[work]
    if work == "kernel":
        op.kernel = form[work]
        op.work, op.loop, op.ufunc = KERNELS[op.kernel], LOOPS.get(op.kernel), UFUNCS.get(op.kernel)
    op.takes_out = op.how == operator.KERNEL and _takes_out(op.work)
    op.out_type = OUT_TYPES[form.get("out_type", "same")]
    op.out_words, op.check_out = form.get("out_words"), form.get("check_out")
    is_tuned = "tuned" in form or (work == "body" and "into" in form)
    op.meta = None if is_tuned else form.get("meta")  # what is hand-tuned checks itself
    op.kernel_types = KernelTypes(form["kernel_types"]) if "kernel_types" in form else None
    if "scalars" in form:
        op.scalars = Scalars(form["scalars"], schema)
        op.converts = op.scalars.params
    if isinstance(op.meta, rules.Pointwise):
        op.pointwise = op.meta.result
        if isinstance(op.meta, rules.Checked):
            op.checks = operator.CHECKS_TYPES if isinstance(op.meta, rules.OfTypes) else operator.CHECKS_ALL
        op.copies_integers = op.meta.copies_integers
    op.backward = derivative.read(form, schema, form.get("node") or node_name(schema.name))
    is_own_work = op.how in (operator.KERNEL, operator.INTO) or "below" in form
    if op.backward is None and op.is_out and is_own_work and _is_differentiable(schema.name):
        op.backward = derivative.Derivative("", [], False, ())  # no formula: autograd refuses the call
    if op.is_out and "no_formula" in form:
        op.backward, op.refused_as = derivative.Derivative("", [], False, ()), op.event
    op.differentiable = op.backward is not None
    # Autograd sees through a composition, but not into the making of a tensor (a `below` body, or one without tensors).
    op.composite = work == "body" and not op.differentiable and op.has_tensors and not (
        "below" in form or form.get("internal") == "below")
    op.numbers = sum(1 << i for i, p in enumerate(schema.params) if p.name in form.get("numbers", "").split())
    op.in_python = form.get("internal") is None
    if "no_grad_for" in form:
        every = derivative.result_names(schema)
        op.no_grad_for = tuple(every.index(name) for name in form["no_grad_for"].split())
    if "results" in form:
        op.result_type = results.named(schema.name + "_out" * op.is_out, tuple(form["results"].split()))
        if op.composite:
            op.work = results.naming(op.work, op.result_type)
    op.event = form.get("event", op.event)
    op.inplace_view = form.get("inplace_view", False)
    _say_overlap(op, form.get("overlap", "").split())
    op.doc = doc
    op.form = form
    op.name_id = names.declare(op.event, op.overload)
    if op.backward is not None:
        op.backward.node_name_id = names.declare(op.backward.node)
        op.backward.evaluate_name_id = names.declare("autograd::engine::evaluate_function: " + op.backward.node)
    return op


def _say_overlap(op: operator.Operator, words: list[str]) -> None:
    """Which writes to shared memory torch lets pass; the in-place form and ``out=`` may differ in it."""
    if not OVERLAP.issuperset(words):
        raise TypeError(f"op {op.name}: overlap says {' '.join(words)!r}; there are {', '.join(sorted(OVERLAP))}")
    op.warns_expanded = "expanded_warns" in words
    op.writes_expanded = op.inplace_view or ("expanded_out" if op.is_out else "expanded") in words
    op.shares_inputs = op.inplace_view or "shares_inputs" in words
    op.shares_first = "spares_others" in words
    op.spares_inputs = op.shares_first or "spares_inputs" in words


def _is_differentiable(name: str) -> bool:
    """Whether autograd can follow the ops declared under a name; their ``out=`` form is then refused a gradient."""
    return any(op.differentiable or op.composite for op in table.OPS.made_so_far(name))


def node_name(name: str) -> str:
    """torch's name for the backward node of an op: ``log_softmax`` → ``LogSoftmaxBackward0``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_")) + "Backward0"


def _takes_out(work) -> bool:
    """Whether a kernel writes into a given array: NumPy's ufuncs do, ours say so with a parameter ``out``."""
    code = getattr(work, "__code__", None)
    if code is None:
        return hasattr(work, "nin")
    return "out" in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]


def _variant(declared: table.Declaration, form: dict, variant: str) -> operator.Operator:
    """The in-place (``add_``) or ``out=`` form of an op, which differs in its schema alone.

    The word for the latter is ``out``, or the name torch gives it where it is not the usual one (``Tensor_out``, and
    ``.out`` for an overload whose name it leaves out). The tensors that are written are called as the results are, or
    ``out``, unless the word says how: ``dim_max(max,max_values)``.
    """
    op = declared.op
    head, _, rest = op.schema.sentence.partition("(")
    name, _, overload = head.partition(".")
    params = rest.rpartition(") -> ")[0]
    if variant == "inplace":
        first, _, others = params.partition(" ")
        changed = f"{name}_{'.' + overload if overload else ''}({first}(a!) {others}) -> {first}(a!)"
    else:
        changed = _out_sentence(op.schema, params, variant)
    changes = {"schema": changed}
    if "into" in form:
        form = {facet: value for facet, value in form.items() if facet != "body"}
    if variant == "inplace" and "inplace" in form:
        changes["body"] = form["inplace"]  # a composition is written in place by another composition
        form = {facet: value for facet, value in form.items() if facet != "into"}
    elif variant != "inplace" and "out" in form:
        changes |= {"body": form["out"], "tuned": "it is composed of ops that check"}
        form = {facet: value for facet, value in form.items() if facet != "into"}
    changed_op = _operator(parse(changed), {**form, **changes}, op.doc)
    if variant == "inplace":
        changed_op.event, changed_op.name_id = op.event + "_", names.declare(op.event + "_", op.overload)
    return changed_op


def _out_sentence(schema: Schema, params: str, variant: str) -> str:
    """The sentence of an ``out=`` form: one more parameter for each result, and they are the results."""
    word, _, names = variant.rstrip(")").partition("(")
    overload = overload_out(schema.overload) if word == "out" else word.removeprefix(".")
    outs = names.split(",") if names else [result.name or "out" for result in schema.results]
    written = [f"Tensor({chr(ord('a') + i)}!)" for i in range(len(outs))]
    results = [f"{kind} {result.name}".strip() for kind, result in zip(written, schema.results)]
    star = "" if "*," in params else ", *"
    given = ", ".join(f"{kind} {name}" for kind, name in zip(written, outs))
    returned = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"{schema.name}.{overload}({params}{star}, {given}) -> {returned}"


def overload_out(overload: str) -> str:
    """torch names the out= form of ``add.Tensor`` simply ``add.out``."""
    return "out" if overload in ("", "Tensor") else overload + "_out"

"""How an op's derivative is called: which values it wants, known when the op is declared."""

from __future__ import annotations

# Where an argument of a derivative comes from; numbers from 0 on are the op's own parameters.
GRAD, GRADS, NEEDS, RESULT0 = -1, -2, -3, -10
FACT = 1000  # above all numbers of parameters
# Added to a parameter's number: only that much of it is kept.
SHAPE, DTYPE, GEOMETRY, DEVICE, COLUMN_MAJOR = FACT, 2 * FACT, 3 * FACT, 4 * FACT, 5 * FACT


class Formula:
    """One function that gives the gradient of one parameter (or, for ``grads``, of all)."""

    def __init__(self, function, param: int, sources: tuple[int, ...]):
        self.function = function
        self.param = param
        self.sources = sources


class Derivative:
    """All formulas of an op, and what they need saved."""

    def __init__(self, node: str, formulas: list[Formula], joint: bool, params: tuple[int, ...],
                 names: tuple[str, ...] = (), conjugates: bool = False):
        self.node = node
        self.formulas = formulas
        self.joint = joint
        self.params = params  # the differentiable parameters, in order: the node's next edges
        self.conjugates = conjugates  # a complex gradient is multiplied by the conjugate of what the formulas say
        # torch computes the gradients of one node in the order of the parameters' names
        count = range(len(formulas))
        self.order = tuple(sorted(count, key=lambda i: names[i])) if names else tuple(count)
        wanted = {s for f in formulas for s in f.sources}
        self.saved_results = tuple(sorted(RESULT0 - s for s in wanted if s <= RESULT0))
        self.by_name: tuple[int, ...] = ()  # the parameters in the order of their names, in which hooks are called
        self.schema = None
        self.node_name_id = self.evaluate_name_id = -1
        self._by_mask = {}
        self._latest = (-1, ())

    def source(self, name: str) -> int | None:
        """Where a value that the formulas ask for is kept, by torch's name for it; None where none asks."""
        shape = name.endswith("_sym_sizes")
        param = name.removesuffix("_sym_sizes")
        sources = [SHAPE * shape + i for i, p in enumerate(self.schema.params) if p.name == param]
        sources += [RESULT0 - i for i, result in enumerate(result_names(self.schema)) if result == name]
        asked = {s for f in self.formulas for s in f.sources}
        return next((s for s in sources if s in asked), None)

    def saved_for(self, mask):
        """The parameters to save when only some gradients are wanted: bit i is the i-th differentiable parameter."""
        latest = self._latest  # one object, so that threads never see half of it
        if latest[0] == mask:  # a training step asks the same again and again
            return latest[1]
        saved = self._by_mask.get(mask)
        if saved is None:
            formulas = [f for i, f in enumerate(self.formulas) if self.joint or mask >> i & 1]
            wanted = {s for f in formulas for s in f.sources if s >= 0}
            saved = self._by_mask[mask] = tuple(sorted(wanted))
        self._latest = (mask, saved)
        return saved


def read(form, schema, node: str) -> Derivative | None:
    """The derivative declared on a form, as ``grad_<param>`` functions or one ``grads``."""
    derivative = _read(form, schema, node)
    if derivative is not None:
        derivative.schema = schema
        names = [p.name for p in schema.params]
        derivative.by_name = tuple(sorted(range(len(names)), key=names.__getitem__))
        results = result_names(schema)
        derivative.saved_results = tuple(sorted(derivative.saved_results, key=results.__getitem__))
    return derivative


def _read(form, schema, node: str) -> Derivative | None:
    names = {p.name: i for i, p in enumerate(schema.params)}
    results = result_names(schema)
    joint = form.get("grads")
    if joint is not None:
        of = _grads_of(form, schema)
        params = tuple(i for i, p in enumerate(schema.params) if p.kind in (1, 2, 18) and p.name in of)
        formulas = [Formula(joint, -1, _sources(joint, names, results))]
        return Derivative(node, formulas, True, params, (), _conjugates(form, formulas, schema))
    formulas = []
    for facet, function in form.items():
        if facet.startswith("grad_"):
            param = facet[len("grad_"):]
            if param not in names:
                raise TypeError(f"{schema.name}: {facet} names no parameter; there are {', '.join(names)}")
            formulas.append(Formula(function, names[param], _sources(function, names, results)))
    if not formulas:
        return None
    formulas.sort(key=lambda f: f.param)
    return Derivative(node, formulas, False, tuple(f.param for f in formulas),
                      tuple(schema.params[f.param].name for f in formulas), _conjugates(form, formulas, schema))


def _conjugates(form, formulas, schema) -> bool:
    """Formulas without values only move gradients or add them up; with values, they are written for real numbers."""
    with_values = any(s <= RESULT0 or 0 <= s < SHAPE and schema.params[s].kind in (1, 2, 3, 16, 18)
                      for f in formulas for s in f.sources)
    return form.get("conjugate", True) and with_values


def _grads_of(form, schema) -> list[str]:
    """The parameters that ``grads`` answers for: those named in ``grads_of``, else every tensor."""
    return form["grads_of"].split() if "grads_of" in form else [p.name for p in schema.params]


def result_names(schema) -> list[str]:
    if len(schema.results) == 1:
        return [schema.results[0].name or "result"]
    return [r.name or f"result{i}" for i, r in enumerate(schema.results)]


def _sources(function, names: dict[str, int], results: list[str]) -> tuple[int, ...]:
    sources = []
    code = function.__code__
    for word in getattr(function, "takes", code.co_varnames[:code.co_argcount]):  # or it names them itself
        if word == "grad":
            sources.append(GRAD)
        elif word == "grads":
            sources.append(GRADS)
        elif word == "needs":
            sources.append(NEEDS)
        elif word in names:
            sources.append(names[word])
        elif word in results:
            sources.append(RESULT0 - results.index(word))
        elif word.endswith("_shape") and word[:-6] in names:
            sources.append(SHAPE + names[word[:-6]])
        elif word.endswith("_dtype") and word[:-6] in names:
            sources.append(DTYPE + names[word[:-6]])
        elif word.endswith("_geometry") and word[:-9] in names:
            sources.append(GEOMETRY + names[word[:-9]])
        elif word.endswith("_device") and word[:-7] in names:
            sources.append(DEVICE + names[word[:-7]])
        elif word.endswith("_is_column_major") and word[:-16] in names:
            sources.append(COLUMN_MAJOR + names[word[:-16]])
        else:
            raise TypeError(f"a derivative asks for {word!r}; it can have grad, grads, needs, "
                            f"{', '.join([*names, *results])}, and <parameter>_shape, _dtype, _geometry, _device or "
                            "_is_column_major")
    return tuple(sources)

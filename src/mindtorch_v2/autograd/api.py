"""torch.autograd.backward and grad: from tensors to a pass of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..core.overrides import disabled_dispatch, guarded
from ..core.slots import Work
from ..core.tensor import Tensor
from ..core.user_warning import warn_user
from . import hooks, passes
from .engine import GraphTask
from .graph import GradientEdge
from .starting import as_list, captures_of, edges_of, first_gradients, leading_to, refuse_members, tensor_at


@guarded
def backward(tensors, grad_tensors=None, retain_graph: bool | None = None, create_graph: bool = False,
             grad_variables=None, inputs=None) -> None:
    """Add the gradients of ``tensors`` to the ``.grad`` of the leaves they come from."""
    if grad_variables is not None:
        warn_user("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
        if grad_tensors is not None:
            raise RuntimeError("`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
                               "`backward()`. Please only use `grad_tensors`.")
        grad_tensors = grad_variables
    inputs = list(inputs.values()) if isinstance(inputs, dict) else inputs
    if inputs is not None and not as_list(inputs):
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = as_list(tensors)
    refuse_members(tensors)
    grads = first_gradients(tensors, as_list(grad_tensors))
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph:
        warn_user("Using backward() with create_graph=True will create a reference cycle between the parameter and "
                  "its gradient which can cause a memory leak. We recommend using autograd.grad when creating the "
                  "graph to avoid this. If you have to use this function, make sure to reset the .grad fields of "
                  "your parameters to None after use to break the cycle and avoid the leak.")
    task = GraphTask(keep, create_graph)
    roots = edges_of(tensors)
    if inputs is not None:
        inputs = as_list(inputs)
        wanted = {node for node, _ in edges_of(inputs)}
        for t in inputs:
            if isinstance(t, Tensor):
                hooks.retain_grad(t)
        task.needed = leading_to(wanted, [node for node, _ in roots], include=True)
    passes.run(task, roots, grads)


@guarded
def grad(outputs, inputs, grad_outputs=None, retain_graph: bool | None = None, create_graph: bool = False,
         only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False,
         materialize_grads: bool = False) -> tuple[Tensor | None, ...] | dict:
    """The gradients of ``outputs`` with respect to ``inputs``, without touching any ``.grad``."""
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                         "allow_unused=False.")
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    if isinstance(inputs, Mapping) and type(inputs) is not dict:
        raise TypeError(f"`inputs` argument to `grad()` must be a dict, not {type(inputs).__name__}. Other Mapping "
                        "types are not supported.")
    if is_grads_batched:
        return _batched(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads)
    keys = list(inputs) if isinstance(inputs, dict) else None  # the gradients come back under the same names
    outputs, inputs = as_list(outputs), as_list(inputs if keys is None else inputs.values())
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    grads = first_gradients(outputs, as_list(grad_outputs))
    keep = create_graph if retain_graph is None else retain_graph
    task = GraphTask(keep, create_graph)
    roots, edges = edges_of(outputs), edges_of(inputs)
    task.captures = captures_of(edges)
    task.needed = leading_to(set(task.captures), [node for node, _ in roots], include=False)
    passes.run(task, roots, grads)
    grads_found = [task.captured.get(edge) for edge in edges]
    unused = [i for i, g in enumerate(grads_found) if g is None]
    if unused and not allow_unused:
        raise RuntimeError(f"The differentiated Tensor at index {unused[0]} appears to not have been used in the "
                           "graph. Set allow_unused=True if this is the desired behavior.")
    if materialize_grads:
        grads_found = [_zeros_for(t, create_graph) if g is None else g for g, t in zip(grads_found, inputs)]
    return tuple(grads_found) if keys is None else dict(zip(keys, grads_found))


BATCHED = ("If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
           "The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
           "mismatch was detected: grad_output[{i}] has a shape of {grad} and output[{i}] has a shape of {output}. If "
           "you only want some tensors in `grad_output` to be considered batched, consider using vmap.")


def _batched(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads):
    """One pass for a whole batch of gradients, and the results as batches."""
    outputs, starts = as_list(outputs), as_list(grad_outputs)
    for i, (out, start) in enumerate(zip(outputs, starts)):
        if start is not None and start.shape[1:] != out.shape:
            raise RuntimeError(BATCHED.format(i=i, grad=start.shape[1:], output=out.shape))
    keys = list(inputs) if isinstance(inputs, dict) else None
    wanted = list(inputs.values()) if keys is not None else as_list(inputs)
    one_by_one = answer_for_their_ops(*outputs, *wanted)
    is_given = []

    def pass_back(*members: Tensor) -> tuple:
        following = iter(members)
        grads = grad(outputs, inputs, [None if start is None else next(following) for start in starts],
                     True if one_by_one else retain_graph, create_graph, allow_unused=allow_unused,
                     materialize_grads=materialize_grads)
        grads = grads if keys is None else grads.values()
        is_given[:] = [g is not None for g in grads]
        return tuple([g for g in grads if g is not None])

    mapped = each_alone if one_by_one else Work.vmap
    following = iter(mapped(pass_back)(*[start for start in starts if start is not None]))
    grads = tuple([next(following) if given else None for given in is_given])
    return grads if keys is None else dict(zip(keys, grads))


def answer_for_their_ops(*values: Tensor | GradientEdge) -> bool:
    """Whether the class of any tensor has a ``__torch_dispatch__``: it is then shown the ops on single members."""
    return any(isinstance(value, Tensor) and type(value).__torch_dispatch__ is not disabled_dispatch
               for value in values)


def each_alone(function: Callable) -> Callable:
    """A function of members as one of batches: called for one member after the other."""
    def of_batches(*batches: Tensor) -> list[Tensor]:
        members = zip(*[batch.unbind(0) for batch in batches])
        return [Work.stack(list(column)) for column in zip(*[function(*each) for each in members])]
    return of_batches


def _calculate_shape(output: Tensor | GradientEdge, grad: Tensor, is_grads_batched: bool) -> tuple:
    """The shapes of an output and of a gradient for it, without the batch's dimension."""
    if isinstance(output, GradientEdge):
        output = tensor_at(output)
    if getattr(output, "is_nested", False):
        if is_grads_batched:
            raise RuntimeError("Batched grads are not supported with Nested Tensor.")
        return output._nested_tensor_size(), grad._nested_tensor_size()
    return output.shape, grad.shape[1:] if is_grads_batched else grad.shape


def _zeros_for(t: Tensor | GradientEdge, create_graph: bool) -> Tensor:
    """The gradient of what nothing depends on; with a graph, it can itself be differentiated, to zeros again."""
    if isinstance(t, GradientEdge):
        raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
    zeros = Work.zeros_like(t)
    zeros._mt_requires = create_graph
    return zeros

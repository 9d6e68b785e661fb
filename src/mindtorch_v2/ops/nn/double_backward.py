"""The second derivative of a normalisation: what flows back through its backward, which layer and batch norm share."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch.aten import aten


def second_derivative(grads, grad_out, input, mean, rstd, weight, over, others, fixed=False):
    """Gradients of ``grad_out``, ``input`` and ``weight``, given those of the three results of a backward.

    Statistics are taken over the dimensions ``over``, and one weight is shared along ``others``; mean, rstd and weight
    come in a shape that broadcasts with the input. ``fixed`` statistics do not depend on the input.
    """
    of_input, of_weight, of_bias = (*grads, None, None)[:3]  # results that were not asked for have none
    hat = aten.mul(aten.sub(input, mean), rstd)
    scaled = _times(grad_out, weight)

    def averaged(t):
        return aten.mean(t, over, True)

    def through(t):
        """What a normalisation makes of a gradient that reaches its normalised value."""
        if not fixed:
            t = aten.sub(aten.sub(t, averaged(t)), aten.mul(hat, averaged(aten.mul(t, hat))))
        return aten.mul(t, rstd)

    for_grad = for_input = for_weight = None
    reaching = None if of_weight is None else aten.mul(of_weight, grad_out)  # what reaches the normalised value
    if of_input is not None:
        back = through(of_input)
        for_grad = _times(back, weight)
        if weight is not None:
            for_weight = aten.mul(grad_out, back)
            for_weight = aten.sum(for_weight, others) if others else for_weight
        if not fixed:
            a, b = averaged(aten.mul(scaled, hat)), averaged(aten.mul(of_input, hat))
            pulled = aten.mul(aten.add(aten.mul(of_input, a), aten.mul(scaled, b)), aten.neg(rstd))
            reaching = pulled if reaching is None else aten.add(reaching, pulled)
            spread = aten.sub(averaged(aten.mul(of_input, scaled)), aten.mul(averaged(of_input), averaged(scaled)))
            spread = aten.mul(aten.sub(spread, aten.mul(a, b)), aten.mul(rstd, rstd))
            for_input = aten.neg(aten.mul(hat, spread))
    if reaching is not None:
        for_input = _sum(for_input, through(reaching))
    if of_weight is not None:
        for_grad = _sum(for_grad, aten.mul(of_weight, hat))
    if of_bias is not None:
        for_grad = _sum(for_grad, aten.expand(of_bias, shape_of(grad_out)))
    return for_grad, for_input, for_weight


def _times(t, weight):
    return t if weight is None else aten.mul(t, weight)


def _sum(a, b):
    return b if a is None else aten.add(a, b)

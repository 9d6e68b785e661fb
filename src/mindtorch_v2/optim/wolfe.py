"""A line search that ends where the loss fell enough and its slope has flattened: the strong Wolfe conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..core.tensor import Tensor

ENOUGH = 1e-4  # of the fall that the first slope promises
FLAT = 0.9  # of the first slope
NARROW = 1e-9  # a bracket that is not worth more evaluations
EDGE = 0.1  # how near to an end of the bracket counts as too near


@dataclass
class _Point:
    """A distance along the direction, and what was found there."""

    distance: float
    loss: float
    gradient: Tensor
    slope: Tensor | float


def strong_wolfe(evaluate: Callable[[float], tuple[float, Tensor]], distance: float, direction: Tensor, loss: float,
                 gradient: Tensor, slope: Tensor, most: int) -> tuple[float, Tensor, float, int]:
    """Loss, gradient and distance of the point that was settled on, and the number of evaluations."""
    largest = direction.abs().max()
    search = _Search(evaluate, direction, _Point(0, loss, gradient.clone(), slope), largest)
    low, high = search.bracket(distance, most)
    best = search.zoom(low, high, most) if high is not None else low
    return best.loss, best.gradient, best.distance, search.evaluations


class _Search:
    def __init__(self, evaluate: Callable, direction: Tensor, start: _Point, largest: Tensor):
        self.evaluate, self.direction, self.start, self.largest = evaluate, direction, start, largest
        self.evaluations = self.iterations = 0

    def at(self, distance: float) -> _Point:
        loss, gradient = self.evaluate(distance)
        self.evaluations += 1
        return _Point(distance, loss, gradient, gradient.dot(self.direction))

    def fell_too_little(self, point: _Point) -> bool:
        return point.loss > self.start.loss + ENOUGH * point.distance * self.start.slope

    def is_flat(self, point: _Point) -> bool:
        return abs(point.slope) <= -FLAT * self.start.slope

    def bracket(self, distance: float, most: int) -> tuple[_Point, _Point | None]:
        """Two points with a good one between them, or a good one and None."""
        before, point = self.start, self.at(distance)
        while self.iterations < most:
            if self.fell_too_little(point) or (self.iterations > 1 and point.loss >= before.loss):
                return before, _copied(point)
            if self.is_flat(point):
                return point, None
            if point.slope >= 0:
                return before, _copied(point)
            least = point.distance + 0.01 * (point.distance - before.distance)
            furthest = point.distance * 10
            further = interpolated(before, point, (least, furthest))
            before, point = _copied(point), self.at(further)
            self.iterations += 1
        return self.start, point

    def zoom(self, first: _Point, second: _Point, most: int) -> _Point:
        """Narrow the bracket until one of its ends will do: the one with the lower loss."""
        ends = [first, second]
        low, high = (0, 1) if first.loss <= second.loss else (1, 0)
        is_stuck = False
        while self.iterations < most:
            width = abs(ends[1].distance - ends[0].distance)
            if width * self.largest < NARROW:
                break
            distance = interpolated(*ends)
            left, right = sorted(end.distance for end in ends)
            margin = EDGE * (right - left)
            if min(right - distance, distance - left) < margin:
                if is_stuck or distance >= right or distance <= left:
                    distance = right - margin if abs(distance - right) < abs(distance - left) else left + margin
                    is_stuck = False
                else:
                    is_stuck = True
            else:
                is_stuck = False
            point = self.at(distance)
            self.iterations += 1
            if self.fell_too_little(point) or point.loss >= ends[low].loss:
                ends[high] = _copied(point)
                low, high = (0, 1) if ends[0].loss <= ends[1].loss else (1, 0)
                continue
            if self.is_flat(point):
                ends[low] = _copied(point)
                break
            if point.slope * (ends[high].distance - ends[low].distance) >= 0:
                ends[high] = ends[low]
            ends[low] = _copied(point)
        return ends[low]


def _copied(point: _Point) -> _Point:
    """A point that outlives the next evaluation."""
    return _Point(point.distance, point.loss, point.gradient.clone(), point.slope)


def interpolated(first: _Point, second: _Point, bounds: tuple[float, float] | None = None) -> float:
    """The minimum of the cubic through two losses and slopes, within bounds; their middle if it has none."""
    if bounds is None:
        bounds = tuple(sorted((first.distance, second.distance)))
    low, high = bounds
    d1 = first.slope + second.slope - 3 * (first.loss - second.loss) / (first.distance - second.distance)
    square = d1 ** 2 - first.slope * second.slope
    if not square >= 0:
        return (low + high) / 2.0
    root = square.sqrt() if isinstance(square, Tensor) else square ** 0.5
    if first.distance <= second.distance:
        place = second.distance - (second.distance - first.distance) * (
            (second.slope + root - d1) / (second.slope - first.slope + 2 * root))
    else:
        place = first.distance - (first.distance - second.distance) * (
            (first.slope + root - d1) / (first.slope - second.slope + 2 * root))
    return min(max(place, low), high)

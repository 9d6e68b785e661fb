"""GradScaler: a loss is scaled so that small gradients survive a half type, and the steps know of it."""

from __future__ import annotations

import inspect
import warnings
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum

from ..autograd.grad_mode import no_grad
from ..core.device import device as Device  # noqa: N812  a parameter has the name
from ..core.dtype import float16, float32, int32
from ..core.sparse import is_coo
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from .autocast_mode import amp_definitely_not_available

NOT_SCALED = "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration."
NEW_SCALE = ("new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
             "requires_grad=False.")
PASSES_ITSELF = ("GradScaler is going to stop passing itself as a keyword argument to the passed optimizer. In the "
                 "near future GradScaler registers `grad_scale: Tensor` and `found_inf: Tensor` to the passed "
                 "optimizer and let the optimizer use them directly.")


class OptState(Enum):
    """How far an optimizer has come since the last update of the scale."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


class _PerDevice:
    """A number in a tensor, with a copy on each device that somebody asks for."""

    def __init__(self, number: Tensor):
        self.number = number
        self.copies: dict[Device, Tensor] = {}

    def on(self, device: Device) -> Tensor:
        if device not in self.copies:
            self.copies[device] = self.number.to(device=device, non_blocking=True, copy=True)
        return self.copies[device]


def _refresh_per_optimizer_state() -> dict:  # torch's name, which pickles of scalers say
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """``scale(loss).backward()``, ``step(optimizer)``, ``update()``: a step whose gradients overflowed is left out."""

    def __init__(self, device: str = "cuda", init_scale: float = 2.0**16, growth_factor: float = 2.0,
                 backoff_factor: float = 0.5, growth_interval: int = 2000, enabled: bool = True):
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and amp_definitely_not_available():
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                          stacklevel=2 if type(self) is GradScaler else 3)
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._init_growth_tracker = init_scale, 0
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._scale: Tensor | None = None  # made where the first loss lies
        self._growth_tracker: Tensor | None = None  # steps since the scale last changed
        self._per_optimizer_states: dict[int, dict] = defaultdict(_refresh_per_optimizer_state)

    def _known(self, function: str) -> tuple[Tensor, Tensor]:
        """The scale and its tracker, which are there once something was scaled."""
        for name in ("_scale", "_growth_tracker"):
            if getattr(self, name) is None:
                raise AssertionError(f"Attempted {function} but {name} is None.  {NOT_SCALED}")
        return self._scale, self._growth_tracker

    def _scale_for(self, output: Tensor) -> Tensor:
        if self._scale is None:
            if self._growth_tracker is not None:
                raise AssertionError("_growth_tracker initialized before _scale")
            self._scale = aten.full((), self._init_scale, dtype=float32, device=output.device)
            self._growth_tracker = aten.full((), self._init_growth_tracker, dtype=int32, device=output.device)
        return self._scale

    def scale(self, outputs: Tensor | Iterable) -> Tensor | Iterable:
        """A loss, or losses in lists, tuples or other iterables, times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale_for(outputs).to(device=outputs.device, non_blocking=True)
        numbers: list[_PerDevice] = []

        def scaled(value):
            if isinstance(value, Tensor):
                if not numbers:
                    numbers.append(_PerDevice(self._scale_for(value)))
                return value * numbers[0].on(value.device)
            if not isinstance(value, Iterable):
                raise ValueError("outputs must be a Tensor or an iterable of Tensors")
            each = map(scaled, value)
            return type(value)(each) if isinstance(value, (list, tuple)) else each

        return scaled(outputs)

    def _unscale_grads_(self, optimizer, inv_scale: Tensor, found_inf: Tensor,
                        allow_fp16: bool) -> dict[Device, Tensor]:
        """Unscale all gradients of an optimizer; which devices found one that is not finite."""
        factor, inf_on = _PerDevice(inv_scale), _PerDevice(found_inf)
        grads: dict = defaultdict(lambda: defaultdict(list))  # by device and type
        with no_grad():
            for parameter in (p for group in optimizer.param_groups for p in group["params"]):
                if not isinstance(parameter, Tensor):
                    raise AssertionError(f"expected param to be torch.Tensor, got {type(parameter).__name__}")
                grad = parameter.grad
                if grad is None:
                    continue
                if not allow_fp16 and grad.dtype is float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                grads[grad.device][grad.dtype].append(grad._values() if is_coo(grad) else grad)
            for device, by_type in grads.items():
                for same_type in by_type.values():
                    aten._amp_foreach_non_finite_check_and_unscale_(same_type, inf_on.on(device), factor.on(device))
        return inf_on.copies

    def unscale_(self, optimizer) -> None:
        """Bring an optimizer's gradients back to their own size, for those who look at them before the step."""
        if not self._enabled:
            return
        scale, _ = self._known("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        factor = scale.double().reciprocal().float()
        found_inf = aten.full((), 0.0, dtype=float32, device=scale.device)
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, factor, found_inf, False)
        state["stage"] = OptState.UNSCALED

    def step(self, optimizer, *args, **kwargs):
        """The optimizer's step, unless a gradient is infinite or NaN; its result."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._known("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            result = self._step_that_unscales(optimizer, state, args, kwargs)
        else:
            if state["stage"] is OptState.READY:
                self.unscale_(optimizer)
            if not state["found_inf_per_device"]:
                raise AssertionError("No inf checks were recorded for this optimizer.")
            result = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _maybe_opt_step(self, optimizer, optimizer_state: dict, *args, **kwargs):
        if sum(is_inf.item() for is_inf in optimizer_state["found_inf_per_device"].values()):
            return None
        return optimizer.step(*args, **kwargs)

    def _step_that_unscales(self, optimizer, state: dict, args: tuple, kwargs: dict):
        """A step that takes the scale and what was found as attributes, or the scaler itself, and does the rest."""
        if "grad_scaler" in inspect.signature(optimizer.step).parameters:
            warnings.warn(PASSES_ITSELF, FutureWarning, stacklevel=3)
            return optimizer.step(*args, **kwargs, grad_scaler=self)
        if state["stage"] is OptState.READY:
            self._check_inf_per_device(optimizer)
        scale = self._scale
        found_inf = sum([is_inf.to(scale.device, non_blocking=True)
                         for is_inf in state["found_inf_per_device"].values()])
        given = getattr(optimizer, "grad_scale", None)  # a scale of the user's own
        if state["stage"] is not OptState.UNSCALED:
            given = scale * (1 if given is None else given)
        optimizer.grad_scale, optimizer.found_inf = given, found_inf
        result = optimizer.step(*args, **kwargs)
        del optimizer.grad_scale, optimizer.found_inf
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Fit the scale to what was found since the last update, or set it."""
        if not self._enabled:
            return
        scale, tracker = self._known("update")
        if new_scale is None:
            self._fit(scale, tracker)
        elif isinstance(new_scale, float):
            scale.fill_(new_scale)
        elif new_scale.device.type != self._device or new_scale.numel() != 1 or new_scale.requires_grad:
            raise AssertionError(NEW_SCALE)
        else:
            scale.copy_(new_scale)
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _fit(self, scale: Tensor, tracker: Tensor) -> None:
        infs = [found_inf.to(device=scale.device, non_blocking=True) for state in self._per_optimizer_states.values()
                 for found_inf in state["found_inf_per_device"].values()]
        if not infs:
            raise AssertionError("No inf checks were recorded prior to update.")
        combined = infs[0]
        for other in infs[1:]:
            combined += other
        aten._amp_update_scale_(scale, tracker, combined, self._growth_factor, self._backoff_factor,
                                self._growth_interval)

    def _check_inf_per_device(self, optimizer) -> dict[Device, Tensor]:
        scale, _ = self._known("_check_inf_per_device")
        factor = aten.full((), 1.0, dtype=float32, device=scale.device)
        found_inf = aten.full((), 0.0, dtype=float32, device=scale.device)
        state = self._per_optimizer_states[id(optimizer)]
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, factor, found_inf, True)
        return state["found_inf_per_device"]

    def _found_inf_per_device(self, optimizer) -> dict[Device, Tensor]:
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]

    def _get_scale_async(self) -> Tensor | None:
        return self._scale

    def get_scale(self) -> float:
        """The scale as a number; 1 where nothing is scaled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def get_growth_factor(self) -> float:
        """What the scale is multiplied by when it grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Choose what the scale is multiplied by when it grows."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale is multiplied by after an overflow."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Choose what the scale is multiplied by after an overflow."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """How many steps without an overflow it takes for the scale to grow."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Choose how many steps without an overflow it takes for the scale to grow."""
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether anything is scaled at all."""
        return self._enabled

    def state_dict(self) -> dict:
        """What is needed to go on from here; empty where nothing is scaled."""
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor,
                "backoff_factor": self._backoff_factor, "growth_interval": self._growth_interval,
                "_growth_tracker": self._get_growth_tracker()}

    def load_state_dict(self, state_dict: dict) -> None:
        """Go on from what state_dict() gave."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance "
                               "of GradScaler.")
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        for name in ("scale", "growth_tracker"):
            value, tensor = state_dict["scale" if name == "scale" else "_growth_tracker"], getattr(self, f"_{name}")
            setattr(self, f"_init_{name}", value)
            if tensor is not None:
                tensor.fill_(value)

    def __getstate__(self) -> dict:
        """Numbers instead of tensors, which the copy makes anew where its first loss lies."""
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError("A GradScaler instance may only be pickled at the beginning of an iteration, or "
                                     "at the end after scaler.update().")
            state.update(_init_scale=self.get_scale(), _init_growth_tracker=self._get_growth_tracker(), _scale=None,
                         _growth_tracker=None)
        return state

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)

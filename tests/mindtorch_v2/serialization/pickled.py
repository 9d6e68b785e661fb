"""Objects that programs pickle without torch.save: run as a program, it tells how each of them is written and read.

``python pickled.py < pickles.json``: prints, as JSON, the names in the pickle of each object and the pickle itself;
and what comes out of each pickle that it is given.
"""

from __future__ import annotations

import base64
import json
import pickle
import pickletools
import sys
import warnings

PROTOCOL = 2  # in which names are easily seen

OBJECTS = """
    torch.float16
    torch.uint16
    torch.Size([2, 3])
    torch.device("cuda:1")
    torch.strided
    torch.arange(6.0).reshape(2, 3).t()
    torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
    torch.ones(2, dtype=torch.complex64).conj()
    torch.eye(2).to_sparse()
    torch.ones(2, device="meta")
    nn.Parameter(torch.ones(2))
    torch.Tensor.sin
    torch.FloatStorage([1, 2])
    torch.FloatStorage
    torch.storage.UntypedStorage
    torch.FloatTensor
    torch.max(torch.eye(2), 0)
    torch.Generator().manual_seed(3)
    torch.nn.functional.relu
    torch.nn.functional.gelu
    torch.nn.functional.threshold
    torch.sin
    torch.norm
    torch.einsum
    torch.is_tensor
    torch.Tensor.backward
    torch.fft.fft
    torch.linalg.norm
    torch.special.erf
    torch.autograd.grad
    torch.random.fork_rng
    torch.utils.data.default_collate
    torch.nn.init.xavier_uniform_
    nn.Sequential(nn.Conv2d(1, 2, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LSTMCell(2, 1))
    nn.TransformerEncoderLayer(4, 2, 8, activation="gelu")
    nn.LazyLinear(2)
    nn.TripletMarginWithDistanceLoss()
    nn.utils.spectral_norm(nn.Linear(2, 2))
    nn.utils.rnn.pack_sequence([torch.ones(2), torch.ones(1)])
    torch.optim.Adam([nn.Parameter(torch.ones(1))])
    torch.optim.lr_scheduler.CyclicLR(torch.optim.SGD([nn.Parameter(torch.ones(1))], 0.1), 0.1, 1.0, mode="exp_range")
    torch.amp.GradScaler("cpu")
    torch.distributions.Beta(1.0, 2.0)
    torch.distributions.constraints.interval(0, 1)
    torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(4)), shuffle=True)
    torch.autocast("cpu")
    torch.linalg.LinAlgError("no")
""".strip().splitlines()
OBJECTS = [line.strip() for line in OBJECTS]


def names_in(content: bytes) -> list[str]:
    """The classes and functions that a pickle calls for."""
    return sorted({name.replace(" ", ".") for op, name, _ in pickletools.genops(content) if op.name == "GLOBAL"})


def described(obj) -> str:
    """An object in words that hold no address."""
    name = getattr(obj, "__name__", None)
    return name or repr(obj).partition(" object at ")[0]


def main() -> None:
    import torch
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    space = {"torch": torch, "nn": torch.nn}
    pickles = {line: pickle.dumps(eval(line, space), PROTOCOL) for line in OBJECTS}
    given = json.load(sys.stdin)
    json.dump({"written": {line: [names_in(content), base64.b64encode(content).decode()]
                           for line, content in pickles.items()},
               "read": {line: described(pickle.loads(base64.b64decode(content))) for line, content in given.items()}},
              sys.stdout)


if __name__ == "__main__":
    main()

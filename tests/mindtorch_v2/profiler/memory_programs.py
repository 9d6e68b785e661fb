"""Small programs whose memory is profiled with both torch's and ours; ``torch`` is handed in."""

from __future__ import annotations


def views_and_resizes(torch):
    """Views share, ``set_`` merges, ``resize_`` moves."""
    x = torch.ones(4)

    def run():
        y = x + 1
        z = y.view(2, 2)
        del y
        w = z * 2
        v = torch.ones(3)
        v.set_(w)
        v.add_(1)
        w.resize_(100)
        w.mul_(3)
        torch.stack([x, x])
        torch.zeros(2).to(torch.float64)
        z[:, :1].add_(x[:2].view(2, 1))

    return run


def _network(torch):
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2))


def _training(torch, make_optimizer, steps=2):
    model = _network(torch)
    optimizer = make_optimizer(model.parameters())
    x, y = torch.ones(4, 3), torch.zeros(4, 2)

    def run():
        for _ in range(steps):
            optimizer.zero_grad()
            loss = ((model(x) - y) ** 2).mean()
            loss.backward()
            optimizer.step()

    return run


def train_sgd(torch):
    return _training(torch, lambda p: torch.optim.SGD(p, lr=0.1))


def train_sgd_momentum(torch):
    return _training(torch, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9))


def train_adam(torch):
    return _training(torch, lambda p: torch.optim.Adam(p, lr=0.1))


def train_adamw_foreach(torch):
    return _training(torch, lambda p: torch.optim.AdamW(p, lr=0.1, foreach=True))


def train_by_hand(torch):
    """Neither modules nor an optimizer: parameters are told by the flow of data."""
    w = torch.ones(3, 2).requires_grad_()
    b = torch.zeros(2).requires_grad_()
    x = torch.ones(4, 3)

    def run():
        for _ in range(2):
            loss = (torch.mm(x, w) + b).sigmoid().sum()
            loss.backward()
            with torch.no_grad():
                for p in (w, b):
                    p.add_(p.grad, alpha=-0.1)
                    p.grad = None

    return run


def forward_only(torch):
    model = _network(torch)
    x = torch.ones(4, 3)

    def run():
        with torch.no_grad():
            y = model(x)
            y.softmax(dim=1).argmax(dim=1)

    return run


def prepared_inputs(torch):
    """Inputs computed on the way, and values that reach no gradient."""
    model = _network(torch)
    raw = torch.arange(12).view(4, 3)

    def run():
        x = raw.to(torch.float32) / 12
        x = torch.cat([x, x.flip(0)])
        unused = x.mean() + 1
        loss = torch.nn.functional.cross_entropy(model(x), torch.zeros(8, dtype=torch.int64))
        loss.backward()
        return unused

    return run


def deeper_layers(torch):
    """Normalisation, dropout, in-place activation, accumulated gradients."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LayerNorm(4), torch.nn.ReLU(inplace=True),
                                torch.nn.Dropout(0.5), torch.nn.Linear(4, 1, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def run():
        for _ in range(2):
            for _ in range(2):
                model(torch.randn(4, 3)).sum().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)

    return run


def lists(torch):
    def run():
        parts = [torch.ones(2), torch.zeros(3)]
        whole = torch.cat(parts)
        torch.stack([whole, whole]).sum(dim=0)
        first, *_ = whole.split(2)
        first.mul_(2)

    return run


PROGRAMS = (views_and_resizes, train_sgd, train_sgd_momentum, train_adam, train_adamw_foreach, train_by_hand,
            forward_only, prepared_inputs, deeper_layers, lists)

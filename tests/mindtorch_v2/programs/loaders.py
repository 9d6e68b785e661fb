"""DataLoader with samplers, own collate functions, iterable and concatenated data, generators and leftovers dropped."""

from __future__ import annotations


def run(torch, prof_kwargs, steps=4):
    nn, data = torch.nn, torch.utils.data

    class Words(data.Dataset):
        def __len__(self):
            return 7

        def __getitem__(self, i):
            return torch.arange(i % 3 + 1), float(i), {"name": str(i), "pair": (i, torch.ones(2) * i)}

    class Stream(data.IterableDataset):
        def __iter__(self):
            return iter([(torch.full((2,), float(i)), i) for i in range(5)])

    def pad(batch):
        return torch.stack([torch.nn.functional.pad(b[0].float(), (0, 3 - len(b[0]))) for b in batch]), [
            b[1] for b in batch
        ]

    torch.manual_seed(22)
    own = torch.Generator().manual_seed(1)
    both = data.ConcatDataset(
        [data.TensorDataset(torch.randn(5, 3), torch.arange(5)), data.TensorDataset(torch.randn(4, 3), torch.arange(4))]
    )
    train, held = data.random_split(both, [0.7, 0.3], generator=own)
    weighted = data.WeightedRandomSampler([0.1, 0.9, 0.5, 0.5, 0.2, 0.7], 6, generator=own)
    net = nn.Linear(3, 5)
    opt = torch.optim.ASGD(net.parameters(), lr=0.1)
    out = []
    with torch.profiler.profile(**prof_kwargs) as prof:
        for _ in range(steps):
            total = 0.0
            for xb, yb in data.DataLoader(train, batch_size=3, sampler=weighted, drop_last=True):
                opt.zero_grad()
                loss = nn.functional.cross_entropy(net(xb), yb)
                loss.backward()
                opt.step()
                total += loss.item()
            for xb, yb in data.DataLoader(held, batch_size=2, shuffle=True, generator=own):
                total += net(xb).sum().item() + yb.sum().item()
            for xb, numbers in data.DataLoader(Words(), batch_size=3, collate_fn=pad):
                total += xb.sum().item() + sum(numbers)
            for xb, yb in data.DataLoader(Stream(), batch_size=2):
                total += (xb.sum(1) * yb).sum().item()
            batches = data.BatchSampler(data.SequentialSampler(both), 4, False)
            for xb, _ in data.DataLoader(data.Subset(both, range(9)), batch_sampler=batches):
                total += xb.mean().item()
            for one, number, more in data.DataLoader(Words(), batch_size=None):
                total += one.sum().item() + number + more["pair"][1].sum().item()
            out.append(total)
            prof.step()
    return prof, out

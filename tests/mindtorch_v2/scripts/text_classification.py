"""Bags of words, a collate function of its own, workers, random_split and an attention layer over padded sequences."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, random_split

torch.manual_seed(8)


class Texts(Dataset):
    def __init__(self):
        lengths = torch.randint(3, 9, (48,))
        self.texts = [torch.randint(1, 40, (int(n),)) for n in lengths]
        self.labels = [int((text > 20).float().mean() > 0.5) for text in self.texts]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return self.labels[index], self.texts[index]


def collate_batch(batch):
    labels, texts = zip(*batch)
    offsets = torch.tensor([0, *(len(t) for t in texts)]).cumsum(0)[:-1]
    return torch.tensor(labels), torch.cat(texts), offsets, pad_sequence(texts, batch_first=True)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(40, 8, mode="mean")
        self.embedding = nn.Embedding(40, 8, padding_idx=0)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm, self.fc = nn.LayerNorm(8), nn.Linear(16, 2)

    def forward(self, flat, offsets, padded):
        x = self.embedding(padded)
        attended, _ = self.attention(x, x, x, key_padding_mask=padded == 0)
        return self.fc(torch.cat([self.bag(flat, offsets), self.norm(x + attended)[:, 0]], dim=1))


train, valid = random_split(Texts(), [40, 8])
loader = DataLoader(train, batch_size=8, shuffle=True, collate_fn=collate_batch)
model = Classifier()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.2)
for epoch in range(2):
    model.train()
    for label, flat, offsets, padded in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(flat, offsets, padded), label)
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.6f}")
model.eval()
with torch.no_grad():
    label, *rest = collate_batch([valid[i] for i in range(len(valid))])
    print(f"loss {nn.functional.cross_entropy(model(*rest), label).item():.6f}")

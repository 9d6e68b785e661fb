"""A siamese network on pairs of images: shared weights, a dataset of pairs, binary cross entropy."""

import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(5)
random.seed(5)


class SiameseNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
                                      nn.Flatten())
        self.fc = nn.Sequential(nn.Linear(128, 16), nn.ReLU(inplace=True), nn.Linear(16, 1))
        self.fc.apply(self.init_weights)

    def init_weights(self, m):
        if isinstance(m, nn.Linear):
            torch.nn.init.xavier_uniform_(m.weight)
            m.bias.data.fill_(0.01)

    def forward(self, input1, input2):
        return torch.sigmoid(self.fc(torch.cat((self.features(input1), self.features(input2)), 1)))


class Pairs(Dataset):
    def __init__(self):
        self.labels = torch.randint(0, 4, (40,))
        self.images = torch.rand(40, 1, 12, 12) + self.labels.view(-1, 1, 1, 1)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        same = random.random() < 0.5
        others = [i for i in range(len(self)) if (self.labels[i] == self.labels[index]).item() is same]
        other = random.choice(others)
        return self.images[index], self.images[other], torch.tensor(1 if same else 0, dtype=torch.float)


model = SiameseNetwork()
optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
criterion = nn.BCELoss()
for epoch in range(3):
    for first, second, target in DataLoader(Pairs(), batch_size=10, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(first, second).squeeze(), target)
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.6f}")

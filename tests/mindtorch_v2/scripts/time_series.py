"""Sine waves continued by LSTM cells in double precision, fitted with LBFGS and a closure."""

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

np.random.seed(0)
torch.manual_seed(0)
waves = np.sin((np.arange(40) + np.random.randint(-60, 60, 8).reshape(8, 1)) / 5.0).astype("float64")


class Sequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm1, self.lstm2, self.linear = nn.LSTMCell(1, 12), nn.LSTMCell(12, 12), nn.Linear(12, 1)

    def forward(self, input, future=0):
        outputs = []
        h_t, c_t, h_t2, c_t2 = (torch.zeros(input.size(0), 12, dtype=torch.double) for _ in range(4))
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(input_t, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            outputs += [self.linear(h_t2)]
        for _ in range(future):
            h_t, c_t = self.lstm1(outputs[-1], (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            outputs += [self.linear(h_t2)]
        return torch.cat(outputs, dim=1)


data = torch.from_numpy(waves)
source, target = data[2:, :-1], data[2:, 1:]
model = Sequence()
model.double()
criterion = nn.MSELoss()
optimizer = optim.LBFGS(model.parameters(), lr=0.8, max_iter=6)
for _ in range(2):
    def closure():
        optimizer.zero_grad()
        loss = criterion(model(source), target)
        print("loss", f"{loss.item():.8f}")
        loss.backward()
        return loss
    optimizer.step(closure)
    with torch.no_grad():
        pred = model(data[:2, :-1], future=5)
        print("loss", f"{criterion(pred[:, :-5], data[:2, 1:]).item():.8f}")

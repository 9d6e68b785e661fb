"""A variational autoencoder, with the reparametrization written out."""

import torch
from torch import nn, optim
from torch.nn import functional as F

torch.manual_seed(1)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 32)
        self.fc21, self.fc22 = nn.Linear(32, 6), nn.Linear(32, 6)
        self.fc3, self.fc4 = nn.Linear(6, 32), nn.Linear(32, 64)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 64))
        z = self.reparameterize(mu, logvar)
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x.view(-1, 64), reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


data = torch.utils.data.DataLoader(torch.rand(64, 8, 8), batch_size=16, shuffle=True)
model = VAE()
optimizer = optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    for batch in data:
        optimizer.zero_grad()
        loss = loss_function(*(outputs := model(batch))[:1], batch, *outputs[1:])
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item() / len(batch):.6f}")

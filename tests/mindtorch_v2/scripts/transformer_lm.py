"""A language model of encoder layers with a mask, positions of sines, AdamW in groups, a cosine schedule."""

import math

import torch
import torch.nn as nn

torch.manual_seed(4)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=64):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[:x.size(0)])


class TransformerModel(nn.Module):
    def __init__(self, ntoken, d_model=16, nhead=2, d_hid=32, nlayers=2):
        super().__init__()
        self.pos_encoder = PositionalEncoding(d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, d_hid, 0.1)
        self.transformer_encoder = nn.TransformerEncoder(layer, nlayers)
        self.embedding = nn.Embedding(ntoken, d_model)
        self.linear = nn.Linear(d_model, ntoken)
        self.d_model = d_model
        for p in (self.embedding.weight, self.linear.weight):
            nn.init.uniform_(p, -0.1, 0.1)

    def forward(self, src):
        mask = nn.Transformer.generate_square_subsequent_mask(len(src))
        x = self.pos_encoder(self.embedding(src) * math.sqrt(self.d_model))
        return self.linear(self.transformer_encoder(x, mask))


ntokens, bptt = 30, 12
data = torch.randint(0, ntokens, (60, 5))
data[1:] = (data[:-1] * 3 + 1) % ntokens
model = TransformerModel(ntokens)
decay = [p for n, p in model.named_parameters() if p.dim() >= 2]
others = [p for n, p in model.named_parameters() if p.dim() < 2]
groups = [{"params": decay, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=3e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12)
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
model.train()
for _ in range(3):
    for i in range(0, data.size(0) - bptt, bptt):
        source, target = data[i:i + bptt], data[i + 1:i + 1 + bptt].reshape(-1)
        loss = criterion(model(source).view(-1, ntokens), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        print(f"loss {loss.item():.6f}")

"""Speech recognition in small: spectrograms, masks on them, convolutions, packed recurrent layers, CTC, a schedule."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

torch.manual_seed(4)
N_FFT, HOP, VOCABULARY = 64, 32, 6


def spectrogram(wave):
    window = torch.hann_window(N_FFT)
    return torch.stft(wave, N_FFT, HOP, window=window, return_complex=True).abs().pow(2).clamp(min=1e-5).log()


class Recognizer(nn.Module):
    def __init__(self, bins, width=16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(bins, width, 3, stride=2, padding=1), nn.BatchNorm1d(width), nn.GELU())
        self.rnn = nn.GRU(width, width, num_layers=2, bidirectional=True, batch_first=True, dropout=0.1)
        self.out = nn.Linear(2 * width, VOCABULARY)

    def forward(self, x, lengths):
        h = self.conv(x).transpose(1, 2)
        lengths = (lengths + 1) // 2
        packed = pack_padded_sequence(h, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(h).log_softmax(-1), lengths


waves = [torch.randn(640 + 160 * i) for i in range(6)]
features = [spectrogram(wave).t() for wave in waves]
targets = [torch.randint(1, VOCABULARY, (3 + i % 3,)) for i in range(6)]
model = Recognizer(N_FFT // 2 + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=10)
criterion = nn.CTCLoss(blank=0, zero_infinity=True)
for step in range(10):
    chosen = torch.randperm(6)[:4].tolist()
    x = pad_sequence([features[i] for i in chosen], batch_first=True).transpose(1, 2)
    start = int(torch.randint(0, 20, ()))
    x[:, start:start + 5] = 0.0  # a band of frequencies left out
    lengths = torch.tensor([len(features[i]) for i in chosen])
    scores, lengths = model(x, lengths)
    loss = criterion(scores.transpose(0, 1), torch.cat([targets[i] for i in chosen]), lengths,
                     torch.tensor([len(targets[i]) for i in chosen]))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    scheduler.step()
    print(f"loss {loss.item():.6f}")

"""A character model with an LSTM, hidden state carried from chunk to chunk, gradients clipped."""

import torch
import torch.nn as nn

torch.manual_seed(3)
text = "the quick brown fox jumps over the lazy dog and runs away from the angry bear in the deep dark forest. " * 3
chars = sorted(set(text))
encode = {c: i for i, c in enumerate(chars)}
data = torch.tensor([encode[c] for c in text])


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden, layers=2):
        super().__init__()
        self.encoder = nn.Embedding(vocab, hidden)
        self.rnn = nn.LSTM(hidden, hidden, layers, dropout=0.1, batch_first=True)
        self.decoder = nn.Linear(hidden, vocab)

    def forward(self, x, hidden):
        output, hidden = self.rnn(self.encoder(x), hidden)
        return self.decoder(output.reshape(-1, output.size(2))), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(2, bsz, 16), weight.new_zeros(2, bsz, 16))


model = CharRNN(len(chars), 16)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
batch, chunk = 4, 10
rows = data[:len(data) // batch * batch].view(batch, -1)
hidden = model.init_hidden(batch)
for start in range(0, rows.size(1) - chunk - 1, chunk):
    inputs, targets = rows[:, start:start + chunk], rows[:, start + 1:start + chunk + 1]
    hidden = tuple(h.detach() for h in hidden)
    model.zero_grad()
    output, hidden = model(inputs, hidden)
    loss = criterion(output, targets.reshape(-1))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    print(f"loss {loss.item():.6f}")

model.eval()
with torch.no_grad():
    x, hidden, sampled = torch.tensor([[encode["t"]]]), model.init_hidden(1), []
    for _ in range(8):
        logits, hidden = model(x, hidden)
        x = torch.multinomial(torch.softmax(logits / 0.8, dim=-1), 1)
        sampled.append(x.item())
print("sampled", len(sampled))

"""Style transfer: an image is the parameter; losses sit inside a network as modules, Gram matrices compare styles."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(6)


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        self.loss = F.mse_loss(gram_matrix(input), self.target)
        return input


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = torch.tensor(mean).view(-1, 1, 1), torch.tensor(std).view(-1, 1, 1)

    def forward(self, img):
        return (img - self.mean) / self.std


cnn = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(6, 6, 3, padding=1),
                    nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.ReLU(inplace=True)).eval()
content_img, style_img = torch.rand(1, 3, 12, 12), torch.rand(1, 3, 12, 12)
model, style_losses, content_losses, i = nn.Sequential(Normalization([0.5] * 3, [0.2] * 3)), [], [], 0
for layer in copy.deepcopy(cnn).children():
    if isinstance(layer, nn.Conv2d):
        i += 1
        name = f"conv_{i}"
    elif isinstance(layer, nn.ReLU):
        name, layer = f"relu_{i}", nn.ReLU(inplace=False)
    else:
        name = f"pool_{i}"
    model.add_module(name, layer)
    if name == "conv_3":
        content_losses.append(ContentLoss(model(content_img)))
        model.add_module(f"content_loss_{i}", content_losses[-1])
    if name.startswith("conv"):
        style_losses.append(StyleLoss(model(style_img).detach()))
        model.add_module(f"style_loss_{i}", style_losses[-1])

input_img = content_img.clone().requires_grad_(True)
model.eval().requires_grad_(False)
optimizer = optim.Adam([input_img], lr=0.05)
for _ in range(12):
    with torch.no_grad():
        input_img.clamp_(0, 1)
    optimizer.zero_grad()
    model(input_img)
    loss = sum(sl.loss for sl in style_losses) * 1e4 + sum(cl.loss for cl in content_losses)
    loss.backward()
    optimizer.step()
    print(f"loss {loss.item():.6f}")

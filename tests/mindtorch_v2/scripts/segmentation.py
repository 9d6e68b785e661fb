"""A U-Net with skip connections, upsampling, mixed precision and checkpoints that are saved and loaded again."""

import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)


def double_conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
                         nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.GroupNorm(2, cout), nn.SiLU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.middle = double_conv(1, 4), double_conv(4, 8), double_conv(8, 8)
        self.pool, self.up = nn.MaxPool2d(2), nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.up2, self.up1, self.out = double_conv(16, 4), double_conv(8, 4), nn.Conv2d(4, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        c = self.middle(self.pool(b))
        x = self.up2(torch.cat([b, self.up(c)], dim=1))
        return self.out(self.up1(torch.cat([a, self.up(x)], dim=1)))


def dice(logits, target):
    probs, onehot = F.softmax(logits, dim=1).float(), F.one_hot(target, 2).permute(0, 3, 1, 2).float()
    inter = 2 * (probs * onehot).sum(dim=(-1, -2))
    sets = probs.sum(dim=(-1, -2)) + onehot.sum(dim=(-1, -2))
    return 1 - ((inter + 1e-6) / (sets + 1e-6)).mean()


images = torch.rand(8, 1, 16, 16)
masks = (F.avg_pool2d(images, 3, 1, 1).squeeze(1) > 0.5).long()
model = UNet().to(memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=12)
path = os.path.join(tempfile.mkdtemp(), "checkpoint.pt")
for step in range(12):
    optimizer.zero_grad(set_to_none=True)
    logits = model(images)
    loss = F.cross_entropy(logits, masks, weight=torch.tensor([1.0, 2.0])) + dice(logits, masks)
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"loss {loss.item():.6f}")
    if step == 5:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, path)
        loaded = torch.load(path, map_location="cpu")
        model.load_state_dict(loaded["model"])
        optimizer.load_state_dict(loaded["optimizer"])

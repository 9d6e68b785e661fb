"""Einstein sums."""

from .. import S

SAMPLES = {
    "einsum": [S("torch.einsum('bij,jk->bik', x, y)", x="f(2, 3, 4)", y="f(4, 5)"),
               S("torch.einsum('ij->ji', x)", x="f(3, 4)"),
               S("torch.einsum('bqhd,bkhd->bhqk', x, y)", x="f(2, 3, 4, 5)", y="f(2, 6, 4, 5)"),
               S("torch.einsum('ii->i', x)", x="f(3, 3)"), S("torch.einsum('i,j->ij', x, y)", x="f(3)", y="f(4)"),
               S("torch.einsum('...j,jk->...k', x, y)", x="f(2, 3, 4)", y="f(4, 5)"),
               S("torch.einsum('ij,jk,kl->il', x, y, z)", x="f(2, 3)", y="f(3, 4)", z="f(4, 5)")],
}

"""Samples of ops/python/assertions.py."""

from .. import S

SAMPLES = {
    "sym_constrain_range": [S("torch.sym_constrain_range(3, min=1)"), S("torch.sym_constrain_range(3, min=4)"),
                            S("torch.sym_constrain_range(3, min=4, max=2)")],
    "sym_constrain_range_for_size": [S("torch.sym_constrain_range_for_size(3, max=8)"),
                                     S("torch.sym_constrain_range_for_size(3, min=2, max=1)"),
                                     S("torch.sym_constrain_range_for_size(-3)")],
    "_assert_scalar": [S("torch._assert_scalar(1, 'no')"), S("torch._assert_scalar(0, 'no')")],
    "_assert_tensor_metadata": [S("torch._assert_tensor_metadata(x, (2, 3), (3, 1), torch.float32)", x="f(2, 3)"),
                                S("torch._assert_tensor_metadata(x, (3,))", x="d(2)"),
                                S("torch._assert_tensor_metadata(x, None, (2,))", x="d(2)"),
                                S("torch._assert_tensor_metadata(x, None, None, torch.int32)", x="d(2)"),
                                S("torch._assert_tensor_metadata(x, device=torch.device('meta'))", x="d(2)")],
    "_print": [S("torch._print('')")],
    "_functional_sym_constrain_range": [S("torch._functional_sym_constrain_range(3, 1, 5, x)", x="d(2)")],
    "_functional_sym_constrain_range_for_size": [
        S("torch._functional_sym_constrain_range_for_size(3, 1, 5, x)", x="d(2)")],
    "_functional_assert_scalar": [S("torch._functional_assert_scalar(3, 'no', x)", x="d(2)"),
                                  S("torch._functional_assert_scalar(0, 'no', x)", x="d(2)")],
    "_functional_assert_async.msg": [S("torch._functional_assert_async(x, 'no', y)", x="d()", y="d(2)")],
    "_make_dep_token": [S("torch._make_dep_token().shape")],
    "from_file": [S("torch.from_file('/dev/null')"), S("torch.from_file('/nowhere', size=2)"),
                  S("torch.from_file('/dev/null', size=2)"),
                  S("torch.from_file('LICENSE', size=0, dtype=torch.uint8)")],
}

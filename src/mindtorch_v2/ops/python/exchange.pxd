from ...core.storage cimport fix
from ...core.tensor cimport Tensor, alias_of, foreign_tensor, place_of
from ...dispatch.dispatcher cimport call, is_unobserved
from ...dispatch.python_dispatch cimport is_opaque

from ...core.tensor cimport Tensor, blank, shape_of
from ...dispatch.bind cimport wrap_number
from ...dispatch.dispatcher cimport is_unobserved
from ...dispatch.structured cimport result_for

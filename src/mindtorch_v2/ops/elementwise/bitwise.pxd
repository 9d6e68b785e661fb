from ...core.tensor cimport Tensor
from ...dispatch.bind cimport wrap_number
from ...dispatch.dispatcher cimport is_unobserved, run_kernel
from ...dispatch.structured cimport result_for

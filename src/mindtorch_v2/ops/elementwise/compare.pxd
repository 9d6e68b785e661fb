from ...core.tensor cimport same_shape, shape_of
from ...dispatch.bind cimport wrap_number
from ...dispatch.dispatcher cimport run_kernel

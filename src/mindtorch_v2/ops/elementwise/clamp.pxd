from ...dispatch.dispatcher cimport is_unobserved
from ...dispatch.structured cimport result_for

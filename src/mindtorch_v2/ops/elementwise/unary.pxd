from ...core.tensor cimport shape_of
from ...dispatch cimport dispatcher
from ...dispatch.structured cimport result_for

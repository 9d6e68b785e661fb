from ...dispatch cimport dispatcher
from ...dispatch.bind cimport wrap_number

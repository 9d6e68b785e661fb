from ...core.tensor cimport shape_of
from ...dispatch cimport dispatcher

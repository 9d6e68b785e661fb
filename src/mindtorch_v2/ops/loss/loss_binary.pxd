from ...core.geometry cimport broadcast_shapes
from ...core.tensor cimport numel_of, shape_of
from ...dispatch.python_dispatch cimport takes_part

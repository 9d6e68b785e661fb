from ..core cimport geometry, strided
from ..core.tensor cimport Tensor, share_storage
from ..dispatch cimport road

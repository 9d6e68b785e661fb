from ...core.tensor cimport numel_of
from ...dispatch.dispatcher cimport call

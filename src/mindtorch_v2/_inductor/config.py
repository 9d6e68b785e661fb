"""torch._inductor.config: settings of a compiler that is not here; programs may set what they like."""

from __future__ import annotations

from types import SimpleNamespace

fx_graph_cache = True
fx_graph_remote_cache = None
autotune_local_cache = True
max_autotune = max_autotune_gemm = max_autotune_pointwise = False
max_autotune_gemm_backends = "ATEN,TRITON,CPP"
coordinate_descent_tuning = coordinate_descent_check_all_directions = False
pattern_matcher = epilogue_fusion = inplace_buffers = size_asserts = assert_indirect_indexing = True
conv_1x1_as_mm = force_fuse_int_mm_with_mul = False
use_mixed_mm = shape_padding = True
force_shape_pad = cpp_wrapper = freezing = debug = fallback_random = reorder_for_compute_comm_overlap = False
compile_threads = 1
triton = SimpleNamespace(unique_kernel_names=True, cudagraphs=False, cudagraph_trees=True,
                         cudagraph_skip_dynamic_graphs=False, multi_kernel=0)
cpp = SimpleNamespace(threads=-1, simdlen=None, enable_kernel_profile=False)

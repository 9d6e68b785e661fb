/* For files whose functions do a little, for a few items, a million times a second: their loops are not made wide. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize", "no-tree-loop-distribution")
#endif

/* What a product of matrices is. */
#ifndef MINDTORCH_PRODUCT_JOB_H
#define MINDTORCH_PRODUCT_JOB_H
#include <stddef.h>

/* Steps are in elements. Items of a batch begin where a_at, b_at and c_at say; those are NULL where there is one. */
typedef struct {
    int is_double, is_bfloat16; /* operands of bfloat16 have a product of float32 */
    int adds;                   /* whether the product is added to what is there */
    ptrdiff_t m, n, k;
    const char *a, *b;
    char *c;
    ptrdiff_t a_row, a_column, b_row, b_column, c_row;
    const ptrdiff_t *a_at, *b_at, *c_at;
    ptrdiff_t rows, row_blocks, columns, column_blocks; /* of a block, and how many there are */
} Product;
#endif

/* Sums, products and counts of complex numbers: real and imaginary parts in lanes of their own. */
#include "complex_numbers.h"

enum { COMPLEX_LANES = 32 };
#define ENTER_COMPLEX_SUM(re, im, x, y) re += (x), im += (y)
#define ENTER_COMPLEX_PRODUCT(re, im, x, y)                                                                          \
    do {                                                                                                             \
        const __typeof__(re) before = re;                                                                            \
        re = before * (x) - im * (y), im = before * (y) + im * (x);                                                  \
    } while (0)

/* One row of n; lanes are joined after every block. */
#define COMPLEX_ROWS(name, T, FIRST, ENTER)                                                                          \
    CLONES static void rows_##name(void *out, const void *in, ptrdiff_t n, ptrdiff_t step, ptrdiff_t rows) {         \
        complex_f64 *totals = (complex_f64 *)out;                                                                    \
        for (ptrdiff_t r = 0; r < rows; r++) {                                                                       \
            const T *x = (const T *)in + 2 * r * step;                                                               \
            double total_re = FIRST, total_im = 0;                                                                   \
            ptrdiff_t i = 0;                                                                                         \
            while (n - i >= COMPLEX_LANES) {                                                                         \
                const ptrdiff_t end = n - i < BLOCK ? n : i + BLOCK;                                                 \
                T re[COMPLEX_LANES], im[COMPLEX_LANES];                                                              \
                for (int l = 0; l < COMPLEX_LANES; l++) re[l] = FIRST, im[l] = 0;                                    \
                for (; i + COMPLEX_LANES <= end; i += COMPLEX_LANES)                                                 \
                    for (int l = 0; l < COMPLEX_LANES; l++) ENTER(re[l], im[l], x[2 * (i + l)], x[2 * (i + l) + 1]); \
                for (int half = COMPLEX_LANES / 2; half; half /= 2)                                                  \
                    for (int l = 0; l < half; l++) ENTER(re[l], im[l], re[l + half], im[l + half]);                  \
                ENTER(total_re, total_im, (double)re[0], (double)im[0]);                                             \
            }                                                                                                        \
            for (; i < n; i++) ENTER(total_re, total_im, (double)x[2 * i], (double)x[2 * i + 1]);                    \
            totals[r].re = total_re, totals[r].im = total_im;                                                        \
        }                                                                                                            \
    }
#define COMPLEX_COLUMNS(name, T, FIRST, ENTER)                                                                       \
    CLONES static void columns_##name(void *out, const void *in, ptrdiff_t n, ptrdiff_t step, ptrdiff_t width) {     \
        complex_f64 *totals = (complex_f64 *)out;                                                                    \
        for (ptrdiff_t k = 0; !n && k < width; k++) totals[k].re = FIRST, totals[k].im = 0;                          \
        for (ptrdiff_t begin = 0; begin < n; begin += TILE_ROWS) {                                                   \
            const ptrdiff_t end = n < begin + TILE_ROWS ? n : begin + TILE_ROWS;                                     \
            T re[TILE], im[TILE];                                                                                    \
            for (ptrdiff_t k = 0; k < width; k++) re[k] = FIRST, im[k] = 0;                                          \
            ptrdiff_t j = begin;                                                                                     \
            for (; j + TOGETHER <= end; j += TOGETHER) {                                                             \
                const T *a = (const T *)in + 2 * j * step, *b = a + 2 * step, *c = b + 2 * step, *d = c + 2 * step;  \
                for (ptrdiff_t k = 0; k < width; k++) {                                                              \
                    T x = re[k], y = im[k];                                                                          \
                    ENTER(x, y, a[2 * k], a[2 * k + 1]);                                                             \
                    ENTER(x, y, b[2 * k], b[2 * k + 1]);                                                             \
                    ENTER(x, y, c[2 * k], c[2 * k + 1]);                                                             \
                    ENTER(x, y, d[2 * k], d[2 * k + 1]);                                                             \
                    re[k] = x, im[k] = y;                                                                            \
                }                                                                                                    \
            }                                                                                                        \
            for (; j < end; j++) {                                                                                   \
                const T *x = (const T *)in + 2 * j * step;                                                           \
                for (ptrdiff_t k = 0; k < width; k++) ENTER(re[k], im[k], x[2 * k], x[2 * k + 1]);                   \
            }                                                                                                        \
            for (ptrdiff_t k = 0; !begin && k < width; k++) totals[k].re = re[k], totals[k].im = im[k];              \
            for (ptrdiff_t k = 0; begin && k < width; k++)                                                           \
                ENTER(totals[k].re, totals[k].im, (double)re[k], (double)im[k]);                                     \
        }                                                                                                            \
    }
#define COMPLEX_LOOPS(name, T, FIRST, ENTER) COMPLEX_ROWS(name, T, FIRST, ENTER) COMPLEX_COLUMNS(name, T, FIRST, ENTER)
COMPLEX_LOOPS(sum_c64, float, 0, ENTER_COMPLEX_SUM)
COMPLEX_LOOPS(sum_c128, double, 0, ENTER_COMPLEX_SUM)
COMPLEX_LOOPS(product_c64, float, 1, ENTER_COMPLEX_PRODUCT)
COMPLEX_LOOPS(product_c128, double, 1, ENTER_COMPLEX_PRODUCT)
#define TRUTH_OF_COMPLEX(x) (((x).re != 0) | ((x).im != 0))
LOOPS_OF(count_c64, complex_f32, TRUTH_OF_COMPLEX, int32_t, int64_t, 0, ENTER_COUNT, ENTER_SUM)
LOOPS_OF(count_c128, complex_f64, TRUTH_OF_COMPLEX, int32_t, int64_t, 0, ENTER_COUNT, ENTER_SUM)

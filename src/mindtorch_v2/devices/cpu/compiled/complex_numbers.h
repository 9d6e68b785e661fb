/* Complex numbers as two real ones: sums and products without a look at infinities, as everywhere. */
#ifndef MINDTORCH_COMPLEX_NUMBERS_H
#define MINDTORCH_COMPLEX_NUMBERS_H

typedef struct { float re, im; } complex_f32;
typedef struct { double re, im; } complex_f64;

#define ADD_COMPLEX(to, v) ((to).re += (v).re, (to).im += (v).im)
#define MULTIPLY_COMPLEX(to, v)                                                                                      \
    do {                                                                                                             \
        const __typeof__((to).re) re = (to).re, im = (to).im;                                                        \
        (to).re = re * (v).re - im * (v).im, (to).im = re * (v).im + im * (v).re;                                    \
    } while (0)
#endif

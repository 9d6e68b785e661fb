/* One number of an array whose type is known when it runs, as a double. */
#ifndef MINDTORCH_NUMBERS_H
#define MINDTORCH_NUMBERS_H
#include "half.h"

typedef struct {
    int half, single; /* the kind of half precision or NOT_HALF; then whether it is a float */
} NumberType;

INLINE double number_at(const NumberType *type, const void *x, ptrdiff_t i) {
    if (type->half == BFLOAT16) return from_bfloat16(((const uint16_t *)x)[i]);
    if (type->half == FLOAT16) return from_float16(((const uint16_t *)x)[i]);
    return type->single ? ((const float *)x)[i] : ((const double *)x)[i];
}

INLINE void put_number(const NumberType *type, void *to, ptrdiff_t i, double value) {
    if (type->half == BFLOAT16)
        ((uint16_t *)to)[i] = to_bfloat16((float)value);
    else if (type->half == FLOAT16)
        ((uint16_t *)to)[i] = to_float16((float)value);
    else if (type->single)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

/* As it is computed with: halves in float32. */
INLINE double rounded_number(const NumberType *type, double value) {
    return type->half == NOT_HALF && !type->single ? value : (float)value;
}
#endif

/* float16 and bfloat16 to float32 and back, rounded to the nearest even as everywhere. */
#ifndef MINDTORCH_HALF_H
#define MINDTORCH_HALF_H
#include "vmath.h"
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

enum { NOT_HALF, FLOAT16, BFLOAT16 };

INLINE float from_bfloat16(uint16_t bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

INLINE uint16_t to_bfloat16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    return value != value ? (uint16_t)((bits >> 16) | 0x40) : (uint16_t)rounded; /* a NaN stays one */
}

INLINE float from_float16(uint16_t bits) {
    const uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = (uint32_t)(bits & 0x7FFF) << 13;
    uint32_t wide = rest + (112u << 23);
    float value;
    if (rest >= 0x0F800000) wide += 112u << 23; /* infinities and NaN */
    memcpy(&value, &wide, sizeof value);
    if (rest < 0x00800000) { /* denormal: an integer times 2^-24 */
        value = (float)(bits & 0x7FFF) * 5.9604644775390625e-08f;
    }
    memcpy(&wide, &value, sizeof wide);
    wide |= sign;
    memcpy(&value, &wide, sizeof value);
    return value;
}

INLINE uint16_t to_float16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)((bits >> 16) & 0x8000);
    bits &= 0x7FFFFFFF;
    if (bits > 0x7F800000) return sign | 0x7E00 | (uint16_t)((bits >> 13) & 0x3FF);
    if (bits >= 0x47800000) return sign | 0x7C00;
    if (bits < 0x38800000) { /* denormal: adding a half lets the sum round at the right bit */
        float small;
        memcpy(&small, &bits, sizeof small);
        small += 0.5f;
        memcpy(&bits, &small, sizeof bits);
        return sign | (uint16_t)(bits - 0x3F000000);
    }
    return sign | (uint16_t)((bits - (112u << 23) + 0xFFF + ((bits >> 13) & 1)) >> 13);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx,f16c"), unused)) static ptrdiff_t widen_f16c(float *out, const uint16_t *x, ptrdiff_t n) {
    ptrdiff_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(x + i))));
    return i;
}
__attribute__((target("avx,f16c"), unused)) static ptrdiff_t narrow_f16c(uint16_t *out, const float *x, ptrdiff_t n) {
    ptrdiff_t i = 0;
    for (; i + 8 <= n; i += 8) _mm_storeu_si128((__m128i *)(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(x + i), 0));
    return i;
}
__attribute__((target("avx512f"), unused)) static ptrdiff_t widen_f16_512(float *out, const uint16_t *x, ptrdiff_t n) {
    ptrdiff_t i = 0;
    for (; i + 16 <= n; i += 16)
        _mm512_storeu_ps(out + i, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(x + i))));
    return i;
}
__attribute__((target("avx512f"), unused)) static ptrdiff_t narrow_f16_512(uint16_t *out, const float *x, ptrdiff_t n) {
    ptrdiff_t i = 0;
    for (; i + 16 <= n; i += 16)
        _mm256_storeu_si256((__m256i *)(out + i), _mm512_cvtps_ph(_mm512_loadu_ps(x + i), 0));
    return i;
}
#define HAS_F16C __builtin_cpu_supports("f16c")
#define HAS_512 __builtin_cpu_supports("avx512f")
#else
#define widen_f16c(out, x, n) 0
#define narrow_f16c(out, x, n) 0
#define widen_f16_512(out, x, n) 0
#define narrow_f16_512(out, x, n) 0
#define HAS_F16C 0
#define HAS_512 0
#endif

CLONES static void widen_bfloat16(float *restrict out, const uint16_t *x, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = from_bfloat16(x[i]);
}
CLONES static void narrow_bfloat16(uint16_t *restrict out, const float *x, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = to_bfloat16(x[i]);
}

/* n halves that lie step bytes apart, as floats side by side. */
static void widen(int half, float *out, const char *x, ptrdiff_t step, ptrdiff_t n) {
    const int is_dense = step == (ptrdiff_t)sizeof(uint16_t);
    ptrdiff_t i = 0;
    if (is_dense && half == BFLOAT16) {
        widen_bfloat16(out, (const uint16_t *)x, n);
        return;
    }
    if (is_dense && HAS_512)
        i = widen_f16_512(out, (const uint16_t *)x, n);
    else if (is_dense && HAS_F16C)
        i = widen_f16c(out, (const uint16_t *)x, n);
    for (; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, x + i * step, sizeof bits);
        out[i] = half == BFLOAT16 ? from_bfloat16(bits) : from_float16(bits);
    }
}

static void narrow(int half, char *out, ptrdiff_t step, const float *x, ptrdiff_t n) {
    const int is_dense = step == (ptrdiff_t)sizeof(uint16_t);
    ptrdiff_t i = 0;
    if (is_dense && half == BFLOAT16) {
        narrow_bfloat16((uint16_t *)out, x, n);
        return;
    }
    if (is_dense && HAS_512)
        i = narrow_f16_512((uint16_t *)out, x, n);
    else if (is_dense && HAS_F16C)
        i = narrow_f16c((uint16_t *)out, x, n);
    for (; i < n; i++) {
        const uint16_t bits = half == BFLOAT16 ? to_bfloat16(x[i]) : to_float16(x[i]);
        memcpy(out + i * step, &bits, sizeof bits);
    }
}
#endif

/* The error function and its complement as straight-line code. */
#ifndef MINDTORCH_ERROR_FUNCTION_H
#define MINDTORCH_ERROR_FUNCTION_H
#include "logarithm.h"

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 32") /* so that no loop is left within a loop */
#else
#define UNROLLED
#endif

/* Polynomials fitted at Chebyshev's points, highest power first: erf(x) / x in x^2 up to x = 1, and from zero on
   (1 + 2x) e^(x^2) erfc(x) in t = (x - 4) / (x + 4), the second of them to the last bits of a float. */
static const double ERF_NEAR_ZERO[] = {
    5.9571761477489113e-11, -1.1372848856791674e-09, 1.4659775274047436e-08, -1.6350312701054695e-07,
    1.6461000484121368e-06, -1.4925595266831182e-05, 0.0001205533111164271, -0.000854832698083379,
    0.0052239776248180145, -0.026866170645076792, 0.11283791670954879, -0.37612638903183748,
    1.1283791670955126};
static const double SCALED_ERFC[] = {
    -2.7641202337345779e-10, 9.2976252637096592e-10, 3.2323973445082033e-09, -1.2338731403798444e-08,
    -2.0725802488181963e-08, 1.0631817593818149e-07, 7.7719432410869122e-08, -8.2106479332973366e-07,
    2.9173425573089733e-07, 5.7065782992407402e-06, -1.1221135665965907e-05, -2.4397731143023292e-05,
    0.00015062142608651945, -0.00019925715247265179, -0.00075777324359425761, 0.0050319700691022562,
    -0.01619773406293477, 0.037167515526338006, -0.066330365811860581, 0.093732834999112641,
    -0.10103906603631811, 0.068097054254668388, 0.015379652102619974, -0.13962111684056228,
    1.2329951186255526};
static const double SCALED_ERFC_OF_FLOAT[] = {
    0.0001166079966, -0.0002486322974, -0.0007163394719, 0.005082809154, -0.01622227456, 0.0371399169, -0.06632325954,
    0.09374044379, -0.1010399508, 0.06809613205, 0.01537968365, -0.1396210843, 1.232995119};
#define POLYNOMIAL(coefficients, x, value)                                                                          \
    double value = coefficients[0];                                                                                 \
    UNROLLED for (size_t k = 1; k < sizeof coefficients / sizeof coefficients[0]; k++) value = value * (x) + coefficients[k]

/* x times a quotient of polynomials in x^2, fitted to the smallest relative error; from 3.95 on it is 1, which is where
   the quotient stops falling. Its two chains of multiplications are short, which is what a loop over it waits for. */
INLINE float erf_f32(float x) {
    const float z = SMALLER(15.6025f, x * x);
    float top = 2.02585898e-06f, bottom = 3.78301811e-05f;
    top = top * z + 2.84666632e-04f;
    bottom = bottom * z + 1.17058645e-03f;
    top = top * z + 3.80766368e-03f;
    bottom = bottom * z + 1.50541002e-02f;
    top = top * z + 5.28738759e-02f;
    bottom = bottom * z + 1.14555217e-01f;
    top = top * z + 1.91540137e-01f;
    bottom = bottom * z + 5.03080726e-01f;
    top = top * z + 1.12837911f;
    bottom = bottom * z + 1.0f;
    return copysignf(SMALLER(1.0f, fabsf(x) * top / bottom), x);
}


/* e^(-x^2) for x >= 0; what squaring rounds away is put back. */
INLINE double exp_of_minus_square(double x) {
    const double square = x * x, rounding = fma(x, x, -square);
    const double power = exp_f64(-square);
    return square < 746.0 ? power - power * rounding : power;
}

INLINE double erfc_f64(double x) {
    const double distance = fabs(x), far = distance > 30.0 ? 30.0 : distance; /* from 27.3 on it is zero */
    const double t = (far - 4.0) / (far + 4.0);
    POLYNOMIAL(SCALED_ERFC, t, scaled);
    const double tail = exp_of_minus_square(far) * scaled / (1.0 + 2.0 * far);
    return x != x ? x : x < 0 ? 2.0 - tail : tail;
}

INLINE double erf_f64(double x) {
    const double square = x * x;
    POLYNOMIAL(ERF_NEAR_ZERO, square, slope);
    const double far = copysign(1.0 - erfc_f64(fabs(x)), x);
    return square < 1.0 ? x * slope : far;
}

INLINE float erfc_f32(float x) {
    const double distance = fabsf(x), far = distance > 11.0 ? 11.0 : distance; /* from 10.1 on it is zero */
    const double t = (far - 4.0) / (far + 4.0);
    POLYNOMIAL(SCALED_ERFC_OF_FLOAT, t, scaled);
    const double tail = exp_f64(-far * far) * scaled / (1.0 + 2.0 * far);
    return x != x ? x : (float)(x < 0 ? 2.0 - tail : tail);
}
/* Winitzki's closed form of the inverse of erf, which is good to 2e-3. */
INLINE double erfinv_guess(double a) {
    const float l = log_f32((float)((1 - a) * (1 + a))), t = 4.33074675f + 0.5f * l;
    return sqrtf(sqrtf(t * t - l * 6.80272109f) - t);
}

/* One step of Halley's method towards erf(w) = a by how far it is from there; it triples the digits. */
INLINE double nearer_erfinv(double w, double miss) {
    const double u = miss / (1.1283791670955126 * exp_f64(-w * w));
    return w - u / (1 + w * u);
}

/* How far erf(w) is from a, by erfc in the tail. */
INLINE double erf_miss(double w, double a, double erfc) {
    const double square = w * w;
    POLYNOMIAL(ERF_NEAR_ZERO, square, slope);
    return a < 0.5 ? w * slope - a : (1 - a) - erfc;
}

INLINE double erfinv_end(double x, double w) {
    const double a = fabs(x);
    return a < 1 ? copysign(w, x) : a == 1 ? copysign(INFINITY, x) : NAN;
}

INLINE double erfinv_f64(double x) {
    const double a = fabs(x), w = erfinv_guess(a), v = nearer_erfinv(w, erf_miss(w, a, erfc_f64(w)));
    return erfinv_end(x, nearer_erfinv(v, erf_miss(v, a, erfc_f64(v))));
}

INLINE float erfinv_f32(float x) {
    const double a = fabsf(x), w = erfinv_guess(a), t = (w - 4.0) / (w + 4.0);
    POLYNOMIAL(SCALED_ERFC_OF_FLOAT, t, scaled);
    const double power = exp_f64(-w * w), erfc = power * scaled / (1.0 + 2.0 * w);
    const double u = erf_miss(w, a, erfc) / (1.1283791670955126 * power);
    return (float)erfinv_end(x, w - u / (1 + w * u));
}
#undef POLYNOMIAL
#undef UNROLLED
#endif

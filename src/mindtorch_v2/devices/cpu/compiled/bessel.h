/* Modified Bessel functions of the first kind, scaled by exp(-|x|) or not: sums of Chebyshev polynomials of |x| up to 8,
   and of 1 / |x| beyond, where the functions fall as the inverse root. */
#include "walk.h"

/* i0(x) exp(-x) and i1(x) exp(-x) / x by x / 4 - 1; then the roots of x times both by 16 / x - 1. */
static const double I0_NEAR[] = {
    0.33839763720473804, -0.3046826723431984, 0.17162090152220878, -0.094901097048047644, 0.049305284239670708,
    -0.023737414805899469, 0.010546460394594998, -0.0043243099950505759, 0.0016394756169413358,
    -0.00057637557453858237, 0.00018850288509584166, -5.7541950100821037e-5, 1.6448448070728897e-5,
    -4.4167383584587506e-6, 1.1173875391201037e-6, -2.6707938539406117e-7, 6.0469950225419189e-8,
    -1.300025009986248e-8, 2.6598237246823867e-9, -5.1897956016352629e-10, 9.6758090353732369e-11,
    -1.7268262914415557e-11, 2.9550526631296398e-12, -4.8564467831119295e-13, 7.6761854986049356e-14,
    -1.1685332877993452e-14, 1.7153912855551329e-15, -2.4312798465479548e-16, 3.3307945188222219e-17,
    -4.4153416464796977e-18};
static const double I0_FAR[] = {
    0.40224520550705467, 0.0033691164782554453, 6.8897583469158488e-5, 2.8913705208341783e-6,
    2.0489185894685619e-7, 2.2666689904975464e-8, 3.3962320257072662e-9, 4.9406023882226356e-10,
    1.1889147107810776e-11, -3.149916527962704e-11, -1.321581184044098e-11, -1.7941785315045455e-12,
    7.1801244513837415e-13, 3.8527783827391814e-13, 1.540086217512679e-14, -4.1505693472851969e-14,
    -9.5548466988109832e-15, 3.8116806693527119e-15, 1.7725601330538056e-15, -3.4254856196807406e-16,
    -2.8276239805123783e-16, 3.4612228677064715e-17, 4.4656214202897698e-17, -4.8305044859618073e-18,
    -7.2331804878620157e-18};
static const double I1_NEAR[] = {
    0.12629359322181683, -0.17641651835783406, 0.1026436586898471, -0.052945981208094991, 0.024726449030626517,
    -0.010564084894626198, 0.0041564229443128882, -0.0015135724506312531, 0.00051228595616857577,
    -0.00016176081582589675, 4.7815651075500542e-5, -1.3273163656039436e-5, 3.4702513081376785e-6,
    -8.5687202646954547e-7, 2.0032947535521353e-7, -4.4450591287963281e-8, 9.3815373864957718e-9,
    -1.8872497517228293e-9, 3.625590281552117e-10, -6.6634897235020277e-11, 1.1736186298890902e-11,
    -1.9839743977649437e-12, 3.2237933659455747e-13, -5.0421855047279117e-14, 7.6006842947354069e-15,
    -1.1055969477353863e-15, 1.5536319577361999e-16, -2.1114212143581656e-17, 2.7779141127609658e-18};
static const double I1_FAR[] = {
    0.3892881175091393, -0.0097610974913607212, -0.00011058893876260774, -3.8825648088769014e-6,
    -2.5122362378695844e-7, -2.6314688468887778e-8, -3.8353803859629693e-9, -5.5897434621939811e-10,
    -1.8974958123464799e-11, 3.2526035830149831e-11, 1.4125807436606714e-11, 2.0356285441446473e-12,
    -7.1985517762463109e-13, -4.0835511110891312e-13, -2.1015418427632101e-14, 4.2724400167099778e-14,
    1.0420276984110607e-14, -3.814403072437338e-15, -1.8803547755079722e-15, 3.3082023109249336e-16,
    2.9626289976416578e-16, -3.2095259220032888e-17, -4.6503053684823098e-17, 4.4143483230911561e-18,
    7.5172963108290901e-18, -9.3141788673629163e-19, -1.2421932751924266e-18};
static const double I0_NEAR_OF_FLOAT[] = {
    0.33839763720473804, -0.3046826723431984, 0.17162090152220878, -0.094901097048047644, 0.049305284239670708,
    -0.023737414805899469, 0.010546460394594998, -0.0043243099950505759, 0.0016394756169413358,
    -0.00057637557453858237, 0.00018850288509584166, -5.7541950100821037e-5, 1.6448448070728897e-5,
    -4.4167383584587506e-6, 1.1173875391201037e-6, -2.6707938539406117e-7, 6.0469950225419189e-8,
    -1.300025009986248e-8, 2.6598237246823867e-9, -5.1897956016352629e-10, 9.6758090353732369e-11};
static const double I0_FAR_OF_FLOAT[] = {
    0.40224520550705467, 0.0033691164782554453, 6.8897583469158488e-5, 2.8913705208341783e-6,
    2.0489185894685619e-7, 2.2666689904975464e-8, 3.3962320257072662e-9, 4.9406023882226356e-10};
static const double I1_NEAR_OF_FLOAT[] = {
    0.12629359322181683, -0.17641651835783406, 0.1026436586898471, -0.052945981208094991, 0.024726449030626517,
    -0.010564084894626198, 0.0041564229443128882, -0.0015135724506312531, 0.00051228595616857577,
    -0.00016176081582589675, 4.7815651075500542e-5, -1.3273163656039436e-5, 3.4702513081376785e-6,
    -8.5687202646954547e-7, 2.0032947535521353e-7, -4.4450591287963281e-8, 9.3815373864957718e-9,
    -1.8872497517228293e-9, 3.625590281552117e-10, -6.6634897235020277e-11};
static const double I1_FAR_OF_FLOAT[] = {
    0.3892881175091393, -0.0097610974913607212, -0.00011058893876260774, -3.8825648088769014e-6,
    -2.5122362378695844e-7, -2.6314688468887778e-8, -3.8353803859629693e-9, -5.5897434621939811e-10};

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 32") /* so that no loop is left within a loop */
#else
#define UNROLLED
#endif
#define LENGTH(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* Clenshaw's sum of a table at t. */
#define CHEBYSHEV(table, t, sum)                                                                                     \
    double sum;                                                                                                      \
    {                                                                                                                \
        double next = 0, after = 0;                                                                                  \
        UNROLLED for (int k = LENGTH(table) - 1; k > 0; k--) {                                                       \
            const double here = 2 * (t)*next - after + table[k];                                                     \
            after = next, next = here;                                                                               \
        }                                                                                                            \
        sum = (t)*next - after + table[0];                                                                           \
    }

#define BESSEL(name, near_table, far_table, NEAR)                                                                    \
    INLINE double name(double x) {                                                                                   \
        const double a = fabs(x), t = a > 8 ? 1 : a * 0.25 - 1, far = a > 8 ? a : 8, u = 16 / far - 1;               \
        CHEBYSHEV(near_table, t, near_sum)                                                                           \
        CHEBYSHEV(far_table, u, far_sum)                                                                             \
        const double value = a > 8 ? far_sum / sqrt(far) : (NEAR);                                                   \
        return x != x ? x : value;                                                                                   \
    }
BESSEL(scaled_i0_f64, I0_NEAR, I0_FAR, near_sum)
BESSEL(scaled_i1_f64, I1_NEAR, I1_FAR, near_sum * a)
BESSEL(scaled_i0_f32, I0_NEAR_OF_FLOAT, I0_FAR_OF_FLOAT, near_sum)
BESSEL(scaled_i1_f32, I1_NEAR_OF_FLOAT, I1_FAR_OF_FLOAT, near_sum * a)

/* Infinite where exp(|x|) is, and no number at the infinities, as torch's. */
INLINE double unscaled_f64(double scaled, double x) { return scaled * exp_f64(fabs(x)); }
INLINE double unscaled_f32(double scaled, double x) { return scaled * (float)exp_f64(fabs(x)); }
INLINE double odd(double value, double x) { return x < 0 ? -value : value; }

#define BESSEL_LINE(name, T, expression)                                                                             \
    CLONES static void name(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra) {               \
        T *out = (T *)at[0];                                                                                         \
        const T *xs = (const T *)at[1];                                                                              \
        (void)steps, (void)extra;                                                                                    \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) {                                                                \
            const double x = xs[i];                                                                                  \
            out[i] = (T)(expression);                                                                                \
        }                                                                                                            \
    }
#define BESSEL_LINES(name, of_float, of_double)                                                                      \
    BESSEL_LINE(name##_f32, float, of_float)                                                                         \
    BESSEL_LINE(name##_f64, double, of_double)                                                                       \
    static const inner_loop name##_loops[2] = {name##_f32, name##_f64};
BESSEL_LINES(i0e, scaled_i0_f32(x), scaled_i0_f64(x))
BESSEL_LINES(i1e, odd(scaled_i1_f32(x), x), odd(scaled_i1_f64(x), x))
BESSEL_LINES(i0, unscaled_f32(scaled_i0_f32(x), x), unscaled_f64(scaled_i0_f64(x), x))
BESSEL_LINES(i1, odd(unscaled_f32(scaled_i1_f32(x), x), x), odd(unscaled_f64(scaled_i1_f64(x), x), x))
#undef UNROLLED
#undef LENGTH
#undef CHEBYSHEV
#undef BESSEL
#undef BESSEL_LINE
#undef BESSEL_LINES

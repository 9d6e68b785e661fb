/* Fourier transforms of many lines at once, one in each lane of a vector. A line of n numbers is split into factors of n;
   each pass takes a factor r and leaves transforms of n / r, whose results it puts where they belong, so nothing is
   sorted (Stockham's way). Real lines of even length are transformed as half as many complex numbers. */
#ifndef EACH
#include <stdlib.h>
#include "vmath.h"

enum { MOST_FACTORS = 64, LARGEST_FACTOR = 13, FOURIER_ALIGNMENT = 64 };
enum { COMPLEX_TO_COMPLEX, REAL_TO_HALF, REAL_TO_WHOLE, HALF_TO_REAL };

/* How complex numbers are transformed, and where the roots of unity for it are: those of each pass, row by row the first
   r - 1 powers; for an odd factor its own roots before them; and those that real lines are put together with. */
typedef struct {
    ptrdiff_t n;
    int passes, factor[MOST_FACTORS];
    const void *roots, *halves;
} Fourier;

/* Lines of n numbers; steps are in elements of the array. */
typedef struct {
    const Fourier *plan;
    int kind, is_backward, is_out_of_memory;
    ptrdiff_t n, lines, outer;
    const char *in;
    char *out;
    ptrdiff_t in_line, in_step, in_outer, out_line, out_step, out_outer;
    double scale;
} Lines;

#define EACH "fourier.h"
#include "each_real.h"
#else

#if defined(__GNUC__)
typedef REAL FN(Lanes) __attribute__((vector_size(64), aligned(64), may_alias));
enum { FN(LANES) = 64 / sizeof(REAL) };
#else
typedef REAL FN(Lanes);
enum { FN(LANES) = 1 };
#endif
#define LANES FN(LANES)
#define VECTOR FN(Lanes)
typedef struct { VECTOR part[2]; } FN(Numbers); /* real and imaginary parts; the other way round going backward */
#define NUMBERS FN(Numbers)

INLINE NUMBERS FN(plus)(NUMBERS a, NUMBERS b) {
    return (NUMBERS){{a.part[0] + b.part[0], a.part[1] + b.part[1]}};
}
INLINE NUMBERS FN(minus)(NUMBERS a, NUMBERS b) {
    return (NUMBERS){{a.part[0] - b.part[0], a.part[1] - b.part[1]}};
}
INLINE NUMBERS FN(scaled)(NUMBERS a, REAL by) { return (NUMBERS){{a.part[0] * by, a.part[1] * by}}; }
INLINE NUMBERS FN(conjugate)(NUMBERS a) { return (NUMBERS){{a.part[0], -a.part[1]}}; }
INLINE NUMBERS FN(flipped)(NUMBERS a) { return (NUMBERS){{a.part[1], a.part[0]}}; }
INLINE NUMBERS FN(quarter_turn)(NUMBERS a) { return (NUMBERS){{a.part[1], -a.part[0]}}; } /* times -i */
INLINE NUMBERS FN(times)(NUMBERS a, const REAL *root) {
    return (NUMBERS){{a.part[0] * root[0] - a.part[1] * root[1], a.part[0] * root[1] + a.part[1] * root[0]}};
}
#define PLUS FN(plus)
#define MINUS FN(minus)

INLINE void FN(two)(NUMBERS *x) {
    const NUMBERS a = x[0], b = x[1];
    x[0] = PLUS(a, b), x[1] = MINUS(a, b);
}

INLINE void FN(three)(NUMBERS *x) {
    const NUMBERS sum = PLUS(x[1], x[2]), apart = FN(quarter_turn)(FN(scaled)(MINUS(x[1], x[2]), R(0.866025403784438647)));
    const NUMBERS middle = PLUS(x[0], FN(scaled)(sum, R(-0.5)));
    x[0] = PLUS(x[0], sum), x[1] = PLUS(middle, apart), x[2] = MINUS(middle, apart);
}

INLINE void FN(four)(NUMBERS *x) {
    const NUMBERS a = PLUS(x[0], x[2]), b = MINUS(x[0], x[2]), c = PLUS(x[1], x[3]);
    const NUMBERS d = FN(quarter_turn)(MINUS(x[1], x[3]));
    x[0] = PLUS(a, c), x[1] = PLUS(b, d), x[2] = MINUS(a, c), x[3] = MINUS(b, d);
}

INLINE void FN(five)(NUMBERS *x) {
    const REAL c1 = R(0.309016994374947424), c2 = R(-0.809016994374947424);
    const REAL s1 = R(0.951056516295153572), s2 = R(0.587785252292473129);
    const NUMBERS a = PLUS(x[1], x[4]), b = MINUS(x[1], x[4]), c = PLUS(x[2], x[3]), d = MINUS(x[2], x[3]);
    const NUMBERS p = PLUS(x[0], PLUS(FN(scaled)(a, c1), FN(scaled)(c, c2)));
    const NUMBERS q = PLUS(x[0], PLUS(FN(scaled)(a, c2), FN(scaled)(c, c1)));
    const NUMBERS u = FN(quarter_turn)(PLUS(FN(scaled)(b, s1), FN(scaled)(d, s2)));
    const NUMBERS v = FN(quarter_turn)(MINUS(FN(scaled)(b, s2), FN(scaled)(d, s1)));
    x[0] = PLUS(x[0], PLUS(a, c));
    x[1] = PLUS(p, u), x[4] = MINUS(p, u), x[2] = PLUS(q, v), x[3] = MINUS(q, v);
}

INLINE void FN(eight)(NUMBERS *x) {
    const REAL r = R(0.707106781186547524);
    NUMBERS even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    FN(four)(even), FN(four)(odd);
    const NUMBERS turned[4] = {
        odd[0], {{(odd[1].part[0] + odd[1].part[1]) * r, (odd[1].part[1] - odd[1].part[0]) * r}},
        FN(quarter_turn)(odd[2]), {{(odd[3].part[1] - odd[3].part[0]) * r, (odd[3].part[0] + odd[3].part[1]) * -r}}};
    for (int i = 0; i < 4; i++) x[i] = PLUS(even[i], turned[i]), x[i + 4] = MINUS(even[i], turned[i]);
}

/* One pass: rest = n_left / r transforms begin at steps of `side`, as many as were put together before. */
#define FOURIER_PASS(name, r)                                                                                     \
    INLINE void FN(pass_##name)(NUMBERS *to, const NUMBERS *of, ptrdiff_t rest, ptrdiff_t side, const REAL *roots) { \
        for (ptrdiff_t p = 0; p < rest; p++, roots += 2 * (r - 1))                                                \
            for (ptrdiff_t q = 0; q < side; q++) {                                                                \
                NUMBERS x[r];                                                                                     \
                for (int j = 0; j < r; j++) x[j] = of[q + side * (p + rest * j)];                                 \
                FN(name)(x);                                                                                      \
                to[q + side * r * p] = x[0];                                                                      \
                for (int j = 1; j < r; j++) to[q + side * (r * p + j)] = FN(times)(x[j], roots + 2 * (j - 1));    \
            }                                                                                                     \
    }
FOURIER_PASS(two, 2)
FOURIER_PASS(three, 3)
FOURIER_PASS(four, 4)
FOURIER_PASS(five, 5)
FOURIER_PASS(eight, 8)
#undef FOURIER_PASS

/* Any odd factor by its definition; `own` are its roots. */
INLINE void FN(pass_odd)(NUMBERS *to, const NUMBERS *of, ptrdiff_t rest, ptrdiff_t side, const REAL *roots, int r,
                         const REAL *own) {
    for (ptrdiff_t p = 0; p < rest; p++, roots += 2 * (r - 1))
        for (ptrdiff_t q = 0; q < side; q++) {
            const NUMBERS first = of[q + side * p];
            NUMBERS sums[LARGEST_FACTOR / 2], differences[LARGEST_FACTOR / 2], total = first;
            for (int j = 1; j <= r / 2; j++) {
                const NUMBERS a = of[q + side * (p + rest * j)], b = of[q + side * (p + rest * (r - j))];
                sums[j - 1] = PLUS(a, b), differences[j - 1] = MINUS(a, b);
                total = PLUS(total, sums[j - 1]);
            }
            to[q + side * r * p] = total;
            for (int k = 1; k <= r / 2; k++) {
                NUMBERS middle = first, apart = MINUS(first, first);
                for (int j = 1; j <= r / 2; j++) {
                    const REAL *root = own + 2 * (j * k % r);
                    middle = PLUS(middle, FN(scaled)(sums[j - 1], root[0]));
                    apart = PLUS(apart, FN(scaled)(differences[j - 1], -root[1]));
                }
                apart = FN(quarter_turn)(apart);
                to[q + side * (r * p + k)] = FN(times)(PLUS(middle, apart), roots + 2 * (k - 1));
                to[q + side * (r * p + r - k)] = FN(times)(MINUS(middle, apart), roots + 2 * (r - k - 1));
            }
        }
}

/* The transform of what is in x, by way of a second buffer; in which of them it ends is returned. */
INLINE NUMBERS *FN(transform)(const Fourier *plan, NUMBERS *x, NUMBERS *other) {
    const REAL *roots = (const REAL *)plan->roots;
    for (ptrdiff_t pass = 0, side = 1; pass < plan->passes; pass++) {
        const int r = plan->factor[pass];
        const ptrdiff_t rest = plan->n / side / r;
        switch (r) {
        case 2: FN(pass_two)(other, x, rest, side, roots); break;
        case 3: FN(pass_three)(other, x, rest, side, roots); break;
        case 4: FN(pass_four)(other, x, rest, side, roots); break;
        case 5: FN(pass_five)(other, x, rest, side, roots); break;
        case 8: FN(pass_eight)(other, x, rest, side, roots); break;
        default: FN(pass_odd)(other, x, rest, side, roots + 2 * r, r, roots); roots += 2 * r;
        }
        roots += 2 * (r - 1) * rest;
        side *= r;
        NUMBERS *ended = other;
        other = x, x = ended;
    }
    return x;
}

/* From a transform of m numbers to that of the 2m real numbers that were taken for them in pairs. */
INLINE void FN(unfold)(NUMBERS *x, ptrdiff_t m, const REAL *halves) {
    const NUMBERS first = x[0];
    x[0] = (NUMBERS){{first.part[0] + first.part[1], first.part[1] * 0}};
    x[m] = (NUMBERS){{first.part[0] - first.part[1], first.part[1] * 0}};
    for (ptrdiff_t k = 1; k <= m / 2; k++) {
        const NUMBERS a = x[k], b = FN(conjugate)(x[m - k]);
        const NUMBERS even = FN(scaled)(PLUS(a, b), R(0.5)), odd = FN(scaled)(MINUS(a, b), R(0.5));
        const NUMBERS turned = FN(quarter_turn)(FN(times)(odd, halves + 2 * k));
        x[k] = PLUS(even, turned), x[m - k] = FN(conjugate)(MINUS(even, turned));
    }
}

/* Back; real and imaginary parts have changed places. */
INLINE void FN(fold)(NUMBERS *x, ptrdiff_t m, const REAL *halves) {
    const VECTOR first = x[0].part[0], last = x[m].part[0];
    for (ptrdiff_t k = 1; k <= m / 2; k++) {
        const NUMBERS a = x[k], b = FN(conjugate)(x[m - k]);
        const REAL back[2] = {halves[2 * k], -halves[2 * k + 1]};
        const NUMBERS even = PLUS(a, b), turned = FN(quarter_turn)(FN(times)(MINUS(a, b), back));
        x[k] = FN(flipped)(MINUS(even, turned)), x[m - k] = FN(flipped)(FN(conjugate)(PLUS(even, turned)));
    }
    x[0] = (NUMBERS){{first - last, first + last}};
}

/* A square of vectors, turned: its off-diagonal halves change places, then those of its quarters, and so on. */
#if defined(__GNUC__) && !defined(__clang__)
#if IS_FLOAT
typedef int32_t FN(Picks) __attribute__((vector_size(64)));
#define PICKS(P, d) {P(0, d), P(1, d), P(2, d), P(3, d), P(4, d), P(5, d), P(6, d), P(7, d), P(8, d), P(9, d), P(10, d), \
                     P(11, d), P(12, d), P(13, d), P(14, d), P(15, d)}
#else
typedef int64_t FN(Picks) __attribute__((vector_size(64)));
#define PICKS(P, d) {P(0, d), P(1, d), P(2, d), P(3, d), P(4, d), P(5, d), P(6, d), P(7, d)}
#endif
#define UPPER(c, d) ((c) & (d) ? LANES + (c) - (d) : (c))
#define LOWER(c, d) ((c) & (d) ? LANES + (c) : (c) + (d))
#define EXCHANGE(d)                                                              \
    do {                                                                         \
        const FN(Picks) upper = PICKS(UPPER, d), lower = PICKS(LOWER, d);        \
        _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) if (!(i & d)) { \
            const VECTOR a = row[i], b = row[i + d];                             \
            row[i] = __builtin_shuffle(a, b, upper);                             \
            row[i + d] = __builtin_shuffle(a, b, lower);                         \
        }                                                                        \
    } while (0)
INLINE void FN(turn_square)(VECTOR *row) {
#if IS_FLOAT
    EXCHANGE(8);
#endif
    EXCHANGE(4);
    EXCHANGE(2);
    EXCHANGE(1);
}
#undef PICKS
#undef UPPER
#undef LOWER
#undef EXCHANGE
#else
#define NO_SQUARES
#endif

/* `count` numbers of each line, which lie in a row, to vectors, and back. `flip` is 1 where real and imaginary parts
   change places: the transform of such numbers is the inverse one. */
INLINE void FN(gather_rows)(NUMBERS *into, const REAL *x, ptrdiff_t line, ptrdiff_t count, ptrdiff_t lanes, int flip) {
    REAL *to = (REAL *)into;
    ptrdiff_t p = 0;
#ifndef NO_SQUARES
    for (; p + LANES <= count; p += LANES) {
        VECTOR row[LANES];
        _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++) {
            if (l < lanes) memcpy(&row[l], x + l * line + p, sizeof(VECTOR));
            else row[l] = (VECTOR){0};
        }
        FN(turn_square)(row);
        _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) *(VECTOR *)(to + (p + (i ^ flip)) * LANES) = row[i];
    }
#endif
    for (; p < count; p++)
        for (ptrdiff_t l = 0; l < lanes; l++) to[(p ^ flip) * LANES + l] = x[l * line + p];
}

INLINE void FN(scatter_rows)(REAL *x, ptrdiff_t line, const NUMBERS *from, ptrdiff_t count, ptrdiff_t lanes, int flip,
                             REAL scale) {
    const REAL *of = (const REAL *)from;
    ptrdiff_t p = 0;
#ifndef NO_SQUARES
    for (; p + LANES <= count; p += LANES) {
        VECTOR row[LANES];
        _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++)
            row[i] = *(const VECTOR *)(of + (p + (i ^ flip)) * LANES) * scale;
        FN(turn_square)(row);
        _Pragma("GCC unroll 16") for (int l = 0; l < LANES; l++)
            if (l < lanes) memcpy(x + l * line + p, &row[l], sizeof(VECTOR));
    }
#endif
    for (; p < count; p++)
        for (ptrdiff_t l = 0; l < lanes; l++) x[l * line + p] = of[(p ^ flip) * LANES + l] * scale;
}

/* The same where the numbers of a line lie apart, and perhaps those of neighbouring lines side by side. */
INLINE void FN(gather_numbers)(NUMBERS *to, const REAL *x, ptrdiff_t line, ptrdiff_t step, ptrdiff_t count,
                               ptrdiff_t lanes, int flip) {
    if (step == 1) {
        FN(gather_rows)(to, x, 2 * line, 2 * count, lanes, flip);
        return;
    }
    for (ptrdiff_t p = 0; p < count; p++) {
        REAL *real = (REAL *)&to[p].part[flip], *imaginary = (REAL *)&to[p].part[!flip];
        const REAL *of = x + 2 * p * step;
        if (line == 1 && lanes == LANES)
            FREE_LOOP for (int l = 0; l < LANES; l++) real[l] = of[2 * l], imaginary[l] = of[2 * l + 1];
        else
            for (ptrdiff_t l = 0; l < lanes; l++) real[l] = of[2 * l * line], imaginary[l] = of[2 * l * line + 1];
    }
}

INLINE void FN(scatter_numbers)(REAL *x, ptrdiff_t line, ptrdiff_t step, const NUMBERS *of, ptrdiff_t count,
                                ptrdiff_t lanes, int flip, REAL scale) {
    if (step == 1) {
        FN(scatter_rows)(x, 2 * line, of, 2 * count, lanes, flip, scale);
        return;
    }
    for (ptrdiff_t p = 0; p < count; p++) {
        const VECTOR parts[2] = {of[p].part[flip] * scale, of[p].part[!flip] * scale};
        const REAL *real = (const REAL *)parts, *imaginary = real + LANES;
        REAL *to = x + 2 * p * step;
        if (line == 1 && lanes == LANES)
            FREE_LOOP for (int l = 0; l < LANES; l++) to[2 * l] = real[l], to[2 * l + 1] = imaginary[l];
        else
            for (ptrdiff_t l = 0; l < lanes; l++) to[2 * l * line] = real[l], to[2 * l * line + 1] = imaginary[l];
    }
}

/* Real numbers: of an even length in pairs, of an odd one each as a complex number. */
INLINE void FN(gather_reals)(NUMBERS *to, const Lines *job, const REAL *x, ptrdiff_t lanes) {
    const ptrdiff_t each = job->n % 2 ? 2 * LANES : LANES;
    if (job->n % 2 == 0 && job->in_step == 1) {
        FN(gather_rows)(to, x, job->in_line, job->n, lanes, 0);
        return;
    }
    for (ptrdiff_t p = 0; p < job->n; p++) {
        REAL *row = (REAL *)to + p * each;
        if (job->in_line == 1 && lanes == LANES)
            memcpy(row, x + p * job->in_step, sizeof(VECTOR));
        else
            for (ptrdiff_t l = 0; l < lanes; l++) row[l] = x[p * job->in_step + l * job->in_line];
        if (job->n % 2) to[p].part[1] = (VECTOR){0};
    }
}

INLINE void FN(scatter_reals)(REAL *x, const Lines *job, const NUMBERS *of, ptrdiff_t lanes, REAL scale) {
    if (job->n % 2 == 0 && job->out_step == 1) {
        FN(scatter_rows)(x, job->out_line, of, job->n, lanes, 1, scale);
        return;
    }
    for (ptrdiff_t p = 0; p < job->n; p++) {
        const VECTOR scaled = (job->n % 2 ? of[p].part[1] : of[p / 2].part[1 - p % 2]) * scale;
        const REAL *row = (const REAL *)&scaled;
        if (job->out_line == 1 && lanes == LANES)
            memcpy(x + p * job->out_step, row, sizeof(VECTOR));
        else
            for (ptrdiff_t l = 0; l < lanes; l++) x[p * job->out_step + l * job->out_line] = row[l];
    }
}

/* The second half of a transform of real numbers mirrors the first. */
INLINE void FN(mirror)(NUMBERS *x, ptrdiff_t n) {
    for (ptrdiff_t k = n / 2 + 1; k < n; k++) x[k] = FN(conjugate)(x[n - k]);
}

/* Of half a line of odd length the whole, its parts exchanged. */
INLINE void FN(mirror_flipped)(NUMBERS *x, ptrdiff_t n) {
    x[0] = (NUMBERS){{(VECTOR){0}, x[0].part[0]}};
    for (ptrdiff_t k = 1; k <= n / 2; k++) {
        const NUMBERS a = x[k];
        x[k] = FN(flipped)(a), x[n - k] = FN(flipped)(FN(conjugate)(a));
    }
}

/* Lines side by side in lanes; lanes beyond the last line hold zeros. */
INLINE void FN(transform_lines)(const Lines *job, const REAL *in, REAL *out, ptrdiff_t lanes, NUMBERS *x,
                                NUMBERS *other) {
    const ptrdiff_t n = job->n, half = n / 2 + 1;
    const int is_paired = n % 2 == 0, flip = job->is_backward;
    const REAL *halves = (const REAL *)job->plan->halves, scale = (REAL)job->scale;
    if (lanes < LANES) memset((void *)x, 0, (n + 1) * sizeof *x);
    if (job->kind == COMPLEX_TO_COMPLEX)
        FN(gather_numbers)(x, in, job->in_line, job->in_step, n, lanes, flip);
    else if (job->kind == HALF_TO_REAL) {
        FN(gather_numbers)(x, in, job->in_line, job->in_step, half, lanes, 0);
        if (is_paired)
            FN(fold)(x, n / 2, halves);
        else
            FN(mirror_flipped)(x, n);
    } else
        FN(gather_reals)(x, job, in, lanes);
    x = FN(transform)(job->plan, x, other);
    if (job->kind == HALF_TO_REAL) {
        FN(scatter_reals)(out, job, x, lanes, scale);
        return;
    }
    if (is_paired && job->kind != COMPLEX_TO_COMPLEX) FN(unfold)(x, n / 2, halves);
    if (job->kind == REAL_TO_WHOLE) FN(mirror)(x, n);
    FN(scatter_numbers)(out, job->out_line, job->out_step, x, job->kind == REAL_TO_HALF ? half : n, lanes, flip, scale);
}

CLONES static void FN(transform_groups)(void *job_, ptrdiff_t begin, ptrdiff_t end) {
    Lines *job = (Lines *)job_;
    const ptrdiff_t groups = (job->lines + LANES - 1) / LANES, bytes = (job->n + 1) * sizeof(NUMBERS);
    const ptrdiff_t in_parts = job->kind == REAL_TO_HALF || job->kind == REAL_TO_WHOLE ? 1 : 2;
    const ptrdiff_t out_parts = job->kind == HALF_TO_REAL ? 1 : 2;
    char *memory = (char *)malloc(2 * bytes + FOURIER_ALIGNMENT);
    if (!memory) {
        job->is_out_of_memory = 1;
        return;
    }
    NUMBERS *x = (NUMBERS *)(memory + FOURIER_ALIGNMENT - (uintptr_t)memory % FOURIER_ALIGNMENT);
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t outer = i / groups, first = i % groups * LANES;
        const REAL *in = (const REAL *)job->in + in_parts * (outer * job->in_outer + first * job->in_line);
        REAL *out = (REAL *)job->out + out_parts * (outer * job->out_outer + first * job->out_line);
        FN(transform_lines)(job, in, out, job->lines - first < LANES ? job->lines - first : LANES, x, x + job->n + 1);
    }
    free(memory);
}
#undef NO_SQUARES
#undef LANES
#undef VECTOR
#undef NUMBERS
#undef PLUS
#undef MINUS
#endif

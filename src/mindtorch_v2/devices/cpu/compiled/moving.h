/* What the loops of a line are, and those that only move elements: copies, for every size of an element. */
#ifndef MINDTORCH_MOVING_H
#define MINDTORCH_MOVING_H
#include "vmath.h"

/* n elements: at[0] is written, the others are read; steps are in bytes. */
typedef void (*inner_loop)(char *const *at, const ptrdiff_t *steps, ptrdiff_t n, const void *extra);

#define AT(T, k, i) (*(const T *)(at[k] + (i) * steps[k]))
#define DENSE(T, k) (steps[k] == (ptrdiff_t)sizeof(T))

/* A move takes the bits of elements of a size. */
#define MOVE(T)                                                                                \
    CLONES static void move_##T(char *const *at, const ptrdiff_t *steps, ptrdiff_t n,          \
                                const void *extra) {                                           \
        (void)extra;                                                                           \
        if (DENSE(T, 0) && DENSE(T, 1))                                                        \
            memcpy(at[0], at[1], (size_t)n * sizeof(T));                                       \
        else if (DENSE(T, 0) && !steps[1]) {                                                   \
            T *out = (T *)at[0];                                                               \
            const T value = *(const T *)at[1];                                                 \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] = value;                        \
        } else if (DENSE(T, 0) && steps[1] == -(ptrdiff_t)sizeof(T)) {                         \
            T *out = (T *)at[0];                                                               \
            const T *last = (const T *)at[1];                                                  \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] = last[-i];                     \
        } else if (DENSE(T, 0)) {                                                              \
            T *out = (T *)at[0];                                                               \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) out[i] = AT(T, 1, i);                  \
        } else                                                                                 \
            FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) *(T *)(at[0] + i * steps[0]) = AT(T, 1, i); \
    }
typedef struct { uint64_t words[2]; } wide16;
typedef struct { uint64_t words[4]; } wide32;
typedef struct { uint64_t words[8]; } wide64;
MOVE(uint8_t)
MOVE(uint16_t)
MOVE(uint32_t)
MOVE(uint64_t)
MOVE(wide16)
MOVE(wide32)
MOVE(wide64)
#undef MOVE
enum { WIDEST = sizeof(wide64) };
static const inner_loop move_loops[WIDEST + 1] = {
    [1] = move_uint8_t, [2] = move_uint16_t, [4] = move_uint32_t, [8] = move_uint64_t,
    [16] = move_wide16, [32] = move_wide32,  [64] = move_wide64};
#endif

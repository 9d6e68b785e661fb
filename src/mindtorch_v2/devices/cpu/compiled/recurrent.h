/* One step of an LSTM for a batch: gates lie side by side, (batch, 4 hidden): input, forget, cell, output. */
#ifndef EACH
#include "vmath.h"
#define EACH "recurrent.h"
#include "each_real.h"
#define lstm_step_any(single, ...) BY_TYPE(single, lstm_step, __VA_ARGS__)
#define lstm_step_backward_any(single, ...) BY_TYPE(single, lstm_step_backward, __VA_ARGS__)
#else
INLINE REAL FN(logistic)(REAL x) { return 1 / (1 + FN(exp)(-x)); }

/* `gates` holds what the input adds and becomes the gates; `from_hidden` is what the hidden state adds. */
CLONES static void FN(lstm_step)(void *hidden, void *cell, void *gates, void *from_hidden, void *bias, void *before,
                                 ptrdiff_t batch, ptrdiff_t n) {
    for (ptrdiff_t b = 0; b < batch; b++) {
        REAL *h = (REAL *)hidden + b * n, *c = (REAL *)cell + b * n, *gate = (REAL *)gates + 4 * b * n;
        const REAL *add = (const REAL *)from_hidden + 4 * b * n, *old = (const REAL *)before + b * n, *more = bias;
        FREE_LOOP for (ptrdiff_t j = 0; j < 4 * n; j++) gate[j] += add[j];
        if (more)
            FREE_LOOP for (ptrdiff_t j = 0; j < 4 * n; j++) gate[j] += more[j];
        FREE_LOOP for (ptrdiff_t j = 0; j < 2 * n; j++) gate[j] = FN(logistic)(gate[j]);
        FREE_LOOP for (ptrdiff_t j = 2 * n; j < 3 * n; j++) gate[j] = FN(tanh)(gate[j]);
        FREE_LOOP for (ptrdiff_t j = 3 * n; j < 4 * n; j++) gate[j] = FN(logistic)(gate[j]);
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) {
            c[j] = gate[n + j] * old[j] + gate[j] * gate[2 * n + j];
            h[j] = gate[3 * n + j] * FN(tanh)(c[j]);
        }
    }
}

/* From the gradients of the hidden state (of this step, and from the next one) and of the cell, which becomes that of
   the cell before, to those of what went into the gates. */
CLONES static void FN(lstm_step_backward)(void *to_gates, void *to_cell, void *grad, void *from_next, void *gates,
                                          void *cell, void *before, ptrdiff_t batch, ptrdiff_t n) {
    for (ptrdiff_t b = 0; b < batch; b++) {
        REAL *to = (REAL *)to_gates + 4 * b * n, *gc = (REAL *)to_cell + b * n;
        const REAL *g = (const REAL *)grad + b * n, *next = (const REAL *)from_next + b * n;
        const REAL *gate = (const REAL *)gates + 4 * b * n;
        const REAL *c = (const REAL *)cell + b * n, *old = (const REAL *)before + b * n;
        FREE_LOOP for (ptrdiff_t j = 0; j < n; j++) {
            const REAL in = gate[j], forget = gate[n + j], new = gate[2 * n + j], out = gate[3 * n + j];
            const REAL height = FN(tanh)(c[j]), gh = g[j] + next[j];
            const REAL total = gc[j] + gh * out * (1 - height * height);
            to[j] = total * new * in * (1 - in);
            to[n + j] = total * old[j] * forget * (1 - forget);
            to[2 * n + j] = total * in * (1 - new * new);
            to[3 * n + j] = gh * height * out * (1 - out);
            gc[j] = total * forget;
        }
    }
}
#endif

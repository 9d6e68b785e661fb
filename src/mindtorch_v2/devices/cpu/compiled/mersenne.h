/* The 32-bit Mersenne Twister (Matsumoto and Nishimura, 1998), with torch's two counters, and its words in bulk. */
#ifndef MINDTORCH_MERSENNE_H
#define MINDTORCH_MERSENNE_H
#include <stddef.h>
#include <stdint.h>
#include "vmath.h"

#define WORDS 624
#define SHIFT 397

/* `next` is the word to give out, and `left - 1` words can still be given before the next twist. */
typedef struct {
    uint32_t word[WORDS];
    int32_t left;
    uint32_t next;
} mersenne;

static void mersenne_seed(mersenne *m, uint32_t seed) {
    m->word[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++) {
        const uint32_t before = m->word[i - 1];
        m->word[i] = 1812433253u * (before ^ (before >> 30)) + i;
    }
    m->left = 1;
    m->next = 0;
}

INLINE uint32_t mersenne_mix(uint32_t word, uint32_t after, uint32_t far) {
    const uint32_t joined = (word & 0x80000000u) | (after & 0x7fffffffu);
    return far ^ (joined >> 1) ^ ((0u - (joined & 1u)) & 0x9908b0dfu);
}

CLONES static void mersenne_twist(mersenne *m) {
    uint32_t *w = m->word;
    for (int i = 0; i < WORDS - SHIFT; i++) w[i] = mersenne_mix(w[i], w[i + 1], w[i + SHIFT]);
    for (int i = WORDS - SHIFT; i < WORDS - 1; i++) w[i] = mersenne_mix(w[i], w[i + 1], w[i + SHIFT - WORDS]);
    w[WORDS - 1] = mersenne_mix(w[WORDS - 1], w[0], w[SHIFT - 1]);
    m->left = WORDS + 1;
    m->next = 0;
}

INLINE uint32_t mersenne_temper(uint32_t y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

CLONES static void mersenne_temper_all(uint32_t *out, const uint32_t *in, ptrdiff_t n) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = mersenne_temper(in[i]);
}

static void mersenne_words(mersenne *m, uint32_t *out, ptrdiff_t n) {
    while (n > 0) {
        if (m->left <= 1) mersenne_twist(m);
        const ptrdiff_t some = n < m->left - 1 ? n : m->left - 1;
        mersenne_temper_all(out, m->word + m->next, some);
        m->left -= (int32_t)some;
        m->next += (uint32_t)some;
        out += some;
        n -= some;
    }
}

static uint32_t mersenne_word32(mersenne *m) {
    if (m->left <= 1) mersenne_twist(m);
    m->left--;
    return mersenne_temper(m->word[m->next++]);
}

/* The first word drawn is the upper half. */
static uint64_t mersenne_word64(mersenne *m) {
    const uint64_t upper = mersenne_word32(m);
    return (upper << 32) | mersenne_word32(m);
}
#endif

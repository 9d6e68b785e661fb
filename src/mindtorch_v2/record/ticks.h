/* The clock of every row: nanoseconds of CLOCK_MONOTONIC, read through the processor's own counter where the kernel
   trusts it (constant over cores and sleep states). That costs a third of a call to the system's clock. */
#include <stdint.h>
#include <string.h>
#include <stdio.h>
#include <time.h>

static int64_t mt_system_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000LL + t.tv_nsec;
}

#if defined(__x86_64__) && defined(__linux__)
#include <x86intrin.h>

static int mt_trusted = 0;
static uint64_t mt_first_tick, mt_anchor_tick;
static int64_t mt_first_ns, mt_anchor_ns;
static uint64_t mt_scale; /* nanoseconds per tick, times 2^32 */

/* A tick and the time it stands for: of a few readings the one that took shortest. */
static void mt_pair(uint64_t *tick, int64_t *ns) {
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        uint64_t before = __rdtsc();
        int64_t now = mt_system_ns();
        uint64_t took = __rdtsc() - before;
        if (took < best) { best = took; *tick = before + took / 2; *ns = now; }
    }
}

static void mt_start_clock(void) {
    char source[8] = {0};
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    if (file == NULL) return;
    if (fgets(source, sizeof source, file) && strncmp(source, "tsc", 3) == 0) mt_pair(&mt_first_tick, &mt_first_ns);
    fclose(file);
}

/* Measure the counter against the system's clock, over all the time since the start; below 10 ms it is not exact. */
static void mt_set_clock_right(void) {
    if (mt_first_tick == 0) return;
    mt_pair(&mt_anchor_tick, &mt_anchor_ns);
    int64_t passed_ns = mt_anchor_ns - mt_first_ns;
    mt_trusted = passed_ns > 10000000 && mt_anchor_tick > mt_first_tick;
    if (mt_trusted) mt_scale = (uint64_t)(((__uint128_t)passed_ns << 32) / (mt_anchor_tick - mt_first_tick));
}

/* The time by the counter, where it is trusted. */
static inline int64_t mt_counter_ns(void) {
    return mt_anchor_ns + (int64_t)(((__int128_t)(int64_t)(__rdtsc() - mt_anchor_tick) * (__int128_t)mt_scale) >> 32);
}

static inline int64_t mt_clock_ns(void) { return mt_trusted ? mt_counter_ns() : mt_system_ns(); }
#else
#define mt_trusted 0
static void mt_start_clock(void) {}
static void mt_set_clock_right(void) {}
static inline int64_t mt_counter_ns(void) { return mt_system_ns(); }
static inline int64_t mt_clock_ns(void) { return mt_system_ns(); }
#endif

#if defined(_MSC_VER)
static __declspec(thread) void *mt_log = 0;
#elif defined(__linux__)
static __thread void *mt_log __attribute__((tls_model("initial-exec"))) = 0;
#else
static __thread void *mt_log = 0;
#endif

/* How long this thread has run on a processor. */
static int64_t mt_thread_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A few threads that share out the chunks of a loop. They are started when first needed, sleep in between, and are gone
   in a forked child, which starts its own. Chunks do not depend on how many threads there are. Every thread begins with
   the same part of a loop each time, so that it meets what it wrote in its own cache, and then helps with other parts. */
#ifndef MINDTORCH_POOL_H
#define MINDTORCH_POOL_H
#include <stddef.h>

typedef void (*stretch)(void *job, ptrdiff_t begin, ptrdiff_t end);

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

/* Waking a thread that sleeps takes longer than many loops (on a virtual machine, a tenth of a millisecond): it stays
   awake for about a millisecond first, and after the first part of it lets others run meanwhile. */
enum { MOST_THREADS = 256, SPINS = 10000, YIELDS = 2000, CLOSED = 1 << 30, CACHE_LINE = 64 };

/* The chunks that one thread begins with: the first that nobody took, and the end; on a cache line of its own. */
typedef struct {
    _Atomic ptrdiff_t next;
    ptrdiff_t end;
    char padding[CACHE_LINE - 2 * sizeof(ptrdiff_t)];
} part;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake, finished;
    int wanted, started;   /* threads in all, the caller's included; helpers that exist */
    atomic_int is_busy;    /* one loop at a time: whoever comes second runs alone */
    atomic_ulong round;    /* which loop it is */
    atomic_int inside;     /* helpers at work, and CLOSED once there is nothing left to begin with */
    int invited;           /* helpers that it wants */
    stretch run;
    void *job;
    ptrdiff_t n, chunk;
    part parts[MOST_THREADS]; /* one for the caller, and for each helper that is invited */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .finished = PTHREAD_COND_INITIALIZER,
          .wanted = 1, .inside = CLOSED};

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Stays awake for a while, as long as the condition holds. */
#define WAIT_WHILE(condition)                                          \
    do {                                                               \
        for (int i = 0; i < SPINS && (condition); i++) relax();        \
        for (int i = 0; i < YIELDS && (condition); i++) sched_yield(); \
    } while (0)

static void take_chunks(int number) {
    const int parts = pool.invited + 1;
    for (int k = 0; k < parts; k++) {
        part *here = &pool.parts[(number + k) % parts];
        ptrdiff_t taken;
        while ((taken = atomic_fetch_add(&here->next, 1)) < here->end) {
            const ptrdiff_t begin = taken * pool.chunk, end = begin + pool.chunk;
            pool.run(pool.job, begin, end < pool.n ? end : pool.n);
        }
    }
}

/* Nobody waits for a helper that comes too late: it finds the loop closed. */
static int enter(void) {
    int inside = atomic_load(&pool.inside);
    do
        if (inside & CLOSED || inside >= pool.invited) return 0;
    while (!atomic_compare_exchange_weak(&pool.inside, &inside, inside + 1));
    return 1;
}

static void leave(void) {
    if (atomic_fetch_sub(&pool.inside, 1) != (CLOSED | 1)) return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.finished);
    pthread_mutex_unlock(&pool.lock);
}

static void *help(void *number) {
    unsigned long seen = atomic_load(&pool.round) - 1;
    for (;;) {
        WAIT_WHILE(atomic_load(&pool.round) == seen);
        if (atomic_load(&pool.round) == seen) {
            pthread_mutex_lock(&pool.lock);
            while (atomic_load(&pool.round) == seen) pthread_cond_wait(&pool.wake, &pool.lock);
            pthread_mutex_unlock(&pool.lock);
        }
        seen = atomic_load(&pool.round);
        if (!enter()) continue;
        take_chunks((int)(intptr_t)number);
        leave();
    }
    return NULL;
}

static void forget_threads(void) { /* in a forked child, which has none but its own */
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_cond_init(&pool.finished, NULL);
    pool.started = 0;
    atomic_store(&pool.inside, CLOSED);
    atomic_store(&pool.is_busy, 0);
}

static void watch_forks(void) {
    static int is_watching = 0;
    if (!is_watching) is_watching = !pthread_atfork(NULL, NULL, forget_threads);
}

static int start_helper(int number) {
    sigset_t all, before;
    pthread_t thread;
    watch_forks();
    sigfillset(&all); /* signals are for the program's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int has_started = !pthread_create(&thread, NULL, help, (void *)(intptr_t)number) && !pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return has_started;
}

static int helpers_for(ptrdiff_t chunks) {
    int wanted = pool.wanted - 1;
    if (wanted > chunks - 1) wanted = (int)(chunks - 1);
    while (pool.started < wanted && start_helper(pool.started + 1)) pool.started++; /* where no more can be had, fewer will do */
    return pool.started < wanted ? pool.started : wanted;
}

static void divide(ptrdiff_t chunks, int parts) {
    for (int i = 0; i < parts; i++) {
        atomic_store(&pool.parts[i].next, chunks * i / parts);
        pool.parts[i].end = chunks * (i + 1) / parts;
    }
}

static void share(ptrdiff_t n, ptrdiff_t chunk, stretch run, void *job) {
    int idle = 0;
    if (pool.wanted < 2 || n <= chunk || !atomic_compare_exchange_strong(&pool.is_busy, &idle, 1)) {
        for (ptrdiff_t begin = 0; begin < n; begin += chunk) run(job, begin, begin + chunk < n ? begin + chunk : n);
        return;
    }
    pool.run = run, pool.job = job, pool.n = n, pool.chunk = chunk;
    const ptrdiff_t chunks = (n + chunk - 1) / chunk;
    pool.invited = helpers_for(chunks);
    divide(chunks, pool.invited + 1);
    atomic_store(&pool.inside, 0);
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.round, 1);
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);
    take_chunks(0);
    atomic_fetch_or(&pool.inside, CLOSED);
    WAIT_WHILE(atomic_load(&pool.inside) != CLOSED);
    if (atomic_load(&pool.inside) != CLOSED) {
        pthread_mutex_lock(&pool.lock);
        while (atomic_load(&pool.inside) != CLOSED) pthread_cond_wait(&pool.finished, &pool.lock);
        pthread_mutex_unlock(&pool.lock);
    }
    atomic_store(&pool.is_busy, 0);
}

static void want_threads(int count) { pool.wanted = count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : count; }
static int wanted_threads(void) { return pool.wanted; }

#else /* no threads of ours */

static void share(ptrdiff_t n, ptrdiff_t chunk, stretch run, void *job) {
    for (ptrdiff_t begin = 0; begin < n; begin += chunk) run(job, begin, begin + chunk < n ? begin + chunk : n);
}
static void want_threads(int count) { (void)count; }
static int wanted_threads(void) { return 1; }
#endif
#endif

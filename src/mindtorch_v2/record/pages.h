/* Memory brought in at once instead of page by page, where the system can (Linux 5.14 and later), and given back. */
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

static void mt_bring_in(char *begin, size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page, last = ((uintptr_t)begin + size) / page * page;
    if (last > first + 4 * page) madvise((void *)first, last - first, MADV_POPULATE_WRITE);
}

/* Of a block that is about to be freed: what is in it is lost. */
static void mt_give_back(char *begin, size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page, last = ((uintptr_t)begin + size) / page * page;
    if (last > first) madvise((void *)first, last - first, MADV_DONTNEED);
}
#else
static void mt_bring_in(char *begin, size_t size) { (void)begin; (void)size; }
static void mt_give_back(char *begin, size_t size) { (void)begin; (void)size; }
#endif

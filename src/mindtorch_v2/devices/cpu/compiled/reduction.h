/* A reduction over any dimensions of an array of any layout, in one pass. Its dimensions become runs, kept or folded, in
   the order in which they lie in memory; neighbouring results are worked out together: rows where the innermost run is
   folded, columns where it is kept. Where results are few, each is made of slices. How the work is cut depends on sizes
   alone, so results do not depend on the number of threads. */
#ifndef MINDTORCH_REDUCTION_H
#define MINDTORCH_REDUCTION_H
#include "half.h"
#include "moving.h"
#include "reduce_loops.h"

enum { MOST_RUNS = 64, PIECE = 65536, FEW_GROUPS = 16, MOST_SLICES = 64, WIDEST_CELL = 16 };
enum { BLOCK_BYTES = BLOCK * sizeof(double), TILE_BYTES = TILE * WIDEST_CELL };

typedef struct {
    ptrdiff_t count, step, out_step; /* steps in bytes, of what is read and of the results */
} run;

typedef struct {
    int kind, type; /* of the loops */
    int half;       /* the kind of half precision that results have, or NOT_HALF */
    int widens;     /* whether what is read is float16, for loops over floats */
    int takes_root; /* whether the root of what comes out is wanted */
    int by_columns;
    int kept_runs, folded_runs;
    run kept[MOST_RUNS], folded[MOST_RUNS]; /* outermost first; there is at least one of each */
    ptrdiff_t itemsize, out_size;
    ptrdiff_t loaded; /* bytes of an element that was loaded into a block */
    ptrdiff_t cell;   /* bytes of what a row comes to */
    char *out;
    const char *x;
    ptrdiff_t width, groups_of_run, groups; /* results that are worked out together, and how many times */
    ptrdiff_t piece, pieces, lines; /* the innermost folded run in pieces; what is left of the folded runs is lines */
    ptrdiff_t slices;               /* of the lines of a group */
    char *parts;                    /* what each slice comes to, where there are several */
} reduction;

static ptrdiff_t distance(ptrdiff_t step) { return step < 0 ? -step : step; }

/* Whether dimension a lies further out in memory than b; what stands still lies outermost. */
static int lies_outside(const run *a, const run *b) {
    return b->step && (!a->step || distance(a->step) > distance(b->step));
}

static void add_run(run *runs, int *count, run added, int is_neighbour) {
    run *last = runs + *count - 1;
    if (is_neighbour && *count && last->step == added.step * added.count &&
        last->out_step == added.out_step * added.count) {
        last->count *= added.count, last->step = added.step, last->out_step = added.out_step;
        return;
    }
    runs[(*count)++] = added;
}

/* The runs of an array: of dimensions that are folded, the steps of results are zero. */
static void arrange(reduction *r, run *dims, const int *is_folded, int ndim) {
    int order[MOST_RUNS], before = -1;
    for (int d = 0; d < ndim; d++) {
        int at = d;
        for (; at > 0 && lies_outside(&dims[d], &dims[order[at - 1]]); at--) order[at] = order[at - 1];
        order[at] = d;
    }
    r->kept_runs = r->folded_runs = 0;
    for (int i = 0; i < ndim; i++) {
        const int folds = is_folded[order[i]];
        if (dims[order[i]].count == 1) continue;
        add_run(folds ? r->folded : r->kept, folds ? &r->folded_runs : &r->kept_runs, dims[order[i]], before == folds);
        before = folds;
    }
    r->by_columns = before == 0;
    if (!r->kept_runs) r->kept[r->kept_runs++] = (run){1, 0, 0};
    if (!r->folded_runs) r->folded[r->folded_runs++] = (run){1, r->itemsize, 0};
}

static ptrdiff_t fewest(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

/* Cuts the work into groups of results and slices of each. */
static void plan(reduction *r) {
    const ptrdiff_t inner = r->kept[r->kept_runs - 1].count, n = r->folded[r->folded_runs - 1].count;
    ptrdiff_t others = 1;
    r->loaded = r->widens ? (ptrdiff_t)sizeof(float) : r->itemsize;
    r->cell = cell_sizes[cell_type(r->kind, r->type)];
    r->width = r->by_columns ? TILE : GROUP;
    r->groups_of_run = (inner + r->width - 1) / r->width;
    r->groups = r->groups_of_run;
    for (int d = 0; d < r->kept_runs - 1; d++) r->groups *= r->kept[d].count;
    for (int d = 0; d < r->folded_runs - 1; d++) others *= r->folded[d].count;
    const int is_sliced = r->groups < FEW_GROUPS;
    const ptrdiff_t together = fewest(r->width, inner);
    r->piece = !is_sliced || n < 1 ? n + 1 : r->by_columns ? PIECE / together / TILE_ROWS * TILE_ROWS + TILE_ROWS : PIECE;
    r->pieces = (n + r->piece - 1) / r->piece;
    r->lines = others * r->pieces;
    const ptrdiff_t wanted = is_sliced ? (ptrdiff_t)((double)together * n * others / PIECE) + 1 : 1;
    r->slices = fewest(fewest(wanted, MOST_SLICES), r->lines ? r->lines : 1);
}

/* Where a group of results begins in what is read and in the results, and how many there are. */
static ptrdiff_t locate(const reduction *r, ptrdiff_t group, const char **x, char **out) {
    const run *last = &r->kept[r->kept_runs - 1];
    const ptrdiff_t first = group % r->groups_of_run * r->width;
    ptrdiff_t rest = group / r->groups_of_run;
    *x = r->x + first * last->step, *out = r->out + first * last->out_step;
    for (int d = r->kept_runs - 2; d >= 0; d--) {
        const ptrdiff_t at = rest % r->kept[d].count;
        rest /= r->kept[d].count;
        *x += at * r->kept[d].step, *out += at * r->kept[d].out_step;
    }
    return fewest(r->width, last->count - first);
}

/* Every other number of two, as code that becomes SIMD. */
#define EVERY_OTHER(T)                                                                                              \
    CLONES static void every_other_##T(void *to, const void *x, ptrdiff_t n) {                                       \
        FREE_LOOP for (ptrdiff_t i = 0; i < n; i++) ((T *)to)[i] = ((const T *)x)[2 * i];                            \
    }
EVERY_OTHER(uint16_t) EVERY_OTHER(uint32_t) EVERY_OTHER(uint64_t)
#undef EVERY_OTHER

/* n numbers that lie step bytes apart, side by side as the loops read them. */
static void load(const reduction *r, void *to, const char *x, ptrdiff_t step, ptrdiff_t n) {
    if (r->widens && step != 2 * r->itemsize)
        widen(FLOAT16, (float *)to, x, step, n);
    else if (r->widens) {
        uint16_t *halves = (uint16_t *)((char *)to + n * sizeof(uint16_t)); /* each is read before it is written over */
        every_other_uint16_t(halves, x, n);
        widen(FLOAT16, (float *)to, (const char *)halves, sizeof(uint16_t), n);
    } else if (step == r->itemsize)
        memcpy(to, x, (size_t)(n * r->itemsize));
    else if (step == 2 * r->itemsize && r->itemsize == sizeof(uint16_t))
        every_other_uint16_t(to, x, n);
    else if (step == 2 * r->itemsize && r->itemsize == sizeof(float))
        every_other_uint32_t(to, x, n);
    else if (step == 2 * r->itemsize && r->itemsize == sizeof(double))
        every_other_uint64_t(to, x, n);
    else
        move_loops[r->itemsize]((char *const[]){(char *)to, (char *)x}, (const ptrdiff_t[]){r->itemsize, step}, n, NULL);
}

/* The loop that joins rows of cells. */
static fold_loop merge_rows(const reduction *r) {
    return column_loops[kind_of_parts[r->kind]][cell_type(r->kind, r->type)];
}

/* `count` cells of totals, joined with as many that follow them after `apart` cells. */
static void merge(const reduction *r, void *totals, ptrdiff_t apart, ptrdiff_t count) {
    _Alignas(64) char joined[TILE_BYTES];
    merge_rows(r)(joined, totals, 2, apart, count);
    memcpy(totals, joined, (size_t)(count * r->cell));
}

/* A row of any length that does not lie side by side, block by block. */
static void fold_loaded(const reduction *r, char *total, const char *x, ptrdiff_t step, ptrdiff_t n) {
    _Alignas(64) char block[BLOCK_BYTES], both[2 * WIDEST_CELL];
    const ptrdiff_t most = BLOCK_BYTES / r->loaded;
    for (ptrdiff_t begin = 0; begin < n; begin += most) {
        const ptrdiff_t count = fewest(most, n - begin);
        load(r, block, x + begin * step, step, count);
        row_loops[r->kind][r->type](begin ? both + r->cell : both, block, count, 0, 1);
        if (begin) merge(r, both, 1, 1);
    }
    memcpy(total, both, (size_t)r->cell);
}

/* Rows that begin `apart` bytes from each other. */
static void fold_rows(const reduction *r, char *totals, const char *x, ptrdiff_t n, ptrdiff_t apart, ptrdiff_t rows) {
    const ptrdiff_t step = r->folded[r->folded_runs - 1].step;
    const fold_loop fold = row_loops[r->kind][r->type];
    _Alignas(64) char block[BLOCK_BYTES];
    if (!r->widens && step == r->itemsize) {
        fold(totals, x, n, apart / r->itemsize, rows);
        return;
    }
    const ptrdiff_t most = n ? BLOCK_BYTES / r->loaded / n : rows; /* rows that fit into a block */
    for (ptrdiff_t k = 0; !most && k < rows; k++) fold_loaded(r, totals + k * r->cell, x + k * apart, step, n);
    for (ptrdiff_t first = 0; most && first < rows; first += most) {
        const ptrdiff_t count = fewest(most, rows - first);
        const char *here = x + first * apart;
        if (apart == n * step)
            load(r, block, here, step, count * n);
        else
            for (ptrdiff_t k = 0; k < count; k++) load(r, block + k * n * r->loaded, here + k * apart, step, n);
        fold(totals + first * r->cell, block, n, n, count);
    }
}

/* Columns of n rows that begin `apart` bytes from each other, whatever lies between the columns. */
static void fold_plain_columns(const reduction *r, char *totals, const char *x, ptrdiff_t n, ptrdiff_t apart,
                               ptrdiff_t width) {
    const ptrdiff_t step = r->kept[r->kept_runs - 1].step;
    const fold_loop fold = column_loops[r->kind][r->type];
    if (!r->widens && step == r->itemsize && apart % r->itemsize == 0) {
        fold(totals, x, n, apart / r->itemsize, width);
        return;
    }
    _Alignas(64) char block[BLOCK_BYTES], both[2 * TILE_BYTES];
    const ptrdiff_t most = BLOCK_BYTES / r->loaded / width;
    for (ptrdiff_t begin = 0; begin < n; begin += most) {
        const ptrdiff_t rows = fewest(most, n - begin);
        for (ptrdiff_t j = 0; j < rows; j++)
            load(r, block + j * width * r->loaded, x + (begin + j) * apart, step, width);
        fold(begin ? both + width * r->cell : both, block, rows, width, width);
        if (begin) merge(r, both, width, width);
    }
    memcpy(totals, both, (size_t)(width * r->cell));
}

/* Rows of a few columns that lie one behind the other are taken several at a time, as if they were one. */
static void fold_columns(const reduction *r, char *totals, const char *x, ptrdiff_t n, ptrdiff_t width) {
    const ptrdiff_t apart = r->folded[r->folded_runs - 1].step, factor = TILE / width;
    if (factor < 2 || n < factor || apart != width * r->itemsize || r->kept[r->kept_runs - 1].step != r->itemsize) {
        fold_plain_columns(r, totals, x, n, apart, width);
        return;
    }
    _Alignas(64) char wide[TILE_BYTES], both[2 * TILE_BYTES];
    fold_plain_columns(r, wide, x, n / factor, factor * apart, factor * width);
    merge_rows(r)(both, wide, factor, width, width);
    if (n % factor) {
        fold_plain_columns(r, both + width * r->cell, x + n / factor * factor * apart, n % factor, apart, width);
        merge(r, both, width, width);
    }
    memcpy(totals, both, (size_t)(width * r->cell));
}

/* Cells as elements of a result that lie step bytes apart. */
#define PUT(name, CELL, OUT)                                                                                         \
    CLONES static void put_##name(char *out, ptrdiff_t step, const void *cells, ptrdiff_t count) {                   \
        const CELL *totals = (const CELL *)cells;                                                                    \
        if (step == (ptrdiff_t)sizeof(OUT))                                                                          \
            for (ptrdiff_t k = 0; k < count; k++) ((OUT *)out)[k] = (OUT)totals[k];                                  \
        else                                                                                                         \
            for (ptrdiff_t k = 0; k < count; k++) *(OUT *)(out + k * step) = (OUT)totals[k];                         \
    }
PUT(f32, double, float)
PUT(f64, double, double)
PUT(i8, int64_t, int8_t)
PUT(i16, int64_t, int16_t)
PUT(i32, int64_t, int32_t)
PUT(i64, int64_t, int64_t)
#undef PUT

static void put(const reduction *r, char *out, char *totals, ptrdiff_t count) {
    const ptrdiff_t step = r->kept[r->kept_runs - 1].out_step;
    const int of = cell_type(r->kind, r->type);
    float singles[TILE];
    for (ptrdiff_t k = 0; r->takes_root && k < count; k++) ((double *)totals)[k] = sqrt(((double *)totals)[k]);
    if (of == I64)
        (r->out_size == 1 ? put_i8 : r->out_size == 2 ? put_i16 : r->out_size == 4 ? put_i32 : put_i64)(
            out, step, totals, count);
    else if (of == C128) /* as numbers with two parts each */
        for (ptrdiff_t k = 0; k < count; k++)
            (r->type == C64 ? put_f32 : put_f64)(out + k * step, r->out_size / 2, totals + k * r->cell, 2);
    else if (r->half == NOT_HALF)
        (r->type == F64 ? put_f64 : put_f32)(out, step, totals, count);
    else {
        put_f32((char *)singles, sizeof(float), totals, count);
        narrow(r->half, out, step, singles, count);
    }
}

/* Where a line begins, and how many lines of the same run follow it at the same distance, itself included. */
static const char *line_at(const reduction *r, const char *x, ptrdiff_t line, ptrdiff_t *following) {
    const int inner = r->folded_runs - 1;
    ptrdiff_t rest = line / r->pieces;
    *following = inner && r->pieces == 1 ? r->folded[inner - 1].count - rest % r->folded[inner - 1].count : 1;
    x += line % r->pieces * r->piece * r->folded[inner].step;
    for (int d = inner - 1; d >= 0; d--) {
        x += rest % r->folded[d].count * r->folded[d].step;
        rest /= r->folded[d].count;
    }
    return x;
}

/* Some lines of a group; those of a single result are taken several at a time, as rows. */
static void fold_lines(const reduction *r, char *totals, const char *x, ptrdiff_t count, ptrdiff_t begin,
                       ptrdiff_t end) {
    const int inner = r->folded_runs - 1;
    _Alignas(64) char both[2 * TILE_BYTES], rows[GROUP * WIDEST_CELL];
    ptrdiff_t taken = 1;
    for (ptrdiff_t line = begin; line < end; line += taken) {
        ptrdiff_t following;
        const char *here = line_at(r, x, line, &following);
        const ptrdiff_t n = fewest(r->piece, r->folded[inner].count - line % r->pieces * r->piece);
        char *to = line == begin ? both : both + count * r->cell;
        taken = count == 1 && !r->by_columns ? fewest(fewest(following, GROUP), end - line) : 1;
        if (r->by_columns)
            fold_columns(r, to, here, n, count);
        else if (taken == 1)
            fold_rows(r, to, here, n, r->kept[r->kept_runs - 1].step, count);
        else {
            fold_rows(r, rows, here, n, r->folded[inner - 1].step, taken);
            merge_rows(r)(to, rows, taken, 1, 1);
        }
        if (line > begin) merge(r, both, count, count);
    }
    if (begin == end) column_loops[r->kind][r->type](both, x, 0, 0, count); /* what nothing comes to */
    memcpy(totals, both, (size_t)(count * r->cell));
}

/* Slices of groups. */
static void fold_slices(void *job, ptrdiff_t begin, ptrdiff_t end) {
    const reduction *r = (const reduction *)job;
    _Alignas(64) char totals[TILE_BYTES];
    for (ptrdiff_t i = begin; i < end; i++) {
        const ptrdiff_t slice = i % r->slices, width = r->width;
        const char *x;
        char *out;
        const ptrdiff_t count = locate(r, i / r->slices, &x, &out);
        fold_lines(r, totals, x, count, r->lines * slice / r->slices, r->lines * (slice + 1) / r->slices);
        if (r->slices == 1)
            put(r, out, totals, count);
        else
            memcpy(r->parts + i * width * r->cell, totals, (size_t)(count * r->cell));
    }
}

/* The slices of every group, joined. */
static void join_slices(const reduction *r) {
    _Alignas(64) char totals[TILE_BYTES];
    const char *x;
    char *out;
    for (ptrdiff_t group = 0; group < r->groups; group++) {
        const ptrdiff_t count = locate(r, group, &x, &out);
        const char *parts = r->parts + group * r->slices * r->width * r->cell;
        merge_rows(r)(totals, parts, r->slices, r->width, count);
        put(r, out, totals, count);
    }
}
#endif

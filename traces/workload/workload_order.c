/* traces/workload/workload_order.c - the order of a finished workload: jobs by
 * submit time, queues by name.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/far.h"
#include "base/strtab.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

struct entry {
    int64_t submit;
    uint32_t job;
};

/* Merge the sorted runs [lo, mid) and [mid, hi) of `a` into `b`; of equal
 * entries the left one is first.
 */
static void merge(const struct entry *a, struct entry *b, uint32_t lo,
                  uint32_t mid, uint32_t hi)
{
    uint32_t l = lo, r = mid;

    assert(lo < mid && mid <= hi);
    for (uint32_t i = lo; i < hi; i++) {
        if (l < mid && (r == hi || a[l].submit <= a[r].submit))
            b[i] = a[l++];
        else
            b[i] = a[r++];
    }
}

/* Sort stably by submit time.  Returns the sorted array, one of the two. */
static struct entry *sort(struct entry *a, struct entry *b, uint32_t n)
{
    for (uint32_t width = 1; width < n; width *= 2) {
        struct entry *done = b;

        for (uint32_t lo = 0; lo < n; lo += 2 * width) {
            const uint32_t mid = n - lo > width ? lo + width : n;
            const uint32_t hi = n - lo > 2 * width ? lo + 2 * width : n;

            merge(a, b, lo, mid, hi);
        }
        b = a;
        a = done;
    }
    return a;
}

static void sort_jobs(struct trace_workload *w)
{
    const uint32_t n = w->job_count;
    struct entry *buf, *sorted;
    struct trace_job *job;
    uint32_t i = 1;

    while (i < n && w->job[i - 1].submit <= w->job[i].submit)
        i++;
    if (i >= n)
        return;
    buf = gs_far_new(w->far, (size_t)n * 2, sizeof(*buf));
    for (i = 0; i < n; i++)
        buf[i] = (struct entry){ w->job[i].submit, i };
    sorted = sort(buf, buf + n, n);
    job = gs_far_new(w->far, n, sizeof(*job));
    for (i = 0; i < n; i++)
        job[i] = w->job[sorted[i].job];
    gs_far_free(w->far, w->job);
    gs_far_free(w->far, buf);
    w->job = job;
    w->job_cap = n;
}

struct named {
    const char *name;
    uint32_t queue;
};

/* Name by name: what is below a queue follows it. */
static int by_name(const void *a, const void *b)
{
    const unsigned char *x = (const void *)((const struct named *)a)->name;
    const unsigned char *y = (const void *)((const struct named *)b)->name;

    for (; *x && *x == *y; x++)
        y++;
    return (*x == '/' ? 1
            : *x      ? *x + 1
                      : 0)
           - (*y == '/' ? 1
              : *y      ? *y + 1
                        : 0);
}

static void sort_queues(struct trace_workload *w)
{
    const uint32_t n = w->queue_count;
    struct named *order = gs_array_new(n, sizeof(*order));
    uint32_t *place = gs_array_new(n, sizeof(*place));
    struct trace_queue *queue = gs_array_new(n, sizeof(*queue));

    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct named){ gs_strtab_str(w->names, w->queue[i].name),
                                   i };
    qsort(order + 1, n - 1, sizeof(*order), by_name);
    for (uint32_t i = 0; i < n; i++)
        place[order[i].queue] = i;
    for (uint32_t i = 0; i < n; i++) {
        queue[i] = w->queue[order[i].queue];
        if (queue[i].parent != TRACE_NONE)
            queue[i].parent = place[queue[i].parent];
        w->queue_of[queue[i].name] = i + 1;
    }
    for (uint32_t i = 0; i < w->job_count; i++)
        w->job[i].queue = place[w->job[i].queue];
    gs_array_free(w->queue);
    w->queue = queue;
    w->queue_cap = n;
    gs_array_free(order);
    gs_array_free(place);
}

void trace_workload_finish(struct trace_workload *w, uint32_t limit)
{
    assert(w->queue_count > 0 && w->class_count > 0);
    sort_jobs(w);
    if (limit && limit < w->job_count)
        w->job_count = limit;
    if (w->queue_count > 2)
        sort_queues(w);
    trace_flavors_finish(w);
}

/* import/kubernetes/series/past.c - see past.h. */
#include "import/kubernetes/series/past.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"

#define TOGETHER GS_SECOND * 60 /* apart at most, or two samples */

static void tell(struct kube *k, enum import_note note, uint32_t source,
                 int line, int column, const char *text)
{
    const struct gs_ynode at = { .line = line, .column = column };

    import_account_tell(k->account, note, kube_str(k, source), &at, "%s", text);
}

static void tell_pod(struct kube *k, const struct kube_pod *p, const char *text)
{
    tell(k, IMPORT_ASSUMED, p->pods->source, p->pods->line, p->pods->column,
         text);
}

/* --- pods ----------------------------------------------------------------- */

/* Objects beside the series: they run on, or are over. */
static void objects_take(struct kube *k)
{
    for (uint32_t i = 0; i < k->pods->count; i++) {
        struct kube_pod *p = &k->pods->at[i];

        if (p->is_past || p->is_daemon)
            continue;
        p->is_past = true;
        if (p->phase == KUBE_ENDED && p->end == KUBE_UNKNOWN)
            p->end = p->start;
        else if (p->phase != KUBE_ENDED)
            p->end = INT64_MAX;
        p->is_left = p->phase == KUBE_ENDED && p->start == KUBE_UNKNOWN;
    }
}

/* What runs when the samples end is taken to end then, unless it serves; the
 * samples of one instant tell nothing of it.
 */
static void end_cut(struct kube *k, struct kube_pod *p)
{
    if (p->end != INT64_MAX || p->start == KUBE_UNKNOWN
        || !k->series->of_pods.step)
        return;
    p->end = k->series->of_pods.last > p->start ? k->series->of_pods.last
                                                : p->start;
    tell_pod(k, p,
             "jobs that run when the samples end run until then, at least");
}

/* --- workloads ------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

/* Pods of a workload that ends: [at, at + count) of `pod`. */
static void workload_learn(struct kube *k, struct kube_workload *w,
                           const uint32_t *pod, uint32_t count)
{
    int64_t *took = gs_array_new(count, sizeof(*took));
    int64_t start = KUBE_UNKNOWN, end = KUBE_UNKNOWN;
    uint32_t ended = 0, over = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct kube_pod *p = &k->pods->at[pod[i]];
        const bool is_cut = p->end == INT64_MAX;

        end_cut(k, p);
        if (p->start == KUBE_UNKNOWN || p->end == INT64_MAX)
            continue;
        start = kube_series_earlier(start, p->start);
        end = kube_series_later(end, p->end);
        over += p->end <= k->begin;
        if (!is_cut)
            took[ended++] = p->end - p->start;
    }
    if (w->start == KUBE_UNKNOWN)
        w->start = start;
    if (w->end == KUBE_UNKNOWN || w->end < end)
        w->end = end;
    if (w->completions > w->member[0].replicas && ended) {
        qsort(took, ended, sizeof(*took), by_time);
        w->task_time = took[ended / 2];
        w->succeeded = over < w->completions ? over : w->completions;
        tell(k, IMPORT_ASSUMED, w->source, w->line, w->column,
             "pods of Jobs with completions run for as long as the median of "
             "them did");
    }
    gs_array_free(took);
}

/* A service whose pods are known is these: they came and went. */
static void workload_release(struct kube *k, struct kube_workload *w,
                             const uint32_t *pod, uint32_t count)
{
    w->is_part = true;
    for (uint32_t i = 0; i < count; i++)
        k->pods->at[pod[i]].workload = 0;
}

static int by_workload(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1)
                        : (x[1] < y[1] ? -1 : x[1] > y[1]);
}

static void workloads_take(struct kube *k)
{
    const struct kube_pods *all = k->pods;
    uint32_t(*pair)[2] = gs_array_new(all->count, sizeof(*pair));
    uint32_t *pod = gs_array_new(all->count, sizeof(*pod));
    uint32_t pairs = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        if (all->at[i].workload && !all->at[i].is_daemon) {
            pair[pairs][0] = all->at[i].workload;
            pair[pairs++][1] = i;
        }
    }
    qsort(pair, pairs, sizeof(*pair), by_workload);
    for (uint32_t i = 0, end; i < pairs; i = end) {
        struct kube_workload *w = &k->workloads->at[pair[i][0] - 1];
        uint32_t count = 0;

        for (end = i; end < pairs && pair[end][0] == pair[i][0]; end++)
            pod[count++] = pair[end][1];
        if (w->life == KUBE_BATCH && !w->schedule)
            workload_learn(k, w, pod, count);
        else if (w->life != KUBE_DAEMON)
            workload_release(k, w, pod, count);
    }
    gs_array_free(pair);
    gs_array_free(pod);
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        struct kube_workload *w = &k->workloads->at[i];

        if (!w->schedule || w->is_part)
            continue;
        w->is_part = true;
        tell(k, IMPORT_LEFT, w->source, w->line, w->column,
             "what CronJobs would make: the samples tell what they made");
    }
}

/* --- tasks of an owner ---------------------------------------------------- */

struct owned {
    uint32_t key, pod;
    int64_t begin, end;
};

static int by_begin(const void *a, const void *b)
{
    const struct owned *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->pod < y->pod ? -1 : x->pod > y->pod;
}

static int by_end(const void *a, const void *b)
{
    const struct owned *const *x = a, *const *y = b;

    if ((*x)->end != (*y)->end)
        return (*x)->end < (*y)->end ? -1 : 1;
    return (*x)->pod < (*y)->pod ? -1 : (*x)->pod > (*y)->pod;
}

/* A pod that begins when another has ended goes on as that one.  `o` is in the
 * order of begins.  Returns true when any does.
 */
static bool chain(struct kube *k, const struct owned *o, uint32_t count,
                  int64_t slack)
{
    const struct owned **ended = gs_array_new(count, sizeof(*ended));
    uint32_t *root = gs_array_new(count, sizeof(*root));
    uint32_t next = 0;

    for (uint32_t i = 0; i < count; i++) {
        ended[i] = &o[i];
        root[i] = i;
    }
    qsort(ended, count, sizeof(*ended), by_end);
    for (uint32_t i = 0; i < count; i++) {
        const struct owned *before = ended[next];
        struct kube_pod *first;

        if (before->end == INT64_MAX || before->end - slack > o[i].begin
            || before->begin >= o[i].begin)
            continue;
        next++;
        root[i] = root[before - o];
        first = &k->pods->at[o[root[i]].pod];
        first->end = o[i].end > first->end ? o[i].end : first->end;
        k->pods->at[o[i].pod].is_left = true;
    }
    gs_array_free(ended);
    gs_array_free(root);
    return next > 0;
}

static int64_t apart(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* Tasks of a service that began and ended together have an owner of their own.
 */
static void service_part(struct kube *k, const struct owned *o, uint32_t count,
                         int64_t slack)
{
    const struct kube_pod *first = NULL;
    uint32_t number = 0;
    char text[700];

    for (uint32_t i = 0; i < count; i++) {
        struct kube_pod *p = &k->pods->at[o[i].pod];
        const bool is_on = p->end == INT64_MAX;

        if (p->is_left)
            continue;
        if (first
            && (apart(p->submit, first->submit) > slack
                || is_on != (first->end == INT64_MAX)
                || (!is_on && apart(p->end, first->end) > slack)))
            number++;
        first = p;
        (void)snprintf(text, sizeof(text), "%.600s part %u",
                       kube_str(k, o[i].key), number);
        p->owner = kube_put(k, text);
    }
}

static bool is_over(const struct kube *k, const struct kube_pod *p)
{
    return p->end <= k->begin;
}

static void owner_take(struct kube *k, const struct owned *o, uint32_t count)
{
    const struct kube_pod *p = &k->pods->at[o[0].pod];
    const int64_t two = 2 * k->series->of_pods.step;
    const int64_t slack = two > TOGETHER ? two : TOGETHER;
    const bool any = chain(k, o, count, slack);

    if (kube_pod_serves(k, p) && !p->group)
        service_part(k, o, count, slack);
    else if (any)
        tell_pod(k, p,
                 "pods of one owner that ran one after another are one task");
}

static void owners_take(struct kube *k)
{
    const struct kube_pods *all = k->pods;
    struct owned *o = gs_array_new(all->count, sizeof(*o));
    uint32_t count = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        struct kube_pod *p = &all->at[i];
        const uint32_t key = p->group ? p->group : p->owner;

        if (p->workload || p->is_daemon || p->is_left)
            continue;
        if (!kube_pod_serves(k, p))
            end_cut(k, p);
        if (key && !is_over(k, p))
            o[count++] = (struct owned){ key, i, p->submit, p->end };
    }
    qsort(o, count, sizeof(*o), by_begin);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && o[end].key == o[i].key;)
            end++;
        owner_take(k, o + i, end - i);
    }
    gs_array_free(o);
}

void kube_past_finish(struct kube *k)
{
    if (k->begin == KUBE_UNKNOWN)
        return;
    objects_take(k);
    workloads_take(k);
    owners_take(k);
}

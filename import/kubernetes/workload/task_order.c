/* import/kubernetes/workload/task_order.c - see task_order.h. */
#include "import/kubernetes/workload/task_order.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "import/kubernetes/object/kube.h"

#define NO_LABEL INT64_MAX
#define NO_NUMBER (INT64_MAX - 1)

int64_t kube_task_place(const struct kube *k, const struct kube_template *t)
{
    const uint32_t key = kube_put(k, "kai.scheduler/task-priority");
    const char *text;
    long long number;
    char *end;

    if (!kube_label_has(&t->labels, key))
        return NO_LABEL;
    text = kube_str(k, kube_label_value(&t->labels, key));
    errno = 0;
    number = strtoll(text, &end, 10);
    if (end == text || *end || isspace((unsigned char)*text) || errno)
        return NO_NUMBER;
    return number <= -(NO_NUMBER - 1) ? NO_NUMBER - 1 : -number;
}

struct placed {
    int64_t place;
    uint32_t i, at;
};

static int compare(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

void kube_tasks_sort(const struct kube *k, const struct kube_pod *pods,
                     uint32_t *at, uint32_t count)
{
    struct placed *p;
    bool any = false;

    if (count < 2)
        return;
    p = gs_array_new(count, sizeof(*p));
    for (uint32_t i = 0; i < count; i++) {
        p[i] = (struct placed){ kube_task_place(k, pods[at[i]].pods), i,
                                at[i] };
        any |= p[i].place != NO_LABEL;
    }
    if (any)
        qsort(p, count, sizeof(*p), compare);
    for (uint32_t i = 0; i < count; i++)
        at[i] = p[i].at;
    gs_array_free(p);
}

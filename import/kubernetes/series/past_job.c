/* import/kubernetes/series/past_job.c - what series tell of Jobs. */
#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/series_rows.h"
#include "import/source.h"

/* v1 of kube-state-metrics wrote "job", which Prometheus renames. */
static uint32_t name_of(struct kube *k, const struct series *s)
{
    const uint32_t name = kube_series_label(k, s, "job_name");

    return name ? name : kube_name(k, s->labels, "exported_job");
}

static struct past_job *job_of(struct kube *k, const struct series *s)
{
    struct kube_series *all = k->series;
    const uint32_t space = kube_series_label(k, s, "namespace");
    const uint32_t name = name_of(k, s);
    uint32_t key, at;

    if (!name)
        return NULL;
    key = past_full_name(k, space, name);
    at = kube_index_get(&all->job_at, key);
    if (!at) {
        kube_index_put(&all->job_at, key, all->jobs);
        all->job = gs_array_grow(all->job, &all->job_cap, all->jobs + 1,
                                 sizeof(*all->job));
        all->job[all->jobs++] = (struct past_job){
            .space = space,
            .name = name,
            .source = kube_put(k, s->o->source),
            .line = s->o->root->line,
            .created = KUBE_UNKNOWN,
            .started = KUBE_UNKNOWN,
            .completed = KUBE_UNKNOWN,
            .parallelism = KUBE_UNKNOWN,
            .completions = KUBE_UNKNOWN,
            .deadline = KUBE_UNKNOWN,
        };
        at = all->jobs;
    }
    return &all->job[at - 1];
}

void past_job_take(struct kube *k, const struct series *s, const char *what)
{
    const int64_t number = s->samples.milli / 1000;
    struct past_job *j = job_of(k, s);

    if (!j || !what)
        return;
    if (strcmp(what, "parallelism") == 0)
        j->parallelism = number;
    else if (strcmp(what, "completions") == 0)
        j->completions = number;
    else if (strcmp(what, "deadline") == 0)
        j->deadline = number;
    else if (strcmp(what, "created") == 0)
        j->created = kube_series_earlier(j->created, kube_series_time(s));
    else if (strcmp(what, "start") == 0)
        j->started = kube_series_earlier(j->started, kube_series_time(s));
    else
        j->completed = kube_series_later(j->completed, kube_series_time(s));
}

void past_job_take_labels(struct kube *k, const struct series *s,
                          const char *what)
{
    struct past_job *j = job_of(k, s);

    (void)what;
    if (j)
        kube_series_labels_add(k, &j->labels, s, "label_");
}

/* import/kubernetes/native/maker.c - notes, names and times of the jobs of a
 * trace.
 */
#include "import/kubernetes/native/maker.h"
#include "import/kubernetes/conf/kai_pool.h"

#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/native/trace.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "traces/workload/workload.h"

void kube_maker_tell(const struct kube_maker *m, enum import_note note,
                     uint32_t source, int line, int column, const char *text)
{
    const struct gs_ynode at = { .line = line, .column = column };

    import_account_tell(m->k->account, note, kube_str(m->k, source), &at, "%s",
                        text);
}

void kube_maker_tell_pods(const struct kube_maker *m, enum import_note note,
                          const struct kube_template *t, const char *text)
{
    kube_maker_tell(m, note, t->source, t->line, t->column, text);
}

uint32_t kube_maker_make_name(struct kube_maker *m, uint32_t name, bool is_one)
{
    const char *base = kube_str(m->k, name);
    uint32_t number = kube_index_get(&m->numbers, name);
    uint32_t before;
    char text[600];

    do {
        (void)snprintf(text, sizeof(text),
                       is_one && number == 0 ? "%.560s" : "%.560s-%u", base,
                       number);
        before = gs_strtab_count(m->taken);
        number++;
    } while (gs_strtab_put(m->taken, text, strlen(text)) != before);
    kube_index_put(&m->numbers, name, number - 1);
    return kube_put(m->k, text);
}

int64_t kube_maker_find_submit(const struct kube_maker *m, int64_t submit)
{
    return submit == KUBE_UNKNOWN ? 0 : submit - m->epoch;
}

int64_t kube_maker_read_duration(const struct kube_maker *m,
                                 const struct kube_template *t)
{
    const uint32_t v = kube_label_value(&t->annotations,
                                        kube_put(m->k, "gsim/duration"));
    const char *s = kube_str(m->k, v);
    int64_t us;

    return v && gs_duration_parse(s, strlen(s), &us) == 0 ? us : KUBE_UNKNOWN;
}

int64_t kube_maker_find_duration(struct kube_maker *m,
                                 const struct kube_template *t, int64_t start,
                                 int64_t end, int64_t deadline)
{
    const int64_t said = kube_maker_read_duration(m, t);

    if (start != KUBE_UNKNOWN && end != KUBE_UNKNOWN && end >= start)
        return end - start;
    if (m->standing.stands && said == KUBE_UNKNOWN && deadline == KUBE_UNKNOWN)
        return m->options->duration; /* told by standing.c */
    if (said != KUBE_UNKNOWN && (deadline == KUBE_UNKNOWN || said <= deadline))
        return said;
    if (deadline != KUBE_UNKNOWN) {
        kube_maker_tell_pods(m, IMPORT_ASSUMED, t,
                             said == KUBE_UNKNOWN
                                 ? "jobs run until the limit of time that "
                                   "they state"
                                 : "jobs end at the limit of time that they "
                                   "state, before their gsim/duration");
        return deadline;
    }
    kube_maker_tell_pods(m, IMPORT_ASSUMED, t,
                         "jobs that state no run time run for --duration");
    return m->options->duration;
}

uint32_t kube_maker_find_scheduler(const struct kube_maker *m, uint32_t stated,
                                   const struct kube_template *t)
{
    const uint32_t name = stated ? stated : t->scheduler;
    const char *text = kube_str(m->k, name);

    if (kube_is_kai(text))
        return kube_pool_scheduler(m->k, t, name);
    if (*text && strcmp(text, TRACE_DEFAULT_SCHEDULER) != 0)
        return name;
    return kube_yunikorn_serves(m->k, t) ? kube_put(m->k, KUBE_YUNIKORN) : 0;
}

void kube_maker_join_scheduler(const struct kube_maker *m, uint32_t *scheduler,
                               const struct kube_template *t)
{
    const uint32_t own = kube_maker_find_scheduler(m, 0, t);

    if (own == *scheduler)
        return;
    kube_maker_tell_pods(m, IMPORT_ASSUMED, t,
                         "pods of one job that name several schedulers: the "
                         "first beside default-scheduler serves all");
    if (!*scheduler)
        *scheduler = own;
}

void kube_maker_add_job(struct kube_maker *m, struct trace_job *j,
                        const struct kube_template *t, uint32_t groups)
{
    j->group_count = groups;
    j->user = t->space;
    if (kube_yunikorn_serves(m->k, t))
        kube_yunikorn_user(m->k, t, m->w->queue[j->queue].name, j);
    j->estimate = j->estimate > j->duration ? j->estimate : j->duration;
    (void)trace_workload_add(m->w, j, m->group);
}

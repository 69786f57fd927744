/* import/kubernetes/native/quota_terms.c - quotas of namespaces in the trace.
 */
#include "import/kubernetes/native/quota_terms.h"

#include <stdio.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "traces/workload/limits.h"
#include "traces/workload/quotas.h"
#include "traces/workload/workload.h"

/* Of objects of kind Job a quota counts the number, too: it is then another. */
static uint32_t job_quota(struct kube *k, struct trace_workload *w,
                          const struct kube_quota *q)
{
    char name[600];
    uint32_t at;

    (void)snprintf(name, sizeof(name), "%.560s/jobs", kube_str(k, q->name));
    at = trace_quota_put(w, kube_put(k, name));
    w->quotas->quota[at].jobs = q->jobs;
    return at;
}

/* What daemons leave of the quota. */
static struct kube_amounts left_of(struct kube *k, const struct kube_quota *q)
{
    struct kube_amounts left = { 0 };

    for (uint32_t i = 0; i < q->limit.count; i++) {
        const uint32_t name = q->limit.at[i].name;
        const int64_t rest = q->limit.at[i].milli
                             - kube_amount_of(&q->daemons, name);

        kube_amount_add(k, &left, name, rest > 0 ? rest : 0);
    }
    return left;
}

static void quota_put(struct kube *k, struct trace_workload *w,
                      const struct kube_quota *from)
{
    if (from->limit.count) {
        const uint32_t at = trace_quota_put(w, from->name);
        const struct kube_amounts left = left_of(k, from);

        kube_terms_amounts(k, &left, w->quotas->quota[at].limit);
    }
    if (from->jobs >= 0)
        (void)job_quota(k, w, from);
}

/* The name of the class; 0: it has none, but a value. */
static uint32_t class_name(const struct kube *k, const struct trace_workload *w,
                           uint32_t klass)
{
    char number[16];

    (void)snprintf(number, sizeof(number), "%d", (int)w->klass[klass].value);
    return strcmp(number, kube_str(k, w->klass[klass].name)) == 0
               ? 0
               : w->klass[klass].name;
}

/* Tell of pods that state nothing of what the quota limits. */
static void statements_check(struct kube *k, const struct kube_quota *q,
                             const struct kube_template *t)
{
    const struct kube_amounts a = kube_template_request(k, t,
                                                        kube_limits_of(k, t));
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    for (uint32_t i = 0; i < q->limit.count; i++) {
        const char *name = kube_str(k, q->limit.at[i].name);

        if ((strcmp(name, "cpu") == 0 || strcmp(name, "memory") == 0)
            && kube_amount_of(&a, q->limit.at[i].name) == 0)
            import_account_tell(k->account, IMPORT_IGNORED,
                                kube_str(k, t->source), &at,
                                "pods that state no %s under a quota of it: "
                                "there they are refused",
                                name);
    }
}

/* Tell of pods whose limits differ from their requests under a quota of limits.
 */
static void limits_check(struct kube *k, const struct kube_quota *q,
                         const struct kube_template *t)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    for (uint32_t i = 0; i < q->by_limits; i++) {
        const uint32_t name = q->by_limit[i];
        bool differs = false;

        for (uint32_t c = 0; c < t->containers; c++) {
            const int64_t request = kube_amount_of(&t->container[c].request,
                                                   name);

            differs |= request > 0
                       && request
                              != kube_amount_of(&t->container[c].limit, name);
        }
        if (differs)
            import_account_tell(k->account, IMPORT_IGNORED,
                                kube_str(k, t->source), &at,
                                "pods whose limit of %s is not their request, "
                                "under a quota of limits: the request is "
                                "counted",
                                kube_str(k, name));
    }
}

uint32_t kube_quotas_of(struct kube *k, struct trace_workload *w,
                        const struct kube_template *t, uint32_t klass,
                        bool is_job)
{
    const uint32_t name = class_name(k, w, klass);
    uint32_t set[TRACE_QUOTAS_MAX], n = 0;

    for (uint32_t at = kube_index_get(&k->quotas->by_space, t->space); at;
         at = k->quotas->at[at - 1].next) {
        const struct kube_quota *q = &k->quotas->at[at - 1];
        const bool holds = q->limit.count && kube_quota_holds(k, q, t, name);
        const bool counts = is_job && q->jobs >= 0;

        if (n + holds + counts > TRACE_QUOTAS_MAX) {
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "quotas of one namespace beyond %d",
                                TRACE_QUOTAS_MAX);
            break;
        }
        if (holds) {
            statements_check(k, q, t);
            limits_check(k, q, t);
        }
        if (holds)
            set[n++] = trace_quota_put(w, q->name);
        if (counts)
            set[n++] = job_quota(k, w, q);
    }
    return trace_quota_set_put(w, set, n);
}

void kube_quotas_make(struct kube *k, struct trace_workload *w)
{
    for (uint32_t i = 0; i < k->quotas->count; i++)
        quota_put(k, w, &k->quotas->at[i]);
}

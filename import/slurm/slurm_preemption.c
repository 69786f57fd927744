/* import/slurm/slurm_preemption.c - see slurm_preemption.h. */
#include "import/slurm/slurm_preemption.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_terms.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/accounts.h"
#include "traces/workload/workload.h"

/* A victim that is queued again does not start before its credentials have
 * expired: cred_expire, 120 s, and one.
 */
#define SLURM_REQUEUE_DELAY "121s"

static bool is_type(const struct slurm *s, const char *type)
{
    return strcasecmp(slurm_option_value(s, "PreemptType", "preempt/none"),
                      type)
           == 0;
}

static bool is_on(const struct slurm *s)
{
    return (is_type(s, "preempt/partition_prio") || is_type(s, "preempt/qos"))
           && !slurm_list_has(slurm_option_value(s, "PreemptMode", "OFF"),
                              "OFF");
}

/* --- the profile ---------------------------------------------------------- */

bool slurm_preempts(struct slurm *s)
{
    const char *mode = slurm_option_value(s, "PreemptMode", "OFF");
    const struct slurm_place *at = slurm_option_place(s, "PreemptMode");

    if (!is_on(s)) {
        if (slurm_option_find(s, "PreemptType") && !is_type(s, "preempt/none"))
            slurm_tell(s, IMPORT_ASSUMED, slurm_option_place(s, "PreemptType"),
                       "%.40s with PreemptMode=OFF: no preemption",
                       slurm_option_value(s, "PreemptType", ""));
        return false;
    }
    slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "PreemptType"),
               "%.40s: action preempt, classes that list their victims",
               slurm_option_value(s, "PreemptType", ""));
    if (slurm_list_has(mode, "WITHIN") || slurm_list_has(mode, "PRIORITY"))
        slurm_tell(s, IMPORT_IGNORED, at,
                   "PreemptMode=%.40s: the priority of two jobs decides "
                   "no victims",
                   mode);
    if (slurm_list_has(mode, "SUSPEND"))
        slurm_tell(
            s, IMPORT_ASSUMED, at,
            "PreemptMode=%.40s: victims give back what they hold, and go "
            "on later, anywhere, without loss of work",
            mode);
    return true;
}

/* Is the word in SchedulerParameters ("preempt_...") or PreemptParameters? */
static bool has_word(const struct slurm *s, const char *word)
{
    char old[64];

    (void)snprintf(old, sizeof(old), "preempt_%s", word);
    return slurm_option_has(s, "PreemptParameters", word)
           || slurm_option_has(s, "SchedulerParameters", old);
}

/* The number behind "WORD=" in a list; `fallback` without it. */
static uint32_t number_of(const char *list, const char *word, uint32_t fallback)
{
    const char *p = list, *end = p + strlen(p), *part;
    const size_t n = strlen(word);
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        uint64_t v = 0;

        if (len > n + 1 && slurm_is_word(part, n, word) && part[n] == '='
            && gs_quantity_parse_u64(part + n + 1, len - n - 1, &v) == 0
            && v < 1000)
            return (uint32_t)v;
    }
    return fallback;
}

/* One time more than stated: Slurm counts from 0. */
static uint32_t reorders(const struct slurm *s)
{
    const uint32_t old = number_of(
        slurm_option_value(s, "SchedulerParameters", ""),
        "preempt_reorder_count", 1);

    return number_of(slurm_option_value(s, "PreemptParameters", ""),
                     "reorder_count", old)
           + 1;
}

const char *slurm_preemption_text(struct slurm *s, struct gs_arena *arena)
{
    const char *v = slurm_option_value(s, "PreemptExemptTime", "");
    const char *text = gs_arena_printf(
        arena, "  - preemption: {search: order%s, reorder: %u%s, delay: %s}\n",
        has_word(s, "youngest_first") ? ", first: youngest" : "", reorders(s),
        has_word(s, "strict_order") ? ", strict: yes" : "",
        SLURM_REQUEUE_DELAY);
    int64_t us;

    slurm_tell(
        s, IMPORT_ASSUMED, slurm_option_place(s, "PreemptMode"),
        "victims that are queued again start after 121 s at the earliest "
        "(cred_expire)");
    if (!*v || slurm_span_read(v, strlen(v), &us) < 0 || us <= 0
        || us == SLURM_INFINITE)
        return text;
    slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "PreemptExemptTime"),
               "PreemptExemptTime: module min-runtime");
    return gs_arena_printf(arena, "%s  - min-runtime: {time: %llds}\n", text,
                           (long long)(us / GS_SECOND));
}

/* --- the trace ------------------------------------------------------------ */

static const struct slurm_qos *qos_of(const struct slurm *s, uint32_t name)
{
    for (uint32_t i = 0; i < s->qoses; i++) {
        if (s->qos[i].name == name)
            return &s->qos[i];
    }
    return NULL;
}

/* The mode for victims of the partition and QOS. */
static const char *mode_of(const struct slurm *s, uint32_t partition,
                           uint32_t qos)
{
    const char *mode = slurm_option_value(s, "PreemptMode", "OFF"), *own = NULL;
    const uint32_t p = slurm_partition_best(s, partition);
    const struct slurm_qos *q = qos_of(s, qos);

    if (is_type(s, "preempt/qos"))
        own = q ? q->mode : NULL;
    else if (p != UINT32_MAX)
        own = s->partition[p].preempt_mode;
    return own && strcasecmp(own, "cluster") != 0 ? own : mode;
}

static bool may_evict(const struct slurm *s, const struct slurm_rank *by,
                      const struct slurm_rank *of)
{
    const struct slurm_qos *q = qos_of(s, by->qos);

    if (slurm_list_has(mode_of(s, of->partition, of->qos), "OFF"))
        return false;
    if (is_type(s, "preempt/partition_prio"))
        return of->tier < by->tier;
    return q && q->preempt && of->qos
           && slurm_list_has(q->preempt, slurm_str(s, of->qos));
}

static uint32_t class_put(struct slurm *s, struct trace_workload *w,
                          const struct slurm_rank *r)
{
    char name[600];

    (void)snprintf(name, sizeof(name), "%.250s/%.250s",
                   r->partition ? slurm_str(s, r->partition) : "",
                   r->qos ? slurm_str(s, r->qos) : "");
    return trace_class_put(w, slurm_put_text(s, name));
}

static void grace_tell(struct slurm *s, const struct slurm_place *at,
                       int64_t us, const char *of)
{
    slurm_tell(s, IMPORT_BECAME, at, "GraceTime=%lld of a %s: grace",
               (long long)(us / GS_SECOND), of);
}

/* Suspended victims have none. */
static void graces_make(struct slurm *s, struct trace_workload *w)
{
    for (uint32_t i = 0; is_type(s, "preempt/qos") && i < s->qoses; i++) {
        const struct slurm_qos *q = &s->qos[i];
        uint32_t qos;

        if (!q->grace || slurm_list_has(mode_of(s, 0, q->name), "SUSPEND"))
            continue;
        qos = trace_qos_put(w, q->name); /* w->qos may move */
        w->accounts->qos[qos].grace = q->grace;
        grace_tell(s, &q->at, q->grace, "QOS");
    }
    for (uint32_t i = 0;
         is_type(s, "preempt/partition_prio") && i < s->partitions; i++) {
        const struct slurm_partition *p = &s->partition[i];
        uint32_t partition;

        if (p->grace <= 0 || p->grace > UINT32_MAX
            || slurm_list_has(mode_of(s, p->name, 0), "SUSPEND"))
            continue;
        partition = trace_partition_put(w, p->name); /* likewise */
        w->accounts->partition[partition].grace = p->grace * GS_SECOND;
        grace_tell(s, &p->at, p->grace * GS_SECOND, "partition");
    }
}

void slurm_victims_make(struct slurm *s, struct trace_workload *w,
                        struct slurm_ranks *r)
{
    assert(s && w && r);
    if (!is_on(s))
        return;
    graces_make(s, w);
    for (uint32_t i = 0; i < r->count; i++) {
        r->at[i].klass = class_put(s, w, &r->at[i]);
        w->klass[r->at[i].klass].value = r->at[i].value;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        struct trace_class *c = &w->klass[r->at[i].klass];
        uint32_t name[TRACE_VICTIMS_MAX], n = 0;

        for (uint32_t k = 0; k < r->count && n < TRACE_VICTIMS_MAX; k++) {
            if (may_evict(s, &r->at[i], &r->at[k]))
                name[n++] = w->klass[r->at[k].klass].name;
        }
        c->preempts = n > 0;
        c->victim_count = n;
        if (n)
            c->first_victim = trace_workload_victims(w, name, n);
        if (n == TRACE_VICTIMS_MAX)
            slurm_tell(s, IMPORT_LEFT, NULL,
                       "victims of a priority class beyond %d others",
                       TRACE_VICTIMS_MAX);
    }
}

void slurm_victim_put(struct slurm *s, const struct slurm_job *j,
                      struct trace_job *out)
{
    const char *mode;

    if (!is_on(s))
        return;
    mode = mode_of(s, j->partition, j->qos);
    if (slurm_list_has(mode, "OFF"))
        out->fixed = true;
    else if (slurm_list_has(mode, "SUSPEND"))
        out->aside->resumes = true;
    else if (slurm_list_has(mode, "CANCEL")
             || strcmp(slurm_option_value(s, "JobRequeue", "1"), "0") == 0)
        out->retries = 0;
}

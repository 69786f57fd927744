/* policies/profile/reads.c - settings that a profile does not act on, see reads.h. */
#include "policies/profile/reads.h"

#include <string.h>

#include "policies/profile/extension_points.h"
#include "policies/profile/profile.h"
#include "traces/workload/workload.h"

/* --- what is read ------------------------------------------------------------ */

#define OF_VICTIMS (GSP_READS_PREEMPTION | GSP_READS_PREEMPTIBLE)

static bool has_action(const struct gsched_profile *p, enum gsched_action a)
{
    for (uint32_t i = 0; i < p->action_count; i++) {
        if (p->action[i] == a)
            return true;
    }
    return false;
}

/* What the actions act on whatever modules there are. */
static uint32_t actions_read(const struct gsched_profile *p)
{
    uint32_t reads = 0;

    if (has_action(p, GSCHED_PREEMPT) || has_action(p, GSCHED_RECLAIM))
        reads |= OF_VICTIMS | GSP_READS_PRIORITY;
    if (has_action(p, GSCHED_RECLAIM))
        reads |= GSP_READS_QUEUE_RECLAIMABLE;
    return reads;
}

/* What modules are not asked about without these actions. */
static uint32_t actions_leave_out(const struct gsched_profile *p)
{
    uint32_t out = 0;

    if (!has_action(p, GSCHED_PREEMPT) && !has_action(p, GSCHED_RECLAIM))
        out |= OF_VICTIMS;
    if (!has_action(p, GSCHED_RECLAIM))
        out |= GSP_READS_QUEUE_RECLAIMABLE;
    if (!has_action(p, GSCHED_BACKFILL))
        out |= GSP_READS_ESTIMATE;
    return out;
}

int gsched_profile_reads(const struct gsched_profile *p,
                         const struct topo_dims *dims,
                         const struct gs_strtab *names, struct gs_arena *arena,
                         uint32_t *reads, struct gs_err *err)
{
    *reads = 0;
    for (uint32_t i = 0; i < p->use_count; i++) {
        const struct gsp_module *m = p->use[i].module;
        union gsp_value value[GSCHED_PARAMS_MAX];

        if (gsched_use_values(&p->use[i], p->source, dims, names, arena, value,
                              err)
            < 0)
            return -1;
        *reads |= m->reads & ~(m->unread ? m->unread(value) : 0);
    }
    *reads = (*reads & ~actions_leave_out(p)) | actions_read(p);
    return 0;
}

/* --- what is stated ----------------------------------------------------------- */

typedef bool (*states_fn)(const struct trace_workload *w, uint32_t i);

static bool any_above(const int64_t *amount, int64_t least)
{
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++) {
        if (amount[d] > least)
            return true;
    }
    return false;
}

static bool has_limit(const struct trace_workload *w, uint32_t q)
{
    return any_above(w->queue[q].limit, -1);
}

static bool has_user_limit(const struct trace_workload *w, uint32_t q)
{
    return any_above(w->queue[q].user_limit, -1);
}

static bool has_guarantee(const struct trace_workload *w, uint32_t q)
{
    return any_above(w->queue[q].guarantee, 0);
}

static bool has_deserved(const struct trace_workload *w, uint32_t q)
{
    return any_above(w->queue[q].deserved, 0);
}

/* Queue 0 is there whether the trace names it or not. */
static uint32_t first_queue(const struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].queue == 0)
            return 0;
    }
    return 1;
}

static bool has_weight(const struct trace_workload *w, uint32_t q)
{
    return w->queue[q].weight > 1 || w->queue[q].weight < 1;
}

static bool has_priority(const struct trace_workload *w, uint32_t q)
{
    return w->queue[q].priority != 0;
}

static bool is_closed(const struct trace_workload *w, uint32_t q)
{
    return w->queue[q].closed;
}

static bool keeps(const struct trace_workload *w, uint32_t q)
{
    return w->queue[q].keeps;
}

static bool job_has_priority(const struct trace_workload *w, uint32_t i)
{
    return w->klass[w->job[i].klass].value != 0;
}

static bool never_preempts(const struct trace_workload *w, uint32_t i)
{
    return !w->klass[w->job[i].klass].preempts;
}

static bool is_fixed(const struct trace_workload *w, uint32_t i)
{
    const struct trace_job *j = &w->job[i];
    bool any = j->fixed;

    for (uint32_t k = 0; k < j->group_count && !any; k++)
        any = w->group[j->first_group + k].fixed;
    return any;
}

static bool has_within(const struct trace_workload *w, uint32_t i)
{
    return w->job[i].within != TRACE_ANYWHERE;
}

static bool has_rule(const struct trace_workload *w, uint32_t i,
                     enum trace_rule_kind kind)
{
    const struct trace_job *j = &w->job[i];

    for (uint32_t k = 0; k < j->group_count; k++) {
        const struct trace_group *g = &w->group[j->first_group + k];

        for (uint32_t r = 0; r < g->rule_count; r++) {
            if (w->rule[g->first_rule + r].kind == kind
                && (kind != TRACE_SPREAD || g->replicas > 1))
                return true;
        }
    }
    return false;
}

static bool has_affinity(const struct trace_workload *w, uint32_t i)
{
    return has_rule(w, i, TRACE_NEAR);
}

static bool has_anti_affinity(const struct trace_workload *w, uint32_t i)
{
    return has_rule(w, i, TRACE_APART);
}

static bool has_spread(const struct trace_workload *w, uint32_t i)
{
    return has_rule(w, i, TRACE_SPREAD);
}

/* Of weights and priorities only differences count: is there one? */
static bool weights_differ(const struct trace_workload *w)
{
    const uint32_t first = first_queue(w);

    for (uint32_t i = first; i < w->queue_count; i++) {
        if (w->queue[i].weight > w->queue[first].weight
            || w->queue[i].weight < w->queue[first].weight)
            return true;
    }
    return false;
}

static bool queues_differ(const struct trace_workload *w)
{
    const uint32_t first = first_queue(w);

    for (uint32_t i = first; i < w->queue_count; i++) {
        if (w->queue[i].priority != w->queue[first].priority)
            return true;
    }
    return false;
}

static bool priorities_differ(const struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->klass[w->job[i].klass].value != w->klass[w->job[0].klass].value)
            return true;
    }
    return false;
}

static const struct {
    const char *name;
    bool of_jobs;
    enum gsp_input input;
    states_fn states;
    bool (*differ)(const struct trace_workload *w); /* NULL: each counts */
} settings[] = {
    { "limit", false, GSP_READS_QUEUE_LIMIT, has_limit, NULL },
    { "user_limit", false, GSP_READS_USER_LIMIT, has_user_limit, NULL },
    { "guarantee", false, GSP_READS_QUEUE_GUARANTEE, has_guarantee, NULL },
    { "deserved", false, GSP_READS_QUEUE_DESERVED, has_deserved, NULL },
    { "weight", false, GSP_READS_QUEUE_WEIGHT, has_weight, weights_differ },
    { "priority", false, GSP_READS_QUEUE_PRIORITY, has_priority,
      queues_differ },
    { "state", false, GSP_READS_QUEUE_STATE, is_closed, NULL },
    { "reclaimable", false, GSP_READS_QUEUE_RECLAIMABLE, keeps, NULL },
    { "priority", true, GSP_READS_PRIORITY, job_has_priority,
      priorities_differ },
    { "preemption", true, GSP_READS_PREEMPTION, never_preempts, NULL },
    { "preemptible", true, GSP_READS_PREEMPTIBLE, is_fixed, NULL },
    { "topology", true, GSP_READS_WITHIN, has_within, NULL },
    { "affinity", true, GSP_READS_RULES, has_affinity, NULL },
    { "anti_affinity", true, GSP_READS_RULES, has_anti_affinity, NULL },
    { "spread", true, GSP_READS_RULES, has_spread, NULL },
};

#define N_SETTINGS (sizeof(settings) / sizeof(settings[0]))

_Static_assert(N_SETTINGS <= GSCHED_SETTINGS_MAX, "all of them are found");

/* Whether a job never preempts, its class states. */
static void first_note(const struct trace_workload *w, uint32_t i, bool is_job,
                       struct gsched_setting *s)
{
    s->first = is_job ? w->job[i].name : w->queue[i].name;
    s->line = !is_job ? w->queue[i].line
              : s->input == GSP_READS_PREEMPTION
                  ? w->klass[w->job[i].klass].line
                  : w->job[i].line;
}

uint32_t gsched_settings(const struct trace_workload *w,
                         struct gsched_setting out[GSCHED_SETTINGS_MAX])
{
    uint32_t n = 0;

    for (size_t i = 0; i < N_SETTINGS; i++) {
        const uint32_t all = settings[i].of_jobs ? w->job_count
                                                 : w->queue_count;
        struct gsched_setting *s = &out[n];

        *s = (struct gsched_setting){ .name = settings[i].name,
                                      .of = settings[i].of_jobs ? "job"
                                                                : "queue",
                                      .input = settings[i].input };
        if (settings[i].differ && !settings[i].differ(w))
            continue;
        for (uint32_t k = 0; k < all; k++) {
            if (settings[i].states(w, k) && s->count++ == 0)
                first_note(w, k, settings[i].of_jobs, s);
        }
        n += s->count > 0;
    }
    return n;
}

/* Does "a.b.word" or "a.b.word.c", up to `end`, have the part `word` behind
 * its first dot?  Names of queues may hold dots.
 */
static bool has_part(const char *path, const char *end, const char *word)
{
    const size_t len = strlen(word);

    while ((path = memchr(path, '.', (size_t)(end - path)))) {
        path++;
        if ((size_t)(end - path) >= len && memcmp(path, word, len) == 0
            && (path + len == end || path[len] == '.'))
            return true;
    }
    return false;
}

uint32_t gsched_input_of_path(const char *path)
{
    const char *end = path + strcspn(path, "=");

    if (strncmp(path, "priority_classes.", 17) == 0)
        return has_part(path, end, "preemption") ? GSP_READS_PREEMPTION
                                                 : GSP_READS_PRIORITY;
    if (strncmp(path, "queues.", 7) != 0)
        return 0;
    if (has_part(path, end, "preemptible"))
        return GSP_READS_PREEMPTIBLE;
    for (size_t i = 0; i < N_SETTINGS; i++) {
        if (!settings[i].of_jobs && has_part(path, end, settings[i].name))
            return settings[i].input;
    }
    return 0;
}

/* import/slurm/slurm_trace.c - see slurm_trace.h. */
#include "import/slurm/slurm_trace.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "import/slurm/slurm_accounts.h"
#include "import/slurm/slurm_making.h"
#include "import/slurm/slurm_preemption.h"
#include "import/slurm/slurm_reservations.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_terms.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/slices.h"
#include "traces/workload/workload.h"

static const char *const label_names[LABEL_KEYS] = {
    "constraints",
    "reservation",
};

/* Labels repeat: the last ones of each key are kept. */
static void label_put(struct job_making *m, uint32_t *label, uint32_t *n,
                      enum label_key key, uint32_t value)
{
    struct kept_label *kept = &m->kept[key][value % SLURM_KEPT_LABELS];
    char text[600];

    if (!value || *n == TRACE_LABELS_MAX)
        return;
    if (kept->value != value) {
        (void)snprintf(text, sizeof(text), "%s=%.500s", label_names[key],
                       slurm_str(m->s, value));
        *kept = (struct kept_label){ value, slurm_put_text(m->s, text) };
    }
    label[(*n)++] = kept->label;
}

/* Is the reservation (string id) known? */
static bool is_shown(const struct slurm *s, uint32_t name)
{
    bool found = false;

    for (uint32_t i = 0; name && i < s->reservations && !found; i++)
        found = s->reservation[i].name == name;
    return found;
}

/* What decisions of Slurm depend on, and a trace has no key for. */
static void labels_put(struct job_making *m, const struct slurm_job *j,
                       struct trace_job *out)
{
    uint32_t label[TRACE_LABELS_MAX], n = 0;

    label_put(m, label, &n, LABEL_CONSTRAINTS, j->constraints);
    if (!is_shown(m->s, j->reservation))
        label_put(m, label, &n, LABEL_RESERVATION, j->reservation);
    out->aside->label_count = n;
    out->aside->first_label = n ? trace_workload_labels(m->w, label, n) : 0;
}

static bool is_above(int64_t limit, int64_t most)
{
    return most != SLURM_UNKNOWN && most != SLURM_INFINITE
           && (limit == SLURM_INFINITE || limit > most);
}

/* May jobs of the QOS (string id) exceed the time limit of their partition? */
static bool is_exempt(const struct slurm *s, uint32_t qos)
{
    for (uint32_t i = 0; qos && i < s->qoses; i++) {
        if (s->qos[i].name == qos)
            return s->qos[i].flags
                   && slurm_list_has(s->qos[i].flags, "PartitionTimeLimit");
    }
    return false;
}

/* The time limit of the job, at most that of its partition. */
static int64_t limit_of(struct job_making *m, const struct slurm_job *j)
{
    const uint32_t p = slurm_partition_best(m->s, j->partition);
    int64_t limit = j->limit;

    if (p != UINT32_MAX) {
        const struct slurm_partition *q = &m->s->partition[p];

        if (limit == SLURM_UNKNOWN)
            limit = q->default_time != SLURM_UNKNOWN ? q->default_time
                                                     : q->max_time;
        else if (is_above(limit, q->max_time) && !is_exempt(m->s, j->qos))
            limit = q->max_time;
    }
    return limit;
}

static bool times_put(struct job_making *m, const struct slurm_job *j,
                      struct trace_job *out)
{
    const struct slurm_place *at = NULL;
    const int64_t limit = limit_of(m, j);

    out->submit = j->submit - m->epoch;
    switch ((enum slurm_job_end)j->how) {
    case SLURM_ENDED:
        out->duration = j->elapsed;
        break;
    case SLURM_WITHDRAWN:
        slurm_tell(m->s, IMPORT_ASSUMED, at,
                   "jobs that were cancelled before they started are withdrawn "
                   "as long after their submission, wherever they are then");
        out->duration = j->end - j->submit;
        out->aside->withdraws = true;
        break;
    default:
        if (limit == SLURM_UNKNOWN || limit == SLURM_INFINITE) {
            if (j->elapsed == SLURM_UNKNOWN) {
                slurm_tell(m->s, IMPORT_LEFT, at,
                           "jobs without a time limit that had not ended");
                return false;
            }
            out->duration = j->elapsed;
        } else {
            out->duration = j->elapsed > limit ? j->elapsed : limit;
        }
        slurm_tell(m->s, IMPORT_ASSUMED, at,
                   "jobs that had not ended run to their time limit");
    }
    if (limit == SLURM_UNKNOWN) {
        slurm_tell(m->s, IMPORT_ASSUMED, at,
                   "jobs without a time limit have their run time as estimate");
        out->estimate = out->duration;
    } else if (limit == SLURM_INFINITE) {
        slurm_tell(m->s, IMPORT_ASSUMED, at,
                   "jobs without bound have 365 days as estimate");
        out->estimate = INT64_C(365) * 86400 * GS_SECOND;
    } else {
        out->estimate = limit;
    }
    if (out->duration < 0 || out->duration > GS_TIME_MAX
        || out->submit > GS_TIME_MAX) {
        slurm_tell(m->s, IMPORT_LEFT, at, "jobs of times out of range");
        return false;
    }
    return true;
}

/* Blocks are chosen for so many nodes at a time. */
static uint32_t segments_of(const struct job_making *m,
                            const struct slurm_job *j)
{
    const struct slurm_tree *t = m->s->used_tree;
    const struct trace_slices slices = {
        .layers = 1,
        .layer = { { j->segment, slurm_put_text(m->s, "block") } },
    };

    if (j->segment == 0 || j->segment >= j->nodes)
        return 0;
    if (!t || strcmp(t->kind, "block") != 0 || j->nodes % j->segment || j->next
        || m->groups != 1) {
        slurm_tell(m->s, IMPORT_IGNORED, NULL,
                   "--segment of jobs, but of whole segments of alike nodes on "
                   "a topology of blocks");
        return 0;
    }
    return trace_workload_slices(m->w, &slices);
}

static int job_make(struct job_making *m, const struct slurm_job *j,
                    struct gs_err *err)
{
    struct trace_job_aside aside = { 0 };
    struct trace_job out = { .aside = &aside, .retries = TRACE_NONE };
    const struct slurm_rank *rank;
    uint32_t parts = 0;

    if (!times_put(m, j, &out))
        return 0;
    m->groups = 0;
    for (const struct slurm_job *p = j; p;
         p = p->next ? &m->s->job[p->next - 1] : NULL) {
        if (++parts > SLURM_PARTS_MAX) {
            slurm_tell(m->s, IMPORT_LEFT, NULL, "components of a job beyond %d",
                       SLURM_PARTS_MAX);
            break;
        }
        slurm_groups_put(m, p);
    }
    if (m->w->job_count >= TRACE_JOBS_MAX
        || m->w->group_count > TRACE_GROUPS_MAX - m->groups)
        return gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                       "more than %d jobs or %d task groups", TRACE_JOBS_MAX,
                       TRACE_GROUPS_MAX);
    out.group_count = m->groups;
    out.name = j->name;
    out.user = j->user;
    aside.account = j->account;
    aside.qos = j->qos;
    aside.partition = j->partition;
    aside.nice = j->nice;
    aside.reservation = is_shown(m->s, j->reservation) ? j->reservation : 0;
    out.queue = slurm_terms_queue(m->s, m->w, j->account);
    rank = slurm_ranks_find(&m->ranks, j->partition, j->qos);
    if (rank)
        out.klass = rank->klass ? rank->klass
                                : trace_class_value(m->w, rank->value);
    slurm_victim_put(m->s, j, &out);
    labels_put(m, j, &out);
    aside.pools = slurm_pools_of(m, j);
    aside.slices = segments_of(m, j);
    out.line = j->line;
    slurm_recorded_put(m, j, &out);
    if (m->depends && m->depends[j - m->s->job].count) {
        const struct job_depends *on = &m->depends[j - m->s->job];

        aside.first_dependency = on->first;
        aside.dependency_count = on->count;
        aside.needs_any = on->needs_any;
    }
    (void)trace_workload_add(m->w, &out, m->group);
    return 0;
}

static void told(struct job_making *m)
{
    struct slurm *s = m->s;
    bool has_reservations = false, has_many = false, has_later = false;
    bool has_switches = false;

    for (uint32_t i = 0; i < s->jobs; i++) {
        const struct slurm_job *j = &s->job[i];

        has_reservations = has_reservations
                           || (j->reservation && !is_shown(s, j->reservation));
        has_later = has_later || (!j->is_gone && j->submit > j->queued);
        has_switches = has_switches || j->asks_switches;
        has_many = has_many || j->nodes > 1;
    }
    if (has_many)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "tasks of a job are on nodes of their own (needs module "
                   "constraints)");
    if (has_reservations)
        slurm_tell(s, IMPORT_IGNORED, NULL,
                   "reservations of jobs (a label): scontrol show reservation "
                   "tells their nodes and times");
    if (has_switches)
        slurm_tell(s, IMPORT_IGNORED, NULL, "--switches of jobs");
    if (has_later)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "jobs that became eligible later than they were submitted, "
                   "for no dependency that is known (--begin, holds), are "
                   "submitted then");
    if (!m->has_cluster && s->jobs)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "jobs run on any nodes: partitions, features and types of "
                   "GPUs are asked for where slurm.conf is read with them");
    else if (!m->has_memory && s->jobs)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "memory is not allocated: SelectTypeParameters has no "
                   "CR_..._Memory, or a node states no RealMemory");
    if (s->has_local_times && !s->zone)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "times are UTC (--timezone states another zone)");
}

int slurm_trace_make(struct slurm *s, struct trace_workload *w,
                     struct slurm_marks *marks, int64_t *epoch,
                     struct gs_err *err)
{
    struct job_making *m = gs_array_new(1, sizeof(*m));
    int rc = 0;

    assert(s && w && marks && epoch);
    m->s = s;
    m->w = w;
    m->marks = marks;
    m->has_cluster = s->nodes > 0;
    m->has_memory = slurm_allocates_memory(s);
    m->has_whole = m->has_cluster && slurm_allocates_nodes(s);
    m->is_linear = slurm_is_linear(s);
    m->yes = slurm_put_text(s, SLURM_LABEL_VALUE);
    m->node_dim = topo_dims_find(s->dims,
                                 slurm_put_text(s, SLURM_NODE_RESOURCE));
    m->apart = (struct trace_rule){ .kind = TRACE_SPREAD,
                                    .tier = slurm_put_text(s, "node"),
                                    .max_skew = 1 };
    slurm_refusals_make(s);
    slurm_terms_make(s, w);
    slurm_accounts_make(s, w);
    slurm_licenses_make(s, w);
    slurm_ranks_make(s, &m->ranks);
    slurm_victims_make(s, w, &m->ranks);
    slurm_dependencies_make(m);
    *epoch = 0;
    m->epoch = INT64_MAX;
    for (uint32_t i = 0; i < s->jobs; i++) {
        if (!s->job[i].is_gone && s->job[i].submit < m->epoch)
            m->epoch = s->job[i].submit;
    }
    if (m->epoch != INT64_MAX)
        *epoch = m->epoch;
    for (uint32_t i = 0; rc == 0 && i < s->jobs; i++) {
        if (!s->job[i].is_gone && !s->job[i].is_part)
            rc = job_make(m, &s->job[i], err);
    }
    slurm_accounts_finish(s, w);
    slurm_reservations_make(s, w, m->epoch == INT64_MAX ? 0 : m->epoch);
    told(m);
    slurm_ranks_free(&m->ranks);
    gs_array_free(m->depends);
    gs_array_free(m);
    if (rc == 0)
        trace_workload_finish(w, 0);
    return rc;
}

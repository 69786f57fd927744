/* import/slurm/slurm_trace.c - see slurm_trace.h. */
#include "import/slurm/slurm_trace.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_terms.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/workload.h"

#define PARTS_MAX 256     /* components of a job */
#define GROUPS_OF_PART 3  /* by what is left when a sum is divided */
#define CONDITIONS_MAX 32 /* of a job */

#define KEPT 256

enum label_key {
    LABEL_ACCOUNT,
    LABEL_CONSTRAINTS,
    LABEL_DEPENDENCY,
    LABEL_LICENSES,
    LABEL_PARTITION,
    LABEL_QOS,
    LABEL_RESERVATION,
    LABEL_KEYS
};

static const char *const label_names[LABEL_KEYS] = {
    "account",   "constraints", "dependency",  "licenses",
    "partition", "qos",         "reservation",
};

struct job_making {
    struct slurm *s;
    struct trace_workload *w;
    struct slurm_marks *marks;
    struct slurm_ranks ranks;
    int64_t epoch;
    bool has_cluster, has_memory, has_whole, is_linear;
    uint32_t yes, node_tier;
    int node_dim;
    struct trace_rule apart; /* its tasks on nodes of their own */
    uint32_t type;           /* of GPUs that was looked up last */
    bool has_type;
    struct kept_label {
        uint32_t value, label; /* string ids */
    } kept[LABEL_KEYS][KEPT];
    struct trace_group group[PARTS_MAX * GROUPS_OF_PART];
    uint32_t groups;
};

/* --- conditions on nodes ----------------------------------------------------------- */

static void mark_put(struct job_making *m, uint32_t label,
                     const char *partition, const char *features)
{
    struct slurm_marks *k = m->marks;

    for (uint32_t i = 0; i < k->count; i++) {
        if (k->at[i].label == label)
            return;
    }
    k->at = gs_array_grow(k->at, &k->cap, k->count + 1, sizeof(*k->at));
    k->at[k->count++] = (struct slurm_mark){ label, partition, features };
}

static void condition_put(struct job_making *m, struct topo_condition *c,
                          uint32_t *n, uint32_t key)
{
    if (*n == CONDITIONS_MAX)
        return;
    c[(*n)++] = (struct topo_condition){
        .key = key, .op = TOPO_IN, .value_count = 1, .value = &m->yes
    };
}

static uint32_t key_of(struct job_making *m, const char *before,
                       const char *name, size_t len)
{
    char key[600];

    (void)snprintf(key, sizeof(key), "%s%.*s", before,
                   (int)(len < 500 ? len : 500), name);
    return slurm_put_text(m->s, key);
}

static bool is_known(const struct slurm *s, const char *list)
{
    const char *p = list, *end = p + strlen(p), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const uint32_t id = gs_strtab_find(s->names, part, len);

        if (id != GS_STRTAB_NONE && slurm_partition_find(s, id) != UINT32_MAX)
            return true;
    }
    return false;
}

static void partition_ask(struct job_making *m, const struct slurm_job *j,
                          struct topo_condition *c, uint32_t *n)
{
    const char *name = slurm_str(m->s, j->partition);
    const uint32_t key = key_of(m, SLURM_LABEL_PARTITION, name, strlen(name));

    if (!j->partition || m->s->partitions == 0)
        return;
    if (!is_known(m->s, name)) {
        slurm_tell(
            m->s, IMPORT_ASSUMED, NULL,
            "jobs of partition '%.60s', which the cluster does not have, "
            "run on any nodes",
            name);
        return;
    }
    if (strchr(name, ','))
        mark_put(m, key, slurm_str(m->s, j->partition), NULL);
    condition_put(m, c, n, key);
}

static void features_ask(struct job_making *m, const struct slurm_job *j,
                         struct topo_condition *c, uint32_t *n)
{
    const char *expr = slurm_str(m->s, j->constraints), *p = expr, *part;
    const char *end = p + strlen(p);
    size_t len;

    if (!j->constraints)
        return;
    if (!slurm_features_plain(expr)) {
        const uint32_t key = key_of(m, "features.", expr, strlen(expr));

        if (strchr(expr, '*'))
            slurm_tell(m->s, IMPORT_IGNORED, NULL,
                       "numbers of nodes with a feature (constraint '%.60s')",
                       expr);
        mark_put(m, key, NULL, expr);
        condition_put(m, c, n, key);
        return;
    }
    while (p < end) {
        len = strcspn(p, "&,");
        part = p;
        p += len + (p[len] != '\0');
        if (len)
            condition_put(m, c, n, key_of(m, SLURM_LABEL_FEATURE, part, len));
    }
}

/* --- requests ------------------------------------------------------------------------ */

static void gres_ask(struct job_making *m, const struct slurm_job *j,
                     struct topo_request *q)
{
    const char *p = slurm_str(m->s, j->gres), *end = p + strlen(p), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const char *equals = memchr(part, '=', len);
        uint64_t count;
        uint32_t name;
        int dim;

        if (!equals
            || gs_quantity_parse_u64(equals + 1,
                                     len - (size_t)(equals - part) - 1, &count)
                   < 0
            || count > UINT64_C(1) << 40)
            continue;
        name = slurm_put(m->s, part, (size_t)(equals - part));
        dim = m->has_cluster ? topo_dims_find(m->s->dims, name) : -1;
        if (dim < TOPO_DIMS_FIXED) {
            slurm_tell(m->s, IMPORT_LEFT, NULL, "gres '%.60s' of jobs%s",
                       slurm_str(m->s, name),
                       m->has_cluster ? ", which no node has" : "");
            continue;
        }
        q->amount[dim] = (int64_t)((count + j->nodes - 1) / j->nodes) * 1000;
    }
}

static bool type_find(const struct slurm *s, uint32_t type)
{
    for (uint32_t i = 0; i < s->hardwares; i++) {
        for (uint32_t k = 0; k < s->hardware[i].gres_count; k++) {
            if (s->hardware[i].gres[k].type == type)
                return true;
        }
    }
    for (uint32_t i = 0; i < s->gres_records; i++) {
        if (s->gres_record[i].type == type)
            return true;
    }
    return false;
}

/* Does a node have GPUs of that type? */
static bool has_type(struct job_making *m, uint32_t type)
{
    if (m->type != type) {
        m->type = type;
        m->has_type = type_find(m->s, type);
    }
    return m->has_type;
}

static bool is_whole(const struct job_making *m, const struct slurm_job *j)
{
    const uint32_t p = slurm_partition_find(m->s, j->partition);

    return m->is_linear || j->is_exclusive
           || (p != UINT32_MAX
               && m->s->partition[p].sharing == SLURM_WHOLE_NODES);
}

/* What one node gives, without the sums that are divided. */
static void request_begin(struct job_making *m, const struct slurm_job *j,
                          struct topo_request *q, struct topo_condition *c)
{
    uint32_t n = 0;

    *q = (struct topo_request){ 0 };
    if (m->has_memory)
        q->amount[TOPO_MEMORY] = (j->memory + j->nodes - 1) / j->nodes;
    gres_ask(m, j, q);
    if (!m->has_cluster)
        return;
    if (m->has_whole && m->node_dim >= 0)
        q->amount[m->node_dim] = is_whole(m, j) ? 1000 : 1;
    partition_ask(m, j, c, &n);
    features_ask(m, j, c, &n);
    q->selector = c;
    q->selector_count = n;
    if (j->type && j->gpus && has_type(m, j->type)) {
        q->model = &j->type;
        q->model_count = 1;
    } else if (j->type && j->gpus) {
        slurm_tell(m->s, IMPORT_ASSUMED, NULL,
                   "GPUs of type '%.60s', which no node states: any will do",
                   slurm_str(m->s, j->type));
    }
}

static void group_put(struct job_making *m, struct topo_request *q,
                      uint32_t nodes, int64_t cpus, uint32_t gpus,
                      bool is_apart)
{
    struct trace_group *g = &m->group[m->groups++];

    q->amount[TOPO_CPU] = cpus * 1000;
    q->gpus = gpus;
    *g = (struct trace_group){ .replicas = nodes,
                               .shape = trace_workload_shape(m->w, q) };
    if (is_apart) {
        g->first_rule = trace_workload_rules(m->w, &m->apart, 1);
        g->rule_count = 1;
    }
}

/* The groups of a component: CPUs and GPUs are divided among its nodes, and what
 * is left is one more for the first of them.
 */
static void groups_put(struct job_making *m, const struct slurm_job *j)
{
    const bool whole = m->has_cluster && is_whole(m, j);
    const uint32_t cpus = whole ? j->asked_cpus : j->cpus;
    const uint32_t more_cpus = cpus % j->nodes, more_gpus = j->gpus % j->nodes;
    const bool is_apart = j->nodes > 1 && !whole;
    uint32_t edge[3] = { more_cpus < more_gpus ? more_cpus : more_gpus,
                         more_cpus < more_gpus ? more_gpus : more_cpus,
                         j->nodes };
    struct topo_condition c[CONDITIONS_MAX];
    struct topo_request q;
    uint32_t from = 0;

    request_begin(m, j, &q, c);
    for (int i = 0; i < 3; i++) {
        if (edge[i] > from)
            group_put(m, &q, edge[i] - from,
                      cpus / j->nodes + (from < more_cpus),
                      j->gpus / j->nodes + (from < more_gpus), is_apart);
        from = edge[i] > from ? edge[i] : from;
    }
}

/* --- jobs ------------------------------------------------------------------------------ */

/* Labels repeat: the last ones of each key are kept. */
static void label_put(struct job_making *m, uint32_t *label, uint32_t *n,
                      enum label_key key, uint32_t value)
{
    struct kept_label *kept = &m->kept[key][value % KEPT];
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

/* What decisions of Slurm depend on, and a trace has no key for. */
static void labels_put(struct job_making *m, const struct slurm_job *j,
                       struct trace_job *out)
{
    uint32_t label[TRACE_LABELS_MAX], n = 0;
    char nice[40];

    label_put(m, label, &n, LABEL_ACCOUNT, j->account);
    label_put(m, label, &n, LABEL_CONSTRAINTS, j->constraints);
    label_put(m, label, &n, LABEL_DEPENDENCY, j->dependency);
    label_put(m, label, &n, LABEL_LICENSES, j->licenses);
    if (j->nice) {
        (void)snprintf(nice, sizeof(nice), "nice=%d", j->nice);
        label[n++] = slurm_put_text(m->s, nice);
    }
    label_put(m, label, &n, LABEL_PARTITION, j->partition);
    label_put(m, label, &n, LABEL_QOS, j->qos);
    label_put(m, label, &n, LABEL_RESERVATION, j->reservation);
    out->label_count = n;
    out->first_label = n ? trace_workload_labels(m->w, label, n) : 0;
}

static int64_t limit_of(struct job_making *m, const struct slurm_job *j)
{
    const uint32_t p = slurm_partition_find(m->s, j->partition);
    int64_t limit = j->limit;

    if (limit == SLURM_UNKNOWN && p != UINT32_MAX) {
        const struct slurm_partition *q = &m->s->partition[p];

        limit = q->default_time != SLURM_UNKNOWN ? q->default_time
                                                 : q->max_time;
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
        out->withdraws = true;
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

static int job_make(struct job_making *m, const struct slurm_job *j,
                    struct gs_err *err)
{
    struct trace_job out = { .retries = TRACE_NONE };
    uint32_t parts = 0;

    if (!times_put(m, j, &out))
        return 0;
    m->groups = 0;
    for (const struct slurm_job *p = j; p;
         p = p->next ? &m->s->job[p->next - 1] : NULL) {
        if (++parts > PARTS_MAX) {
            slurm_tell(m->s, IMPORT_LEFT, NULL, "components of a job beyond %d",
                       PARTS_MAX);
            break;
        }
        groups_put(m, p);
    }
    if (m->w->job_count >= TRACE_JOBS_MAX
        || m->w->group_count > TRACE_GROUPS_MAX - m->groups)
        return gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                       "more than %d jobs or %d task groups", TRACE_JOBS_MAX,
                       TRACE_GROUPS_MAX);
    out.group_count = m->groups;
    out.name = j->name;
    out.user = j->user;
    out.queue = slurm_terms_queue(m->s, m->w, j->account);
    out.klass = trace_class_value(
        m->w, slurm_ranks_value(&m->ranks, j->partition, j->qos));
    labels_put(m, j, &out);
    out.line = j->line;
    (void)trace_workload_add(m->w, &out, m->group);
    return 0;
}

static void told(struct job_making *m)
{
    struct slurm *s = m->s;
    bool has_licenses = false, has_reservations = false, has_nice = false,
         has_dependencies = false, has_many = false;

    for (uint32_t i = 0; i < s->jobs; i++) {
        const struct slurm_job *j = &s->job[i];

        has_licenses = has_licenses || j->licenses;
        has_reservations = has_reservations || j->reservation;
        has_nice = has_nice || j->nice;
        has_dependencies = has_dependencies || j->dependency;
        has_many = has_many || j->nodes > 1;
    }
    if (has_many)
        slurm_tell(s, IMPORT_ASSUMED, NULL,
                   "tasks of a job are on nodes of their own (needs module "
                   "constraints)");
    if (has_licenses)
        slurm_tell(s, IMPORT_IGNORED, NULL, "licenses of jobs (a label)");
    if (has_reservations)
        slurm_tell(s, IMPORT_IGNORED, NULL, "reservations of jobs (a label)");
    if (has_nice)
        slurm_tell(s, IMPORT_IGNORED, NULL, "--nice of jobs (a label)");
    if (has_dependencies)
        slurm_tell(s, IMPORT_IGNORED, NULL, "dependencies of jobs (a label)");
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
    slurm_terms_make(s, w);
    slurm_ranks_make(s, &m->ranks);
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
    told(m);
    slurm_ranks_free(&m->ranks);
    gs_array_free(m);
    if (rc == 0)
        trace_workload_finish(w, 0);
    return rc;
}

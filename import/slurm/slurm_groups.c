/* import/slurm/slurm_groups.c - what a job asks of its nodes, see
 * slurm_making.h.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "import/slurm/slurm_making.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

#define CONDITIONS_MAX 32 /* of a job */

/* --- conditions on nodes -------------------------------------------------- */

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

/* --- requests ------------------------------------------------------------- */

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

/* Does a node have GPUs of that type? */
static bool has_type(struct job_making *m, uint32_t type)
{
    if (m->type != type) {
        m->type = type;
        m->has_type = slurm_has_type(m->s, type);
    }
    return m->has_type;
}

static bool is_whole(const struct job_making *m, const struct slurm_job *j)
{
    const uint32_t p = slurm_partition_best(m->s, j->partition);

    return m->is_linear || j->is_exclusive
           || (p != UINT32_MAX
               && m->s->partition[p].sharing == SLURM_WHOLE_NODES);
}

/* Bytes of one, where slurm.conf states a default of the partition, or of all.
 */
static int64_t memory_of_one(const struct slurm *s, uint32_t partition,
                             int what)
{
    static const char *const key[SLURM_DEFAULTS] = {
        [SLURM_OF_NODE] = "DefMemPerNode",
        [SLURM_OF_CPU] = "DefMemPerCPU",
        [SLURM_OF_GPU] = "DefMemPerGPU",
    };
    const char *text = partition != UINT32_MAX
                           ? s->partition[partition].memory[what]
                           : NULL;
    int64_t bytes;
    char of;

    if (!text)
        text = slurm_option_value(s, key[what], "");
    return *text && slurm_memory_read(text, strlen(text), &bytes, &of) == 0
               ? bytes
               : 0;
}

/* Bytes of a job that states none. */
static int64_t memory_of(struct job_making *m, const struct slurm_job *j)
{
    const uint32_t partition = slurm_partition_best(m->s, j->partition);
    const int64_t times[SLURM_DEFAULTS] = {
        [SLURM_OF_NODE] = j->nodes,
        [SLURM_OF_CPU] = j->cpus ? j->cpus : 1,
        [SLURM_OF_GPU] = j->gpus,
    };

    if (j->memory)
        return j->memory;
    for (int i = 0; i < SLURM_DEFAULTS; i++) {
        const int64_t one = memory_of_one(m->s, partition, i);

        if (one == 0 || times[i] == 0 || one > (INT64_C(1) << 60) / times[i])
            continue;
        slurm_tell(m->s, IMPORT_ASSUMED, NULL,
                   "jobs that state no memory have that of DefMemPerNode, "
                   "DefMemPerCPU or DefMemPerGPU");
        return one * times[i];
    }
    return 0;
}

/* What one node gives, without the sums that are divided. */
static void request_begin(struct job_making *m, const struct slurm_job *j,
                          struct topo_request *q, struct topo_condition *c)
{
    uint32_t n = 0;

    *q = (struct topo_request){ 0 };
    if (m->has_memory)
        q->amount[TOPO_MEMORY] = (memory_of(m, j) + j->nodes - 1) / j->nodes;
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

void slurm_groups_put(struct job_making *m, const struct slurm_job *j)
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

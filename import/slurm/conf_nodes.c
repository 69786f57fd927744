/* import/slurm/conf_nodes.c - see conf_nodes.h. */
#include "import/slurm/conf_nodes.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/numbers.h"
#include "base/quantity.h"
#include "base/text.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/settings.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

struct conf_defaults {
    struct slurm_hardware hardware;
    struct slurm_partition partition;
};

struct conf_defaults *slurm_conf_defaults(struct slurm *s)
{
    struct conf_defaults *d = gs_arena_alloc(s->arena, 1, sizeof(*d));

    d->hardware.weight = 1;
    d->hardware.memory = 1;
    d->partition = (struct slurm_partition){
        .max_time = SLURM_INFINITE,
        .default_time = SLURM_UNKNOWN,
        .tier = 1,
        .factor = 1,
    };
    return d;
}

/* --- fields ------------------------------------------------------------------ */

enum form { WHOLE, TEXT, SPAN, NONE };

struct field {
    const char *name;
    enum form form;
    size_t offset;
};

static int field_refuse(const struct slurm *s, const struct slurm_pair *p,
                        const char *allowed, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT,
                   (struct gs_mark){ s->source, p->line, p->column },
                   "'%s' must be %s (got '%.60s')", p->key, allowed, p->value);
}

static int field_read(struct slurm *s, const struct field *f,
                      const struct slurm_pair *p, char *out, struct gs_err *err)
{
    const size_t len = strlen(p->value);
    uint64_t number;

    switch (f->form) {
    case WHOLE:
        if (slurm_is_word(p->value, len, "UNLIMITED")
            || slurm_is_word(p->value, len, "INFINITE"))
            number = UINT32_MAX;
        else if (gs_quantity_parse_u64(p->value, len, &number) < 0
                 || number > INT64_C(1) << 40)
            return field_refuse(s, p, "a whole number", err);
        *(int64_t *)(void *)(out + f->offset) = (int64_t)number;
        return 0;
    case TEXT:
        *(const char **)(void *)(out + f->offset) = slurm_copy(s, p->value);
        return 0;
    case SPAN:
        if (slurm_span_read(p->value, len, (int64_t *)(void *)(out + f->offset))
            < 0)
            return field_refuse(
                s, p, "a time such as 30, 8:00:00, 2-12 or INFINITE", err);
        return 0;
    default:
        return 0;
    }
}

static const struct field *field_find(const struct field *f, uint32_t count,
                                      const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcasecmp(f[i].name, name) == 0)
            return &f[i];
    }
    return NULL;
}

/* --- gres ----------------------------------------------------------------------- */

/* One of a list: "gpu", "gpu:4", "gpu:a100:4", "mem:no_consume:50G". */
static bool gres_one(struct slurm *s, const char *text, size_t len,
                     struct slurm_gres *g)
{
    const char *paren = memchr(text, '(', len);
    const char *end = paren ? paren : text + len, *p = text, *part;
    size_t size, used;

    *g = (struct slurm_gres){ .count = 1 };
    for (int i = 0; (part = slurm_part_next(&p, end, ':', &size)) != NULL;
         i++) {
        if (i == 0)
            g->name = slurm_put(s, part, size);
        else if (slurm_is_word(part, size, "no_consume"))
            g->count = 0;
        else if (part[0] >= '0' && part[0] <= '9'
                 && slurm_count_read(part, size, 1024, 1, &g->count, &used) == 0
                 && used == size && p >= end)
            return true;
        else if (!g->type)
            g->type = slurm_put(s, part, size);
        else
            return false;
    }
    return g->name != 0;
}

void slurm_gres_read(struct slurm *s, const char *text,
                     const struct slurm_place *at, struct slurm_gres **out,
                     uint32_t *count)
{
    const char *p = text, *end = text + strlen(text);
    uint32_t cap = 0;

    *out = NULL;
    *count = 0;
    while (p < end) {
        /* commas within parentheses are part of an entry */
        const char *stop = p;
        struct slurm_gres g;
        int depth = 0;

        for (; stop < end && (depth > 0 || *stop != ','); stop++)
            depth += *stop == '(' ? 1 : *stop == ')' ? -1 : 0;
        if (stop > p && gs_text_is_clean(p, (size_t)(stop - p))
            && gres_one(s, p, (size_t)(stop - p), &g)) {
            *out = gs_arena_grow(s->arena, *out, &cap, *count, sizeof(**out));
            (*out)[(*count)++] = g;
        } else if (stop > p) {
            slurm_tell(s, IMPORT_LEFT, at, "Gres '%.*s', which is none",
                       (int)(stop - p < 60 ? stop - p : 60), p);
        }
        p = stop < end ? stop + 1 : end;
    }
}

/* --- nodes ---------------------------------------------------------------------- */

uint32_t slurm_hardware_add(struct slurm *s, const struct slurm_hardware *h)
{
    s->hardware = gs_array_grow(s->hardware, &s->hardware_cap, s->hardwares + 1,
                                sizeof(*s->hardware));
    s->hardware[s->hardwares] = *h;
    return s->hardwares++;
}

struct node_adding {
    struct slurm *s;
    const struct slurm_place *at;
    uint32_t hardware;
    const char *state;
    bool is_state_only;
    struct gs_err *err;
};

static int list_refuse(struct slurm *s, const struct slurm_place *at,
                       const char *list, const char *why, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, slurm_mark(s, at),
                   "no list of nodes: %s (got '%.80s')", why, list);
}

static int too_many(struct slurm *s, const struct slurm_place *at,
                    struct gs_err *err)
{
    return gs_fail(err, GS_LIMIT, slurm_mark(s, at),
                   "the lists of nodes have more than %u names",
                   SLURM_NAMES_MAX);
}

static int node_add(void *ctx, const char *name, size_t len)
{
    struct node_adding *a = ctx;
    struct slurm *s = a->s;
    const uint32_t id = slurm_put(s, name, len);
    const uint32_t was = slurm_node_find(s, id);
    uint32_t at;

    if (s->expanded++ >= SLURM_NAMES_MAX)
        return too_many(s, a->at, a->err);
    if (!gs_text_is_clean(name, len))
        return list_refuse(s, a->at, name, "a name has control characters",
                           a->err);
    if (a->is_state_only) {
        if (was != UINT32_MAX)
            s->node[was].state = a->state;
        else
            slurm_tell(s, IMPORT_LEFT, a->at,
                       "DownNodes of nodes that no NodeName describes");
        return 0;
    }
    if (was != UINT32_MAX && s->hardware[s->node[was].hardware].at.source)
        return gs_fail(a->err, GS_INPUT, slurm_mark(s, a->at),
                       "node '%.80s' is described twice (first at line %d)",
                       name, s->hardware[s->node[was].hardware].at.line);
    at = slurm_node_put(s, id, a->hardware);
    s->node[at].state = a->state;
    return 0;
}

static int nodes_add(struct slurm *s, const char *list,
                     struct node_adding *adding, struct gs_err *err)
{
    const char *why = NULL;
    const int rc = slurm_hostlist_read(list, strlen(list), node_add, adding,
                                       &why);

    return rc == -2 ? list_refuse(s, adding->at, list, why, err) : rc;
}

/* NULL: up. */
static const char *state_of(const char *state)
{
    static const char *const up[] = { "UNKNOWN", "UP", "IDLE", "CLOUD" };

    for (size_t i = 0; state && i < sizeof(up) / sizeof(up[0]); i++) {
        if (strcasecmp(state, up[i]) == 0)
            return NULL;
    }
    return state;
}

#define HARDWARE(name, form, member)                        \
    {                                                       \
        name, form, offsetof(struct slurm_hardware, member) \
    }

static const struct field node_fields[] = {
    HARDWARE("CPUs", WHOLE, cpus),
    HARDWARE("Procs", WHOLE, cpus),
    HARDWARE("Boards", WHOLE, boards),
    HARDWARE("SocketsPerBoard", WHOLE, board_sockets),
    HARDWARE("Sockets", WHOLE, sockets),
    HARDWARE("CoresPerSocket", WHOLE, cores),
    HARDWARE("ThreadsPerCore", WHOLE, threads),
    HARDWARE("RealMemory", WHOLE, memory),
    HARDWARE("MemSpecLimit", WHOLE, memory_kept),
    HARDWARE("CoreSpecCount", WHOLE, cores_kept),
    HARDWARE("Weight", WHOLE, weight),
    HARDWARE("Feature", TEXT, features),
    HARDWARE("Features", TEXT, features),
    HARDWARE("Gres", TEXT, gres_text),
    HARDWARE("State", TEXT, state),
    { "NodeAddr", NONE, 0 },
    { "NodeHostname", NONE, 0 },
    { "BcastAddr", NONE, 0 },
    { "Port", NONE, 0 },
    { "Reason", NONE, 0 },
    { "TmpDisk", NONE, 0 },
    { "CPUSpecList", NONE, 0 },
    { "CpuBind", NONE, 0 },
    { "GresConf", NONE, 0 },
    { "TRESWeights", NONE, 0 },
    { "Topology", NONE, 0 },
    { "RestrictedCoresPerGPU", NONE, 0 },
    { "Parameters", NONE, 0 },
    { "NodeName", NONE, 0 },
};

#define NODE_FIELDS (sizeof(node_fields) / sizeof(node_fields[0]))

/* The processors that jobs may use. */
static void cpus_set(struct slurm_hardware *h)
{
    const int64_t sockets = h->board_sockets
                                ? h->board_sockets * (h->boards ? h->boards : 1)
                                : h->sockets;
    const int64_t threads = h->threads ? h->threads : 1;

    if (h->cpus == 0)
        h->cpus = (sockets ? sockets : 1) * (h->cores ? h->cores : 1) * threads;
    if (h->cpus == 0)
        h->cpus = 1;
    h->cpus_kept = h->cores_kept * threads;
}

int slurm_conf_node(struct slurm *s, struct conf_defaults *d,
                    const struct slurm_pair *p, uint32_t n, struct gs_err *err)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    struct slurm_hardware h = d->hardware;
    struct node_adding adding = { .s = s, .at = &at, .err = err };

    for (uint32_t i = 1; i < n; i++) {
        const struct field *f = field_find(node_fields, NODE_FIELDS, p[i].key);

        if (!f)
            slurm_settings_unknown(s, &p[i], "NodeName");
        else if (field_read(s, f, &p[i], (char *)&h, err) < 0)
            return -1;
    }
    if (strcasecmp(p->value, "DEFAULT") == 0) {
        d->hardware = h;
        return 0;
    }
    h.at = at;
    cpus_set(&h);
    if (h.cpus > 1 << 20)
        return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                       "a node has more than %d CPUs", 1 << 20);
    if (h.gres_text)
        slurm_gres_read(s, h.gres_text, &at, &h.gres, &h.gres_count);
    adding.hardware = slurm_hardware_add(s, &h);
    adding.state = state_of(h.state);
    import_account_count(s->account, "NodeName", IMPORT_USED);
    return nodes_add(s, p->value, &adding, err);
}

int slurm_conf_down(struct slurm *s, const struct slurm_pair *p, uint32_t n,
                    struct gs_err *err)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    struct node_adding adding = {
        .s = s, .at = &at, .err = err, .state = "DOWN", .is_state_only = true
    };

    for (uint32_t i = 1; i < n; i++) {
        if (strcasecmp(p[i].key, "State") == 0)
            adding.state = slurm_copy(s, p[i].value);
    }
    adding.state = state_of(adding.state);
    return nodes_add(s, p->value, &adding, err);
}

/* --- partitions -------------------------------------------------------------------- */

struct partition_texts {
    const char *shared, *exclusive;
};

#define PARTITION(name, form, member)                        \
    {                                                        \
        name, form, offsetof(struct slurm_partition, member) \
    }

static const struct field partition_fields[] = {
    PARTITION("Nodes", TEXT, nodes),
    PARTITION("MaxTime", SPAN, max_time),
    PARTITION("DefaultTime", SPAN, default_time),
    PARTITION("DefTime", SPAN, default_time),
    PARTITION("PriorityTier", WHOLE, tier),
    PARTITION("PriorityJobFactor", WHOLE, factor),
    PARTITION("State", TEXT, state),
    PARTITION("PreemptMode", TEXT, preempt_mode),
    PARTITION("GraceTime", WHOLE, grace),
    PARTITION("AllowQos", TEXT, allowed_qos),
};

/* Those that decide nothing here: what they change is in the trace, or told. */
static const char *const partition_others[] = {
    "Default",          "Hidden",
    "RootOnly",         "AllowAccounts",
    "AllowGroups",      "AllocNodes",
    "DenyAccounts",     "DenyQos",
    "DenyGroups",       "DisableRootJobs",
    "DefaultMemPerCPU", "DefMemPerCPU",
    "DefMemPerNode",    "DefMemPerGPU",
    "DefCpuPerGPU",     "MaxMemPerCPU",
    "MaxMemPerNode",    "MinNodes",
    "MaxNodes",         "CpuBind",
    "JobDefaults",      "SuspendTime",
    "SuspendTimeout",   "ResumeTimeout",
    "PowerDownOnIdle",  "TRESBillingWeights",
    "OverTimeLimit",    "Alternate",
    "PartitionName",
};

static const char *const partition_decisive[] = {
    "LLN",
    "ReqResv",
    "MaxCPUsPerNode",
    "MaxCPUsPerSocket",
    "SelectTypeParameters",
    "QOS",
    "ExclusiveUser",
    "ExclusiveTopo",
    "Topology",
};

static bool is_among(const char *key, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(key, list[i]) == 0)
            return true;
    }
    return false;
}

static bool is_no(const char *value)
{
    return strcasecmp(value, "NO") == 0 || strcasecmp(value, "FALSE") == 0
           || strcmp(value, "0") == 0 || strcasecmp(value, "UNLIMITED") == 0
           || strcasecmp(value, "N/A") == 0 || strcasecmp(value, "NONE") == 0;
}

static void sharing_take(struct slurm *s, struct slurm_partition *q,
                         const struct slurm_pair *p)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);

    if (strncasecmp(p->value, "EXCLUSIVE", 9) == 0) {
        q->sharing = SLURM_WHOLE_NODES;
    } else if (strncasecmp(p->value, "FORCE", 5) == 0
               || strncasecmp(p->value, "YES", 3) == 0) {
        if (strcmp(strchr(p->value, ':') ? strchr(p->value, ':') : "", ":1")
            != 0)
            slurm_tell(s, IMPORT_IGNORED, &at, "%s=%.40s: CPUs have one job",
                       p->key, p->value);
        q->sharing = SLURM_OVERSUBSCRIBES;
    } else {
        q->sharing = SLURM_SHARES;
    }
}

static int partition_pair(struct slurm *s, struct slurm_partition *q,
                          const struct slurm_pair *p, struct gs_err *err)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    const struct field *f = field_find(
        partition_fields,
        sizeof(partition_fields) / sizeof(partition_fields[0]), p->key);

    if (f) {
        if (f->offset == offsetof(struct slurm_partition, nodes))
            q->nodes_at = at;
        if (field_read(s, f, p, (char *)q, err) < 0)
            return -1;
        if (f->offset == offsetof(struct slurm_partition, grace))
            q->grace = q->grace > 1000000 ? 0 : q->grace * GS_SECOND;
        return 0;
    }
    if (strcasecmp(p->key, "Priority") == 0) {
        const struct field both[] = { PARTITION("", WHOLE, tier),
                                      PARTITION("", WHOLE, factor) };

        return field_read(s, &both[0], p, (char *)q, err) < 0
                   ? -1
                   : field_read(s, &both[1], p, (char *)q, err);
    }
    if (strcasecmp(p->key, "OverSubscribe") == 0
        || strcasecmp(p->key, "Shared") == 0) {
        sharing_take(s, q, p);
    } else if (strcasecmp(p->key, "Exclusive") == 0) {
        if (strcasecmp(p->value, "NODE") == 0
            || strcasecmp(p->value, "TOPO") == 0)
            q->sharing = SLURM_WHOLE_NODES;
        if (strcasecmp(p->value, "USER") == 0
            || strcasecmp(p->value, "TOPO") == 0)
            slurm_tell(s, IMPORT_IGNORED, &at, "Exclusive=%.20s", p->value);
    } else if (is_among(p->key, partition_decisive,
                        sizeof(partition_decisive)
                            / sizeof(partition_decisive[0]))) {
        if (!is_no(p->value))
            slurm_tell(s, IMPORT_IGNORED, &at, "%s=%.60s of a partition",
                       p->key, p->value);
    } else if (!is_among(p->key, partition_others,
                         sizeof(partition_others)
                             / sizeof(partition_others[0]))) {
        slurm_settings_unknown(s, p, "PartitionName");
    }
    return 0;
}

int slurm_conf_partition(struct slurm *s, struct conf_defaults *d,
                         const struct slurm_pair *p, uint32_t n,
                         struct gs_err *err)
{
    struct slurm_partition q = d->partition;

    for (uint32_t i = 1; i < n; i++) {
        if (partition_pair(s, &q, &p[i], err) < 0)
            return -1;
    }
    if (strcasecmp(p->value, "DEFAULT") == 0) {
        d->partition = q;
        return 0;
    }
    q.name = slurm_put_text(s, p->value);
    q.at = slurm_place_at(s, p->line, p->column);
    if (slurm_partition_find(s, q.name) != UINT32_MAX)
        return gs_fail(err, GS_INPUT, slurm_mark(s, &q.at),
                       "partition '%.80s' is described twice", p->value);
    if (s->partitions >= 4096)
        return gs_fail(err, GS_LIMIT, slurm_mark(s, &q.at),
                       "more than 4096 partitions");
    (void)slurm_partition_add(s, &q);
    import_account_count(s->account, "PartitionName", IMPORT_USED);
    return 0;
}

/* --- lists of nodes, once all are known --------------------------------------------- */

struct resolving {
    struct slurm *s;
    const struct slurm_place *at;
    const char *what;
    struct gs_numbers nodes;
    unsigned char *seen; /* [node] */
    int depth;           /* sets within sets */
    struct gs_err *err;
};

static void node_see(struct resolving *r, uint32_t i)
{
    if (!r->seen[i])
        gs_numbers_add(&r->nodes, i);
    r->seen[i] = 1;
}

static int name_resolve(void *ctx, const char *name, size_t len);

static int set_resolve(struct resolving *r, const struct slurm_node_set *set)
{
    const struct slurm *s = r->s;
    const char *why = NULL;
    int rc = 0;

    for (uint32_t i = 0; set->features && i < s->nodes; i++) {
        const char *has = s->hardware[s->node[i].hardware].features;
        const char *p = set->features, *end = p + strlen(p), *part;
        size_t len;

        while (has && (part = slurm_part_next(&p, end, ',', &len)) != NULL) {
            char word[128];

            if (len >= sizeof(word))
                continue;
            memcpy(word, part, len);
            word[len] = '\0';
            if (slurm_list_has(has, word))
                node_see(r, i);
        }
    }
    if (set->nodes && r->depth < 2) {
        r->depth++;
        rc = slurm_hostlist_read(set->nodes, strlen(set->nodes), name_resolve,
                                 r, &why);
        r->depth--;
    }
    return rc == -2 ? list_refuse(r->s, &set->at, set->nodes, why, r->err) : rc;
}

static int name_resolve(void *ctx, const char *name, size_t len)
{
    struct resolving *r = ctx;
    struct slurm *s = r->s;
    uint32_t node;

    if (s->expanded++ >= SLURM_NAMES_MAX)
        return too_many(s, r->at, r->err);
    if (slurm_is_word(name, len, "ALL")) {
        for (uint32_t i = 0; i < s->nodes; i++)
            node_see(r, i);
        return 0;
    }
    for (uint32_t i = 0; i < s->sets; i++) {
        if (strcmp(s->set[i].name, name) == 0)
            return set_resolve(r, &s->set[i]);
    }
    node = slurm_node_find(s, slurm_put(s, name, len));
    if (node == UINT32_MAX)
        return gs_fail(
            r->err, GS_INPUT, slurm_mark(s, r->at),
            "%s has node '%.80s', which no NodeName describes%s", r->what, name,
            s->lacks_include ? " (a file of an Include is missing)" : "");
    node_see(r, node);
    return 0;
}

int slurm_nodes_resolve(struct slurm *s, const char *list,
                        const struct slurm_place *at, const char *what,
                        uint32_t **node, uint32_t *count, struct gs_err *err)
{
    struct resolving r = { .s = s, .at = at, .what = what, .err = err };
    const char *why = NULL;
    int rc;

    r.seen = gs_array_new(s->nodes + 1, 1);
    rc = slurm_hostlist_read(list, strlen(list), name_resolve, &r, &why);
    if (rc == -2)
        rc = list_refuse(s, at, list, why, err);
    *count = r.nodes.count;
    *node = r.nodes.count ? gs_arena_memdup(s->arena, r.nodes.at,
                                            r.nodes.count * sizeof(**node))
                          : NULL;
    gs_array_free(r.nodes.at);
    gs_array_free(r.seen);
    return rc;
}

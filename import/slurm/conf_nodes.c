/* import/slurm/conf_nodes.c - see conf_nodes.h. */
#include "import/slurm/conf_nodes.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/conf_records.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_values.h"

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

/* --- gres ----------------------------------------------------------------- */

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

/* --- nodes ---------------------------------------------------------------- */

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

static int node_add(void *ctx, const char *name, size_t len)
{
    struct node_adding *a = ctx;
    struct slurm *s = a->s;
    const uint32_t id = slurm_put(s, name, len);
    const uint32_t was = slurm_node_find(s, id);
    uint32_t at;

    if (s->expanded++ >= SLURM_NAMES_MAX)
        return slurm_conf_list_too_many(s, a->at, a->err);
    if (!gs_text_is_clean(name, len))
        return slurm_conf_list_refuse(s, a->at, name,
                                      "a name has control characters", a->err);
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

    return rc == -2 ? slurm_conf_list_refuse(s, adding->at, list, why, err)
                    : rc;
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

static const struct conf_field node_fields[] = {
    HARDWARE("CPUs", CONF_WHOLE, cpus),
    HARDWARE("Procs", CONF_WHOLE, cpus),
    HARDWARE("Boards", CONF_WHOLE, boards),
    HARDWARE("SocketsPerBoard", CONF_WHOLE, board_sockets),
    HARDWARE("Sockets", CONF_WHOLE, sockets),
    HARDWARE("CoresPerSocket", CONF_WHOLE, cores),
    HARDWARE("ThreadsPerCore", CONF_WHOLE, threads),
    HARDWARE("RealMemory", CONF_WHOLE, memory),
    HARDWARE("MemSpecLimit", CONF_WHOLE, memory_kept),
    HARDWARE("CoreSpecCount", CONF_WHOLE, cores_kept),
    HARDWARE("Weight", CONF_WHOLE, weight),
    HARDWARE("Feature", CONF_TEXT, features),
    HARDWARE("Features", CONF_TEXT, features),
    HARDWARE("Gres", CONF_TEXT, gres_text),
    HARDWARE("State", CONF_TEXT, state),
    { "NodeAddr", CONF_NONE, 0 },
    { "NodeHostname", CONF_NONE, 0 },
    { "BcastAddr", CONF_NONE, 0 },
    { "Port", CONF_NONE, 0 },
    { "Reason", CONF_NONE, 0 },
    { "TmpDisk", CONF_NONE, 0 },
    { "CPUSpecList", CONF_NONE, 0 },
    { "CpuBind", CONF_NONE, 0 },
    { "GresConf", CONF_NONE, 0 },
    { "TRESWeights", CONF_NONE, 0 },
    { "Topology", CONF_NONE, 0 },
    { "RestrictedCoresPerGPU", CONF_NONE, 0 },
    { "Parameters", CONF_NONE, 0 },
    { "NodeName", CONF_NONE, 0 },
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

static void unknown_tell(struct slurm *s, const struct slurm_pair *p)
{
    const char *known[NODE_FIELDS];

    for (size_t i = 0; i < NODE_FIELDS; i++)
        known[i] = node_fields[i].name;
    slurm_pair_unknown(s, p, "NodeName", known, NODE_FIELDS);
}

int slurm_conf_node(struct slurm *s, struct conf_defaults *d,
                    const struct slurm_pair *p, uint32_t n, struct gs_err *err)
{
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    struct slurm_hardware h = d->hardware;
    struct node_adding adding = { .s = s, .at = &at, .err = err };

    for (uint32_t i = 1; i < n; i++) {
        const struct conf_field *f = slurm_conf_field_find(
            node_fields, NODE_FIELDS, p[i].key);

        if (!f)
            unknown_tell(s, &p[i]);
        else if (slurm_conf_field_read(s, f, &p[i], (char *)&h, err) < 0)
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

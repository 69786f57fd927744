/* import/slurm/nodes_now.c - see nodes_now.h. */
#include "import/slurm/nodes_now.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/text.h"
#include "import/slurm/conf_nodes.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "topology/topology.h"

static int64_t number_of(const char *text, int64_t fallback)
{
    uint64_t v;

    return gs_quantity_parse_u64(text, strlen(text), &v) == 0
                   && v <= UINT64_C(1) << 40
               ? (int64_t)v
               : fallback;
}

/* "IDLE+DRAIN": the word by which the node takes no jobs; NULL: it does. */
static const char *down_word(struct slurm *s, const char *state)
{
    static const char *const words[] = {
        "DOWN",           "DRAIN",       "DRAINING",         "DRAINED",
        "FAIL",           "FAILING",     "FUTURE",           "MAINT",
        "NOT_RESPONDING", "INVALID_REG", "REBOOT_REQUESTED",
    };
    const char *p = state, *end = state + strlen(state);

    while (p < end) {
        size_t len = 0;

        while (p + len < end
               && (isalpha((unsigned char)p[len]) || p[len] == '_'))
            len++;
        for (size_t i = 0; len && i < sizeof(words) / sizeof(words[0]); i++) {
            if (slurm_is_word(p, len, words[i]))
                return words[i];
        }
        p += len + 1;
    }
    (void)s;
    return NULL;
}

static void member_add(struct slurm *s, const char *name, size_t len,
                       uint32_t node, const struct slurm_place *at)
{
    const uint32_t id = slurm_put(s, name, len);
    uint32_t i = slurm_partition_find(s, id);
    struct slurm_partition *q;

    if (i == UINT32_MAX) {
        if (s->has_conf || s->partitions >= 4096)
            return;
        i = slurm_partition_add(
            s, &(struct slurm_partition){ .name = id,
                                          .at = *at,
                                          .max_time = SLURM_UNKNOWN,
                                          .default_time = SLURM_UNKNOWN,
                                          .tier = 1,
                                          .factor = 1 });
    }
    q = &s->partition[i];
    if (q->nodes) /* slurm.conf lists its nodes */
        return;
    for (uint32_t k = q->node_count; k > 0 && k + 4 > q->node_count; k--) {
        if (q->node[k - 1] == node)
            return;
    }
    q->node = gs_arena_grow(s->arena, q->node, &q->node_cap, q->node_count,
                            sizeof(*q->node));
    q->node[q->node_count++] = node;
}

void slurm_node_now_take(struct slurm *s, const struct slurm_node_now *n,
                         const struct slurm_place *at)
{
    const size_t len = strlen(n->name);
    const char *p = n->partitions, *end = p + strlen(p), *part;
    struct slurm_hardware h = { .at = *at };
    uint32_t node;
    size_t size;

    if (len == 0 || len > 255 || !gs_text_is_clean(n->name, len)
        || s->nodes >= TOPO_NODES_MAX) {
        slurm_tell(s, IMPORT_LEFT, at, "a node without a name");
        return;
    }
    h.cpus = number_of(n->cpus, 1);
    h.memory = number_of(n->memory, 1);
    h.memory_kept = number_of(n->memory_kept, 0);
    h.weight = number_of(n->weight, 1);
    if (h.cpus < 1 || h.cpus > 1 << 20)
        h.cpus = 1;
    if (*n->features && !slurm_is_none(n->features, strlen(n->features)))
        h.features = slurm_copy(s, n->features);
    if (*n->gres && !slurm_is_none(n->gres, strlen(n->gres)))
        slurm_gres_read(s, n->gres, at, &h.gres, &h.gres_count);
    node = slurm_node_put(s, slurm_put(s, n->name, len),
                          slurm_hardware_add(s, &h));
    s->node[node].state = down_word(s, n->state);
    import_account_count(s->account, "node", IMPORT_USED);
    while ((part = slurm_part_next(&p, end, ',', &size)) != NULL)
        member_add(s, part, size, node, at);
}

/* --- scontrol show node --------------------------------------------------- */

struct shown {
    struct slurm_node_now now;
    struct slurm_place at;
    bool is_open;
};

static const char empty[] = "";

static void shown_reset(struct shown *n)
{
    *n = (struct shown){ .now = { empty, empty, empty, empty, empty, empty,
                                  empty, empty, empty } };
}

static void shown_end(struct slurm *s, struct shown *n)
{
    if (n->is_open)
        slurm_node_now_take(s, &n->now, &n->at);
    shown_reset(n);
}

static void pair_put(struct slurm *s, struct shown *n, const char *key,
                     size_t key_len, const char *value, size_t len)
{
    const struct {
        const char *key;
        const char **to;
    } rows[] = {
        { "NodeName", &n->now.name },
        { "CPUTot", &n->now.cpus },
        { "RealMemory", &n->now.memory },
        { "MemSpecLimit", &n->now.memory_kept },
        { "Weight", &n->now.weight },
        { "AvailableFeatures", &n->now.features },
        { "Gres", &n->now.gres },
        { "Partitions", &n->now.partitions },
        { "State", &n->now.state },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (slurm_is_word(key, key_len, rows[i].key))
            *rows[i].to = gs_arena_strndup(s->arena, value, len);
    }
}

static void line_take(struct slurm *s, struct shown *n, const char *p, int line)
{
    while (*p) {
        const char *key, *equals, *stop;

        while (isspace((unsigned char)*p))
            p++;
        key = p;
        while (*p && !isspace((unsigned char)*p))
            p++;
        stop = p;
        equals = memchr(key, '=', (size_t)(stop - key));
        if (!equals)
            continue;
        if (slurm_is_word(key, (size_t)(equals - key), "NodeName")) {
            shown_end(s, n);
            n->is_open = true;
            n->at = slurm_place_at(s, line, 1);
        }
        pair_put(s, n, key, (size_t)(equals - key), equals + 1,
                 (size_t)(stop - equals) - 1);
    }
}

int slurm_scontrol_read(struct slurm *s, struct gs_input *in,
                        struct gs_err *err)
{
    struct shown n;
    size_t len;
    char *line;
    int rc;

    assert(s && in);
    shown_reset(&n);
    while ((rc = gs_input_line(in, &line, &len, err)) > 0)
        line_take(s, &n, line, gs_input_line_number(in));
    if (rc == 0)
        shown_end(s, &n);
    return rc;
}

/* import/slurm/conf_lists.c - lists of nodes, once all are known; see
 * conf_nodes.h.
 */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/numbers.h"
#include "import/slurm/conf_nodes.h"
#include "import/slurm/conf_records.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_values.h"

int slurm_conf_list_refuse(struct slurm *s, const struct slurm_place *at,
                           const char *list, const char *why,
                           struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, slurm_mark(s, at),
                   "no list of nodes: %s (got '%.80s')", why, list);
}

int slurm_conf_list_too_many(struct slurm *s, const struct slurm_place *at,
                             struct gs_err *err)
{
    return gs_fail(err, GS_LIMIT, slurm_mark(s, at),
                   "the lists of nodes have more than %u names",
                   SLURM_NAMES_MAX);
}

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
    return rc == -2
               ? slurm_conf_list_refuse(r->s, &set->at, set->nodes, why, r->err)
               : rc;
}

static int name_resolve(void *ctx, const char *name, size_t len)
{
    struct resolving *r = ctx;
    struct slurm *s = r->s;
    uint32_t node;

    if (s->expanded++ >= SLURM_NAMES_MAX)
        return slurm_conf_list_too_many(s, r->at, r->err);
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
        rc = slurm_conf_list_refuse(s, at, list, why, err);
    *count = r.nodes.count;
    *node = r.nodes.count ? gs_arena_memdup(s->arena, r.nodes.at,
                                            r.nodes.count * sizeof(**node))
                          : NULL;
    gs_array_free(r.nodes.at);
    gs_array_free(r.seen);
    return rc;
}

/* import/slurm/gres_conf.c - gres.conf, see slurm_conf.h.
 *
 * A node has as many of a gres as slurm.conf says; gres.conf adds their types.
 */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/conf_nodes.h"
#include "import/slurm/conf_records.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_conf.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

static int name_count(void *ctx, const char *name, size_t len)
{
    int64_t *count = ctx;

    (void)name;
    (void)len;
    return ++*count > SLURM_NAMES_MAX ? -1 : 0;
}

static int count_take(struct slurm *s, const struct slurm_pair *p,
                      int64_t *count, struct gs_err *err)
{
    size_t used;

    if (slurm_count_read(p->value, strlen(p->value), 1024, 1, count, &used) == 0
        && used == strlen(p->value))
        return 0;
    return gs_fail(err, GS_INPUT,
                   (struct gs_mark){ s->source, p->line, p->column },
                   "'Count' must be a whole number such as 8 or 4G (got "
                   "'%.60s')",
                   p->value);
}

static int pairs_take(void *ctx, const struct slurm_pair *p, uint32_t n,
                      struct gs_err *err)
{
    static const char *const others[] = { "AutoDetect", "Cores", "CPUs",
                                          "Flags",      "Links", "Ignore" };
    struct slurm *s = ctx;
    struct slurm_gres_record r = { .at = slurm_place_at(s, p->line,
                                                        p->column) };
    int64_t files = 0, count = 0;
    const char *why = NULL;

    for (uint32_t i = 0; i < n; i++) {
        if (strcasecmp(p[i].key, "NodeName") == 0) {
            r.nodes = slurm_copy(s, p[i].value);
        } else if (strcasecmp(p[i].key, "Name") == 0) {
            r.name = slurm_put_text(s, p[i].value);
        } else if (strcasecmp(p[i].key, "Type") == 0) {
            r.type = slurm_put_text(s, p[i].value);
        } else if (strcasecmp(p[i].key, "Count") == 0) {
            if (count_take(s, &p[i], &count, err) < 0)
                return -1;
        } else if (strcasecmp(p[i].key, "File") == 0
                   || strcasecmp(p[i].key, "MultipleFiles") == 0) {
            if (slurm_hostlist_read(p[i].value, strlen(p[i].value), name_count,
                                    &files, &why)
                < 0)
                return gs_fail(
                    err, GS_INPUT,
                    (struct gs_mark){ s->source, p[i].line, p[i].column },
                    "'%s' is no list of files: %s (got '%.60s')", p[i].key,
                    why ? why : "too many", p[i].value);
            if (strcasecmp(p[i].key, "MultipleFiles") == 0)
                files = 1;
        } else {
            size_t k = 0;

            while (k < sizeof(others) / sizeof(others[0])
                   && strcasecmp(p[i].key, others[k]) != 0)
                k++;
            if (k == sizeof(others) / sizeof(others[0]))
                slurm_pair_unknown(s, &p[i], "gres.conf", NULL, 0);
        }
    }
    r.count = count ? count : files ? files : 1;
    if (!r.name || !r.type)
        return 0;
    s->gres_record = gs_array_grow(s->gres_record, &s->gres_record_cap,
                                   s->gres_records + 1,
                                   sizeof(*s->gres_record));
    s->gres_record[s->gres_records++] = r;
    return 0;
}

int slurm_gres_conf_read(struct slurm *s, struct gs_input *in,
                         struct gs_err *err)
{
    const struct slurm_line_taker t = { pairs_take, NULL, s };

    assert(s && in);
    if (slurm_conf_lines(in, &t, err) < 0)
        return -1;
    import_account_count(s->account, "gres.conf", IMPORT_USED);
    return 0;
}

/* --- types of nodes ------------------------------------------------------- */

/* The node's gres of that name has no type in slurm.conf. */
static bool lacks_type(const struct slurm *s, const struct slurm_node *n,
                       uint32_t name)
{
    const struct slurm_hardware *h = &s->hardware[n->hardware];

    for (uint32_t i = 0; i < h->gres_count; i++) {
        if (h->gres[i].name == name)
            return !h->gres[i].type;
    }
    return false;
}

static void type_add(struct slurm *s, struct slurm_node *n,
                     const struct slurm_gres_record *r)
{
    uint32_t i = 0;

    if (!lacks_type(s, n, r->name))
        return;
    while (i < n->gres_count
           && (n->gres[i].name != r->name || n->gres[i].type != r->type))
        i++;
    if (i == n->gres_count) {
        n->gres = gs_arena_grow(s->arena, n->gres, &n->gres_cap, i,
                                sizeof(*n->gres));
        n->gres[n->gres_count++] = (struct slurm_gres){ r->name, r->type, 0 };
    }
    n->gres[i].count += r->count;
}

struct typing {
    struct slurm *s;
    const struct slurm_gres_record *r;
};

static int node_type(void *ctx, const char *name, size_t len)
{
    struct typing *t = ctx;
    struct slurm *s = t->s;
    const uint32_t node = slurm_node_find(s, slurm_put(s, name, len));

    if (s->expanded++ >= SLURM_NAMES_MAX)
        return -1;
    if (node == UINT32_MAX)
        slurm_tell(s, IMPORT_LEFT, &t->r->at,
                   "gres.conf: nodes that no NodeName describes");
    else
        type_add(s, &s->node[node], t->r);
    return 0;
}

int slurm_gres_resolve(struct slurm *s, struct gs_err *err)
{
    for (uint32_t i = 0; i < s->gres_records; i++) {
        const struct slurm_gres_record *r = &s->gres_record[i];
        struct typing t = { s, r };
        const char *why = NULL;
        int rc = 0;

        if (!r->nodes) {
            for (uint32_t n = 0; n < s->nodes; n++)
                type_add(s, &s->node[n], r);
            continue;
        }
        rc = slurm_hostlist_read(r->nodes, strlen(r->nodes), node_type, &t,
                                 &why);
        if (rc < 0)
            return gs_fail(
                err, rc == -2 ? GS_INPUT : GS_LIMIT, slurm_mark(s, &r->at),
                "no list of nodes: %s (got '%.80s')",
                why ? why : "all lists together are too long", r->nodes);
    }
    return 0;
}

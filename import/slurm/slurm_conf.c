/* import/slurm/slurm_conf.c - see slurm_conf.h. */
#include "import/slurm/slurm_conf.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/quantity.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/conf_nodes.h"
#include "import/slurm/conf_records.h"
#include "import/slurm/settings.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "import/slurm/slurm_version.h"
#include "import/slurm/switches.h"

#define INCLUDES_DEEP 16

struct conf_file {
    struct slurm *s;
    struct conf_defaults *defaults;
    const char *path[INCLUDES_DEEP]; /* of the files around */
    int depth;
};

/* --- partitions and sets -------------------------------------------------- */

static int set_take(struct slurm *s, const struct slurm_pair *p, uint32_t n)
{
    struct slurm_node_set set = {
        .name = slurm_copy(s, p->value),
        .at = slurm_place_at(s, p->line, p->column),
    };

    for (uint32_t i = 1; i < n; i++) {
        if (strcasecmp(p[i].key, "Feature") == 0)
            set.features = slurm_copy(s, p[i].value);
        else if (strcasecmp(p[i].key, "Nodes") == 0)
            set.nodes = slurm_copy(s, p[i].value);
        else
            slurm_pair_unknown(s, &p[i], "NodeSet", NULL, 0);
    }
    s->set = gs_array_grow(s->set, &s->set_cap, s->sets + 1, sizeof(*s->set));
    s->set[s->sets++] = set;
    return 0;
}

/* --- lines ---------------------------------------------------------------- */

static int pairs_take(void *ctx, const struct slurm_pair *p, uint32_t n,
                      struct gs_err *err)
{
    struct conf_file *f = ctx;
    struct slurm *s = f->s;
    int rc = 0;

    if (strcasecmp(p->key, "NodeName") == 0)
        return slurm_conf_node(s, f->defaults, p, n, err);
    if (strcasecmp(p->key, "PartitionName") == 0)
        return slurm_conf_partition(s, f->defaults, p, n, err);
    if (strcasecmp(p->key, "DownNodes") == 0)
        return slurm_conf_down(s, p, n, err);
    if (strcasecmp(p->key, "NodeSet") == 0)
        return set_take(s, p, n);
    if (strcasecmp(p->key, "FrontendName") == 0) {
        import_account_count(s->account, "FrontendName", IMPORT_NOTHING);
        return 0;
    }
    for (uint32_t i = 0; i < n; i++)
        slurm_settings_take(s, &p[i]);
    return rc;
}

static const char *beside(struct slurm *s, const char *from, const char *name)
{
    const char *slash = strrchr(from, '/'), *base = strrchr(name, '/');

    /* a path from the root is that of the cluster's machine: what was copied
       from there stands beside this file */
    if (name[0] == '/')
        name = base + 1;
    return gs_arena_printf(s->arena, "%.*s%s",
                           slash ? (int)(slash - from) + 1 : 0, from, name);
}

static int file_read(struct conf_file *f, struct gs_input *in,
                     struct gs_err *err);

static int include_take(void *ctx, const char *path, int line,
                        struct gs_err *err)
{
    struct conf_file *f = ctx;
    struct slurm *s = f->s;
    const struct slurm_place at = slurm_place_at(s, line, 1);
    const char *name = beside(s, f->path[f->depth - 1], path);
    struct gs_err why = { 0 };
    struct gs_input *in;
    int rc;

    for (int i = 0; i < f->depth; i++) {
        if (strcmp(f->path[i], name) == 0)
            return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                           "Include of '%.80s' is a loop: that file includes "
                           "this one",
                           path);
    }
    if (f->depth == INCLUDES_DEEP)
        return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                       "Include is more than %d files deep", INCLUDES_DEEP);
    in = gs_input_open(name, &why);
    if (!in) {
        s->lacks_include = true;
        slurm_tell(s, IMPORT_LEFT, &at,
                   "Include of '%.120s': there is no such file beside this one",
                   path);
        return 0;
    }
    s->included = gs_array_grow(s->included, &s->included_cap, s->includes + 1,
                                sizeof(*s->included));
    s->included[s->includes++] = name;
    rc = file_read(f, in, err);
    slurm_hash_add(s, in);
    gs_input_close(in);
    s->source = f->path[f->depth - 1];
    return rc;
}

static int file_read(struct conf_file *f, struct gs_input *in,
                     struct gs_err *err)
{
    const struct slurm_line_taker t = { pairs_take, include_take, f };
    int rc;

    f->path[f->depth++] = slurm_copy(f->s, gs_input_name(in));
    f->s->source = f->path[f->depth - 1];
    rc = slurm_conf_lines(in, &t, err);
    f->depth--;
    return rc;
}

bool slurm_conf_was_included(const struct slurm *s, const char *path)
{
    for (uint32_t i = 0; i < s->includes; i++) {
        if (strcmp(s->included[i], path) == 0)
            return true;
    }
    return false;
}

/* --- files beside it ------------------------------------------------------ */

static int beside_read(struct slurm *s, const char *conf, const char *name,
                       int (*read)(struct slurm *, struct gs_input *,
                                   struct gs_err *),
                       bool *is_there, struct gs_err *err)
{
    struct gs_err why = { 0 };
    struct gs_input *in = gs_input_open(beside(s, conf, name), &why);
    int rc;

    *is_there = in != NULL;
    if (!in)
        return 0;
    s->source = slurm_copy(s, gs_input_name(in));
    rc = read(s, in, err);
    slurm_hash_add(s, in);
    gs_input_close(in);
    return rc;
}

int slurm_conf_read(struct slurm *s, struct gs_input *in, struct gs_err *err)
{
    const char *path = slurm_copy(s, gs_input_name(in));
    struct conf_file f = { .s = s, .defaults = slurm_conf_defaults(s) };
    bool is_there = false;
    struct gs_err why = { 0 };
    const char *head;
    size_t size;

    assert(s && in);
    s->has_conf = true;
    head = gs_input_head(in, &size, &why);
    if (head)
        slurm_version_conf(s, head, size);
    if (file_read(&f, in, err) < 0)
        return -1;
    import_account_count(s->account, "slurm.conf", IMPORT_USED);
    if (!strchr(path, '/') && strstr(path, "standard input"))
        return 0;
    if (beside_read(s, path, "gres.conf", slurm_gres_conf_read, &is_there, err)
            < 0
        || beside_read(s, path, "topology.yaml", slurm_topology_yaml_read,
                       &is_there, err)
               < 0)
        return -1;
    return is_there ? 0
                    : beside_read(s, path, "topology.conf",
                                  slurm_topology_conf_read, &is_there, err);
}

/* sim/speed/speed_file.c - a speed model in a file of its own, see speed.h. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "sim/speed/speed.h"
#include "topology/topology.h"

#define SPEED_MAX 1000 /* times */

/* Context of the readers. */
struct loading {
    const struct topo *topo; /* NULL: not known */
    struct gs_strtab *names;
};

struct model_in {
    bool is_all_reduce, is_linear;
    const struct gs_ynode *table;
};

struct row_in {
    const char *name, *klass, *model, *tier;
    uint32_t gpus, milli;
};

/* Read "none", or the word `other`. */
static int read_choice(const struct gs_yctx *c, const struct gs_ynode *v,
                       const char *other, bool *is_other, struct gs_err *err)
{
    const char *const word[] = { "none", other };
    const int i = gs_yread_word(c, v, word, 2, err);

    *is_other = i == 1;
    return i < 0 ? -1 : 0;
}

static int read_placement(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    return read_choice(c, v, "all-reduce", dest, err);
}

static int read_replicas(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *dest, struct gs_err *err)
{
    return read_choice(c, v, "linear", dest, err);
}

static int read_speed(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    int64_t milli;

    if (gs_yread_milli(c, v, &milli, err) < 0)
        return -1;
    if (milli < 1 || milli > INT64_C(1000) * SPEED_MAX)
        return gs_yread_refuse(c, v, "a number from 0.001 to 1000", err);
    *(uint32_t *)dest = (uint32_t)milli;
    return 0;
}

static uint32_t text_id(struct gs_strtab *names, const char *s)
{
    return s ? gs_strtab_put(names, s, strlen(s)) : 0;
}

static uint32_t class_id(struct gs_strtab *names, const char *klass,
                         struct gs_arena *arena)
{
    return klass ? text_id(names, gs_arena_printf(arena, "class=%s", klass))
                 : 0;
}

#define ROW(member) offsetof(struct row_in, member)

static int take_row(const struct gs_yctx *c, const struct gs_ynode *item,
                    struct gs_arena *arena, struct sim_speed_row *r,
                    struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "name", gs_yread_text, ROW(name), false },
        { "class", gs_yread_text, ROW(klass), false },
        { "model", gs_yread_text, ROW(model), false },
        { "gpus", gs_yread_count, ROW(gpus), false },
        { "tier", gs_yread_text, ROW(tier), false },
        { "speed", read_speed, ROW(milli), true },
    };
    const struct loading *l = c->user;
    struct row_in in = { 0 };
    int level = -1;
    const int rc = gs_ynode_fields(
        c, item, "row", fields, sizeof(fields) / sizeof(fields[0]), &in, err);

    if (in.tier && strcmp(in.tier, "cluster") == 0)
        level = 0;
    else if (in.tier && l->topo)
        level = topo_level_find(l->topo, text_id(l->names, in.tier));
    else if (in.tier) /* any number that is unique for the name */
        level = (int)text_id(l->names, in.tier);
    if (in.tier && level < 0)
        return gs_fail(err, GS_INPUT,
                       gs_ynode_mark(c, gs_ynode_find(item, "tier")),
                       "the topology has no tier '%.60s'", in.tier);
    *r = (struct sim_speed_row){
        .name = in.name ? gs_arena_strndup(arena, in.name, strlen(in.name))
                        : NULL,
        .label = class_id(l->names, in.klass, arena),
        .model = text_id(l->names, in.model),
        .gpus = in.gpus,
        .level = level < 0 ? UINT32_MAX : (uint32_t)level,
        .milli = in.milli,
        .keys = item->len - 1,
    };
    return rc;
}

static bool is_same(const struct sim_speed_row *a,
                    const struct sim_speed_row *b)
{
    return a->label == b->label && a->model == b->model && a->gpus == b->gpus
           && a->level == b->level && !a->name == !b->name
           && (!a->name || strcmp(a->name, b->name) == 0);
}

/* Add a row.  A row with a mistake is kept as an empty one, so that later rows
 * keep their numbers.
 */
static int row_add(const struct gs_yctx *c, const struct gs_ynode *v,
                   struct gs_arena *arena, struct sim_speed_row *row,
                   uint32_t count, struct gs_err *err)
{
    if (take_row(c, v, arena, &row[count], err) < 0) {
        row[count].milli = 0;
        return -1;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (row[i].milli && is_same(&row[i], &row[count]))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                           "row %u of the table is of the same jobs", i + 1);
    }
    return 0;
}

static int take_table(const struct gs_yctx *c, const struct gs_ynode *list,
                      struct gs_arena *arena, struct sim_speed *m,
                      struct gs_err *err)
{
    struct sim_speed_row *row;
    int rc = 0;

    if (list->kind != GS_YSEQ || !list->child)
        return gs_yread_refuse(
            c, list,
            "a list of rows such as {class: bert, tier: rack, "
            "speed: 0.7}",
            err);
    if (list->len > SIM_SPEED_ROWS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, list),
                       "a table may have at most %u rows", SIM_SPEED_ROWS_MAX);
    m->row = row = gs_arena_alloc(arena, list->len, sizeof(*row));
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (row_add(c, v, arena, row, m->row_count++, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

const struct sim_speed *sim_speed_read(struct gs_input *in,
                                       const struct topo *t,
                                       struct gs_arena *arena,
                                       struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "placement", read_placement, offsetof(struct model_in, is_all_reduce),
          false },
        { "replicas", read_replicas, offsetof(struct model_in, is_linear),
          false },
        { "table", gs_yread_node, offsetof(struct model_in, table), false },
    };
    struct gs_arena *own = gs_arena_create(4096);
    const struct gs_ynode *root = gs_yaml_read(in, own, NULL, err);
    struct loading loading = { t, t ? t->names : gs_strtab_create() };
    const struct gs_yctx c = { gs_input_name(in), &loading };
    struct sim_speed *m = gs_arena_alloc(arena, 1, sizeof(*m));
    struct model_in read = { 0 };
    int rc = -1;

    assert(in && arena);
    if (root)
        rc = gs_ynode_fields(&c, root, "speed model", fields, 3, &read, err);
    *m = (struct sim_speed){ .is_all_reduce = read.is_all_reduce,
                             .is_linear = read.is_linear };
    if (read.table && (rc == 0 || gs_err_wants_more(err))
        && take_table(&c, read.table, arena, m, err) < 0)
        rc = -1;
    if (!t)
        gs_strtab_destroy(loading.names);
    gs_arena_destroy(own);
    return rc < 0 ? NULL : m;
}

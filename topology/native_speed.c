/* topology/native_speed.c - GPU generations and relative speeds of a native
 * topology file.
 */
#include <string.h>

#include "base/arena.h"
#include "base/strtab.h"
#include "topology/native_private.h"

#define CLASSES_MAX 64u
#define SPEED_MAX 1000 /* times */

static int speed_read(const struct gs_yctx *c, const struct gs_ynode *v,
                      uint32_t *milli, struct gs_err *err)
{
    int64_t n = 0;

    if (gs_yread_milli(c, v, &n, err) < 0)
        return -1;
    if (n < 1 || n > INT64_C(1000) * SPEED_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "a speed must be a number from 0.001 to %d (got "
                       "'%.40s')",
                       SPEED_MAX, v->text);
    *milli = (uint32_t)n;
    return 0;
}

/* The string id of a job label "class=NAME"; 0 for "default". */
static uint32_t class_label(const struct topo_loading *l,
                            const struct gs_ynode *key)
{
    const char *text = gs_arena_printf(l->arena, "class=%s", key->text);

    if (strcmp(key->text, "default") == 0)
        return 0;
    return gs_strtab_put(l->topo->names, text, strlen(text));
}

int topo_read_speed(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *klass, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_class *k = klass;
    struct topo_speed *speed;
    int rc = 0;

    if (v->kind == GS_YSCALAR) {
        k->speed = speed = gs_arena_alloc(l->arena, 1, sizeof(*speed));
        k->speed_count = 1;
        return speed_read(c, v, &speed->milli, err);
    }
    if (v->kind != GS_YMAP || v->len > CLASSES_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'speed' must be a number, or a mapping of at most %u "
                       "job classes, or default, to numbers",
                       CLASSES_MAX);
    k->speed = speed = gs_arena_alloc(l->arena, v->len + 1, sizeof(*speed));
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        uint32_t name;

        if (topo_read_key(c, e->key, &name, err) < 0)
            rc = -1;
        if (speed_read(c, e, &speed->milli, err) < 0)
            rc = -1;
        speed->label = class_label(l, e->key);
        speed++;
        k->speed_count++;
    }
    return rc;
}

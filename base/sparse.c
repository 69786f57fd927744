/* base/sparse.c - parts of a table, see sparse.h. */
#include "base/sparse.h"

#include <assert.h>
#include <stddef.h>

#include "base/array.h"

static uint32_t parts_of(const struct gs_sparse *t)
{
    return t->count / GS_SPARSE_PART + 1;
}

void gs_sparse_init(struct gs_sparse *t, uint32_t count)
{
    *t = (struct gs_sparse){ .count = count };
    t->part = gs_array_new(parts_of(t), sizeof(struct gs_sparse_part *));
}

void gs_sparse_free(struct gs_sparse *t)
{
    for (uint32_t i = 0; t->part && i < parts_of(t); i++)
        gs_array_free(t->part[i]);
    gs_array_free(t->part);
    gs_array_free(t->spare);
    *t = (struct gs_sparse){ .count = 0 };
}

/* The part that was emptied last is the next that is needed: a number that is
 * soon 0 again costs no allocation.
 */
static struct gs_sparse_part *part_take(struct gs_sparse *t)
{
    struct gs_sparse_part *p = t->spare ? t->spare
                                        : gs_array_new(1, sizeof(*p));

    t->spare = NULL;
    return p;
}

void gs_sparse_set(struct gs_sparse *t, uint32_t place, uint32_t number)
{
    struct gs_sparse_part **p = &t->part[place / GS_SPARSE_PART];
    uint32_t *at;

    assert(place < t->count);
    if (!*p && !number)
        return;
    if (!*p)
        *p = part_take(t);
    at = &(*p)->at[place % GS_SPARSE_PART];
    (*p)->set = (*p)->set + (number != 0) - (*at != 0);
    *at = number;
    if ((*p)->set)
        return;
    gs_array_free(t->spare);
    t->spare = *p;
    *p = NULL;
}

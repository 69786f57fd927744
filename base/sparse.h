/* base/sparse.h - numbers by place, nearly all of which are 0: a part of the
 * table in which all are takes no memory.
 */
#ifndef GS_SPARSE_H
#define GS_SPARSE_H

#include <stdint.h>

#define GS_SPARSE_PART 1024u /* numbers of a part */

struct gs_sparse_part {
    uint32_t set; /* numbers that are not 0 */
    uint32_t at[GS_SPARSE_PART];
};

struct gs_sparse {
    struct gs_sparse_part **part; /* NULL: all of it are 0 */
    struct gs_sparse_part *spare; /* all 0; NULL */
    uint32_t count;
};

/* `count` numbers, all of them 0. */
void gs_sparse_init(struct gs_sparse *t, uint32_t count);
void gs_sparse_free(struct gs_sparse *t);

/* The number at `place`, which is below the count. */
static inline uint32_t gs_sparse_get(const struct gs_sparse *t, uint32_t place)
{
    const struct gs_sparse_part *p = t->part[place / GS_SPARSE_PART];

    return p ? p->at[place % GS_SPARSE_PART] : 0;
}

void gs_sparse_set(struct gs_sparse *t, uint32_t place, uint32_t number);

#endif /* GS_SPARSE_H */

/* base/numbers.h - growing lists of indices into a table. */
#ifndef GS_NUMBERS_H
#define GS_NUMBERS_H

#include <assert.h>
#include <stdint.h>

#include "base/array.h"

/* Empty when zeroed; free its memory with gs_array_free(list.at). */
struct gs_numbers {
    uint32_t *at;
    uint32_t count, cap;
};

/* Append `number`.  Returns its place. */
static inline uint32_t gs_numbers_add(struct gs_numbers *l, uint32_t number)
{
    l->at = gs_array_grow(l->at, &l->cap, l->count + 1, sizeof(*l->at));
    l->at[l->count] = number;
    return l->count++;
}

/* Remove the number at place `i`; the last number moves there and is returned.
 */
static inline uint32_t gs_numbers_take(struct gs_numbers *l, uint32_t i)
{
    assert(i < l->count);
    return l->at[i] = l->at[--l->count];
}

#endif /* GS_NUMBERS_H */

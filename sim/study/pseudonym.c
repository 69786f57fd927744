/* sim/study/pseudonym.c - see pseudonym.h. */
#include "sim/study/pseudonym.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"

struct named {
    const char *text, *prefix;
    uint32_t id;
};

static uint32_t *slot(struct pseudonyms *n, enum pseudonym_sort m, uint32_t id)
{
    n->to[m] = gs_array_grow(n->to[m], &n->to_cap[m], id + 1,
                             sizeof(*n->to[m]));
    return &n->to[m][id];
}

uint32_t pseudonym(struct pseudonyms *n, enum pseudonym_sort m, uint32_t id,
                   const char *prefix)
{
    uint32_t *to = slot(n, m, id);

    if (id == 0 || n->is_numbered)
        return id ? *to : 0;
    if (*to == 0) {
        *to = 1;
        n->at[m] = gs_array_grow(n->at[m], &n->cap[m], n->count[m] + 1,
                                 sizeof(*n->at[m]));
        n->at[m][n->count[m]++] = (struct named){ gs_strtab_str(n->texts, id),
                                                  prefix, id };
    }
    return id;
}

static int prefix_compare(const struct named *x, const struct named *y)
{
    return strcmp(x->prefix ? x->prefix : "", y->prefix ? y->prefix : "");
}

static int by_prefix(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int prefix = prefix_compare(x, y);

    return prefix ? prefix : strcmp(x->text, y->text);
}

/* "node-007": as wide as the last number, so that the order stays. */
static void map_number(struct pseudonyms *n, enum pseudonym_sort m)
{
    struct named *at = n->at[m];
    uint32_t first = 0;

    if (n->count[m])
        qsort(at, n->count[m], sizeof(*at), by_prefix);
    for (uint32_t i = 0, end; i < n->count[m]; i = end) {
        char text[64];
        int wide;

        first = i;
        for (end = i + 1;
             end < n->count[m] && prefix_compare(&at[end], &at[i]) == 0;)
            end++;
        wide = snprintf(text, sizeof(text), "%u", end - first);
        for (; i < end; i++) {
            if (at[i].prefix)
                (void)snprintf(text, sizeof(text), "%s%0*u", at[i].prefix, wide,
                               i - first + 1);
            *slot(n, m, at[i].id) = at[i].prefix ? gs_strtab_put(n->texts, text,
                                                                 strlen(text))
                                                 : at[i].id;
        }
    }
}

void pseudonyms_number(struct pseudonyms *n)
{
    for (int m = 0; m < PSEUDONYM_SORTS; m++)
        map_number(n, (enum pseudonym_sort)m);
    n->is_numbered = true;
}

void pseudonyms_free(struct pseudonyms *n)
{
    for (int m = 0; m < PSEUDONYM_SORTS; m++) {
        gs_array_free(n->at[m]);
        gs_array_free(n->to[m]);
    }
}

/* base/yamlkeys.c - duplicate and merged keys of a mapping. */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamlreader.h"

/* Up to this number keys are compared pairwise, beyond it by hash. */
#define FEW_KEYS 16u

/* --- keys by hash --------------------------------------------------------- */

struct keys {
    const struct gs_ynode **slot;
    uint32_t mask;
};

static void keys_init(struct keys *k, uint32_t count)
{
    uint32_t slots = 64;

    while (slots < count * 2)
        slots *= 2;
    k->slot = gs_array_new(slots, sizeof(const struct gs_ynode *));
    k->mask = slots - 1;
}

/* The equal key added before; NULL: none, and the key is added. */
static const struct gs_ynode *keys_put(struct keys *k,
                                       const struct gs_ynode *key)
{
    uint32_t i = 2166136261u;

    for (const char *s = key->text; *s; s++)
        i = (i ^ (unsigned char)*s) * 16777619u;
    for (i &= k->mask; k->slot[i]; i = (i + 1) & k->mask) {
        if (strcmp(k->slot[i]->text, key->text) == 0)
            return k->slot[i];
    }
    k->slot[i] = key;
    return NULL;
}

/* --- duplicates ----------------------------------------------------------- */

static int duplicate(const struct gs_yreader *r, const struct gs_ynode *key,
                     const struct gs_ynode *first)
{
    return gs_fail(r->err, GS_INPUT, gs_yreader_mark(r, key),
                   "duplicate key '%s' (first at line %d)", key->text,
                   first->line);
}

bool gs_ykey_merges(const struct gs_yreader *r, const struct gs_ynode *key)
{
    return r->is_foreign && key->kind == GS_YSCALAR && !key->quoted
           && strcmp(key->text, "<<") == 0;
}

int gs_ykey_check(const struct gs_yreader *r, const struct gs_ynode *map,
                  const struct gs_ynode *key)
{
    if (key->kind != GS_YSCALAR)
        return gs_fail(r->err, GS_INPUT, gs_yreader_mark(r, key),
                       "a key must be a plain text");
    if (!r->is_foreign && !key->quoted && strcmp(key->text, "<<") == 0)
        return gs_fail(r->err, GS_INPUT, gs_yreader_mark(r, key),
                       "merge keys ('<<') are not supported");
    if (map->len >= FEW_KEYS || r->replaced)
        return 0;
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (strcmp(v->key->text, key->text) == 0)
            return duplicate(r, key, v->key);
    }
    return 0;
}

/* Check the keys of a large map by hash; the first duplicate is reported. */
static int keys_check(const struct gs_yreader *r, const struct gs_ynode *map)
{
    struct keys keys;
    int rc = 0;

    keys_init(&keys, map->len);
    for (const struct gs_ynode *v = map->child; v && rc == 0; v = v->next) {
        const struct gs_ynode *first = keys_put(&keys, v->key);

        if (first)
            rc = duplicate(r, v->key, first);
    }
    gs_array_free(keys.slot);
    return rc;
}

/* Does a key come twice? */
static bool keys_repeat(const struct gs_ynode *map)
{
    const struct gs_ynode *v, *w;
    struct keys keys;
    bool found = false;

    if (map->len > FEW_KEYS) {
        keys_init(&keys, map->len);
        for (v = map->child; v && !found; v = v->next)
            found = keys_put(&keys, v->key) != NULL;
        gs_array_free(keys.slot);
        return found;
    }
    for (v = map->child; v && !found; v = v->next) {
        for (w = map->child; w != v && !found; w = w->next)
            found = strcmp(v->key->text, w->key->text) == 0;
    }
    return found;
}

/* Keep the last value of each key.  Returns the place for the pointer to one
 * more value.
 */
static const struct gs_ynode **keys_unite(struct gs_yreader *r,
                                          struct gs_ynode *map)
{
    const uint32_t count = map->len;
    const struct gs_ynode **value = gs_array_new(count, sizeof(*value));
    const struct gs_ynode **end = &map->child;
    struct keys keys;
    uint32_t i = 0;

    for (const struct gs_ynode *v = map->child; v; v = v->next)
        value[i++] = v;
    assert(i == count);
    keys_init(&keys, count);
    while (i--) {
        if (keys_put(&keys, value[i]->key)) {
            r->replaced(r->docs_ctx, value[i]->key);
            value[i] = NULL;
            map->len--;
        }
    }
    gs_array_free(keys.slot);
    for (i = 0; i < count; i++) {
        struct gs_ynode *copy;

        if (!value[i])
            continue;
        copy = gs_arena_memdup(r->arena, value[i], sizeof(*copy));
        copy->next = NULL;
        *end = copy;
        end = &copy->next;
    }
    gs_array_free(value);
    return end;
}

/* --- merging -------------------------------------------------------------- */

/* Iterate over the mappings of a merge key; `last` is NULL at first. */
static const struct gs_ynode *merge_next(const struct gs_ynode *merged,
                                         const struct gs_ynode *last)
{
    if (merged->kind == GS_YSEQ)
        return last ? last->next : merged->child;
    return last ? NULL : merged;
}

/* Add the merged keys.  A key of the mapping itself takes precedence over
 * merged ones, keys of an earlier mapping over those of a later one.
 */
static int keys_merge(struct gs_yreader *r, struct gs_ynode *map,
                      const struct gs_ynode **end,
                      const struct gs_ynode *merged)
{
    const struct gs_ynode *from = NULL;
    struct keys keys;
    uint32_t count = map->len;

    while ((from = merge_next(merged, from)) != NULL) {
        if (from->kind != GS_YMAP)
            return gs_fail(r->err, GS_INPUT, gs_yreader_mark(r, from),
                           "a merge key ('<<') needs a mapping, or a list of "
                           "mappings");
        count += from->len;
    }
    keys_init(&keys, count);
    for (const struct gs_ynode *v = map->child; v; v = v->next)
        keys_put(&keys, v->key);
    while ((from = merge_next(merged, from)) != NULL) {
        for (const struct gs_ynode *v = from->child; v; v = v->next) {
            struct gs_ynode *copy;

            if (keys_put(&keys, v->key))
                continue;
            copy = gs_arena_memdup(r->arena, v, sizeof(*v));
            copy->next = NULL;
            *end = copy;
            end = &copy->next;
            map->len++;
        }
    }
    gs_array_free(keys.slot);
    return 0;
}

int gs_ykeys_end(struct gs_yreader *r, struct gs_ynode *map,
                 const struct gs_ynode **end, const struct gs_ynode *merged)
{
    assert(map->kind == GS_YMAP && *end == NULL);
    if (r->replaced) {
        if (keys_repeat(map))
            end = keys_unite(r, map);
    } else if (map->len > FEW_KEYS && keys_check(r, map) < 0) {
        return -1;
    }
    return merged ? keys_merge(r, map, end, merged) : 0;
}

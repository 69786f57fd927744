/* base/strtab.c - open addressing over strings kept in an arena.
 *
 * Strings may be left out of the index: one that is not found there is sought
 * among all, and after some such searches all are in the index again.
 */
#include "base/strtab.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"

#define SEARCHES 16

struct strtab_index {
    struct gs_hash ids;
    bool is_part; /* strings are left out */
    uint32_t searches;
};

struct gs_strtab {
    struct gs_arena *arena;
    const char **str;
    uint32_t count, str_cap;
    struct strtab_index *index; /* of its own, since lookups change it */
};

static uint32_t hash_of(const char *s, size_t len)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ len;

    for (; len >= 8; s += 8, len -= 8) {
        uint64_t w;

        memcpy(&w, s, 8);
        h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    for (; len; s++, len--)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    h ^= h >> 29;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 32);
}

struct gs_strtab *gs_strtab_create(void)
{
    struct gs_strtab *t = gs_array_new(1, sizeof(*t));

    t->arena = gs_arena_create(1 << 16);
    t->index = gs_array_new(1, sizeof(*t->index));
    (void)gs_strtab_put(t, "", 0); /* becomes id 0 */
    return t;
}

void gs_strtab_destroy(struct gs_strtab *t)
{
    if (!t)
        return;
    gs_arena_destroy(t->arena);
    gs_array_free(t->str);
    gs_hash_free(&t->index->ids);
    gs_array_free(t->index);
    gs_array_free(t);
}

struct sought_string {
    const struct gs_strtab *t;
    const char *s;
    size_t len;
};

static bool is_same(const void *of, uint32_t id)
{
    const struct sought_string *k = of;

    return strncmp(k->t->str[id], k->s, k->len) == 0
           && k->t->str[id][k->len] == '\0';
}

static size_t length(const char *s, size_t len)
{
    const char *nul = len ? memchr(s, '\0', len) : NULL;

    return nul ? (size_t)(nul - s) : len;
}

static void index_all(const struct gs_strtab *t)
{
    gs_hash_free(&t->index->ids);
    for (uint32_t i = 0; i < t->count; i++)
        gs_hash_put(&t->index->ids, hash_of(t->str[i], strlen(t->str[i])), i);
    t->index->is_part = false;
}

/* The id among strings that may be left out. */
static uint32_t search(const struct sought_string *k)
{
    uint32_t id = 0;

    while (id < k->t->count && !is_same(k, id))
        id++;
    return id < k->t->count ? id : GS_HASH_NONE;
}

static uint32_t find(const struct sought_string *k, uint32_t hash)
{
    struct strtab_index *x = k->t->index;
    const uint32_t id = gs_hash_find(&x->ids, hash, is_same, k);

    if (id != GS_HASH_NONE || !x->is_part)
        return id;
    if (x->searches++ < SEARCHES)
        return search(k);
    index_all(k->t);
    return gs_hash_find(&x->ids, hash, is_same, k);
}

uint32_t gs_strtab_put(struct gs_strtab *t, const char *s, size_t len)
{
    const struct sought_string k = { t, s, length(s, len) };
    const uint32_t hash = hash_of(s, k.len);
    const uint32_t id = find(&k, hash);

    assert(t && (s || len == 0));
    if (id != GS_HASH_NONE)
        return id;
    assert(t->count < GS_STRTAB_NONE - 1);
    t->str = gs_array_grow(t->str, &t->str_cap, t->count + 1, sizeof(*t->str));
    t->str[t->count] = gs_arena_strndup(t->arena, s, k.len);
    gs_hash_put(&t->index->ids, hash, t->count);
    return t->count++;
}

uint32_t gs_strtab_find(const struct gs_strtab *t, const char *s, size_t len)
{
    const struct sought_string k = { t, s, length(s, len) };
    const uint32_t id = find(&k, hash_of(s, k.len));

    assert(t && (s || len == 0));
    return id == GS_HASH_NONE ? GS_STRTAB_NONE : id;
}

void gs_strtab_leave_out(struct gs_strtab *t, const bool *is_out)
{
    struct strtab_index *x = t->index;
    const struct gs_hash old = x->ids;

    assert(t && is_out);
    x->ids = (struct gs_hash){ 0 };
    for (uint32_t i = 0; i < old.slots; i++) {
        const struct gs_hash_slot *s = &old.slot[i];

        if (s->at && !is_out[s->at - 1])
            gs_hash_put(&x->ids, s->hash, s->at - 1);
    }
    gs_array_free(old.slot);
    t->str = gs_array_trim(t->str, &t->str_cap, t->count, sizeof(*t->str));
    x->is_part = true;
    x->searches = 0;
}

const char *gs_strtab_str(const struct gs_strtab *t, uint32_t id)
{
    assert(id < t->count);
    return t->str[id];
}

uint32_t gs_strtab_count(const struct gs_strtab *t)
{
    return t->count;
}

/* base/strtab.c - open addressing over strings kept in an arena. */
#include "base/strtab.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"

struct gs_strtab {
    struct gs_arena *arena;
    const char **str;
    uint32_t *hash; /* [id] */
    uint32_t count, str_cap, hash_cap;
    uint32_t *slot; /* id + 1; 0 empty */
    uint32_t slots; /* a power of two */
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
    t->slots = 256;
    t->slot = gs_array_new(t->slots, sizeof(*t->slot));
    (void)gs_strtab_put(t, "", 0); /* becomes id 0 */
    return t;
}

void gs_strtab_destroy(struct gs_strtab *t)
{
    if (!t)
        return;
    gs_arena_destroy(t->arena);
    gs_array_free(t->str);
    gs_array_free(t->hash);
    gs_array_free(t->slot);
    gs_array_free(t);
}

static uint32_t slot_of(const struct gs_strtab *t, const char *s, size_t len,
                        uint32_t hash)
{
    uint32_t i = hash & (t->slots - 1);

    for (; t->slot[i]; i = (i + 1) & (t->slots - 1)) {
        const uint32_t id = t->slot[i] - 1;

        if (t->hash[id] == hash && strncmp(t->str[id], s, len) == 0
            && t->str[id][len] == '\0')
            break;
    }
    return i;
}

static void slots_double(struct gs_strtab *t)
{
    assert(t->slots <= UINT32_MAX / 2 && (t->slots & (t->slots - 1)) == 0);
    gs_array_free(t->slot);
    t->slots *= 2;
    t->slot = gs_array_new(t->slots, sizeof(*t->slot));
    for (uint32_t id = 0; id < t->count; id++) {
        uint32_t i = t->hash[id] & (t->slots - 1);

        while (t->slot[i])
            i = (i + 1) & (t->slots - 1);
        t->slot[i] = id + 1;
    }
}

static size_t length(const char *s, size_t len)
{
    const char *nul = len ? memchr(s, '\0', len) : NULL;

    return nul ? (size_t)(nul - s) : len;
}

uint32_t gs_strtab_put(struct gs_strtab *t, const char *s, size_t len)
{
    uint32_t hash, i;

    assert(t && (s || len == 0));
    len = length(s, len);
    hash = hash_of(s, len);
    i = slot_of(t, s, len, hash);
    if (t->slot[i])
        return t->slot[i] - 1;
    t->str = gs_array_grow(t->str, &t->str_cap, t->count + 1, sizeof(*t->str));
    t->hash = gs_array_grow(t->hash, &t->hash_cap, t->count + 1,
                            sizeof(*t->hash));
    t->str[t->count] = gs_arena_strndup(t->arena, s, len);
    t->hash[t->count] = hash;
    assert(t->count < t->slots && t->count < GS_STRTAB_NONE - 1);
    t->slot[i] = ++t->count;
    if (t->count * 2 > t->slots)
        slots_double(t);
    return t->count - 1;
}

uint32_t gs_strtab_find(const struct gs_strtab *t, const char *s, size_t len)
{
    uint32_t i;

    assert(t && (s || len == 0));
    len = length(s, len);
    i = slot_of(t, s, len, hash_of(s, len));
    return t->slot[i] ? t->slot[i] - 1 : GS_STRTAB_NONE;
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

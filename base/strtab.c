/* base/strtab.c - open addressing over strings that never move.
 *
 * The bytes of all strings are a row of blocks.  Of each string 32 bits are
 * kept, the distance of its first byte from that of the first string of its
 * SHARE: a pointer would need twice as much, and traces have millions of names.
 *
 * Strings that rise are not in the index: their ids are in spans, and a string
 * is found among them by halving.
 *
 * Strings may be left out of the index: one that is not found there is sought
 * among all, and after some such searches all are in the index again.
 */
#include "base/strtab.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/hash.h"

#define SEARCHES 16
#define BLOCK 16u /* bytes of a block, as a power of two */
#define FAR_BLOCK 26u
#define SHARE 64u /* strings that have one place in full */

/* Rising strings with neighbouring ids. */
struct strtab_span {
    uint32_t first, count;
};

struct strtab_index {
    struct gs_hash ids; /* of strings that do not rise */
    bool is_part;       /* strings are left out */
    uint32_t searches;
};

/* The bytes of strings; each is in one block, or alone in several, of which
 * all but the first are NULL.
 */
struct strtab_bytes {
    char **block;
    uint32_t count, cap;
    uint32_t size; /* of a block, as a power of two */
    uint64_t end;  /* place of what is free in the last block */
};

struct gs_strtab {
    struct strtab_bytes bytes;
    struct gs_far *far; /* NULL: all is on the heap */
    uint64_t *base;     /* place of the first string of each SHARE */
    uint32_t *at;       /* places of strings after that */
    uint32_t count, at_cap, base_cap;
    struct strtab_span *span; /* each string of them is above those before */
    uint32_t span_count, span_cap;
    size_t rising_length;       /* of the last one */
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
    return gs_strtab_create_far(NULL);
}

struct gs_strtab *gs_strtab_create_far(struct gs_far *far)
{
    struct gs_strtab *t = gs_array_new(1, sizeof(*t));

    t->bytes.size = far ? FAR_BLOCK : BLOCK;
    t->far = far;
    t->index = gs_array_new(1, sizeof(*t->index));
    t->index->ids.far = far;
    (void)gs_strtab_put(t, "", 0); /* becomes id 0 */
    return t;
}

void gs_strtab_destroy(struct gs_strtab *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->bytes.count; i++)
        gs_far_free(t->far, t->bytes.block[i]);
    gs_array_free(t->bytes.block);
    gs_array_free(t->base);
    gs_far_free(t->far, t->at);
    gs_array_free(t->span);
    gs_hash_free(&t->index->ids);
    gs_array_free(t->index);
    gs_array_free(t);
}

const char *gs_strtab_str(const struct gs_strtab *t, uint32_t id)
{
    const struct strtab_bytes *b = &t->bytes;
    uint64_t place;

    assert(id < t->count);
    place = t->base[id / SHARE] + t->at[id];
    return &b->block[place >> b->size][place & ((UINT64_C(1) << b->size) - 1)];
}

struct sought_string {
    const struct gs_strtab *t;
    const char *s;
    size_t len;
};

static bool is_same(const void *of, uint32_t id)
{
    const struct sought_string *k = of;
    const char *s = gs_strtab_str(k->t, id);

    return strncmp(s, k->s, k->len) == 0 && s[k->len] == '\0';
}

static size_t length(const char *s, size_t len)
{
    const char *nul = len ? memchr(s, '\0', len) : NULL;

    return nul ? (size_t)(nul - s) : len;
}

static void index_all(const struct gs_strtab *t)
{
    uint32_t i = 0;

    gs_hash_free(&t->index->ids);
    for (uint32_t s = 0; s <= t->span_count; s++) {
        const uint32_t end = s < t->span_count ? t->span[s].first : t->count;

        for (; i < end; i++) {
            const char *text = gs_strtab_str(t, i);

            gs_hash_put(&t->index->ids, hash_of(text, strlen(text)), i);
        }
        i += s < t->span_count ? t->span[s].count : 0;
    }
    t->index->is_part = false;
}

/* Below 0, 0 or above 0 as string `id` is below, equal to or above the one that
 * is sought: a longer one is above a shorter one.
 */
static int against(const struct sought_string *k, uint32_t id)
{
    const char *s = gs_strtab_str(k->t, id);
    const size_t len = strlen(s);

    return len != k->len ? (len < k->len ? -1 : 1) : memcmp(s, k->s, len);
}

static uint32_t last_rising(const struct gs_strtab *t)
{
    const struct strtab_span *last = &t->span[t->span_count - 1];

    return last->first + last->count - 1;
}

/* True when it is above all strings that rise. */
static bool rises(const struct sought_string *k)
{
    const struct gs_strtab *t = k->t;

    if (!t->span_count || k->len > t->rising_length)
        return true;
    return k->len == t->rising_length
           && memcmp(gs_strtab_str(t, last_rising(t)), k->s, k->len) < 0;
}

/* The id among strings that rise. */
static uint32_t find_rising(const struct sought_string *k)
{
    const struct gs_strtab *t = k->t;
    uint32_t low = 0, high = t->span_count;

    if (rises(k))
        return GS_HASH_NONE;
    while (low < high) { /* spans before `low` begin at or below it */
        const uint32_t middle = low + (high - low) / 2;

        if (against(k, t->span[middle].first) > 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return GS_HASH_NONE;
    high = t->span[low - 1].first + t->span[low - 1].count;
    low = t->span[low - 1].first;
    while (high - low > 1) { /* string `low` is at or below it */
        const uint32_t middle = low + (high - low) / 2;

        if (against(k, middle) > 0)
            high = middle;
        else
            low = middle;
    }
    return against(k, low) == 0 ? low : GS_HASH_NONE;
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
    uint32_t id = gs_hash_find(&x->ids, hash, is_same, k);

    if (id == GS_HASH_NONE)
        id = find_rising(k);
    if (id != GS_HASH_NONE || !x->is_part)
        return id;
    if (x->searches++ < SEARCHES)
        return search(k);
    index_all(k->t);
    return gs_hash_find(&x->ids, hash, is_same, k);
}

/* The place of a copy of the `len` bytes at `s` with a NUL behind. */
static uint64_t bytes_put(struct strtab_bytes *b, struct gs_far *far,
                          const char *s, size_t len)
{
    const uint64_t size = UINT64_C(1) << b->size;
    const uint64_t many = (len >> b->size) + 1; /* blocks, with the NUL */
    uint64_t place = b->end;

    if (many > 1 || place >> b->size == b->count
        || (place & (size - 1)) + len + 1 > size) {
        place = (uint64_t)b->count << b->size;
        b->block = gs_array_grow(b->block, &b->cap, b->count + (uint32_t)many,
                                 sizeof(*b->block));
        b->block[b->count] = gs_far_new(far, many << b->size, 1);
        b->count += (uint32_t)many;
    }
    memcpy(&b->block[place >> b->size][place & (size - 1)], s, len);
    b->end = many > 1 ? (uint64_t)b->count << b->size : place + len + 1;
    return place;
}

/* Append the string that is sought, which is not there. */
static uint32_t append(struct gs_strtab *t, const struct sought_string *k)
{
    const uint32_t share = t->count / SHARE;
    uint64_t place;

    assert(t->count < GS_STRTAB_NONE - 1);
    place = bytes_put(&t->bytes, t->far, k->s, k->len);
    if (t->count % SHARE == 0) {
        t->base = gs_array_grow(t->base, &t->base_cap, share + 1,
                                sizeof(*t->base));
        t->base[share] = place;
    }
    t->at = gs_far_grow(t->far, t->at, &t->at_cap, t->count + 1,
                        sizeof(*t->at));
    t->at[t->count] = (uint32_t)(place - t->base[share]);
    assert(t->at[t->count] == place - t->base[share]);
    return t->count++;
}

uint32_t gs_strtab_put(struct gs_strtab *t, const char *s, size_t len)
{
    const struct sought_string k = { t, s, length(s, len) };
    const uint32_t hash = hash_of(s, k.len);
    const uint32_t id = find(&k, hash);

    assert(t && (s || len == 0));
    if (id != GS_HASH_NONE)
        return id;
    gs_hash_put(&t->index->ids, hash, t->count);
    return append(t, &k);
}

static void span_add(struct gs_strtab *t, uint32_t id)
{
    struct strtab_span *last = t->span_count ? &t->span[t->span_count - 1]
                                             : NULL;

    if (last && last->first + last->count == id) {
        last->count++;
        return;
    }
    t->span = gs_array_grow(t->span, &t->span_cap, t->span_count + 1,
                            sizeof(*t->span));
    t->span[t->span_count++] = (struct strtab_span){ id, 1 };
}

uint32_t gs_strtab_put_rising(struct gs_strtab *t, const char *s, size_t len)
{
    const struct sought_string k = { t, s, length(s, len) };
    uint32_t id;

    assert(t && s);
    if (t->index->is_part || !rises(&k))
        return gs_strtab_put(t, s, len);
    id = gs_hash_find(&t->index->ids, hash_of(s, k.len), is_same, &k);
    if (id != GS_HASH_NONE)
        return id;
    id = append(t, &k);
    span_add(t, id);
    t->rising_length = k.len;
    return id;
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
    x->ids = (struct gs_hash){ .far = old.far };
    for (uint32_t i = 0; i < old.slots; i++) {
        const struct gs_hash_slot *s = &old.slot[i];

        if (s->at && !is_out[s->at - 1])
            gs_hash_put(&x->ids, s->hash, s->at - 1);
    }
    gs_far_free(old.far, old.slot);
    t->at = gs_far_trim(t->far, t->at, &t->at_cap, t->count, sizeof(*t->at));
    x->is_part |= x->ids.count < old.count;
    x->searches = 0;
}

uint32_t gs_strtab_count(const struct gs_strtab *t)
{
    return t->count;
}

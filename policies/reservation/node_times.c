/* policies/reservation/node_times.c - which nodes are free, by time */
#include "policies/reservation/node_times.h"

#include <string.h>

#include "base/array.h"
#include "policies/reservation/node_steps.h"

/* --- sets ----------------------------------------------------------------- */

uint64_t *node_times_set(const struct node_times *t, uint32_t set)
{
    assert(set < t->sets);
    return t->bits + (size_t)set * t->words;
}

uint32_t node_times_words(const struct node_times *t)
{
    return t->words;
}

static uint32_t set_any(struct node_times *t)
{
    if (t->idle_sets)
        return t->idle_set[--t->idle_sets];
    t->bits = gs_array_grow(t->bits, &t->set_cap, t->sets + 1,
                            t->words * sizeof(*t->bits));
    return t->sets++;
}

uint32_t node_times_set_new(struct node_times *t)
{
    const uint32_t set = set_any(t);

    memset(node_times_set(t, set), 0, t->words * sizeof(*t->bits));
    return set;
}

void node_times_set_free(struct node_times *t, uint32_t set)
{
    assert(set && set < t->sets);
    t->idle_set = gs_array_grow(t->idle_set, &t->idle_set_cap, t->idle_sets + 1,
                                sizeof(*t->idle_set));
    t->idle_set[t->idle_sets++] = set;
}

/* --- steps ---------------------------------------------------------------- */

static int64_t end_of(const struct node_times *t, struct step c)
{
    const struct step next = step_after(t, c);

    return is_step(t, next) ? at_of(t, next) : GSCHED_NEVER;
}

struct step node_times_step(const struct node_times *t, int64_t at)
{
    struct step c = { 0, 0 };
    const struct block *b;

    for (uint32_t n = t->heads; n > 1; n -= n / 2)
        c.h = t->head[c.h + n / 2].at <= at ? c.h + n / 2 : c.h;
    b = block_of(t, c);
    for (uint32_t n = b->count; n > 1; n -= n / 2)
        c.i = b->at[c.i + n / 2] <= at ? c.i + n / 2 : c.i;
    return c;
}

static void head_sum(struct node_times *t, uint32_t h)
{
    struct block_head *d = &t->head[h];
    const struct block *b = &t->block[d->block];

    d->at = b->at[0];
    d->most = 0;
    d->given = 0;
    t->summed = t->summed < h ? t->summed : h;
    for (uint32_t i = 0; i < b->count; i++) {
        d->most = b->low[i] > d->most ? b->low[i] : d->most;
        d->given = b->given[i] > d->given ? b->given[i] : d->given;
    }
}

static uint32_t block_new(struct node_times *t)
{
    if (t->idle_blocks)
        return t->idle_block[--t->idle_blocks];
    t->block = gs_array_grow(t->block, &t->block_cap, t->blocks + 1,
                             sizeof(*t->block));
    return t->blocks++;
}

/* A block, empty, as number `h`. */
static struct block *head_insert(struct node_times *t, uint32_t h)
{
    const uint32_t block = block_new(t);

    t->head = gs_array_grow(t->head, &t->head_cap, t->heads + 1,
                            sizeof(*t->head));
    memmove(t->head + h + 1, t->head + h, (t->heads - h) * sizeof(*t->head));
    t->heads++;
    t->summed = t->summed < h ? t->summed : h;
    t->head[h] = (struct block_head){ .block = block };
    t->block[block].count = 0;
    return &t->block[block];
}

static void head_remove(struct node_times *t, uint32_t h)
{
    t->idle_block = gs_array_grow(t->idle_block, &t->idle_block_cap,
                                  t->idle_blocks + 1, sizeof(*t->idle_block));
    t->idle_block[t->idle_blocks++] = t->head[h].block;
    t->heads--;
    t->summed = t->summed < h ? t->summed : h;
    memmove(t->head + h, t->head + h + 1, (t->heads - h) * sizeof(*t->head));
}

/* Move `n` steps from place `i` of a block to place `k` of another or of the
 * same.
 */
static void steps_move(struct block *to, uint32_t k, const struct block *from,
                       uint32_t i, uint32_t n)
{
    assert(k + n <= STEPS && i + n <= STEPS);
    memmove(to->at + k, from->at + i, n * sizeof(*to->at));
    memmove(to->given + k, from->given + i, n * sizeof(*to->given));
    memmove(to->free + k, from->free + i, n * sizeof(*to->free));
    memmove(to->low + k, from->low + i, n * sizeof(*to->low));
    memmove(to->set + k, from->set + i, n * sizeof(*to->set));
}

static void block_split(struct node_times *t, uint32_t h)
{
    struct block *to = head_insert(t, h + 1);
    struct block *from = &t->block[t->head[h].block];

    assert(from->count == STEPS);
    steps_move(to, 0, from, STEPS / 2, STEPS / 2);
    to->count = from->count = STEPS / 2;
    head_sum(t, h);
    head_sum(t, h + 1);
}

/* The step that begins at this time. */
static struct step step_make(struct node_times *t, int64_t at)
{
    struct step c = node_times_step(t, at);
    struct block *b = block_of(t, c);
    uint32_t set;

    if (b->at[c.i] == at)
        return c;
    assert(b->at[c.i] < at);
    if (b->count == STEPS) {
        block_split(t, c.h);
        c = node_times_step(t, at);
        b = block_of(t, c);
    }
    set = set_any(t);
    memcpy(node_times_set(t, set), node_times_set(t, b->set[c.i]),
           t->words * sizeof(*t->bits));
    steps_move(b, c.i + 1, b, c.i, b->count - c.i);
    b->count++;
    b->at[c.i + 1] = at;
    b->set[c.i + 1] = set;
    return (struct step){ c.h, c.i + 1 };
}

static void step_remove(struct node_times *t, struct step c)
{
    struct block *b = block_of(t, c);

    node_times_set_free(t, b->set[c.i]);
    b->count--;
    steps_move(b, c.i, b, c.i + 1, b->count - c.i);
    if (b->count == 0)
        head_remove(t, c.h);
    else
        head_sum(t, c.h);
}

/* The step becomes part of the one before if the same nodes are free there.
 * Returns that one, or the step itself.
 */
static struct step step_join(struct node_times *t, struct step c)
{
    const struct block *b = block_of(t, c);
    struct step before;
    struct block *a;

    if (c.h == 0 && c.i == 0)
        return c;
    before = step_before(t, c);
    a = block_of(t, before);
    if (a->free[before.i] != b->free[c.i]
        || memcmp(node_times_set(t, a->set[before.i]),
                  node_times_set(t, b->set[c.i]), t->words * sizeof(*t->bits))
               != 0)
        return c;
    if (b->given[c.i] > a->given[before.i])
        a->given[before.i] = b->given[c.i];
    if (t->head[before.h].given < a->given[before.i])
        t->head[before.h].given = a->given[before.i];
    step_remove(t, c);
    return before;
}

struct node_times *node_times_new(uint32_t nodes)
{
    struct node_times *t = gs_array_new(1, sizeof(*t));
    struct block *b;
    uint64_t *bits;

    assert(nodes > 0);
    t->nodes = nodes;
    t->span = GSCHED_NEVER;
    t->version = 1;
    t->words = (nodes + 64 * ROW - 1) / (64 * ROW) * ROW;
    t->some = gs_array_new(t->words, sizeof(*t->some));
    (void)set_any(t); /* 0: no set */
    b = head_insert(t, 0);
    b->count = 1;
    b->at[0] = 0;
    b->given[0] = t->version;
    b->free[0] = b->low[0] = nodes;
    b->set[0] = set_any(t);
    bits = node_times_set(t, b->set[0]);
    memset(bits, 0, t->words * sizeof(*bits));
    for (uint32_t i = 0; i < nodes; i++)
        bits[i / 64] |= UINT64_C(1) << i % 64;
    head_sum(t, 0);
    return t;
}

void node_times_free(struct node_times *t)
{
    if (!t)
        return;
    gs_array_free(t->head);
    gs_array_free(t->block);
    gs_array_free(t->idle_block);
    gs_array_free(t->idle_set);
    gs_array_free(t->bits);
    gs_array_free(t->some);
    gs_array_free(t->least);
    gs_array_free(t);
}

/* --- lows ----------------------------------------------------------------- */

static bool is_after(struct step a, struct step b)
{
    return a.h != b.h ? a.h > b.h : a.i > b.i;
}

/* The last step from `c` on that begins at `at` or before. */
static struct step last_until(const struct node_times *t, struct step c,
                              int64_t at)
{
    for (struct step next = step_after(t, c);
         is_step(t, next) && at_of(t, next) <= at; next = step_after(t, next))
        c = next;
    return c;
}

/* The set of free nodes changed from step `first` until `to`: find the lows of
 * steps that meet this time.  From the last to the first, `least` has those of
 * the next `span` that no earlier one is as low as, the last of them first.
 */
static void low_update(struct node_times *t, struct step first, int64_t to)
{
    const int64_t from = at_of(t, first);
    const struct step last = last_until(t, first, to);
    struct step c = last_until(t, last, gsched_later(at_of(t, last), t->span));
    uint32_t count = 0, gone = 0;

    while ((first.h > 0 || first.i > 0) && at_of(t, first) > from - t->span)
        first = step_before(t, first);
    for (;; c = step_before(t, c)) {
        struct block *b = block_of(t, c);

        while (count > gone && t->least[count - 1].free >= b->free[c.i])
            count--;
        t->least = gs_array_grow(t->least, &t->least_cap, count + 1,
                                 sizeof(*t->least));
        t->least[count++] = (struct least){ b->at[c.i], b->free[c.i] };
        while (t->least[gone].at >= gsched_later(b->at[c.i], t->span))
            gone++;
        if (!is_after(c, last))
            b->low[c.i] = t->least[gone].free;
        if (c.h == first.h && c.i == first.i)
            break;
    }
    for (uint32_t h = first.h; h <= last.h; h++)
        head_sum(t, h);
}

void node_times_span(struct node_times *t, int64_t time)
{
    int64_t span = 1;

    if (time >= t->span)
        return;
    while (span <= time / 2)
        span *= 2;
    t->span = t->span == GSCHED_NEVER ? time : span;
    low_update(t, (struct step){ 0, 0 }, GSCHED_NEVER);
}

/* --- changes -------------------------------------------------------------- */

static void row_exchange(uint64_t *restrict bits, const uint64_t *restrict with,
                         bool is_gift)
{
    for (uint32_t w = 0; w < ROW; w++)
        assert((bits[w] & with[w]) == (is_gift ? 0 : with[w]));
    (void)is_gift;
    for (uint32_t w = 0; w < ROW; w++)
        bits[w] ^= with[w];
}

/* Exchange the nodes of the set in all steps from `from` until `to`; in each
 * all of them are free, or none is.
 */
static void exchange(struct node_times *t, uint32_t set, int64_t from,
                     int64_t to, bool is_gift)
{
    const uint32_t n = node_times_members(node_times_set(t, set), t->words);
    struct step c = { 0, 0 }, first;

    from = from > at_of(t, c) ? from : at_of(t, c);
    if (from >= to)
        return;
    if (to != GSCHED_NEVER)
        (void)step_make(t, to);
    first = step_make(t, from);
    for (c = first; is_step(t, c) && at_of(t, c) < to; c = step_after(t, c)) {
        struct block *b = block_of(t, c);
        const uint64_t *with = node_times_set(t, set);
        uint64_t *bits = node_times_set(t, b->set[c.i]);

        assert(is_gift || b->free[c.i] >= n);
        for (uint32_t w = 0; w < t->words; w += ROW)
            row_exchange(bits + w, with + w, is_gift);
        b->free[c.i] += is_gift ? n : 0 - n;
        if (is_gift)
            b->given[c.i] = t->version;
    }
    if (is_step(t, c))
        (void)step_join(t, c);
    low_update(t, step_join(t, first), to);
}

void node_times_take(struct node_times *t, uint32_t set, int64_t from,
                     int64_t to)
{
    exchange(t, set, from, to, false);
}

void node_times_give(struct node_times *t, uint32_t set, int64_t from,
                     int64_t to)
{
    t->version++;
    t->given_to[t->version % GIFTS] = to;
    exchange(t, set, from, to, true);
}

bool node_times_are_free(const struct node_times *t, uint32_t set, int64_t from,
                         int64_t to)
{
    const uint64_t *with = node_times_set(t, set);

    for (struct step c = node_times_step(t, from);
         is_step(t, c) && at_of(t, c) < to; c = step_after(t, c)) {
        const uint64_t *bits = node_times_set(t, block_of(t, c)->set[c.i]);

        for (uint32_t w = 0; w < t->words; w++) {
            if (with[w] & ~bits[w])
                return false;
        }
    }
    return true;
}

void node_times_trim(struct node_times *t, int64_t now)
{
    const struct step first = { 0, 0 };

    while (end_of(t, first) <= now)
        step_remove(t, first);
}

uint64_t node_times_version(const struct node_times *t)
{
    return t->version;
}

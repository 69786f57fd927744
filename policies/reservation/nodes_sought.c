/* policies/reservation/nodes_sought.c - the search of node_times.h */
#include <string.h>

#include "policies/reservation/node_steps.h"

/* Its own nodes, if they are free in all of the step that a run from `at` on
 * needs.
 */
static const uint64_t *own_of(const struct node_times *t,
                              const struct nodes_sought *it, struct step c,
                              int64_t at)
{
    return it->own && (at_of(t, c) >= it->before || at >= it->before)
               ? node_times_set(t, it->own)
               : NULL;
}

static void row_meet(uint64_t *restrict some, const uint64_t *restrict bits)
{
    for (uint32_t w = 0; w < ROW; w++)
        some[w] &= bits[w];
}

static void row_meet_either(uint64_t *restrict some,
                            const uint64_t *restrict bits,
                            const uint64_t *restrict own)
{
    for (uint32_t w = 0; w < ROW; w++)
        some[w] &= bits[w] | own[w];
}

/* Put the nodes that are free for it->time from `at`, in step `c`, into
 * t->some.  Returns how many.
 */
static uint32_t free_for(struct node_times *t, const struct nodes_sought *it,
                         struct step c, int64_t at)
{
    const int64_t end = gsched_later(at, it->time);

    t->some_at = at;
    memset(t->some, 0xff, t->words * sizeof(*t->some));
    for (; is_step(t, c) && at_of(t, c) < end; c = step_after(t, c)) {
        const uint64_t *bits = node_times_set(t, block_of(t, c)->set[c.i]);
        const uint64_t *own = own_of(t, it, c, at);

        for (uint32_t w = 0; !own && w < t->words; w += ROW)
            row_meet(t->some + w, bits + w);
        for (uint32_t w = 0; own && w < t->words; w += ROW)
            row_meet_either(t->some + w, bits + w, own + w);
    }
    return node_times_members(t->some, t->words);
}

/* Something was given since for times before this one only; GSCHED_NEVER: not
 * known.
 */
static int64_t given_until(const struct node_times *t, uint64_t since)
{
    int64_t until = 0;

    if (since == 0 || t->version - since > GIFTS)
        return GSCHED_NEVER;
    for (uint64_t v = t->version; v > since; v--) {
        const int64_t to = t->given_to[v % GIFTS];

        until = to > until ? to : until;
    }
    return until;
}

/* The first step from `c` on, of those that begin before `end`, in which
 * something was given since; none: a step that is none, or one at `end` or
 * after.
 */
static struct step next_given(const struct node_times *t, struct step c,
                              uint64_t since, int64_t end)
{
    for (; is_step(t, c) && t->head[c.h].at < end;
         c = (struct step){ c.h + 1, 0 }) {
        const struct block *b = block_of(t, c);

        if (t->head[c.h].given <= since)
            continue;
        for (; c.i < b->count; c.i++) {
            if (b->given[c.i] > since)
                return c;
        }
    }
    return c;
}

/* True when something was given since for a run from `at`, in step `c`. */
static bool is_given(const struct node_times *t, const struct nodes_sought *it,
                     struct step c, int64_t at)
{
    const int64_t end = gsched_later(at, it->time);
    const struct step given = next_given(t, c, it->since, end);

    return is_step(t, given) && at_of(t, given) < end;
}

/* The first block from `h` on that has a step with such a low. */
static uint32_t next_block(struct node_times *t, uint32_t h, uint32_t nodes)
{
    uint32_t low = 0, high;

    while (t->summed < t->heads
           && (t->summed == 0 || t->head[t->summed - 1].most_so_far < nodes)) {
        const uint32_t so_far = t->summed ? t->head[t->summed - 1].most_so_far
                                          : 0;
        struct block_head *d = &t->head[t->summed++];

        d->most_so_far = d->most > so_far ? d->most : so_far;
    }
    for (high = t->summed; low < high;) {
        const uint32_t mid = low + (high - low) / 2;

        if (t->head[mid].most_so_far < nodes)
            low = mid + 1;
        else
            high = mid;
    }
    h = h > low ? h : low;
    while (h < t->heads && t->head[h].most < nodes)
        h++;
    return h;
}

/* The first step from `c` on with such a low. */
static struct step next_low(struct node_times *t, struct step c, uint32_t nodes)
{
    while (is_step(t, c)) {
        const uint32_t h = next_block(t, c.h, nodes);
        const struct block *b;

        if (h != c.h)
            c = (struct step){ h, 0 };
        if (!is_step(t, c))
            break;
        for (b = block_of(t, c); c.i < b->count; c.i++) {
            if (b->low[c.i] >= nodes)
                return c;
        }
        c = (struct step){ h + 1, 0 };
    }
    return c;
}

/* The first step in the time of a run from `at`, in step `c`, that has too few
 * free nodes; none: a step that is none.
 */
static struct step next_lack(const struct node_times *t,
                             const struct nodes_sought *it, struct step c,
                             int64_t at)
{
    const int64_t end = gsched_later(at, it->time);

    for (; is_step(t, c) && at_of(t, c) < end; c = step_after(t, c)) {
        if (block_of(t, c)->free[c.i] < it->nodes)
            return c;
    }
    return (struct step){ t->heads, 0 };
}

static bool is_before(struct step a, struct step b)
{
    return a.h != b.h ? a.h < b.h : a.i < b.i;
}

/* The earliest start until `last`, so early that its own nodes do not count;
 * it->before when there is none.
 */
static int64_t earliest_apart(struct node_times *t,
                              const struct nodes_sought *it, int64_t last)
{
    struct step c = { next_block(t, 0, it->nodes), 0 }, given = { 0, 0 };

    if (!is_step(t, c) || (c.h > 0 && t->head[c.h].at > last))
        return it->before;
    c = node_times_step(t, it->from);
    while (is_step(t, c = next_low(t, c, it->nodes))) {
        const int64_t at = at_of(t, c) > it->from ? at_of(t, c) : it->from;
        struct step lack;

        if (at > last)
            break;
        if (it->since && is_before(given, c))
            given = next_given(t, c, it->since, GSCHED_NEVER);
        if (!is_step(t, given))
            break;
        if (it->since && at_of(t, given) >= gsched_later(at, it->time)) {
            c = step_after(t, node_times_step(t, at_of(t, given) - it->time));
            continue;
        }
        lack = next_lack(t, it, c, at);
        if (is_step(t, lack)) {
            c = step_after(t, lack);
            continue;
        }
        if (free_for(t, it, c, at) >= it->nodes)
            return at;
        c = step_after(t, c);
    }
    return it->before;
}

/* The same of the starts after `last`: until its own nodes are free, others
 * must be enough.  `end` is the step before.
 */
static int64_t earliest_beside(struct node_times *t,
                               const struct nodes_sought *it, int64_t last,
                               struct step end)
{
    const int64_t from = it->from > last ? it->from : last + 1;
    struct step c = end;

    if (it->before <= from || block_of(t, c)->free[c.i] < it->nodes)
        return it->before;
    while (at_of(t, c) > from) {
        const struct step before = step_before(t, c);

        if (block_of(t, before)->free[before.i] < it->nodes)
            break;
        c = before;
    }
    for (; !is_before(end, c); c = step_after(t, c)) {
        const int64_t at = at_of(t, c) > it->from ? at_of(t, c) : it->from;

        if (at > last && is_given(t, it, c, at)
            && free_for(t, it, c, at) >= it->nodes)
            return at;
    }
    return it->before;
}

int64_t node_times_earliest(struct node_times *t, const struct nodes_sought *it)
{
    assert(it->nodes > 0 && it->time > 0);
    node_times_span(t, it->time);
    t->some_at = -1;
    return earliest_apart(t, it, it->before - 1);
}

bool node_times_better(struct node_times *t, const struct nodes_sought *it,
                       int64_t *at)
{
    const int64_t last = it->before - it->time;
    const int64_t until = given_until(t, it->since);
    struct step c;

    assert(it->nodes > 0 && it->time > 0 && it->own);
    assert(it->from < it->before);
    node_times_span(t, it->time);
    t->some_at = -1;
    *at = earliest_apart(t, it, until <= last ? until - 1 : last);
    if (*at < it->before || until <= last + 1)
        return *at < it->before;
    c = node_times_step(t, it->before);
    *at = earliest_beside(t, it, last,
                          at_of(t, c) < it->before ? c : step_before(t, c));
    return *at < it->before || is_given(t, it, c, it->before);
}

bool node_times_lowest(struct node_times *t, const struct nodes_sought *it,
                       int64_t at, uint32_t set)
{
    uint64_t *bits = node_times_set(t, set);
    uint32_t left = it->nodes, row = 0;

    if (t->some_at != at && free_for(t, it, node_times_step(t, at), at) < left)
        return false;
    memcpy(bits, t->some, t->words * sizeof(*bits));
    for (; row < t->words && row_members(bits + row) <= left; row += ROW)
        left -= (uint32_t)row_members(bits + row);
    for (uint32_t w = row; w < t->words; w++) {
        uint64_t rest = bits[w];

        for (; rest && left > 0; left--)
            rest &= rest - 1;
        bits[w] &= ~rest;
    }
    return true;
}

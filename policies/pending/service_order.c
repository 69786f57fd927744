/* policies/pending/service_order.c - whose turn it is.
 *
 * Queues are served from the top of the tree down: of the queues below one
 * parent, the one that the modules put first; in it, the bin whose first item
 * goes first.  An inner queue's own jobs go before those of the queues below
 * it.  Without a module that tells queues apart there is but one line.
 */
#include "policies/pending/service_order.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"

/* --- lines of bins ---------------------------------------------------------- */

static struct line *line_of(struct gsched *s, const struct bin *b)
{
    static const int line_of_kind[] = {
        [ASK_ENTER] = LINE_ENTER, [ASK_GANG] = LINE_GANGS,
        [ASK_POD] = LINE_GANGS,   [ASK_ELASTIC] = LINE_ELASTIC,
        [ASK_ALL] = LINE_GANGS,
    };

    return &s->order->queue[b->queue]
                .line[line_of_kind[s->pending->ask[b->ask].kind]];
}

static bool bin_before(const struct gsched *s, uint32_t a, uint32_t b)
{
    assert(s->pending->bin[a].count > 0 && s->pending->bin[b].count > 0);
    return gsched_item_compare(s, &s->pending->bin[a].heap[0],
                               &s->pending->bin[b].heap[0])
           < 0;
}

static void line_put(struct gsched *s, struct line *l, uint32_t i, uint32_t bin)
{
    assert(i <= l->count);
    l->bin[i] = bin;
    s->pending->bin[bin].at = i;
}

static void line_up(struct gsched *s, struct line *l, uint32_t i)
{
    const uint32_t bin = l->bin[i];

    for (; i > 0 && bin_before(s, bin, l->bin[(i - 1) / 2]); i = (i - 1) / 2)
        line_put(s, l, i, l->bin[(i - 1) / 2]);
    line_put(s, l, i, bin);
}

static void line_down(struct gsched *s, struct line *l, uint32_t i)
{
    const uint32_t bin = l->bin[i];

    for (uint32_t k = 2 * i + 1; k < l->count; k = 2 * i + 1) {
        if (k + 1 < l->count && bin_before(s, l->bin[k + 1], l->bin[k]))
            k++;
        if (!bin_before(s, l->bin[k], bin))
            break;
        line_put(s, l, i, l->bin[k]);
        i = k;
    }
    line_put(s, l, i, bin);
}

void gsched_line_add(struct gsched *s, uint32_t bin)
{
    struct line *l = line_of(s, &s->pending->bin[bin]);

    assert(s->pending->bin[bin].count > 0
           && gsched_ask_stands(s, s->pending->bin[bin].ask));
    if (s->pending->bin[bin].at != NONE)
        return;
    l->bin = gs_array_grow(l->bin, &l->cap, l->count + 1, sizeof(*l->bin));
    l->bin[l->count] = bin;
    line_up(s, l, l->count++);
    s->order->lined++;
}

void gsched_line_drop(struct gsched *s, uint32_t bin)
{
    struct line *l = line_of(s, &s->pending->bin[bin]);
    const uint32_t i = s->pending->bin[bin].at;
    uint32_t last;

    if (i == NONE)
        return;
    assert(s->order->lined > 0 && i < l->count && l->bin[i] == bin);
    s->pending->bin[bin].at = NONE;
    s->order->lined--;
    last = l->bin[--l->count];
    if (i == l->count)
        return;
    line_put(s, l, i, last);
    line_up(s, l, i);
    line_down(s, l, s->pending->bin[last].at);
}

void gsched_line_moved(struct gsched *s, uint32_t bin)
{
    struct line *l = line_of(s, &s->pending->bin[bin]);

    assert(s->pending->bin[bin].at == NONE
           || l->bin[s->pending->bin[bin].at] == bin);
    if (s->pending->bin[bin].at == NONE)
        return;
    line_up(s, l, s->pending->bin[bin].at);
    line_down(s, l, s->pending->bin[bin].at);
}

void gsched_line_aside(struct gsched *s, uint32_t bin, uint8_t gate)
{
    gsched_line_drop(s, bin);
    gsched_bin_refused(s, &s->pending->bin[bin], gate);
    s->order->aside = gs_array_grow(s->order->aside, &s->order->aside_cap,
                                    s->order->aside_count + 1,
                                    sizeof(*s->order->aside));
    s->order->aside[s->order->aside_count++] = bin;
}

void gsched_line_rejoin(struct gsched *s)
{
    assert(s->order->aside_count == 0 || s->pending->bin_count > 0);
    for (uint32_t i = 0; i < s->order->aside_count; i++) {
        const struct bin *b = &s->pending->bin[s->order->aside[i]];

        if (b->count && gsched_ask_stands(s, b->ask))
            gsched_line_add(s, s->order->aside[i]);
    }
    s->order->aside_count = 0;
}

/* --- queues in order -------------------------------------------------------- */

/* The ancestor of `q` (or itself) right below the one it shares with the
 * other, both as deep as each other.
 */
static uint32_t depth_of(const struct gsched *s, uint32_t q)
{
    uint32_t depth = 0;

    for (; q != s->queue_count; q = s->order->queue[q].parent)
        depth++;
    return depth;
}

int gsched_queue_compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    uint32_t x = a, y = b, dx, dy;

    assert(a < s->queue_count && b < s->queue_count);
    if (a == b)
        return 0;
    dx = depth_of(s, x);
    dy = depth_of(s, y);
    for (; dx > dy; dx--)
        x = s->order->queue[x].parent;
    for (; dy > dx; dy--)
        y = s->order->queue[y].parent;
    if (x == y)
        return depth_of(s, a) < depth_of(s, b) ? -1 : 1;
    while (s->order->queue[x].parent != s->order->queue[y].parent) {
        x = s->order->queue[x].parent;
        y = s->order->queue[y].parent;
    }
    dx = (uint32_t)gsched_vote_queues(s, x, y);
    if ((int)dx != 0)
        return (int)dx;
    return x < y ? -1 : 1;
}

int gsched_bin_compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    const int order = s->modules->has_queues ? gsched_queue_compare(
                          s, s->pending->bin[a].queue, s->pending->bin[b].queue)
                                             : 0;

    return order ? order
                 : gsched_item_compare(s, &s->pending->bin[a].heap[0],
                                       &s->pending->bin[b].heap[0]);
}

static bool queue_before(const struct gsched *s, uint32_t a, uint32_t b)
{
    const int order = gsched_vote_queues(s, a, b);

    return order != 0 ? order < 0 : a < b;
}

/* The queue on top of those below `parent` goes where it belongs. */
static void child_down(struct gsched *s, uint32_t parent, uint32_t i)
{
    uint32_t *slot = s->order->child_slot + s->order->queue[parent].first_child;
    const uint32_t n = s->order->queue[parent].active, q = slot[i];

    assert(i < n);
    for (uint32_t k = 2 * i + 1; k < n; k = 2 * i + 1) {
        if (k + 1 < n && queue_before(s, slot[k + 1], slot[k]))
            k++;
        if (!queue_before(s, slot[k], q))
            break;
        slot[i] = slot[k];
        i = k;
    }
    slot[i] = q;
}

static void activate(struct gsched *s, uint32_t queue)
{
    for (uint32_t q = queue;
         q != s->queue_count && !s->order->queue[q].is_active;
         q = s->order->queue[q].parent) {
        struct queue *up = &s->order->queue[s->order->queue[q].parent];

        s->order->queue[q].is_active = true;
        s->order->child_slot[up->first_child + up->active++] = q;
    }
}

void gsched_turn_begin(struct gsched *s, int line)
{
    assert(line >= 0 && line < LINES);
    if (!s->modules->has_queues || s->order->lined == 0)
        return;
    for (uint32_t q = 0; q <= s->queue_count; q++) {
        s->order->queue[q].active = 0;
        s->order->queue[q].is_active = false;
    }
    for (uint32_t q = 0; q < s->queue_count; q++) {
        if (s->order->queue[q].line[line].count)
            activate(s, q);
    }
    for (uint32_t q = 0; q <= s->queue_count; q++) {
        for (uint32_t i = s->order->queue[q].active / 2; i-- > 0;)
            child_down(s, q, i);
    }
}

/* The first queue below `parent` is through. */
static void child_drop(struct gsched *s, uint32_t parent)
{
    uint32_t *slot = s->order->child_slot + s->order->queue[parent].first_child;

    assert(s->order->queue[parent].active > 0);
    slot[0] = slot[--s->order->queue[parent].active];
    if (s->order->queue[parent].active > 1)
        child_down(s, parent, 0);
}

/* All that waits below a queue in this pass is held by its quota. */
static void blame_quota(struct gsched *s, uint32_t queue, int line)
{
    const struct queue *q = &s->order->queue[queue];

    for (uint32_t i = 0; i < q->line[line].count; i++)
        gsched_bin_refused(s, &s->pending->bin[q->line[line].bin[i]],
                           s->modules->refuser);
    for (uint32_t i = 0; i < q->active; i++)
        blame_quota(s, s->order->child_slot[q->first_child + i], line);
}

/* Down the tree to the first queue that has a bin in line, or NONE after
 * dropping one that may take no more, or whose bins fell asleep with another
 * queue's that ask for the same.
 */
static uint32_t descend(struct gsched *s, int line)
{
    uint32_t q = s->queue_count;

    while (q == s->queue_count || s->order->queue[q].line[line].count == 0) {
        const uint32_t child =
            s->order->child_slot[s->order->queue[q].first_child];
        const bool is_through = s->order->queue[child].line[line].count == 0
                                && s->order->queue[child].active == 0;

        if (is_through
            || (line != LINE_ENTER && gsched_vote_overused(s, child))) {
            blame_quota(s, child, line);
            child_drop(s, q);
            gsched_turn_taken(s, q, line);
            return NONE;
        }
        q = child;
    }
    return q;
}

uint32_t gsched_turn_next(struct gsched *s, int line)
{
    uint32_t bin = NONE;

    assert(line >= 0 && line < LINES);
    if (!s->modules->has_queues) {
        if (s->order->queue[0].line[line].count)
            bin = s->order->queue[0].line[line].bin[0];
    } else if (s->order->lined) {
        while (bin == NONE && s->order->queue[s->queue_count].active) {
            const uint32_t q = descend(s, line);

            bin = q == NONE ? NONE : s->order->queue[q].line[line].bin[0];
        }
    }
    if (bin != NONE)
        gsched_bin_blames(s, &s->pending->bin[bin], GSCHED_NO_CAUSE);
    return bin;
}

void gsched_turn_taken(struct gsched *s, uint32_t queue, int line)
{
    assert(queue <= s->queue_count && line >= 0 && line < LINES);
    if (!s->modules->has_queues)
        return;
    for (uint32_t q = queue; q != s->queue_count;
         q = s->order->queue[q].parent) {
        const uint32_t parent = s->order->queue[q].parent;

        if (s->order->queue[q].line[line].count || s->order->queue[q].active)
            child_down(s, parent, 0);
        else
            child_drop(s, parent);
    }
}

/* The tree of queues, its root last; one line when nobody tells them apart. */
void gsched_order_open(struct gsched *s)
{
    const uint32_t n = s->modules->has_queues ? s->queues : 1;
    uint32_t slot = 0;

    s->order = gs_arena_alloc(s->arena, 1, sizeof(*s->order));
    s->queue_count = n;
    s->order->queue = gs_arena_alloc(s->arena, n + 1, sizeof(*s->order->queue));
    s->order->child_slot = gs_arena_alloc(s->arena, n,
                                          sizeof(*s->order->child_slot));
    for (uint32_t q = 0; q < n; q++) {
        const uint32_t parent = s->modules->has_queues
                                    ? s->work->queue[q].parent
                                    : TRACE_NONE;

        s->order->queue[q].front = NONE;
        s->order->queue[q].parent = parent == TRACE_NONE ? n : parent;
        s->order->queue[s->order->queue[q].parent].child_count++;
    }
    for (uint32_t q = 0; q <= n; q++) {
        s->order->queue[q].first_child = slot;
        slot += s->order->queue[q].child_count;
    }
}

void gsched_order_close(struct gsched *s)
{
    if (!s->order)
        return;
    for (uint32_t q = 0; q < s->queue_count; q++) {
        for (int line = 0; line < LINES; line++)
            gs_array_free(s->order->queue[q].line[line].bin);
        gs_array_free(s->order->queue[q].waiting);
    }
    gs_array_free(s->order->aside);
}

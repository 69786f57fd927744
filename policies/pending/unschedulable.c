/* policies/pending/unschedulable.c - what cannot be placed sleeps until there is room for it.
 *
 * An ask for tasks of one shape sleeps beside that shape, those that ask for
 * the fewest tasks first; it wakes when a node was freed that could take such
 * a task and there is room for as many as it asks for.  Others wake when any
 * of their shapes could use what was freed; those of jobs with rules about
 * others whenever such jobs moved, be it that one was placed.
 */
#include "policies/pending/unschedulable.h"

#include <assert.h>

#include "base/array.h"
#include "policies/pending/cause_follow.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"

bool gsched_ask_stands(const struct gsched *s, uint32_t ask)
{
    assert(ask < s->pending->ask_count);
    return s->pending->ask[ask].sleeps_at == NONE
           || (s->modules->keeps_lines
               && s->pending->ask[ask].kind != ASK_ELASTIC);
}

void gsched_ask_rouse(struct gsched *s, uint32_t ask)
{
    const uint8_t kind = s->pending->ask[ask].kind;

    if (!s->modules->keeps_lines || s->pending->ask[ask].awake_at != NONE
        || kind == ASK_ENTER || kind == ASK_ELASTIC)
        return;
    s->pending->awake = gs_array_grow(s->pending->awake, &s->pending->awake_cap,
                                      s->pending->awake_count + 1,
                                      sizeof(*s->pending->awake));
    s->pending
        ->awake[s->pending->ask[ask].awake_at = s->pending->awake_count++] =
        ask;
}

void gsched_ask_rest(struct gsched *s, uint32_t ask)
{
    const uint32_t i = s->pending->ask[ask].awake_at;

    assert(i == NONE
           || (i < s->pending->awake_count && s->pending->awake[i] == ask));
    if (i == NONE)
        return;
    s->pending->awake[i] = s->pending->awake[--s->pending->awake_count];
    s->pending->ask[s->pending->awake[i]].awake_at = i;
    s->pending->ask[ask].awake_at = NONE;
}

bool gsched_ask_is_asleep(const struct gsched *s, uint32_t ask)
{
    assert(ask < s->pending->ask_count);
    return s->pending->ask[ask].sleeps_at != NONE;
}

static void sleeper_put(struct gsched *s, struct shape_view *sv, uint32_t i,
                        uint32_t ask)
{
    sv->sleeper[i] = ask;
    s->pending->ask[ask].sleeps_at = i;
}

static void sleeper_settle(struct gsched *s, struct shape_view *sv, uint32_t i)
{
    const uint32_t ask = sv->sleeper[i], need = s->pending->ask[ask].need;

    assert(i <= sv->sleeper_count);
    for (; i > 0 && need < s->pending->ask[sv->sleeper[(i - 1) / 2]].need;
         i = (i - 1) / 2)
        sleeper_put(s, sv, i, sv->sleeper[(i - 1) / 2]);
    for (uint32_t k = 2 * i + 1; k < sv->sleeper_count; k = 2 * i + 1) {
        if (k + 1 < sv->sleeper_count
            && s->pending->ask[sv->sleeper[k + 1]].need
                   < s->pending->ask[sv->sleeper[k]].need)
            k++;
        if (need <= s->pending->ask[sv->sleeper[k]].need)
            break;
        sleeper_put(s, sv, i, sv->sleeper[k]);
        i = k;
    }
    sleeper_put(s, sv, i, ask);
}

static void sleep_simple(struct gsched *s, uint32_t ask)
{
    const uint32_t shape = s->pending->ask[ask].shape;
    struct shape_view *sv = gsched_shape(s, shape);

    assert(s->pending->ask[ask].need > 0);
    sv->sleeper = gs_array_grow(sv->sleeper, &sv->sleeper_cap,
                                sv->sleeper_count + 1, sizeof(*sv->sleeper));
    sv->sleeper[sv->sleeper_count] = ask;
    sleeper_settle(s, sv, sv->sleeper_count++);
    if (sv->listed != NONE)
        return;
    s->pending->sleeping = gs_array_grow(
        s->pending->sleeping, &s->pending->sleeping_cap,
        s->pending->sleeping_count + 1, sizeof(*s->pending->sleeping));
    s->pending->sleeping[sv->listed = s->pending->sleeping_count++] = shape;
}

void gsched_ask_sleep(struct gsched *s, uint32_t ask, enum gsched_cause why)
{
    struct ask *a = &s->pending->ask[ask];

    assert(why != GSCHED_NO_CAUSE && why < GSCHED_CAUSES);
    if (a->kind != ASK_ALL)
        gsched_ask_blames(s, a, why);
    gsched_cause_found(s, ask);
    if (a->sleeps_at != NONE)
        return;
    a->moves = s->allocations->moves;
    if (a->is_simple) {
        sleep_simple(s, ask);
    } else {
        s->pending->complex = gs_array_grow(
            s->pending->complex, &s->pending->complex_cap,
            s->pending->complex_count + 1, sizeof(*s->pending->complex));
        s->pending->complex[s->pending->ask[ask].sleeps_at =
                                s->pending->complex_count++] = ask;
    }
    gsched_ask_rest(s, ask);
    for (uint32_t b = s->pending->ask[ask].first_bin; b != NONE;
         b = s->pending->bin[b].next) {
        gsched_bin_blames(s, &s->pending->bin[b], GSCHED_NO_CAUSE);
        if (!gsched_ask_stands(s, ask))
            gsched_line_drop(s, b);
    }
}

static void sleeper_drop(struct gsched *s, const struct ask *a)
{
    struct shape_view *sv = gsched_shape_seen(s, a->shape);
    const uint32_t i = a->sleeps_at, last = sv->sleeper[--sv->sleeper_count];

    assert(i <= sv->sleeper_count && sv->listed != NONE);
    assert(&s->pending->ask[sv->sleeper[i]] == a || i == sv->sleeper_count);
    if (i < sv->sleeper_count) {
        sleeper_put(s, sv, i, last);
        sleeper_settle(s, sv, i);
    }
    if (sv->sleeper_count == 0) {
        const uint32_t shape =
            s->pending->sleeping[--s->pending->sleeping_count];

        s->pending->sleeping[sv->listed] = shape;
        gsched_shape_seen(s, shape)->listed = sv->listed;
        sv->listed = NONE;
    }
}

void gsched_ask_wake(struct gsched *s, uint32_t ask)
{
    struct ask *a = &s->pending->ask[ask];

    assert(a->sleeps_at == NONE || a->is_simple
           || s->pending->complex[a->sleeps_at] == ask);
    if (a->sleeps_at == NONE)
        return;
    if (a->is_simple) {
        sleeper_drop(s, a);
    } else {
        const uint32_t last = s->pending->complex[--s->pending->complex_count];

        s->pending->complex[a->sleeps_at] = last;
        s->pending->ask[last].sleeps_at = a->sleeps_at;
    }
    a->sleeps_at = NONE;
    gsched_ask_rouse(s, ask);
    for (uint32_t b = a->first_bin; b != NONE; b = s->pending->bin[b].next) {
        if (s->pending->bin[b].count)
            gsched_line_add(s, b);
    }
}

/* Was a node freed that could take a task of the shape? */
static bool shape_woken(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape(s, shape);
    bool woken = false;

    assert(shape < s->work->shape_count);
    if (sv->woken_in == s->pending->wakes)
        return sv->woken;
    for (uint32_t i = 0; i < s->allocations->freed_count && !woken; i++)
        woken = gsched_shape_suits(s, shape, s->allocations->freed[i]);
    sv = gsched_shape_seen(s, shape);
    sv->woken_in = s->pending->wakes;
    sv->woken = woken;
    return woken;
}

/* Wake those of the shape's sleepers that there is room for. */
static void wake_simple(struct gsched *s, uint32_t shape)
{
    uint64_t room;

    if (!shape_woken(s, shape))
        return;
    room = gsched_shape_room(s, shape);
    while (gsched_shape_seen(s, shape)->sleeper_count
           && s->pending->ask[gsched_shape_seen(s, shape)->sleeper[0]].need
                  <= room)
        gsched_ask_wake(s, gsched_shape_seen(s, shape)->sleeper[0]);
}

/* The job that asks for it, or that goes first of those. */
static uint32_t asking(const struct gsched *s, const struct ask *a)
{
    assert(a->first_bin != NONE);
    return a->kind == ASK_ALL && s->pending->bin[a->first_bin].count
               ? s->pending->bin[a->first_bin].heap[0].job
               : a->sample;
}

/* Could what was freed, or who moved, help the first that asks for it? */
static bool complex_woken(struct gsched *s, const struct ask *a)
{
    const uint32_t job = asking(s, a);

    if (a->moves != s->allocations->moves && gsched_has_rules(s, job))
        return true;
    if (a->kind == ASK_ALL && s->pending->bin[a->first_bin].count) {
        const struct item *top = &s->pending->bin[a->first_bin].heap[0];

        if (top->group != NONE)
            return shape_woken(s, gsched_group(s, top->job, top->group)->shape);
    }
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (shape_woken(s, gsched_group(s, job, g)->shape))
            return true;
    }
    return false;
}

void gsched_pending_wake(struct gsched *s)
{
    if (s->allocations->freed_count == 0
        && s->allocations->moves == s->pending->moves_seen)
        return;
    s->pending->wakes++;
    for (uint32_t i = s->pending->sleeping_count; i-- > 0;)
        wake_simple(s, s->pending->sleeping[i]);
    for (uint32_t i = s->pending->complex_count; i-- > 0;) {
        if (complex_woken(s, &s->pending->ask[s->pending->complex[i]]))
            gsched_ask_wake(s, s->pending->complex[i]);
    }
    s->allocations->freed_count = 0;
    s->pending->moves_seen = s->allocations->moves;
}

bool gsched_pending_may_wake(const struct gsched *s)
{
    if (s->allocations->moves == s->pending->moves_seen)
        return false;
    for (uint32_t i = 0; i < s->pending->complex_count; i++) {
        const struct ask *a = &s->pending->ask[s->pending->complex[i]];

        if (a->moves != s->allocations->moves
            && gsched_has_rules(s, asking(s, a)))
            return true;
    }
    return false;
}

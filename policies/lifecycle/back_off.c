/* policies/lifecycle/back_off.c - see back_off.h.
 *
 * The times are in a list in ascending order.  A job that ended, or was evicted
 * again, leaves its old time behind, which is skipped.
 */
#include "policies/lifecycle/back_off.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/pending.h"
#include "policies/reservation/reservation.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"

struct away {
    int64_t until;
    uint32_t job;
};

struct gsched_back_off {
    struct away *away;
    uint32_t first, count, cap;
};

static bool is_away(const struct gsched *s, const struct away *a)
{
    const struct job_state *j = &s->jobs->job[a->job];

    return j->phase == JOB_WAITING && j->away_until == a->until;
}

void gsched_back_off_until(struct gsched *s, uint32_t job, int64_t at)
{
    struct gsched_back_off *b = s->back_off;
    uint32_t i;

    if (at <= s->now)
        return;
    s->jobs->job[job].away_until = at;
    b->away = gs_array_grow(b->away, &b->cap, b->count + 1, sizeof(*b->away));
    for (i = b->count++; i > b->first && b->away[i - 1].until > at; i--)
        b->away[i] = b->away[i - 1];
    b->away[i] = (struct away){ at, job };
}

void gsched_back_off(struct gsched *s, uint32_t job)
{
    gsched_back_off_until(s, job,
                          gsched_later(s->now, s->modules->preemption.delay));
}

void gsched_back_off_end(struct gsched *s)
{
    struct gsched_back_off *b = s->back_off;

    for (; b->first < b->count; b->first++) {
        const struct away a = b->away[b->first];

        if (a.until > s->now)
            break;
        if (!is_away(s, &a))
            continue;
        s->jobs->job[a.job].away_until = 0;
        gsched_pending_add(s, a.job);
    }
    if (b->first > b->count / 2) {
        b->count -= b->first;
        memmove(b->away, b->away + b->first, b->count * sizeof(*b->away));
        b->first = 0;
    }
}

int64_t gsched_back_off_next(const struct gsched *s)
{
    const struct gsched_back_off *b = s->back_off;

    for (uint32_t i = b->first; i < b->count; i++) {
        if (is_away(s, &b->away[i]))
            return b->away[i].until;
    }
    return GSCHED_NEVER;
}

void gsched_back_off_open(struct gsched *s)
{
    s->back_off = gs_arena_alloc(s->arena, 1, sizeof(*s->back_off));
}

void gsched_back_off_free(struct gsched *s)
{
    gs_array_free(s->back_off->away);
}

/* policies/plan.c - conservative backfilling: a start planned for every job.
 *
 * The plan says how many tasks are free at which time, by the estimated ends
 * of what runs and what is planned.  A job that comes gets the earliest time
 * at which it fits for as long as it may run; so nobody delays anybody who
 * came before.  When a job ends early the plan has a hole:
 *
 *   keep    planned jobs move up into it, in queue order, never back
 *   replan  all starts are planned anew, in queue order, at every instant
 *
 * Tasks are counted, wherever they stand: they must all ask for the same.
 */
#include <string.h>

#include "base/array.h"
#include "policies/future.h"

#define MANY 64u /* steps, of which some may say the same */

struct step {
    int64_t at, free; /* from then on, to the next step */
};

struct profile {
    struct step *step;
    uint32_t count, cap;
};

struct planned {
    uint32_t job;
    int64_t start; /* GSCHED_NEVER: not planned yet */
};

struct gsched_plan {
    struct profile all, running; /* with what is planned; without */
    struct planned *queue;       /* in queue order */
    uint32_t count, cap;
    int64_t wake; /* the next start, though nothing may end then */
    bool has_hole;
    bool is_starting; /* the job that starts is in the plan already */
};

/* --- profiles ----------------------------------------------------------------- */

/* The step that begins at `at`, made if need be; not before the first. */
static uint32_t step_at(struct profile *p, int64_t at)
{
    uint32_t low = 0, high = p->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (p->step[mid].at < at)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < p->count && p->step[low].at == at)
        return low;
    p->step = gs_array_grow(p->step, &p->cap, p->count + 1, sizeof(*p->step));
    memmove(p->step + low + 1, p->step + low,
            (p->count - low) * sizeof(*p->step));
    p->step[low] = (struct step){ at, p->step[low - 1].free };
    p->count++;
    return low;
}

static void profile_add(struct profile *p, int64_t from, int64_t to, int64_t n)
{
    uint32_t first, end;

    if (from >= to)
        return;
    first = step_at(p, from);
    end = to == GSCHED_NEVER ? p->count : step_at(p, to);
    for (uint32_t i = first; i < end; i++)
        p->step[i].free += n;
}

/* Forget what was before `now`. */
static void profile_trim(struct profile *p, int64_t now)
{
    uint32_t past = 0;

    while (past + 1 < p->count && p->step[past + 1].at <= now)
        past++;
    for (uint32_t i = past + 1, kept = past; p->count > MANY; i++) {
        if (i == p->count) {
            p->count = kept + 1;
            break;
        }
        if (p->step[i].free != p->step[kept].free)
            p->step[++kept] = p->step[i];
    }
    if (past) {
        p->count -= past;
        memmove(p->step, p->step + past, p->count * sizeof(*p->step));
    }
    p->step[0].at = now;
}

static int64_t later(int64_t at, int64_t by)
{
    return by < GSCHED_NEVER - at ? at + by : GSCHED_NEVER;
}

/* The earliest start of `n` tasks for `time`; GSCHED_NEVER. */
static int64_t profile_fit(const struct profile *p, int64_t n, int64_t time)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const int64_t end = later(p->step[i].at, time);
        uint32_t k = i;

        while (k < p->count && p->step[k].free >= n
               && (k + 1 == p->count || p->step[k + 1].at < end))
            k++;
        if (k == p->count || p->step[k].free >= n)
            return p->step[i].at;
        i = k;
    }
    return GSCHED_NEVER;
}

/* --- the plan ----------------------------------------------------------------- */

/* For how long the job is planned: it takes its room, however briefly. */
static int64_t time_of(const struct gsched *s, uint32_t job)
{
    return s->job[job].estimate > 0 ? s->job[job].estimate : 1;
}

static struct gsched_plan *plan_of(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (p)
        return p;
    p = s->plan = gs_array_new(1, sizeof(*p));
    p->wake = GSCHED_NEVER;
    p->all.step = gs_array_grow(NULL, &p->all.cap, 1, sizeof(struct step));
    p->running.step = gs_array_grow(NULL, &p->running.cap, 1,
                                    sizeof(struct step));
    p->all.step[0] = p->running.step[0] =
        (struct step){ 0, (int64_t)gsched_shape(s, 0)->most };
    p->all.count = p->running.count = 1;
    return p;
}

void gsched_plan_free(struct gsched *s)
{
    if (!s->plan)
        return;
    gs_array_free(s->plan->all.step);
    gs_array_free(s->plan->running.step);
    gs_array_free(s->plan->queue);
    gs_array_free(s->plan);
}

/* When what runs gives back. */
static int64_t planned_end(const struct gsched *s, uint32_t job)
{
    return later(s->job[job].held_since, time_of(s, job));
}

static int64_t tasks_of(const struct gsched *s, uint32_t job)
{
    return s->work->job[job].gang;
}

/* Take room for the job (sign -1), or give it back: what is past is gone. */
static void reserve(struct gsched *s, const struct planned *j, int sign)
{
    struct profile *all = &s->plan->all;
    const int64_t first = all->step[0].at;

    if (j->start != GSCHED_NEVER)
        profile_add(all, j->start > first ? j->start : first,
                    later(j->start, time_of(s, j->job)),
                    sign * tasks_of(s, j->job));
}

void gsched_plan_started(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = plan_of(s);
    const int64_t end = planned_end(s, job);

    profile_trim(&p->running, s->now);
    profile_add(&p->running, s->now, end, -(int64_t)s->job[job].placed);
    if (p->is_starting)
        return;
    profile_trim(&p->all, s->now);
    profile_add(&p->all, s->now, end, -(int64_t)s->job[job].placed);
}

void gsched_plan_ended(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = plan_of(s);
    const int64_t end = planned_end(s, job);

    profile_trim(&p->running, s->now);
    profile_trim(&p->all, s->now);
    profile_add(&p->running, s->now, end, s->job[job].placed);
    profile_add(&p->all, s->now, end, s->job[job].placed);
    p->has_hole |= end > s->now;
}

void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t tasks)
{
    struct gsched_plan *p = plan_of(s);
    const int64_t end = planned_end(s, job);

    profile_trim(&p->running, s->now);
    profile_trim(&p->all, s->now);
    profile_add(&p->running, s->now, end, -(int64_t)tasks);
    profile_add(&p->all, s->now, end, -(int64_t)tasks);
}

void gsched_plan_add(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = plan_of(s);
    const struct item it = { s->job[job].since, 0, job, NONE };
    uint32_t i = p->count++;

    p->queue = gs_array_grow(p->queue, &p->cap, p->count, sizeof(*p->queue));
    for (; i > 0; i--) {
        const uint32_t other = p->queue[i - 1].job;
        const struct item before = { s->job[other].since, 0, other, NONE };

        if (gsched_item_compare(s, &before, &it) < 0)
            break;
        p->queue[i] = p->queue[i - 1];
    }
    p->queue[i] = (struct planned){ job, GSCHED_NEVER };
}

void gsched_plan_drop(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = plan_of(s);
    uint32_t i = 0;

    while (i < p->count && p->queue[i].job != job)
        i++;
    if (i == p->count)
        return;
    profile_trim(&p->all, s->now);
    if (!p->is_starting) {
        reserve(s, &p->queue[i], 1);
        p->has_hole = true;
    }
    memmove(p->queue + i, p->queue + i + 1,
            (p->count - i - 1) * sizeof(*p->queue));
    p->count--;
}

/* Plan those that are new; with `anew`, all of them, moving up. */
static void plan_starts(struct gsched *s, bool anew)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        struct planned *j = &p->queue[i];

        if (!anew && j->start != GSCHED_NEVER)
            continue;
        if (!s->backfill.replan)
            reserve(s, j, 1);
        j->start = profile_fit(&p->all, tasks_of(s, j->job),
                               time_of(s, j->job));
        reserve(s, j, -1);
    }
}

static void replan(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    p->all.step = gs_array_grow(p->all.step, &p->all.cap, p->running.count,
                                sizeof(*p->all.step));
    memcpy(p->all.step, p->running.step,
           p->running.count * sizeof(*p->all.step));
    p->all.count = p->running.count;
    plan_starts(s, true);
}

/* Those that were due and could not start (an estimate was exceeded, a quota is
 * used up) are planned anew.
 */
static void drop_overdue(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        if (p->queue[i].start >= s->now)
            continue;
        reserve(s, &p->queue[i], 1);
        p->queue[i].start = GSCHED_NEVER;
    }
}

/* Start those whose time has come, in order. */
static void start_due(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count;) {
        const struct planned j = p->queue[i];
        const uint32_t key = s->work->job[j.job].first_group;
        const struct item it = { 0, 0, j.job, NONE };

        if (j.start > s->now || !gsched_item_allocatable(s, &it)) {
            i++;
            continue;
        }
        p->is_starting = true;
        if (gsched_place_gang(s, j.job)) {
            gsched_bin_served(s, s->group_bin[key], s->group_at[key]);
            p->is_starting = false;
            continue;
        }
        p->is_starting = false;
        i++;
    }
}

/* Why the others wait: no room for them, or those before them. */
static void blame(struct gsched *s)
{
    for (uint32_t i = s->awake_count; i-- > 0;) {
        const uint32_t ask = s->awake[i], bin = s->ask[ask].first_bin;

        if (s->ask[ask].waiting == 0) {
            gsched_ask_rest(s, ask);
        } else if (s->bin[bin].count
                   && !gsched_gang_has_room(s, s->bin[bin].heap[0].job)) {
            gsched_ask_sleep(s, ask, gsched_cause_of(s, &s->bin[bin].heap[0]));
        } else {
            for (uint32_t b = bin; b != NONE; b = s->bin[b].next)
                gsched_bin_blames(s, &s->bin[b], GSCHED_ORDER);
        }
    }
}

void gsched_plan_run(struct gsched *s)
{
    struct gsched_plan *p = plan_of(s);

    profile_trim(&p->all, s->now);
    profile_trim(&p->running, s->now);
    drop_overdue(s);
    if (s->backfill.replan)
        replan(s);
    else
        plan_starts(s, p->has_hole);
    p->has_hole = false;
    start_due(s);
    blame(s);
    p->wake = GSCHED_NEVER;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->queue[i].start > s->now && p->queue[i].start < p->wake)
            p->wake = p->queue[i].start;
    }
    if (p->count == 0) /* what is left is theirs that wait */
        gsched_allocate_elastic(s);
}

int64_t gsched_plan_wake(const struct gsched *s)
{
    return s->plan ? s->plan->wake : GSCHED_NEVER;
}

int64_t gsched_planned(const struct gsched *s, uint32_t job)
{
    for (uint32_t i = 0; s->plan && i < s->plan->count; i++) {
        if (s->plan->queue[i].job == job)
            return s->plan->queue[i].start;
    }
    return GSCHED_NEVER;
}

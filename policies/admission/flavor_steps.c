/* policies/admission/flavor_steps.c - fewer tasks than a job asks for, step by
 * step, where all of them do not fit; see flavors.h.
 */
#include <assert.h>

#include "policies/admission/flavors.h"

uint32_t flavor_reduced(const struct flavor_tasks *k, uint64_t step,
                        uint64_t steps)
{
    assert(steps > 0 && step <= steps && k->least <= k->tasks);
    return k->tasks
           - (uint32_t)((uint64_t)(k->tasks - k->least) * step / steps);
}

/* Find victims for what was chosen.  Those that room is short of may hold any
 * of what it asks for.
 */
static bool victims_find(const struct flavor_query *f,
                         struct flavor_choice *out)
{
    const struct quota_request r = flavor_request(f, out);
    bool found;

    for (uint32_t i = 0; f->room && i < out->asks; i++)
        out->ask[i].is_short = true;
    f->search->room = f->room;
    found = out->asks > 0 && quota_victims_find(f->q, f->search, &r);
    f->search->room = NULL;
    return found;
}

/* The same where the job must find room, too. */
static bool choose_with_room(const struct flavor_query *f,
                             struct flavor_choice *out)
{
    bool fits;

    f->room->begin(f->room->of, out);
    fits = out->mode == QUOTA_FITS && f->room->fits(f->room->of);
    if (!fits) {
        out->lacks_room = out->mode == QUOTA_FITS;
        if (out->lacks_room)
            out->mode = QUOTA_PREEMPTS;
        fits = victims_find(f, out);
    }
    f->room->end(f->room->of);
    return fits;
}

/* Choose flavors and victims; false: it does not fit. */
static bool choose(const struct flavor_query *f, const uint32_t *tasks,
                   const struct flavor_pick *tried, struct flavor_choice *out)
{
    flavor_choose(f, tasks, tried, out);
    f->search->victims = 0;
    if (out->mode == QUOTA_NO_FIT)
        return false;
    if (f->room)
        return choose_with_room(f, out);
    return out->mode == QUOTA_FITS || victims_find(f, out);
}

/* `step` of `steps` steps down; in out->tasks, which flavor_choose() keeps. */
static bool choose_step(const struct flavor_query *f, uint64_t step,
                        uint64_t steps, const struct flavor_pick *tried,
                        struct flavor_choice *out)
{
    for (uint32_t k = 0; k < f->kinds; k++)
        out->tasks[k] = flavor_reduced(&f->kind[k], step, steps);
    return choose(f, out->tasks, tried, out);
}

void flavor_choose_any(const struct flavor_query *f,
                       const struct flavor_pick *tried,
                       struct flavor_choice *out)
{
    uint64_t steps = 0, low = 0, high;

    if (choose(f, NULL, tried, out))
        return;
    for (uint32_t k = 0; k < f->kinds; k++)
        steps += f->kind[k].tasks - f->kind[k].least;
    if (steps == 0)
        return;
    for (high = steps + 1; low < high;) {
        const uint64_t middle = low + (high - low) / 2;

        if (choose_step(f, middle, steps, tried, out))
            high = middle;
        else
            low = middle + 1;
    }
    if (low > steps)
        (void)choose(f, NULL, tried, out);
    else
        (void)choose_step(f, low, steps, tried, out);
}

/* tests/lib/pairs.c - see pairs.h. */
#include "tests/lib/pairs.h"

#include <string.h>

#include "tests/lib/suite.h"
#include "tests/lib/world.h"

/* Which tasks came where, and when. */
struct starts {
    struct report_observer observer;
    const struct pairs *of;
    const struct world *w;
    uint64_t sum, tasks;
};

static void start_note(void *self, int64_t now,
                       const struct report_allocation *a)
{
    struct starts *t = self;
    const char *name = gs_strtab_str(t->w->names, t->w->work->job[a->job].name);
    uint64_t sum = (uint64_t)now;

    if (t->of->beside && strcmp(name, t->of->beside) == 0)
        return;
    for (; *name; name++)
        sum = sum * 31 + (unsigned char)*name;
    t->sum += t->of->by_task
                  ? (sum * 31 + a->first_task) * (a->node + 1) + a->tasks
                  : (sum * 31 + a->node) * a->tasks;
    t->tasks += a->tasks;
}

/* False: the world cannot be read or run. */
static bool world_starts(const struct pairs *p, uint64_t seed, bool is_second,
                         struct starts *t)
{
    const struct trace_options o = { .format = TRACE_AUTO };
    const char *policy = p->policy[seed % p->policies];
    struct pair_texts text = { .topology = { .len = 0 } };
    struct world w;
    struct gs_rng r;
    bool runs;

    gs_rng_init(&r, seed, p->stream);
    p->draw(&r, &text, is_second);
    *t = (struct starts){ .of = p, .w = &w };
    t->observer = (struct report_observer){ .self = t, .placed = start_note };
    world_init(&w);
    runs = world_load(&w, text.topology.at, text.trace.at, &o) == 0
           && (text.outages.len == 0 || world_outages(&w, text.outages.at) == 0)
           && world_run(&w, policy, NULL, &t->observer) == 0;
    if (!runs)
        fprintf(stderr, "\n  seed %llu: %s", (unsigned long long)seed,
                w.err.problem[0].text);
    world_fini(&w);
    return runs;
}

void pairs_check(const struct pairs *p, uint64_t pairs)
{
    uint64_t same = 0, started = 0;

    for (uint64_t seed = 1; seed <= pairs && same == seed - 1; seed++) {
        struct starts first, second;

        if (!world_starts(p, seed, false, &first)
            || !world_starts(p, seed, true, &second))
            break;
        same += first.sum == second.sum && first.tasks == second.tasks;
        started += first.tasks;
        if (same < seed)
            fprintf(stderr, "\n  seed %llu: they part",
                    (unsigned long long)seed);
    }
    CU_ASSERT_EQUAL(same, pairs);
    CU_ASSERT(started > p->least * pairs); /* it is not idle */
}

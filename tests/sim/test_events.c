/* tests/sim/test_events.c - the queue gives events by time, kind and push. */
#include "sim/replay/event.h"

#include "base/rng.h"
#include "tests/lib/suite.h"

#define MOST 300u

struct plain {
    int64_t at;
    enum event_kind kind;
    uint32_t push; /* its number */
};

static bool goes_before(const struct plain *a, const struct plain *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    return a->kind != b->kind ? a->kind < b->kind : a->push < b->push;
}

/* Push and pop at random, with few times and kinds, beside a plain list; the
 * number of events goes up and down between none and many.
 */
static void events_come_in_order(void)
{
    static struct plain list[MOST];
    struct event_queue q = { 0 };
    struct gs_rng rng;
    uint32_t count = 0, wrong = 0;

    gs_rng_init(&rng, 1, "events");
    for (uint32_t step = 0; step < 20000; step++) {
        const bool grows = step / 1000 % 2 == 0;

        if (count < MOST
            && (!count || gs_rng_below(&rng, 3) < (grows ? 2 : 1))) {
            const struct plain p = {
                (int64_t)gs_rng_below(&rng, 20),
                (enum event_kind)gs_rng_below(&rng, EVENT_RUN + 1), step
            };

            list[count++] = p;
            event_push(&q, p.at, p.kind, step + 1, step);
        } else {
            uint32_t least = 0;
            struct event e;

            for (uint32_t i = 1; i < count; i++)
                least = goes_before(&list[i], &list[least]) ? i : least;
            wrong += event_first(&q)->attempt != list[least].push;
            e = event_pop(&q);
            wrong += e.at != list[least].at || e.job != list[least].push + 1
                     || e.attempt != list[least].push
                     || event_kind_of(&e) != list[least].kind;
            list[least] = list[--count];
        }
        wrong += q.count != count || !event_first(&q) != !count;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    event_queue_fini(&q);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "events come by time, kind and push", events_come_in_order },
    };

    return suite_run("events", cases, N_ELEMENTS(cases));
}

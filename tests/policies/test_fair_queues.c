/* tests/policies/test_fair_queues.c - the order of queues below queues that
 * state how theirs go.
 */
#include "tests/lib/fake_host.h"

static uint32_t child_add(struct fake *f, uint32_t parent, int64_t used,
                          int32_t priority)
{
    const uint32_t q = fake_add(f, parent, 1);

    f->queue[q].guarantee[0] = 10;
    FAKE_BOOK(f, q, used, 0, used);
    f->queue[q].waiting_priority = priority;
    return q;
}

/* Below a queue that states it priority comes first; below others the share,
 * as the parameter says.
 */
static void priority_by_family(void)
{
    const union gsp_value value[GSCHED_PARAMS_MAX] = { { .whole = 0 },
                                                       { .whole = 0 } };
    const struct gsp_module *m = gsched_module_find("fair-queues");
    double key[2][GSP_QUEUE_KEYS] = { { 0 } };
    struct fake f;
    void *self;

    fake_start(&f);
    for (int stated = 0; stated < 2; stated++) {
        const uint32_t above = fake_add(&f, GSP_NONE, 1);

        f.queue[above].term[GSP_TERM_ORDER_PRIORITY] = stated;
        (void)child_add(&f, above, 8, 5);
        (void)child_add(&f, above, 2, 0);
    }
    self = fake_module(&f, m, value);
    CU_ASSERT(m->queue_order(self, 1, 2) > 0);
    CU_ASSERT(m->queue_order(self, 4, 5) < 0);
    m->queue_key(self, 1, key[0]);
    m->queue_key(self, 2, key[1]);
    CU_ASSERT(key[0][0] > key[1][0]);
    m->queue_key(self, 4, key[0]);
    m->queue_key(self, 5, key[1]);
    CU_ASSERT(key[0][0] < key[1][0]);
    fake_end(&f);
}

/* A fence hides what is below it, but shows nothing where nothing waits. */
static void fence_without_jobs(void)
{
    const union gsp_value value[GSCHED_PARAMS_MAX] = { { .whole = 0 },
                                                       { .whole = 1 } };
    const struct gsp_module *m = gsched_module_find("fair-queues");
    uint32_t above[2];
    struct fake f;
    void *self;

    fake_start(&f);
    for (int i = 0; i < 2; i++) {
        above[i] = fake_add(&f, GSP_NONE, 1);
        f.queue[above[i]].waiting_priority = INT32_MIN;
    }
    (void)child_add(&f, above[0], 0, -5);
    f.queue[child_add(&f, above[0], 0, INT32_MIN)]
        .term[GSP_TERM_PRIORITY_FENCE] = 1;
    (void)child_add(&f, above[1], 0, -1);
    self = fake_module(&f, m, value);
    CU_ASSERT(m->queue_order(self, above[0], above[1]) > 0);
    fake_end(&f);
}

int main(void)
{
    static const struct suite_case list[] = {
        { "queues go by priority where the one above says so",
          priority_by_family },
        { "a fenced queue in which nothing waits shows no priority",
          fence_without_jobs },
    };

    return suite_run("policies/fair_queues", list, N_ELEMENTS(list));
}

/* tests/policies/test_quota_sleepers.c - requests that wait for room of a queue
 * and cell: a request that sleeps does not fit, and all that might fit are
 * woken.
 */
#include <string.h>

#include "policies/admission/flavors.h"
#include "tests/lib/suite.h"

enum { NODES = 7, LEAF = 3, FLAVORS = 2, DIMS = 2, JOBS = 24 };

/* 0 over 1 and 2, which are over two queues each. */
static const uint32_t parent[NODES] = { QUOTA_NONE, 0, 0, 1, 1, 2, 2 };

struct world {
    uint64_t draws;
    struct quotas *q;
    struct quota_search search;
    struct quota_sleepers sleepers;
    uint32_t flavor[FLAVORS], cell[FLAVORS * DIMS];
    uint8_t set[FLAVORS], set_of_dim[DIMS];
    struct flavor_list list;
    int64_t amount[JOBS][DIMS];
    struct flavor_tasks kind[JOBS];
    struct flavor_query query[JOBS];
    int64_t used[NODES][FLAVORS * DIMS];
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->draws = w->draws * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(w->draws >> 33) % below;
}

/* One of -1, 0 and small amounts, with as many of 0 as of all others. */
static int64_t limit(struct world *w)
{
    return draw(w, 3) ? -1 : (int64_t)draw(w, 6);
}

static void quotas_make(struct world *w)
{
    w->q = quotas_create(NODES, parent);
    for (uint32_t f = 0; f < FLAVORS; f++) {
        for (uint32_t d = 0; d < DIMS; d++)
            quotas_cell(w->q, 0, f, d);
    }
    quotas_cells_done(w->q);
    for (uint32_t n = 0; n < NODES; n++) {
        struct quota_policy *p = &quotas_node(w->q, n)->policy;

        for (uint32_t i = 0; i < FLAVORS * DIMS; i++) {
            const int64_t nominal = n && draw(w, 3) ? 0 : draw(w, 20);

            quotas_amount_set(w->q, n, i, nominal, limit(w), limit(w));
        }
        p->borrows = draw(w, 6) == 0;
        p->reclaim = draw(w, 4) ? QUOTA_NEVER : QUOTA_ANY;
        p->next_if_borrows = draw(w, 2);
        p->next_if_preempts = draw(w, 2);
    }
    quotas_settle(w->q);
}

/* Flavors that are alternatives, or, where not, cover a resource each. */
static void list_make(struct world *w, bool alternatives)
{
    w->list = (struct flavor_list){ FLAVORS,   alternatives ? 1 : FLAVORS,
                                    w->flavor, w->set,
                                    w->cell,   w->set_of_dim };
    for (uint32_t f = 0; f < FLAVORS; f++) {
        w->set[f] = alternatives ? 0 : (uint8_t)f;
        for (uint32_t d = 0; d < DIMS; d++)
            w->cell[f * DIMS + d] = alternatives || f == d
                                        ? quotas_cell_find(w->q, 0, f, d)
                                        : QUOTA_NONE;
    }
    for (uint32_t d = 0; d < DIMS; d++)
        w->set_of_dim[d] = alternatives ? 0 : (uint8_t)d;
}

static void jobs_make(struct world *w)
{
    for (uint32_t j = 0; j < JOBS; j++) {
        struct flavor_tasks *k = &w->kind[j];

        k->amount = w->amount[j];
        k->tasks = 1 + draw(w, 4);
        k->least = draw(w, 3) ? k->tasks : draw(w, k->tasks + 1);
        k->allowed = 1 + draw(w, 3);
        k->next = QUOTA_NONE;
        for (uint32_t d = 0; d < DIMS; d++)
            w->amount[j][d] = draw(w, 5);
        w->query[j] = (struct flavor_query){ .q = w->q,
                                             .search = &w->search,
                                             .list = &w->list,
                                             .dims = DIMS,
                                             .node = LEAF + draw(w, 4),
                                             .kind = k,
                                             .kinds = 1,
                                             .pods = UINT32_MAX };
    }
}

static void world_make(struct world *w, uint64_t seed)
{
    memset(w, 0, sizeof(*w));
    w->draws = seed;
    w->search.shares = draw(w, 3) == 0;
    quotas_make(w);
    list_make(w, draw(w, 2));
    jobs_make(w);
    quota_sleepers_open(&w->sleepers, w->q);
}

static void world_free(struct world *w)
{
    quota_sleepers_free(&w->sleepers);
    quota_search_free(&w->search);
    quotas_free(w->q);
}

/* A queue uses more, or less of a cell. */
static void usage_move(struct world *w)
{
    const uint32_t node = LEAF + draw(w, 4), cell = draw(w, FLAVORS * DIMS);
    const int64_t amount = 1 + draw(w, 8);

    if (draw(w, 2)) {
        w->used[node][cell] += amount;
        quotas_use(w->q, node, cell, amount);
    } else if (w->used[node][cell] > 0) {
        quota_sleepers_ease(&w->sleepers, node, cell);
        quotas_unuse(w->q, node, cell, w->used[node][cell]);
        w->used[node][cell] = 0;
    }
}

static bool sleeps_on(struct world *w, uint32_t job)
{
    struct quota_want want[FLAVORS_MAX];
    uint32_t wants;
    const bool sleeps = flavor_wants(&w->query[job], want, &wants);

    if (sleeps)
        quota_sleep(&w->sleepers, job, want, wants);
    return sleeps;
}

/* The job is refused, and none is left that it could go on with. */
static bool is_refused(struct world *w, uint32_t job)
{
    struct flavor_choice c = { .ask = NULL };
    bool refused;

    flavor_choose_any(&w->query[job], NULL, &c);
    refused = c.mode == QUOTA_NO_FIT && !flavor_is_pending(&c)
              && w->search.victims == 0;
    flavor_choice_free(&c);
    return refused;
}

static void test_sleepers_are_refused(void)
{
    uint64_t slept = 0, woken = 0, fitted = 0;

    for (uint64_t seed = 1; seed <= suite_rounds(200); seed++) {
        bool sleeps[JOBS] = { false };
        struct world w;

        world_make(&w, seed);
        for (uint32_t i = 0; i < 100; i++) {
            uint32_t job;

            usage_move(&w);
            while ((job = quota_sleepers_next(&w.sleepers)) != QUOTA_NONE) {
                CU_ASSERT_FALSE(quota_sleeper_lacks(&w.sleepers, job));
                woken += sleeps[job];
                sleeps[job] = false;
            }
            for (job = 0; job < JOBS; job++) {
                const bool slept_on = sleeps[job];

                if (!slept_on)
                    sleeps[job] = sleeps_on(&w, job);
                slept += slept_on;
                fitted += !sleeps[job] && !is_refused(&w, job);
                if (sleeps[job] || quota_sleeper_lacks(&w.sleepers, job))
                    CU_ASSERT_TRUE_FATAL(is_refused(&w, job));
            }
        }
        world_free(&w);
    }
    CU_ASSERT_TRUE(slept > 1000 && woken > 100 && fitted > 1000);
}

/* The root has 8; its queues have nothing of their own.  What they sleep for is
 * room of the root, in order of what they ask for.
 */
static void test_small_ones_first(void)
{
    static const uint32_t of_root[3] = { QUOTA_NONE, 0, 0 };
    struct quotas *q = quotas_create(3, of_root);
    struct quota_sleepers z = { .q = NULL };

    quotas_cell(q, 0, 0, 0);
    quotas_cells_done(q);
    quotas_amount_set(q, 0, 0, 8, -1, -1);
    quotas_settle(q);
    quota_sleepers_open(&z, q);
    quotas_use(q, 1, 0, 8);
    quota_sleep(&z, 7, &(struct quota_want){ 0, 0, 5 }, 1);
    quota_sleep(&z, 3, &(struct quota_want){ 0, 0, 4 }, 1);
    quota_sleep(&z, 5, &(struct quota_want){ 0, 0, 2 }, 1);
    CU_ASSERT_EQUAL(quota_sleepers_next(&z), QUOTA_NONE);
    quota_sleepers_ease(&z, 1, 0);
    quotas_unuse(q, 1, 0, 4); /* room for 4 */
    CU_ASSERT_EQUAL(quota_sleepers_next(&z), 5);
    CU_ASSERT_EQUAL(quota_sleepers_next(&z), 3);
    CU_ASSERT_EQUAL(quota_sleepers_next(&z), QUOTA_NONE);
    CU_ASSERT_TRUE(quota_sleeper_lacks(&z, 7));
    CU_ASSERT_FALSE(quota_sleeper_lacks(&z, 3));
    quota_sleep_end(&z, 7);
    quota_sleep_end(&z, 5);
    quota_sleep_end(&z, 3);
    CU_ASSERT_FALSE(quota_sleeper_lacks(&z, 7));
    quota_sleepers_ease(&z, 1, 0);
    quotas_unuse(q, 1, 0, 4);
    CU_ASSERT_EQUAL(quota_sleepers_next(&z), QUOTA_NONE);
    quota_sleepers_free(&z);
    quotas_free(q);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "small ones are woken first", test_small_ones_first },
        { "sleepers are refused, all others woken", test_sleepers_are_refused },
    };

    return suite_run("quota_sleepers", cases, N_ELEMENTS(cases));
}

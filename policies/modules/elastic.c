/* policies/modules/elastic.c - jobs that lack their gang before jobs that grow.
 *
 * Jobs with fewer tasks than their gang come first, then those that have just
 * it, then those above it (KAI Scheduler's plugin elastic).  So tasks above a
 * gang are placed before the gang of a job or queue that is behind in order
 * (`growth: in-turn`).  Of the groups of a job that runs, those below their
 * minimum come first, then those with the smallest part more (subgrouporder).
 */
#include "policies/policy.h"

enum { GROWTH };
enum { IN_TURN, LAST };
static const char *const growths[] = { "in-turn", "last", NULL };

static const struct gsp_param params[] = {
    { "growth", GSP_CHOICE, "in-turn", 0, 0,
      "tasks above gangs: by the order of jobs and queues, or after all gangs",
      growths },
};

/* 0: it has less than its gang; 1: just that; 2: more. */
static int size_of(const struct gsp_self *e, const struct gsp_job *j)
{
    const uint32_t placed = e->host->job_placed(j);
    const uint32_t gang = e->host->job_gang(j);

    return (placed >= gang) + (placed > gang);
}

static int elastic_job_order(void *self, const struct gsp_job *a,
                             const struct gsp_job *b)
{
    return size_of(self, a) - size_of(self, b);
}

static int elastic_group_order(void *self, const struct gsp_part *a,
                               const struct gsp_part *b)
{
    const bool a_lacks = a->placed < a->least, b_lacks = b->placed < b->least;
    uint64_t x = a->placed, y = b->placed; /* times the minimum of the other */

    (void)self;
    if (a_lacks || b_lacks)
        return (int)b_lacks - (int)a_lacks;
    x *= b->least ? b->least : 1;
    y *= a->least ? a->least : 1;
    return (x > y) - (x < y);
}

static bool elastic_grows_in_turn(void *self)
{
    return ((const struct gsp_self *)self)->value[GROWTH].whole == IN_TURN;
}

extern const struct gsp_module gsp_module_elastic;
const struct gsp_module gsp_module_elastic = {
    GSP_ABI,
    .name = "elastic",
    .summary = "jobs without their gang first, then those just at it",
    GSP_PARAMS(params),
    .job_order = elastic_job_order,
    .group_order = elastic_group_order,
    .grows_in_turn = elastic_grows_in_turn,
};

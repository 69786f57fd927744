/* policies/lifecycle/expected.c - memory of a job that ends soon.
 *
 * The end of a job reads a line or two in each of ten tables, which were last
 * read when it started.  Each step reads the lines that the one before fetched,
 * and fetches those that they lead to.
 */
#include "base/fetch.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/scheduler.h"
#include "policies/state/jobs.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

static void of_job(const struct gsched *s, uint32_t job)
{
    const uint32_t group = s->work->job[job].first_group;

    gs_fetch(gsched_job(s, job), sizeof(struct job_state));
    gs_fetch(&s->work->group[group], sizeof(*s->work->group));
    gs_fetch(&s->jobs->group_placed[group], sizeof(*s->jobs->group_placed));
    gs_fetch(&s->pending->group_cqueue[group],
             sizeof(*s->pending->group_cqueue));
}

static void of_state(const struct gsched *s, uint32_t job)
{
    const struct allocation *a = gsched_allocation_at(
        s, gsched_job(s, job)->first_allocation);

    if (a)
        gs_fetch(a, sizeof(*a));
    gsched_wait_expect(s, job);
}

void gsched_expect_end(const struct gsched *s, uint32_t job, uint32_t step)
{
    if (!s || job >= s->jobs->job_count)
        return;
    if (step == 0) {
        gs_fetch(&s->jobs->of[job], sizeof(*s->jobs->of));
        gs_fetch(&s->work->job[job], sizeof(*s->work->job));
    } else if (step == 1) {
        of_job(s, job);
    } else {
        of_state(s, job);
    }
}

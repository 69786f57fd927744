/* import/slurm/slurm_recorded.c - when and where a job of Slurm ran, see
 * slurm_making.h.
 */
#include <stdlib.h>
#include <string.h>

#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_making.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/records.h"

#define RUNS_MAX 256 /* of one job */

struct placing {
    struct job_making *m;
    uint32_t left; /* nodes of the component that are still to come */
};

static int node_take(void *ctx, const char *name, size_t len)
{
    struct placing *p = ctx;

    if (p->left == 0)
        return -1;
    p->left--;
    (void)trace_workload_spot(p->m->w, slurm_put(p->m->s, name, len), 1);
    return 0;
}

/* A node for each task of the run, in their order; false: its list is not
 * known, or has another number of nodes.
 */
static bool nodes_put(struct job_making *m, const struct slurm_job *run)
{
    uint32_t parts = 0;

    for (const struct slurm_job *p = run; p && parts++ < SLURM_PARTS_MAX;
         p = p->next ? &m->s->job[p->next - 1] : NULL) {
        const char *list = slurm_str(m->s, p->placed), *why;
        struct placing to = { m, p->nodes };

        if (!p->placed
            || slurm_hostlist_read(list, strlen(list), node_take, &to, &why)
                   != 0
            || to.left > 0)
            return false;
    }
    return true;
}

/* The nodes of the run.  Lists repeat: those of one component have the same
 * spots.
 */
static void spots_put(struct job_making *m, const struct slurm_job *run,
                      struct trace_record *r)
{
    struct kept_spots *kept = &m->spots[run->placed % SLURM_KEPT_SPOTS];

    r->first_spot = m->w->records->spot_count;
    if (!run->next && run->placed && kept->placed == run->placed
        && kept->count == run->nodes) {
        r->first_spot = kept->first;
        r->spot_count = kept->count;
        return;
    }
    if (nodes_put(m, run))
        r->spot_count = m->w->records->spot_count - r->first_spot;
    else
        m->w->records->spot_count = r->first_spot;
    if (!run->next && r->spot_count)
        *kept = (struct kept_spots){ run->placed, r->first_spot,
                                     r->spot_count };
}

static bool is_run(const struct slurm_job *j)
{
    return (j->how == SLURM_ENDED || j->how == SLURM_RUNNING)
           && j->start != SLURM_UNKNOWN && j->start >= j->submit;
}

static int64_t length_of(const struct slurm_job *j)
{
    if (j->how == SLURM_RUNNING)
        return TRACE_FOREVER;
    return j->end != SLURM_UNKNOWN && j->end >= j->start ? j->end - j->start
                                                         : j->elapsed;
}

static int by_start(const void *a, const void *b)
{
    const struct slurm_job *x = *(const struct slurm_job *const *)a;
    const struct slurm_job *y = *(const struct slurm_job *const *)b;

    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->line > y->line) - (x->line < y->line);
}

void slurm_recorded_put(struct job_making *m, const struct slurm_job *j,
                        struct trace_job *out)
{
    const struct slurm_job *run[RUNS_MAX];
    uint32_t runs = 0;
    int64_t over = 0;

    for (const struct slurm_job *r = j; r && runs < RUNS_MAX;
         r = r->earlier ? &m->s->job[r->earlier - 1] : NULL) {
        if (is_run(r) && r->start >= j->submit)
            run[runs++] = r;
    }
    qsort(run, runs, sizeof(run[0]), by_start);
    out->first_record = m->w->records->record_count;
    for (uint32_t i = 0; i < runs; i++) {
        struct trace_record r = { .wait = run[i]->start - j->submit,
                                  .length = length_of(run[i]) };
        const bool is_last = i + 1 == runs;

        /* rows that repeat a run, or do not agree with the others */
        if (r.wait < over || r.length < 0
            || (!is_last
                && (r.length == TRACE_FOREVER
                    || run[i]->start + r.length > run[i + 1]->start)))
            continue;
        spots_put(m, run[i], &r);
        over = r.wait + (r.length == TRACE_FOREVER ? 0 : r.length);
        (void)trace_workload_record(m->w, &r);
        out->record_count++;
    }
}

/* traces/model/model_generate.c - a workload drawn from a model.
 *
 * The jobs of a stretch are cut in runs of one size, which are shuffled; each
 * run and each job in it draw a normal score, and the sum of both determines
 * the quantile of the duration in the distribution of the size.
 */
#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "traces/model/arrivals.h"
#include "traces/model/model.h"
#include "traces/workload/workload.h"

#define MS (GS_SECOND / 1000)
#define LONGEST 315360000.0 /* s: ten years */
#define HOURS (1.0 / 3600 / GS_SECOND)

struct drawn {
    double score; /* normal */
    uint32_t size;
};

/* Streams of random numbers, one for each purpose. */
enum { ARRIVALS, SIZES, DURATIONS, QUEUES, ESTIMATES, STREAMS };

struct generator {
    const struct trace_model *m;
    const struct trace_model_draw *o;
    struct trace_workload *w;
    gsl_rng *rng[STREAMS];
    gsl_ran_discrete_t *queue_table; /* NULL: a single queue */
    uint32_t *queue;                 /* [queue of the model] queue of the
                                        workload */
    int64_t *submit;
    struct drawn *job;
};

static gsl_rng *stream(uint64_t seed, const char *name)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    struct gs_rng mixed;

    gs_rng_init(&mixed, seed, name);
    gsl_rng_set(r, gs_rng_u32(&mixed));
    return r;
}

/* --- sizes ---------------------------------------------------------------- */

/* Draw the number of jobs of each size among `n`. */
static void draw_counts(struct generator *g,
                        const struct trace_model_stretch *s, uint32_t n,
                        unsigned *count)
{
    double *weight = gs_array_new(s->size_count, sizeof(*weight));
    const double phase = gsl_rng_uniform(g->rng[SIZES]);
    double total = 0, sum = 0;
    uint32_t done = 0;

    for (uint32_t i = 0; i < s->size_count; i++)
        total += weight[i] = s->size[i].weight;
    if (!g->o->balanced)
        gsl_ran_multinomial(g->rng[SIZES], s->size_count, n, weight, count);
    for (uint32_t i = 0; g->o->balanced && i < s->size_count; i++) {
        const bool last = i + 1 == s->size_count;
        uint32_t until;

        sum += weight[i];
        until = last ? n : (uint32_t)(sum / total * n + phase);
        count[i] = (until < n ? until : n) - done;
        done += count[i];
    }
    gs_array_free(weight);
}

struct run {
    uint32_t size, length;
};

/* Cut the counts in runs.  Returns their number. */
static uint32_t cut_runs(struct generator *g,
                         const struct trace_model_stretch *s, unsigned *count,
                         struct run *run)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->size_count; i++) {
        const double mean = s->size[i].run;

        while (count[i]) {
            const uint32_t drawn =
                mean > 1 ? gsl_ran_geometric(g->rng[SIZES], 1 / mean) : 1;
            const uint32_t length = drawn < count[i] ? drawn : count[i];

            run[n++] = (struct run){ i, length };
            count[i] -= length;
        }
    }
    return n;
}

static void draw_sizes(struct generator *g, const struct trace_model_stretch *s,
                       struct drawn *job, uint32_t n)
{
    const double among = sqrt(g->m->correlation);
    const double within = sqrt(1 - g->m->correlation);
    unsigned *count = gs_array_new(s->size_count, sizeof(*count));
    struct run *run = gs_array_new(n, sizeof(*run));
    uint32_t runs;

    draw_counts(g, s, n, count);
    runs = cut_runs(g, s, count, run);
    gsl_ran_shuffle(g->rng[SIZES], run, runs, sizeof(*run));
    for (uint32_t i = 0; i < runs; i++) {
        const double shared = gsl_ran_gaussian_ziggurat(g->rng[DURATIONS], 1);

        for (uint32_t k = 0; k < run[i].length; k++, job++) {
            const double own = gsl_ran_gaussian_ziggurat(g->rng[DURATIONS], 1);

            *job = (struct drawn){ among * shared + within * own, run[i].size };
        }
    }
    gs_array_free(count);
    gs_array_free(run);
}

/* --- durations ------------------------------------------------------------ */

struct ranked {
    double score;
    uint32_t size, job;
};

static int by_size_and_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return x->job < y->job ? -1 : 1;
}

/* Turn scores into probabilities: of the n jobs of a size, the one with rank r
 * gets a value from the r-th of n equal parts of the distribution.
 */
static void balance(struct generator *g, struct drawn *job, uint32_t n)
{
    struct ranked *order = gs_array_new(n, sizeof(*order));

    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct ranked){ job[i].score, job[i].size, i };
    qsort(order, n, sizeof(*order), by_size_and_score);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].size == order[i].size;)
            end++;
        for (uint32_t k = i; k < end; k++)
            job[order[k].job].score =
                (k - i + gsl_rng_uniform_pos(g->rng[DURATIONS])) / (end - i);
    }
    gs_array_free(order);
}

static int64_t to_us(double seconds)
{
    const double ms = round(fmin(fmax(seconds, 0), LONGEST) * 1000);

    return (ms >= 1 ? (int64_t)ms : 1) * MS;
}

static void add_job(struct generator *g, const struct trace_model_size *size,
                    uint32_t i, double u)
{
    const uint32_t task = g->m->task_gpus;
    const uint32_t gpus = (uint32_t)(size->gpu_milli / TOPO_SHARE_ONE);
    const double seconds = trace_distribution_quantile(&size->duration, u);
    struct topo_request full = { .gpus = gpus < task ? gpus : task };
    const struct topo_request rest = { .gpus = gpus % task };
    struct trace_job job = { .group_count = 1, .retries = TRACE_NONE };
    struct trace_group group[2] = { { .replicas = 1 }, { .replicas = 1 } };

    if (gpus == 0)
        full.share = (uint32_t)size->gpu_milli;
    if (gpus > task) {
        group[0].replicas = gpus / task;
        job.group_count = rest.gpus ? 2 : 1;
    }
    group[0].shape = trace_workload_shape(g->w, &full);
    if (job.group_count == 2)
        group[1].shape = trace_workload_shape(g->w, &rest);
    job.submit = g->submit[i] / MS * MS;
    job.duration = job.estimate = to_us(seconds);
    if (g->m->has_estimates)
        job.estimate = to_us(
            seconds
            * trace_distribution_quantile(
                &g->m->estimates, gsl_rng_uniform_pos(g->rng[ESTIMATES])));
    if (g->queue_table)
        job.queue = g->queue[gsl_ran_discrete(g->rng[QUEUES], g->queue_table)];
    job.name = trace_number_name(
        g->w->names, g->o->prefix ? g->o->prefix : "job-", (int64_t)i + 1);
    trace_workload_add(g->w, &job, group);
}

/* --- all of it ------------------------------------------------------------ */

/* Draw the jobs [first, end), which arrive in stretch `s`. */
static void fill_stretch(struct generator *g,
                         const struct trace_model_stretch *s, uint32_t first,
                         uint32_t end)
{
    struct drawn *job = g->job + first;
    const uint32_t n = end - first;

    draw_sizes(g, s, job, n);
    if (g->o->balanced)
        balance(g, job, n);
    for (uint32_t i = 0; i < n; i++)
        add_job(g, &s->size[job[i].size], first + i,
                g->o->balanced ? job[i].score
                               : gsl_cdf_ugaussian_P(job[i].score));
}

static void fill(struct generator *g, uint32_t jobs)
{
    const struct trace_model *m = g->m;
    int64_t until = 0;

    for (uint32_t i = 0, s = 0; i < jobs; s = (s + 1) % m->stretch_count) {
        const uint32_t first = i;

        until = m->stretch_count == 1 ? INT64_MAX
                                      : until + m->stretch[s].length;
        while (i < jobs && g->submit[i] < until)
            i++;
        if (i > first)
            fill_stretch(g, &m->stretch[s], first, i);
    }
}

static void put_queues(struct generator *g)
{
    const uint32_t n = g->m->queue_count;
    double *weight;

    if (n == 0)
        return;
    weight = gs_array_new(n, sizeof(*weight));
    g->queue = gs_array_new(n, sizeof(*g->queue));
    for (uint32_t i = 0; i < n; i++) {
        const char *name = g->m->queue[i].name;

        weight[i] = g->m->queue[i].weight;
        g->queue[i] = trace_queue_put(
            g->w, gs_strtab_put(g->w->names, name, strlen(name)));
    }
    g->queue_table = gsl_ran_discrete_preproc(n, weight);
    gs_array_free(weight);
}

/* Determine the span and the number of jobs; the one that is not given follows
 * from the rate.
 */
static int extent_find(struct generator *g, int64_t *span, uint32_t *jobs,
                       struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const struct trace_model *m = g->m;
    double mean;

    *span = g->o->span ? g->o->span
            : g->o->jobs && m->arrivals.rate > 0
                ? (int64_t)fmin(g->o->jobs / m->arrivals.rate / HOURS + 1,
                                (double)TRACE_MODEL_SPAN_MAX)
                : m->span;
    mean = m->arrivals.rate * (double)*span * HOURS;
    if (mean > TRACE_MODEL_JOBS_MAX && !g->o->jobs)
        return gs_fail(err, GS_LIMIT, nowhere,
                       "the model makes %.0f jobs; the most are %d", mean,
                       TRACE_MODEL_JOBS_MAX);
    *jobs = g->o->jobs ? g->o->jobs
            : g->o->balanced
                ? (uint32_t)lround(mean)
                : trace_arrivals_count(&m->arrivals, mean, g->rng[ARRIVALS],
                                       TRACE_MODEL_JOBS_MAX);
    return 0;
}

static int draw(struct generator *g, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    struct trace_profile p;
    int64_t span;
    uint32_t jobs = 0;

    if (extent_find(g, &span, &jobs, err) < 0)
        return -1;
    trace_profile_init(&p, &g->m->arrivals, span);
    if (p.total > 0) {
        g->submit = gs_array_new(jobs, sizeof(*g->submit));
        g->job = gs_array_new(jobs, sizeof(*g->job));
        put_queues(g);
        trace_arrivals_draw(&g->m->arrivals, &p, g->o->balanced,
                            g->rng[ARRIVALS], jobs, g->submit);
        fill(g, jobs);
        trace_workload_finish(g->w, 0);
        gs_array_free(g->job);
        gs_array_free(g->submit);
        gs_array_free(g->queue);
        if (g->queue_table)
            gsl_ran_discrete_free(g->queue_table);
    }
    trace_profile_fini(&p);
    if (!(p.total > 0))
        return gs_fail(err, GS_INPUT, nowhere,
                       "the weights leave no hour in which jobs could come");
    return 0;
}

int trace_model_generate(const struct trace_model *m,
                         const struct trace_model_draw *o,
                         struct trace_workload *w, struct gs_err *err)
{
    static const char *const names[STREAMS] = {
        [ARRIVALS] = "model arrivals",   [SIZES] = "model sizes",
        [DURATIONS] = "model durations", [QUEUES] = "model queues",
        [ESTIMATES] = "model estimates",
    };
    struct generator g = { .m = m, .o = o, .w = w };
    int rc;

    assert(m);
    for (int i = 0; i < STREAMS; i++)
        g.rng[i] = stream(o->seed, names[i]);
    rc = draw(&g, err);
    for (int i = 0; i < STREAMS; i++)
        gsl_rng_free(g.rng[i]);
    return rc;
}

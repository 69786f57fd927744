/* tests/host/record.c - writes the recordings that stream.h describes.
 *
 *     record CASES FOLDER
 *
 * Each line of CASES is NAME WORKLOAD PRESET SETTING: the simulator replays
 * WORKLOAD.topology.yaml and WORKLOAD.trace.yaml, which stand beside CASES,
 * and FOLDER/NAME.txt gets what passed the scheduler's door.  The linker puts
 * the __wrap_ functions in the door (Makefile).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/scheduler.h"
#include "tests/lib/world.h"

const struct gsched_decision *__real_gsched_cycle(struct gsched *s, int64_t now,
                                                  uint32_t *count);
const struct gsched_decision *__wrap_gsched_cycle(struct gsched *s, int64_t now,
                                                  uint32_t *count);
int __real_gsched_tasks_created(struct gsched *s, uint32_t job,
                                uint32_t created, int64_t now);
int __wrap_gsched_tasks_created(struct gsched *s, uint32_t job,
                                uint32_t created, int64_t now);

static struct {
    FILE *to;
    const struct world *w;
    uint32_t left;
    bool is_foreign;
} rec;

/* --- words ---------------------------------------------------------------- */

static const char *word(uint32_t id)
{
    const char *s = gs_strtab_str(rec.w->names, id);

    return *s ? s : "-";
}

static const char *job_name(uint32_t job)
{
    return job == UINT32_MAX ? "-" : word(rec.w->work->job[job].name);
}

static void put_amounts(const int64_t *v)
{
    for (uint32_t d = 0; d < rec.w->dims.count; d++)
        (void)fprintf(rec.to, "%c%" PRId64, d ? ',' : ' ', v[d]);
}

/* --- the cluster ---------------------------------------------------------- */

static void put_node(uint32_t n)
{
    const struct topo *t = rec.w->topo;

    (void)fprintf(rec.to, "node %s %" PRIu32, word(t->node_name[n]),
                  t->node_class[n]);
    for (uint32_t i = 1; i <= t->tier_count; i++)
        (void)fprintf(rec.to, " %s",
                      word(t->domain[topo_domain_of(t, n, i)].name));
    (void)fputc('\n', rec.to);
}

static void put_topology(void)
{
    const struct topo *t = rec.w->topo;

    for (uint32_t d = TOPO_DIMS_FIXED; d < t->dims->count; d++)
        (void)fprintf(rec.to, "dim %s\n", word(t->dims->name[d]));
    for (uint32_t i = 0; i < t->tier_count; i++)
        (void)fprintf(rec.to, "tier %s\n", word(t->tier[i].name));
    for (uint32_t k = 0; k < t->class_count; k++) {
        (void)fprintf(rec.to, "class %s %s %" PRIu32, word(t->klass[k].type),
                      word(t->klass[k].model), t->klass[k].gpus);
        put_amounts(t->klass[k].capacity);
        (void)fputc('\n', rec.to);
    }
    for (uint32_t n = 0; n < t->node_count; n++)
        put_node(n);
}

static void put_queues(void)
{
    const struct trace_workload *w = rec.w->work;

    for (uint32_t q = 0; q < w->queue_count; q++) {
        (void)fprintf(rec.to, "queue %s %.17g %" PRId32 " %d %d",
                      word(w->queue[q].name), w->queue[q].weight,
                      w->queue[q].priority, w->queue[q].closed,
                      w->queue[q].keeps);
        put_amounts(trace_queue_amounts(&w->queue[q])->guarantee);
        put_amounts(trace_queue_amounts(&w->queue[q])->limit);
        put_amounts(trace_queue_amounts(&w->queue[q])->user_limit);
        (void)fputc('\n', rec.to);
    }
    for (uint32_t c = 0; c < w->class_count; c++)
        (void)fprintf(rec.to, "priority %s %" PRId32 " %d\n",
                      word(w->klass[c].name), w->klass[c].value,
                      w->klass[c].preempts);
}

/* --- what happens --------------------------------------------------------- */

static void put_group(const struct trace_group *g)
{
    const struct topo_request *r = &rec.w->work->shape[g->shape];

    if (g->rule_count || r->selector_count || r->toleration_count
        || r->model_count > 1)
        rec.is_foreign = true; /* recordings have no lines for these */
    (void)fprintf(rec.to,
                  "group %s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %s",
                  word(g->name), g->replicas, g->min, r->gpus, r->share,
                  r->model_count ? word(r->model[0]) : "-");
    put_amounts(r->amount);
    (void)fputc('\n', rec.to);
}

static void on_submitted(void *self, int64_t now, uint32_t job)
{
    const struct trace_job *j = &rec.w->work->job[job];

    (void)self;
    (void)fprintf(rec.to,
                  "submit %" PRId64 " %s %" PRIu32 " %s %" PRIu32 " %" PRIu32
                  " %" PRId64 " %" PRId64 " %" PRIu32 " %d %s %" PRId64
                  " %" PRIu32 " %d %d %" PRIu32 "\n",
                  now, job_name(job), j->queue, word(j->user), j->klass,
                  j->gang, j->estimate, j->aside->task_interval,
                  j->aside->task_interval ? 1 : j->tasks, (int)j->aside->within,
                  word(j->aside->within_tier), j->aside->checkpoint, j->retries,
                  j->aside->resumes, j->fixed, j->group_count);
    for (uint32_t g = 0; g < j->group_count; g++)
        put_group(trace_group_at(rec.w->work, j->first_group + g));
    rec.left++;
}

static void on_ended(void *self, int64_t now, const struct report_job *j)
{
    (void)self;
    rec.left -= j->end >= 0;
    if (j->end >= 0 && j->state != REPORT_REJECTED)
        (void)fprintf(rec.to, "%s %" PRId64 " %s\n",
                      j->state == REPORT_FAILED ? "fail" : "end", now,
                      job_name(j->job));
}

int __wrap_gsched_tasks_created(struct gsched *s, uint32_t job,
                                uint32_t created, int64_t now)
{
    (void)fprintf(rec.to, "created %" PRId64 " %s %" PRIu32 "\n", now,
                  job_name(job), created);
    return __real_gsched_tasks_created(s, job, created, now);
}

/* Write a decision as live_tell does, for the simulator. */
static void put_decision(const struct gsched_decision *d)
{
    static const char *const kind[] = { "place", "evict", "return", "shrink",
                                        "reject" };
    static const char *const reason[] = { "timeout", "preempted", "reclaimed",
                                          "lost", "moved" };
    const bool is_given_back = d->kind == GSCHED_EVICT
                               || d->kind == GSCHED_SHRINK;

    (void)fprintf(rec.to, " %s %s", kind[d->kind], job_name(d->job));
    if (d->kind == GSCHED_PLACE || is_given_back)
        (void)fprintf(
            rec.to, " %" PRIu32 " %" PRIu32 "+%" PRIu32 " %s %" PRIx64,
            d->group, d->first_task, d->grant.tasks,
            word(rec.w->topo->node_name[d->grant.node]), d->grant.devices);
    if (d->kind == GSCHED_RETURN || is_given_back)
        (void)fprintf(rec.to, " %s %s", reason[d->reason], job_name(d->by));
    (void)fputc('\n', rec.to);
}

const struct gsched_decision *__wrap_gsched_cycle(struct gsched *s, int64_t now,
                                                  uint32_t *count)
{
    const struct gsched_decision *d = __real_gsched_cycle(s, now, count);

    (void)fprintf(rec.to, "cycle %" PRId64 "\n", now);
    for (uint32_t i = 0; i < *count; i++)
        put_decision(&d[i]);
    return d;
}

/* --- cases ---------------------------------------------------------------- */

struct record_case {
    char name[64], workload[64], preset[64], setting[64];
};

static int record(struct world *w, const struct record_case *c, FILE *to)
{
    static const struct report_observer observer = { .submitted = on_submitted,
                                                     .ended = on_ended };
    const char *setting = strcmp(c->setting, "-") == 0 ? NULL : c->setting;

    rec.to = to;
    rec.w = w;
    rec.left = 0;
    rec.is_foreign = false;
    put_topology();
    put_queues();
    (void)fprintf(to, "profile %s %s\n", c->preset, c->setting);
    if (world_run(w, c->preset, setting, &observer) < 0)
        return -1;
    (void)fprintf(to, "left %" PRIu32 "\n", rec.left);
    if (rec.is_foreign)
        return gs_fail(&w->err, GS_INPUT, (struct gs_mark){ 0 },
                       "recordings know neither rules nor selectors");
    return 0;
}

static int case_run(const char *from, const struct record_case *c,
                    const char *folder)
{
    const struct trace_options o = { 0 };
    const char *slash = strrchr(from, '/');
    const int dir = slash ? (int)(slash - from) + 1 : 0;
    char topology[512], trace[512], path[512];
    struct world w;
    FILE *to;
    int rc = -1;

    (void)snprintf(topology, sizeof(topology), "%.*s%s.topology.yaml", dir,
                   from, c->workload);
    (void)snprintf(trace, sizeof(trace), "%.*s%s.trace.yaml", dir, from,
                   c->workload);
    (void)snprintf(path, sizeof(path), "%s/%s.txt", folder, c->name);
    to = fopen(path, "w");
    world_init(&w);
    if (to && world_load(&w, topology, trace, &o) == 0)
        rc = record(&w, c, to);
    if (to && fclose(to) != 0)
        rc = -1;
    if (rc < 0)
        (void)fprintf(stderr, "record: %s: %s\n", path, w.err.problem[0].text);
    world_fini(&w);
    return rc;
}

int main(int argc, char **argv)
{
    struct record_case c;
    FILE *cases = argc == 3 ? fopen(argv[1], "r") : NULL;
    int rc = 0;

    if (!cases) {
        (void)fputs("usage: record CASES FOLDER\n", stderr);
        return 2;
    }
    while (fscanf(cases, "%63s %63s %63s %63s", c.name, c.workload, c.preset,
                  c.setting)
           == 4)
        rc |= case_run(argv[1], &c, argv[2]);
    (void)fclose(cases);
    return rc ? 1 : 0;
}

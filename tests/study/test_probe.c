/* tests/study/test_probe.c - what a probe foretells happens: the job starts
 * then when it is really submitted, and with each change that is said to help.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/profile/registry.h"
#include "sim/replay/observer.h"
#include "sim/study/again.h"
#include "sim/study/examine.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/probe.h"
#include "tests/lib/suite.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define JOBS 24
#define AT INT64_C(3600000001) /* no other event */
#define TEXT 8192

static const char topology[] = "tiers: [{name: rack}, {name: node}]\n"
                               "node_types: {t: {gpus: 4, cpu: 32}}\n"
                               "nodes: [{name: 'a[1-4]', type: t, rack: r1},\n"
                               "        {name: 'b[1-4]', type: t, rack: r2}]\n";

static const char head[] =
    "queues:\n"
    "- {name: a, limit: {gpu: 16}, guarantee: {gpu: 12}, deserved: {gpu: 16},"
    " evicts_own: lower, evicts_others: any}\n"
    "- {name: b, guarantee: {gpu: 12}, deserved: {gpu: 16}}\n"
    "priority_classes: {lo: {value: 1}, mid: {value: 4}, hi: {value: 9}}\n"
    "jobs:\n";

struct files {
    char folder[40], topology[64], trace[64], job[64];
};

static void files_init(struct files *f)
{
    strcpy(f->folder, "/tmp/gsim-probe-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(f->folder));
    snprintf(f->topology, sizeof(f->topology), "%s/top.yaml", f->folder);
    snprintf(f->trace, sizeof(f->trace), "%s/trace.yaml", f->folder);
    snprintf(f->job, sizeof(f->job), "%s/job.yaml", f->folder);
}

static void files_fini(const struct files *f)
{
    unlink(f->topology);
    unlink(f->trace);
    unlink(f->job);
    CU_ASSERT_EQUAL(rmdir(f->folder), 0);
}

static void file_write(const char *path, const char *one, const char *two,
                       const char *three)
{
    FILE *out = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fprintf(out, "%s%s%s", one, two, three);
    fclose(out);
}

/* --- a random world ------------------------------------------------------- */

static uint32_t draw(struct gs_rng *r, uint32_t below)
{
    return (uint32_t)gs_rng_below(r, below);
}

/* A line of a job, submitted at `at` (us). */
static void job_draw(struct gs_rng *r, const char *name, int64_t at, char *to)
{
    static const char *const classes[] = { "lo", "mid", "hi" };
    const uint32_t tasks = 1 + draw(r, 6);

    sprintf(to,
            "- {name: %s, submit: %lldus, duration: %us, gpus: %u, "
            "replicas: %u, queue: %s, priority: %s%s}\n",
            name, (long long)at, 600 + draw(r, 9000), 1 + draw(r, 4), tasks,
            draw(r, 2) ? "a" : "b", classes[draw(r, 3)],
            draw(r, 4) ? "" : ", topology: {within: rack}");
}

static void jobs_draw(struct gs_rng *r, char *to)
{
    *to = '\0';
    for (uint32_t i = 0; i < JOBS; i++) {
        char name[16];

        snprintf(name, sizeof(name), "j%u", i);
        job_draw(r, name, (int64_t)draw(r, 3600) * 1000000, to + strlen(to));
    }
}

/* --- what really happens -------------------------------------------------- */

struct seen {
    uint32_t name; /* string id of the job */
    const struct trace_workload *work;
    int64_t start;
};

static void job_ended(void *self, int64_t now, const struct report_job *j)
{
    struct seen *s = self;

    (void)now;
    if (s->work->job[j->job].name == s->name)
        s->start = j->start;
}

/* The start of job "x" of the trace; -1: none. */
static int64_t start_of(const struct files *f, const char *policy)
{
    const struct trace_options o = { .limit = 0 };
    struct gs_err err = { 0 };
    struct sim_options sim = { .seed = 1, .until = SIM_FOREVER };
    struct sim_stats stats;
    struct inputs in;
    struct seen s = { .start = -1 };
    const struct report_observer observer = { .self = &s, .ended = job_ended };
    const struct report_observer *const list[] = { &observer };
    struct gsched_profile *p;

    inputs_init(&in);
    p = inputs_policy(&in, policy, &err);
    CU_ASSERT_EQUAL_FATAL(inputs_read(&in, f->trace, f->topology, &o, &err), 0);
    s.work = in.work;
    s.name = gs_strtab_put(in.names, "x", 1);
    CU_ASSERT_EQUAL(
        sim_replay(in.topo, in.work, p, &sim, list, 1, &stats, &err), 0);
    inputs_fini(&in);
    return s.start;
}

/* --- what is foretold ----------------------------------------------------- */

static int probe(struct inputs *in, const struct files *f, const char *policy,
                 struct study_probe *p, struct gs_err *err)
{
    const struct trace_options o = { .limit = 0 };

    *p = (struct study_probe){ .in = in, .sim = { .seed = 1, .until = AT } };
    inputs_init(in);
    p->profile = inputs_policy(in, policy, err);
    if (!p->profile || inputs_read(in, f->trace, f->topology, &o, err) < 0
        || study_probe_job(in, f->job, false, &p->job, err) < 0)
        return -1;
    return study_probe_run(p, err);
}

static void foretold(const struct files *f, const char *policy,
                     const char *jobs, const char *job)
{
    struct study_probe p;
    struct gs_err err = { 0 };
    struct inputs in;
    int64_t told, real;

    file_write(f->trace, head, jobs, "");
    file_write(f->job, head, job, "");
    CU_ASSERT_EQUAL_FATAL(probe(&in, f, policy, &p, &err), 0);
    told = p.answer.at != GSCHED_NEVER  ? p.answer.at
           : p.later.at == GSCHED_NEVER ? -1
                                        : p.later.at;
    CU_ASSERT_EQUAL(p.now, AT);
    file_write(f->trace, head, jobs, job);
    real = start_of(f, policy);
    if (told != real)
        printf("\n%s: told %lld, real %lld (outcome %d)\n%s%s", policy,
               (long long)told, (long long)real, p.answer.outcome, jobs, job);
    CU_ASSERT_EQUAL(told, real);
    for (uint32_t i = 0; i < p.changes; i++) {
        const struct study_probe_change *c = &p.change[i];

        if (c->kind == PROBE_REPLICAS)
            CU_ASSERT(c->value > 0
                      && c->value
                             < trace_group_at(in.work,
                                              in.work->job[p.job].first_group)
                                   ->replicas);
    }
    inputs_fini(&in);
}

static void test_foretold(void)
{
    const uint64_t rounds = suite_rounds(2);
    struct files f;

    files_init(&f);
    file_write(f.topology, topology, "", "");
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct gs_rng r;

        gs_rng_init(&r, seed, "probe");
        for (size_t i = 0; gsched_preset_at(i); i++) {
            const char *policy = gsched_preset_at(i)->name;
            char jobs[TEXT], job[400];

            if (strcmp(policy, "recorded") == 0)
                continue;
            jobs_draw(&r, jobs);
            job_draw(&r, "x", AT, job);
            foretold(&f, policy, jobs, job);
        }
    }
    files_fini(&f);
}

/* --- decisions shown ------------------------------------------------------ */

/* A task that is placed without eviction is placed where points are most; one
 * that is not is refused by all nodes, or by a module.  Under kueue eviction is
 * for quota, and others may take the nodes that it frees first.
 */
static void shown(const struct files *f, const char *policy)
{
    const struct trace_options o = { .limit = 0 };
    struct gs_err err = { 0 };
    struct study_examined e;
    struct study_again again;
    struct inputs in;
    uint32_t at = 0;

    inputs_init(&in);
    again = (struct study_again){ .profile = inputs_policy(&in, policy, &err),
                                  .sim = { .seed = 1 } };
    CU_ASSERT_EQUAL_FATAL(inputs_read(&in, f->trace, f->topology, &o, &err), 0);
    CU_ASSERT_EQUAL_FATAL(
        study_examine(&in, &again, AT, in.work->job_count - 1, &e, &err), 0);
    CU_ASSERT(e.has_cycle && e.is_live);
    while (at < e.group[0].kinds && !e.group[0].kind[at].chosen)
        at++;
    if (at == e.group[0].kinds) {
        CU_ASSERT_EQUAL(e.placed_after, 0);
        CU_ASSERT(e.group[0].kind[0].refused || e.cause == GSCHED_QUOTA
                  || e.cause == GSCHED_ORDER);
    } else if (!e.group[0].kind[at].refused && strcmp(policy, "kueue") != 0) {
        CU_ASSERT_EQUAL(e.group[0].kind[at].score, e.group[0].kind[0].score);
    }
    for (uint32_t i = 0; i < e.group[0].kinds; i++) {
        const struct study_examined_nodes *k = &e.group[0].kind[i];
        int64_t sum = 0;

        for (uint32_t m = 0; m < e.modules; m++)
            sum += k->points[m];
        CU_ASSERT(k->refused || sum == k->score);
        CU_ASSERT(!k->refused || k->why[0]);
    }
    inputs_fini(&in);
}

static void test_shown(void)
{
    static const char *const policies[] = {
        "fifo",     "binpack",     "spread",       "kube-default",
        "drf",      "volcano",     "easy",         "priority-preempt",
        "yunikorn", "fgd",         "lookahead",    "best-fit",
        "kueue",    "dot-product", "conservative", "gpu-packing",
    };
    const uint64_t rounds = suite_rounds(3);
    struct files f;

    files_init(&f);
    file_write(f.topology, topology, "", "");
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        struct gs_rng r;

        gs_rng_init(&r, seed, "shown");
        for (size_t i = 0; i < N_ELEMENTS(policies); i++) {
            char jobs[TEXT], job[200];

            jobs_draw(&r, jobs);
            sprintf(job,
                    "- {name: x, submit: %lldus, duration: 1h, gpus: %u, "
                    "queue: a, priority: mid}\n",
                    (long long)AT, 1 + draw(&r, 4));
            file_write(f.trace, head, jobs, job);
            shown(&f, policies[i]);
        }
    }
    files_fini(&f);
}

/* --- by hand -------------------------------------------------------------- */

/* Queue a holds 12 of its 16 GPUs, on a1 to a3; queue b 4, on b1. */
#define HELD                                                                \
    "- {name: h, submit: 0, duration: 2h, gpus: 4, replicas: 3, queue: a,"  \
    " priority: mid}\n"                                                     \
    "- {name: i, submit: 0, duration: 3h, gpus: 4, queue: b, priority: lo," \
    " topology: {within: rack}, nodes: {rack: r2}}\n"
#define X(rest) "- {name: x, submit: 0, duration: 1h, gpus: 4, " rest "}\n"

static const struct {
    const char *policy, *job;
    enum study_probe_outcome outcome;
    const char *want; /* changes */
} hand[] = {
    { "volcano", X("queue: a, priority: lo"), PROBE_STARTS, "" },
    { "volcano", X("queue: a, replicas: 2, priority: lo"), PROBE_WAITS,
      "replicas 1, queue b, queues.a.limit 20, " },
    { "binpack", X("queue: a, replicas: 5, priority: lo"), PROBE_WAITS,
      "replicas 4, " },
    { "topology",
      X("queue: a, replicas: 4, priority: lo, topology: {within: rack}"),
      PROBE_WAITS, "replicas 3, within 0, " },
    { "hybrid", X("queue: b, replicas: 5, priority: mid"), PROBE_EVICTS,
      "replicas 4, " }, /* without evicting */
    { "hybrid", X("queue: b, replicas: 7, priority: mid"), PROBE_WAITS,
      "replicas 5, class hi, " },
    { "binpack", X("queue: b, replicas: 9"), PROBE_REJECTED, "replicas 4, " },
};

static void changes_text(const struct study_probe *p, char *to)
{
    const struct trace_workload *w = p->in->work;

    *to = '\0';
    for (uint32_t i = 0; i < p->changes; i++) {
        const struct study_probe_change *c = &p->change[i];

        to += strlen(to);
        if (c->kind == PROBE_REPLICAS)
            sprintf(to, "replicas %u, ", c->value);
        else if (c->kind == PROBE_WITHIN)
            sprintf(to, "within %u, ", c->value);
        else if (c->kind == PROBE_QUEUE)
            sprintf(to, "queue %s, ",
                    gs_strtab_str(p->in->names, w->queue[c->value].name));
        else if (c->kind == PROBE_CLASS)
            sprintf(to, "class %s, ",
                    gs_strtab_str(p->in->names, w->klass[c->value].name));
        else
            sprintf(to, "queues.%s.%s %lld, ",
                    gs_strtab_str(p->in->names, w->queue[c->excess.queue].name),
                    study_probe_amount_names[c->excess.which],
                    (long long)c->amount / TOPO_SHARE_ONE);
    }
}

static void test_by_hand(void)
{
    struct files f;

    files_init(&f);
    file_write(f.topology, topology, "", "");
    file_write(f.trace, head, HELD, "");
    for (size_t i = 0; i < N_ELEMENTS(hand); i++) {
        struct study_probe p;
        struct gs_err err = { 0 };
        struct inputs in;
        char got[400];

        file_write(f.job, head, hand[i].job, "");
        CU_ASSERT_EQUAL(probe(&in, &f, hand[i].policy, &p, &err), 0);
        changes_text(&p, got);
        if (p.answer.outcome != hand[i].outcome
            || strcmp(got, hand[i].want) != 0)
            printf("\n%s %s got %d '%s', want %d '%s'\n", hand[i].policy,
                   hand[i].job, p.answer.outcome, got, hand[i].outcome,
                   hand[i].want);
        CU_ASSERT_EQUAL(p.answer.outcome, hand[i].outcome);
        CU_ASSERT_STRING_EQUAL(got, hand[i].want);
        inputs_fini(&in);
    }
    files_fini(&f);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "what is foretold happens, under all presets", test_foretold },
        { "the points shown are those that decide", test_shown },
        { "reasons and changes by hand", test_by_hand },
    };

    return suite_run("study/probe", cases, N_ELEMENTS(cases));
}

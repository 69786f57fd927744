/* tests/sim/test_vectors_solver.c - what KAI Scheduler's tests of its actions
 * and of whole cycles say that it decides, through the scheduler.
 *
 * `actions` of a vector: "NAME only, one pass", or "all, N cycles, then
 * stable".  A task that gets the room of a victim starts here at once:
 * "Pipelined" is placed; "Releasing" is evicted without another place.
 *
 * A pass of allocate decides the same when all jobs were tried before, while
 * all nodes were cordoned, so that those without room are not tried again:
 * there each pass tries all.
 */
#include <stdlib.h>

#include "tests/lib/solver_world.h"
#include "tests/lib/vectors.h"
#include "tests/sim/vectors_listed_solver.h"

#define KAI "tests/data/vectors/kai-actions.yaml"
#define MOST 64 /* tasks of which expectations name a shared device */

/* A task, the device that it has, and the name of the device. */
struct shared {
    const struct solver_task *task;
    const char *name;
};

struct check {
    const struct vector *v;
    bool is_one_pass;
    struct shared shared[MOST];
    uint32_t shared_count;
};

static bool status_is(const struct check *c, const struct solver_task *t,
                      const char *status)
{
    const bool placed = t->state == SOLVER_RUNS || t->state == SOLVER_STARTED;

    if (strcmp(status, "Failed") == 0)
        return !placed;
    if (strcmp(status, "Pending") == 0)
        return c->is_one_pass ? t->state == SOLVER_WAITS : !placed;
    if (strcmp(status, "Releasing") == 0)
        return t->state == SOLVER_RELEASES || (!c->is_one_pass && !placed);
    if (strcmp(status, "Running") == 0)
        return c->is_one_pass ? t->state == SOLVER_RUNS : placed;
    return c->is_one_pass ? t->state == SOLVER_STARTED : placed;
}

static const char *state_name(const struct solver_task *t)
{
    static const char *const name[] = { "waits", "runs", "started",
                                        "releases" };

    return name[t->state];
}

/* The node of a task that waits does not matter. */
static bool is_as_wanted(const struct check *c, const struct solver_task *t,
                         const struct gs_ynode *want)
{
    const char *status = gs_ynode_find(want, "status")->text;
    const struct gs_ynode *node = gs_ynode_find(want, "node");

    return status_is(c, t, status)
           && (!node || strcmp(status, "Pending") == 0
               || strcmp(status, "Failed") == 0
               || strcmp(node->text, t->node) == 0);
}

/* Tasks of one kind are alike: exchange the task with one that is as wanted and
 * is not checked yet.
 */
static void task_exchange(const struct check *c, struct solver_job *j,
                          uint32_t i, const struct gs_ynode *want)
{
    for (uint32_t k = 0; k < j->tasks; k++) {
        const struct solver_task swap = j->task[i];

        if (j->checked >> k & 1 || j->task[k].group != swap.group
            || !is_as_wanted(c, &j->task[k], want))
            continue;
        j->task[i] = j->task[k];
        j->task[k] = swap;
        return;
    }
}

static void task_check(struct check *c, struct solver_job *j, uint32_t i,
                       const struct gs_ynode *want)
{
    const struct gs_ynode *status = gs_ynode_find(want, "status");
    const struct gs_ynode *node = gs_ynode_find(want, "node");
    const struct gs_ynode *groups = gs_ynode_find(want, "gpu_groups");
    const struct solver_task *t = &j->task[i];
    char text[256];

    task_exchange(c, j, i, want);
    j->checked |= UINT64_C(1) << i;
    if (!is_as_wanted(c, t, want)) {
        (void)snprintf(text, sizeof(text), "%s-%u %s %s, wanted %s %s", j->name,
                       i, state_name(t), t->node, status->text,
                       node ? node->text : "");
        vector_fails(c->v, "task", text);
    }
    if (groups && groups->child && !groups->child->next
        && c->shared_count < MOST && strcmp(status->text, "Pending") != 0)
        c->shared[c->shared_count++] = (struct shared){ t,
                                                        groups->child->text };
}

/* Tasks on one node have the same device when they name the same, and only
 * then.
 */
static void shared_check(const struct check *c)
{
    for (uint32_t i = 0; i < c->shared_count; i++) {
        const struct solver_task *a = c->shared[i].task;

        for (uint32_t k = 0; k < i; k++) {
            const struct solver_task *b = c->shared[k].task;

            if (strcmp(a->node, b->node) == 0 && a->devices && b->devices
                && (a->devices == b->devices)
                       != (strcmp(c->shared[i].name, c->shared[k].name) == 0))
                vector_fails(c->v, "devices shared on", a->node);
        }
    }
}

/* "JOB-3": the task of the job. */
static void task_called(struct check *c, struct solver_world *w,
                        const struct gs_ynode *want)
{
    const char *dash = strrchr(want->key->text, '-');
    struct solver_job *j;
    char name[128];
    uint32_t i;

    CU_ASSERT_PTR_NOT_NULL_FATAL(dash);
    (void)snprintf(name, sizeof(name), "%.*s", (int)(dash - want->key->text),
                   want->key->text);
    j = solver_job_called(w, name);
    i = (uint32_t)strtoul(dash + 1, NULL, 10);
    if (!j || i >= j->tasks)
        vector_fails(c->v, "no task", want->key->text);
    else
        task_check(c, j, i, want);
}

static void expected_check(struct check *c, struct solver_world *w)
{
    const struct gs_ynode *jobs = gs_ynode_find(c->v->expected, "jobs");
    const struct gs_ynode *tasks = gs_ynode_find(c->v->expected, "tasks");

    for (const struct gs_ynode *n = jobs ? jobs->child : NULL; n; n = n->next) {
        struct solver_job *j = solver_job_called(w, n->key->text);

        if (!j)
            vector_fails(c->v, "no job", n->key->text);
        for (uint32_t i = 0; j && i < j->tasks; i++)
            task_check(c, j, i, n);
    }
    for (const struct gs_ynode *n = tasks ? tasks->child : NULL; n; n = n->next)
        task_called(c, w, n);
    shared_check(c);
}

/* The actions of a vector, as a profile lists them. */
static const struct {
    const char *said, *actions;
} passes[] = {
    { "allocate only", "[allocate]" },
    { "consolidation only", "[consolidate]" },
    { "reclaim only", "[reclaim]" },
    { "preempt only", "[preempt]" },
    { "stalegangeviction only", "[reclaim]" }, /* gangs are looked at first */
    { "all", "[allocate, consolidate, reclaim, preempt]" },
};

static void run_from(const struct vector *v, bool has_waited)
{
    const char *actions = vector_in(v, "actions")->text;
    struct check c = { .v = v,
                       .is_one_pass = strstr(actions, "one pass") != NULL };
    const char *cycles = strchr(actions, ',');
    unsigned long n = c.is_one_pass || !cycles
                          ? 1
                          : strtoul(cycles + 1, NULL, 10) + 1;
    struct solver_world w;
    char profile[1024];
    size_t i = 0;

    while (i < N_ELEMENTS(passes)
           && strncmp(passes[i].said, actions, strlen(passes[i].said)) != 0)
        i++;
    if (i == N_ELEMENTS(passes)) {
        vector_not_run(v, "its actions are not known");
        return;
    }
    (void)snprintf(
        profile, sizeof(profile),
        "unit: gang\nactions: %s\nmodules:\n"
        "  - priority\n  - elastic\n  - gang: {timeout: %s}\n  - fit\n"
        "  - topology: {smallest: no}\n  - full-domains\n  - over-quota\n"
        "  - preemption: {search: trials, trials: 0, onto: gpus, "
        "idle_first: yes}\n"
        "  - moves: {for: preemptible, price: 100000h, jobs: 0, trials: 0, "
        "keep_off: no, tasks: turn}\n"
        "  - gpu-sharing: {mode: used, weight: 10}\n"
        "  - scarce\n  - remaining\n",
        passes[i].actions,
        c.is_one_pass && !strstr(actions, "stale") ? "0s" : "1s");
    if (solver_world_init(&w, v->in, profile) < 0) {
        char text[512];

        vector_fails(
            v, "is refused:", gs_err_format(&w.w.err, 0, text, sizeof(text)));
    } else {
        if (has_waited)
            solver_world_wait(&w);
        for (; n > 0; n--)
            solver_world_cycle(&w);
        expected_check(&c, &w);
    }
    solver_world_fini(&w);
}

static void run(const struct vector *v)
{
    run_from(v, false);
    if (strcmp(vector_in(v, "actions")->text, "allocate only, one pass") == 0)
        run_from(v, true);
}

int main(void)
{
    static const struct vector_group groups[] = { { "kai-act-", run },
                                                  { "kai-e2e-", run } };

    return vectors_main(&(struct vector_suite){ "sim/vectors_solver", KAI,
                                                groups, N_ELEMENTS(groups),
                                                listed, N_ELEMENTS(listed) });
}

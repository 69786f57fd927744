/* tests/sim/test_vectors_room.c - victims of YuniKorn's preemption in
 * vectors of its tests (tests/data/vectors/yunikorn.yaml): nodes, queues and
 * running tasks become a topology and a trace, and action preempt decides.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "policies/modules/guarantee_take.h"
#include "policies/preemption/standing.h"
#include "policies/scheduler.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"
#include "traces/workload/workload.h"

#define TEXT 8192
#define MANY 32
#define MINUTE INT64_C(60000000)

struct text {
    char at[TEXT];
    size_t len;
};

static void put(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    t->len += (size_t)vsnprintf(t->at + t->len, sizeof(t->at) - t->len, fmt,
                                ap);
    va_end(ap);
    CU_ASSERT_FATAL(t->len < sizeof(t->at));
}

/* Resources by their names in vectors. */
static const char *resource(const char *name)
{
    static const char *const ours[][2] = {
        { "first", "cpu" },  { "vcores", "cpu" }, { "second", "memory" },
        { "mem", "memory" }, { "third", "rdma" }, { "gpu", "rdma" },
    };

    for (size_t i = 0; i < N_ELEMENTS(ours); i++) {
        if (strcmp(name, ours[i][0]) == 0)
            return ours[i][1];
    }
    return name;
}

/* A mapping of amounts, or a bare number, which is of the first resource. */
static void amounts_put(struct text *t, const struct gs_ynode *n)
{
    const char *between = "";

    put(t, "{");
    if (n->kind == GS_YSCALAR)
        put(t, "cpu: %s", n->text);
    for (const struct gs_ynode *v = n->kind == GS_YMAP ? n->child : NULL; v;
         v = v->next) {
        put(t, "%s%s: %s", between, resource(v->key->text), v->text);
        between = ", ";
    }
    put(t, "}");
}

/* The last name of a path with dots, and its path in the trace. */
static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? dot + 1 : path;
}

static void path_put(struct text *t, const char *path)
{
    if (strncmp(path, "root", 4) != 0)
        put(t, "root/");
    for (; *path; path++)
        put(t, "%c", *path == '.' ? '/' : *path);
}

/* --- the world ------------------------------------------------------------ */

struct task {
    char name[32];
    const char *queue, *node;
    const struct gs_ynode *amount;
    int64_t since;
    int priority;
    bool stays; /* it may not go */
};

struct tasks {
    struct task at[MANY];
    uint32_t count;
};

/* "120 s old", "new, priority 1000" */
static void age_read(const struct gs_ynode *n, struct task *t)
{
    const char *priority = n ? strstr(n->text, "priority ") : NULL;

    t->since = 10 * MINUTE;
    if (n && strstr(n->text, " s old"))
        t->since -= strtol(n->text, NULL, 10) * 1000000;
    t->priority = priority ? atoi(priority + 9) : 0;
}

/* One row: name, queue (behind an application), node, amount, age; "a5..7" are
 * three tasks.
 */
static void row_read(const struct gs_ynode *row, struct tasks *all)
{
    const struct gs_ynode *queue = row->child->next, *node = queue->next;
    const char *name = row->child->text, *dots = strstr(name, "..");
    const size_t stem = strcspn(name, "0123456789");
    const char *blank = strrchr(queue->text, ' ');
    long first = strtol(name + stem, NULL, 10);
    const long end = dots ? strtol(dots + 2, NULL, 10) : first;

    for (; first <= end; first++) {
        struct task *t = &all->at[all->count++];

        CU_ASSERT_FATAL(all->count < MANY);
        snprintf(t->name, sizeof(t->name), "%.*s%ld", (int)stem, name, first);
        t->queue = blank ? blank + 1 : queue->text;
        t->node = node->text;
        t->amount = node->next;
        age_read(node->next->next, t);
    }
}

/* "on n1 removing alloc1 is enough": the plugin has an answer for no other, so
 * that all others may not go.
 */
static void plugin_read(const struct gs_ynode *n, struct tasks *all)
{
    char node[32], name[32];

    if (!n
        || sscanf(n->text, "says: on %31s removing %31s is enough", node, name)
               != 2)
        return;
    for (uint32_t i = 0; i < all->count; i++) {
        struct task *t = &all->at[i];

        t->stays = strcmp(t->node, node) != 0 || strcmp(t->name, name) != 0;
    }
}

/* The queues of the vector, which may be those of another one. */
static const struct gs_ynode *queues_of(const struct vector *v,
                                        struct gs_arena *arena)
{
    const struct gs_ynode *q = vector_in(v, "queues");
    const struct gs_ynode *all;

    if (q->kind == GS_YMAP)
        return q;
    CU_ASSERT_FATAL(strncmp(q->text, "as ", 3) == 0);
    all = vectors_read("tests/data/vectors/yunikorn.yaml", "vectors", arena);
    for (const struct gs_ynode *n = all->child; n; n = n->next) {
        if (strcmp(gs_ynode_find(n, "id")->text, q->text + 3) == 0)
            return gs_ynode_find(gs_ynode_find(n, "inputs"), "queues");
    }
    CU_FAIL_FATAL("no such vector");
    return NULL;
}

static void topology_make(const struct vector *v, struct text *t)
{
    const struct gs_ynode *nodes = vector_in(v, "nodes");

    put(t, "cluster: vector\nnode_types:\n");
    for (const struct gs_ynode *n = nodes->child; n; n = n->next) {
        put(t, "  %s: ", n->key->text);
        amounts_put(t, n);
        put(t, "\n");
    }
    put(t, "nodes:\n");
    for (const struct gs_ynode *n = nodes->child; n; n = n->next)
        put(t, "- {name: %s, type: %s}\n", n->key->text, n->key->text);
}

static void queue_put(struct text *t, const struct gs_ynode *q)
{
    static const struct {
        const char *key, *term;
        bool is_fence; /* the only word that is stated */
    } words[] = { { "preemption", "preemption", false },
                  { "priority", "priority_fence", true },
                  { "priority_offset", "priority_offset", false } };
    const struct gs_ynode *max = gs_ynode_find(q, "max");
    const struct gs_ynode *own = gs_ynode_find(q, "guaranteed");

    put(t, "- {name: ");
    path_put(t, q->key->text);
    if (own) {
        put(t, ", guarantee: ");
        amounts_put(t, own);
    }
    /* the root is as large as the cluster */
    if (max && strcmp(q->key->text, "root") != 0) {
        put(t, ", limit: ");
        amounts_put(t, max);
    }
    for (uint32_t i = 0; i < N_ELEMENTS(words); i++) {
        const struct gs_ynode *n = gs_ynode_find(q, words[i].key);

        if (n)
            put(t, ", %s: %s", words[i].term,
                words[i].is_fence                  ? "true"
                : strcmp(n->text, "disabled") == 0 ? "off"
                                                   : n->text);
    }
    put(t, "}\n");
}

static void job_put(struct text *t, const struct gs_ynode *queues,
                    const struct task *task)
{
    const char *path = NULL;

    for (const struct gs_ynode *q = queues->child; q; q = q->next) {
        if (strcmp(last_name(q->key->text), task->queue) == 0)
            path = q->key->text;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    put(t, "- {name: %s, submit: 0, duration: 9h, priority: p%d, %squeue: ",
        task->name, task->priority, task->stays ? "preemptible: false, " : "");
    path_put(t, path);
    if (task->amount->kind == GS_YSCALAR)
        put(t, ", cpu: %s", task->amount->text);
    for (const struct gs_ynode *a =
             task->amount->kind == GS_YMAP ? task->amount->child : NULL;
         a; a = a->next) {
        if (strcmp(a->key->text, "queue") != 0
            && strcmp(a->key->text, "pods") != 0
            && strcmp(a->key->text, "priority") != 0)
            put(t, ", %s: %s", resource(a->key->text), a->text);
    }
    put(t, "}\n");
}

static uint32_t node_find(const struct world *w, const char *name)
{
    uint32_t n = 0;

    while (strcmp(gs_strtab_str(w->names, w->topo->node_name[n]), name) != 0)
        n++;
    return n;
}

static void adopt(struct world *w, struct topo_cluster *c, struct gsched *s,
                  uint32_t job, const struct task *t)
{
    const struct trace_group *g = trace_group_at(w->work,
                                                 w->work->job[job].first_group);
    const struct topo_request *r = &w->work->shape[g->shape];
    struct topo_grant grant = topo_cluster_allocate(c, node_find(w, t->node), r,
                                                    1, UINT32_MAX);

    topo_cluster_release(c, r, &grant);
    CU_ASSERT_EQUAL(gsched_adopt(s, job, 0, 0, &grant, t->since, 10 * MINUTE),
                    0);
}

/* --- what is expected ----------------------------------------------------- */

static bool is_listed(const struct gs_ynode *list, const char *name)
{
    for (const struct gs_ynode *n = list->child; n; n = n->next) {
        if (strcmp(n->text, name) == 0)
            return true;
    }
    return false;
}

static void decisions_check(const struct vector *v, const struct world *w,
                            const struct gsched_decision *d, uint32_t count,
                            uint32_t ask)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "preempted");
    const struct gs_ynode *node = gs_ynode_find(v->expected, "reserve");
    uint32_t evicted = 0, placed = 0;

    for (uint32_t i = 0; i < count; i++) {
        const char *name = gs_strtab_str(w->names, w->work->job[d[i].job].name);

        if (d[i].kind == GSCHED_EVICT) {
            evicted++;
            if (!is_listed(want, name))
                vector_fails(v, "not expected to go:", name);
        } else if (d[i].kind == GSCHED_PLACE && d[i].job == ask) {
            placed++;
            if (!node || node_find(w, node->text) != d[i].grant.node)
                vector_fails(v, "placed on another node", "");
        }
    }
    if (evicted != want->len)
        vector_fails(v, "another number of victims", "");
    CU_ASSERT_EQUAL(placed, want->len > 0);
}

/* Ask the module itself, as those tests do, whether the task has room or not.
 */
static void module_check(const struct vector *v, const struct world *w,
                         struct gsched *s, uint32_t ask)
{
    const struct gsched_module *by = s->modules->room;
    const struct gs_ynode *want = gs_ynode_find(v->expected, "preempted");
    const struct gsp_job j = { .s = s, .id = ask };
    struct standing running = { .count = 0 };
    uint8_t goes[MANY] = { 0 };
    uint32_t node = GSP_NONE, n = 0;
    bool made;

    gsched_standing_gather(s, &running, false);
    CU_ASSERT_FATAL(running.count < MANY);
    made = by->module->make_room(
        by->self, &j, 0, &(struct gsp_standing){ running.count, running.at },
        goes, &node);
    for (uint32_t i = 0; made && i < running.count; i++) {
        const char *name = gs_strtab_str(w->names,
                                         w->work->job[running.job[i].id].name);

        n += goes[i];
        if (goes[i] && !is_listed(want, name))
            vector_fails(v, "the module does not spare", name);
    }
    if (n != want->len)
        vector_fails(v, "the module takes another number of victims", "");
    gsched_standing_free(&running);
}

static void preempt_run(const struct vector *v)
{
    static const char profile[] =
        "actions: [allocate, preempt]\nunit: pod\nrequeue: submitted\n"
        "modules: [fair-queues, queue-jobs, queue-limits, fit, "
        "{node-usage: {resources: {cpu: 1}}}, guarantee-victims]\n";
    struct text topology = { .len = 0 }, trace = { .len = 0 };
    const struct gs_ynode *ask = vector_in(v, "ask");
    const struct gs_ynode *priority = gs_ynode_find(ask, "priority");
    struct tasks all = { .count = 0 };
    const struct gsched_decision *d;
    const struct gs_ynode *queues;
    struct topo_cluster *c;
    struct gsched *s;
    struct world w;
    uint32_t count;

    world_init(&w);
    queues = queues_of(v, w.arena);
    for (const struct gs_ynode *r = vector_in(v, "running")->child; r;
         r = r->next)
        row_read(r, &all);
    plugin_read(gs_ynode_find(v->in, "predicate_plugin"), &all);
    all.at[all.count] = (struct task){
        .name = "ask",
        .queue = gs_ynode_find(ask, "queue")->text,
        .amount = ask,
        .priority = priority ? atoi(priority->text) : 0,
    };
    topology_make(v, &topology);
    put(&trace, "priority_classes: {p0: {value: 0}, p1000: {value: 1000}, "
                "p-1000: {value: -1000}}\nqueues:\n");
    for (const struct gs_ynode *q = queues->child; q; q = q->next)
        queue_put(&trace, q);
    put(&trace, "jobs:\n");
    for (uint32_t i = 0; i <= all.count; i++)
        job_put(&trace, queues, &all.at[i]);
    if (world_load(&w, topology.at, trace.at, &(struct trace_options){ 0 })
        < 0) {
        vector_fails(v, "not read:", w.err.problem[0].text);
        world_fini(&w);
        return;
    }
    for (uint32_t i = 0; i < w.work->shape_count; i++)
        w.work->shape[i].amount[TOPO_PODS] = gs_ynode_find(ask, "pods") != NULL;
    c = topo_cluster_create(w.topo);
    s = gsched_create(c, w.work, world_profile(&w, profile), 1, &w.err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    for (uint32_t i = 0; i < all.count; i++) {
        gsched_submit(s, i, 1, 10 * MINUTE);
        adopt(&w, c, s, i, &all.at[i]);
    }
    (void)gsched_cycle(s, 10 * MINUTE, &count);
    gsched_submit(s, all.count, 1, 10 * MINUTE);
    module_check(v, &w, s, all.count);
    (void)gsched_cycle(s, 10 * MINUTE, &count);
    if (count == 0) { /* else it has room as it stands */
        d = gsched_cycle(s, 11 * MINUTE, &count);
        decisions_check(v, &w, d, count, all.count);
    }
    gsched_destroy(s);
    topo_cluster_destroy(c);
    world_fini(&w);
}

/* Two tasks of a queue hold a node; one of its sibling asks for the half. */
static void guarantee_run(const struct vector *v)
{
    const bool parent = strcmp(vector_in(v, "parent_guaranteed")->text, "true")
                        == 0;
    const bool own = strcmp(vector_in(v, "ask_queue_guaranteed")->text, "true")
                     == 0;
    const bool may =
        strcmp(gs_ynode_find(v->expected, "may_preempt")->text, "true") == 0;
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct gs_err err = { 0 };
    struct vector world = { v->id, v->group, NULL, NULL };

    world.in = gs_yaml_parse(
        "world",
        gs_arena_printf(arena,
                        "nodes: {n1: {first: 10}}\n"
                        "queues:\n"
                        "  root.parent: {%s}\n"
                        "  root.parent.child1: {}\n"
                        "  root.parent.child2: {%s}\n"
                        "running: [[a1, child1, n1, 5, 60 s old],"
                        " [a2, child1, n1, 5, new]]\n"
                        "ask: {queue: child2, first: 5}\n",
                        parent ? "guaranteed: 10" : "",
                        own ? "guaranteed: 5" : ""),
        arena, &err);
    world.expected = gs_yaml_parse(
        "expected", may ? "{preempted: [a2], reserve: n1}" : "{preempted: []}",
        arena, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world.in);
    preempt_run(&world);
    gs_arena_destroy(arena);
}

/* --- what remains --------------------------------------------------------- */

static void remaining_run(const struct vector *v)
{
    static const char *const names[] = { "first", "second" };
    struct guarantee_room r = { .dims = 2 };
    struct room_left left = { .is_set = true };
    bool under, over;

    for (uint32_t d = 0; d < 2; d++) {
        const struct gs_ynode *asked = gs_ynode_find(vector_in(v, "ask"),
                                                     names[d]);
        const struct gs_ynode *own = gs_ynode_find(
            vector_in(v, "remaining_guaranteed"), names[d]);

        r.asked[d] = asked ? strtoll(asked->text, NULL, 10) : 0;
        left.at[d] = own ? strtoll(own->text, NULL, 10) : GUARANTEE_NONE;
    }
    under = room_is_under(&r, &left);
    over = room_gives(&r, &left);
    CU_ASSERT_EQUAL(
        under,
        strcmp(gs_ynode_find(v->expected, "ask_queue_under")->text, "true")
            == 0);
    CU_ASSERT_EQUAL(
        over,
        strcmp(gs_ynode_find(v->expected, "victim_queue_over")->text, "true")
            == 0);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "yk-preempt-guar-", remaining_run },
        { "yk-preempt-noguar-", guarantee_run },
        { "yk-preemption", preempt_run },
    };

    return vectors_main(&(struct vector_suite){
        "sim/vectors_room", "tests/data/vectors/yunikorn.yaml", groups,
        N_ELEMENTS(groups), NULL, 0 });
}

#include "tests/lib/pods.h"

__attribute__((format(printf, 2, 3))) void pods_put(struct pods_text *t,
                                                    const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->at + t->len, sizeof(t->at) - t->len, format, args);
    va_end(args);
    CU_ASSERT_FATAL(n >= 0 && t->len + (size_t)n < sizeof(t->at));
    t->len += (size_t)n;
}

/* --- the world ------------------------------------------------------------ */

static void pods_topology(struct pods_text *t, const struct pods *s)
{
    pods_put(t, "node_types:\n");
    for (uint32_t i = 0; i < s->node_count; i++)
        pods_put(t, "  t%u: {cpu: %um}\n", i, s->node[i].size);
    pods_put(t, "nodes:\n");
    for (uint32_t i = 0; i < s->node_count; i++)
        pods_put(t, "- {name: %s, type: t%u, labels: {node: %s}}\n",
                 s->node[i].name, i, s->node[i].name);
}

static void pods_task(struct pods_text *t, const struct pod *p,
                      const char *replicas)
{
    pods_put(t, "{name: %s, replicas: %s", p->name, replicas);
    if (p->size)
        pods_put(t, ", cpu: %um", p->size);
    if (p->node[0])
        pods_put(t, ", nodes: {node: %s}", p->node);
    if (p->budget)
        pods_put(t, ", labels: {budget: b%u}", p->budget);
    pods_put(t, "}");
}

/* All pods of the group whose first is at place `first`. */
static void pods_group(struct pods_text *t, const struct pods *s,
                       uint32_t first)
{
    const struct pods_node *n = s->node;
    unsigned members = 0;

    for (uint32_t i = first; i < s->count; i++) {
        if (strcmp(s->pod[i].group, s->pod[first].group) != 0)
            continue;
        pods_task(t, &s->pod[i], "{min: 0, max: 1}");
        pods_put(t, ", ");
        members++;
    }
    while (strcmp(n->name, s->pod[first].node) != 0)
        n++;
    pods_put(t,
             "{name: rest, replicas: {min: 0, max: 1}, cpu: %um, "
             "nodes: {node: %s}}], gang: %u",
             n->size, n->name, s->goes_whole ? members : 1);
}

/* A job of the pod at place `i`, or of its group. */
static void pods_job(struct pods_text *t, const struct pods *s, uint32_t i)
{
    const struct pod *p = &s->pod[i];

    for (uint32_t k = 0; k < i && p->group[0]; k++) {
        if (strcmp(s->pod[k].group, p->group) == 0)
            return;
    }
    pods_put(t,
             "- {name: %s, labels: {pod: %s}, submit: %u, duration: 1000, "
             "task_interval: 1s, priority: c%u, tasks: [",
             p->group[0] ? p->group : p->name, p->name, p->start, i);
    if (p->group[0]) {
        pods_group(t, s, i);
    } else {
        pods_task(t, p, "1");
        pods_put(t, "]");
    }
    pods_put(t, "}\n");
}

static void pods_budget(struct pods_text *t, const struct pods *s, uint32_t b)
{
    unsigned counted = 0;

    for (uint32_t i = 0; i < s->count; i++)
        counted += s->pod[i].budget == b + 1;
    CU_ASSERT_FATAL(counted >= s->allowed[b]);
    pods_put(t, "- {name: b%u, min_available: %u, jobs: {budget: b%u}}\n",
             b + 1, counted - s->allowed[b], b + 1);
}

static void pods_trace(struct pods_text *t, const struct pods *s)
{
    char replicas[16];

    pods_put(t, "priority_classes:\n  own: {value: %d%s}\n",
             (int)s->own.priority, s->never ? ", preemption: never" : "");
    for (uint32_t i = 0; i < s->count; i++)
        pods_put(t, "  c%u: {value: %d}\n", i, (int)s->pod[i].priority);
    pods_put(t, "budgets:%s\n", s->budgets ? "" : " []");
    for (uint32_t b = 0; b < s->budgets; b++)
        pods_budget(t, s, b);
    pods_put(t, "jobs:\n");
    for (uint32_t i = 0; i < s->count; i++)
        pods_job(t, s, i);
    pods_put(t, "- {name: own, submit: %u, duration: 10, priority: own",
             PODS_AT);
    if (s->avoid[0])
        pods_put(t, ", anti_affinity: [{jobs: {pod: %s}, within: node}]",
                 s->avoid);
    snprintf(replicas, sizeof(replicas), "%u", s->own_count);
    pods_put(t, ", tasks: [");
    pods_task(t, &s->own, replicas);
    pods_put(t, "]}\n");
}

/* By start, else as they are. */
static void pods_sort(struct pods *s)
{
    for (uint32_t i = 1; i < s->count; i++) {
        const struct pod it = s->pod[i];
        uint32_t k = i;

        for (; k > 0 && s->pod[k - 1].start > it.start; k--)
            s->pod[k] = s->pod[k - 1];
        s->pod[k] = it;
    }
}

/* --- what came of it ------------------------------------------------------ */

struct pod *pods_of(const struct world *w, struct pods *s,
                    const struct report_placement *p)
{
    const struct trace_job *j = &w->work->job[p->job];
    const char *name = gs_strtab_str(
        w->names, trace_group_at(w->work, j->first_group + p->group)->name);

    for (uint32_t i = 0; i < s->count; i++) {
        if (strcmp(s->pod[i].name, name) == 0)
            return &s->pod[i];
    }
    return NULL;
}

static void pods_note(const struct world *w, struct pods *s)
{
    const int64_t then = PODS_AT * INT64_C(1000000);

    s->broken = 0;
    for (uint32_t i = 0; i < w->log->eviction_count; i++)
        s->broken += w->log->eviction[i].what.breaks;

    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        const struct report_placement *p = &w->log->placement[i];
        struct pod *pod = pods_of(w, s, p);

        if (pod) {
            pod->stood |= p->start < then;
            pod->is_gone |= p->end == then;
        } else if (p->start == then && p->first_task == 0) {
            snprintf(s->chosen, sizeof(s->chosen), "%s",
                     gs_strtab_str(w->names, w->topo->node_name[p->node]));
        }
    }
}

bool pods_run(struct pods *s, const char *profile)
{
    const struct trace_options o = { 0 };
    struct pods_text topology = { .len = 0 }, trace = { .len = 0 };
    struct world w;
    bool runs;

    pods_sort(s);
    for (uint32_t i = 0; i < s->count; i++)
        s->pod[i].stood = s->pod[i].is_gone = false;
    s->chosen[0] = '\0';
    pods_topology(&topology, s);
    pods_trace(&trace, s);
    world_init(&w);
    runs = world_load(&w, topology.at, trace.at, &o) == 0
           && world_run(&w, profile, NULL, NULL) == 0;
    if (runs)
        pods_note(&w, s);
    else
        fprintf(stderr, "\n%s\n%s%s", w.err.problem[0].text, topology.at,
                trace.at);
    world_fini(&w);
    for (uint32_t i = 0; i < s->count; i++)
        runs &= s->pod[i].stood;
    return runs;
}

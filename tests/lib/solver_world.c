/* tests/lib/solver_world.c - see solver_world.h. */
#include "tests/lib/solver_world.h"

#include <math.h>
#include <stdlib.h>

#include "tests/lib/suite.h"

#define MINUTE INT64_C(60000000)
#define NOT_THERE UINT32_MAX
#define PREEMPTIBLE_BELOW 100 /* of priorities */
#define NODE_CPUS 20000
#define NODE_MEMORY 20e9
#define OLDEST 1000 /* minutes */
#define GRACE 60    /* seconds */

static const struct gs_ynode *find(const struct gs_ynode *map, const char *key)
{
    return map ? gs_ynode_find(map, key) : NULL;
}

static const char *text_of(const struct gs_ynode *map, const char *key,
                           const char *fallback)
{
    const struct gs_ynode *n = find(map, key);

    return n && n->text ? n->text : fallback;
}

static double number_of(const struct gs_ynode *map, const char *key,
                        double fallback)
{
    const struct gs_ynode *n = find(map, key);

    return n ? strtod(n->text, NULL) : fallback;
}

/* --- the topology --------------------------------------------------------- */

/* The levels of all topologies, the widest first. */
static const struct gs_ynode *levels_of(const struct gs_ynode *said)
{
    const struct gs_ynode *t = find(said, "topologies");

    return t && t->child ? t->child : NULL;
}

/* A tier has the label's name, which may hold no slash. */
static void tier_put(FILE *out, const char *label)
{
    for (; *label; label++)
        fputc(*label == '/' || *label == '.' ? '-' : *label, out);
}

static void labels_put(FILE *out, const struct gs_ynode *node)
{
    const struct gs_ynode *labels = find(node, "labels");

    fprintf(out, "labels: {");
    for (const struct gs_ynode *n = labels ? labels->child : NULL; n;
         n = n->next)
        fprintf(out, "\"%s\": \"%s\", ", n->key->text, n->text);
    if (!find(labels, "kai.scheduler/type"))
        fprintf(out, "\"kai.scheduler/type\": \"%s\"", node->key->text);
    fprintf(out, "}");
}

/* The node's domain of each level, named with those around it. */
static void domains_put(FILE *out, const struct gs_ynode *node,
                        const struct gs_ynode *levels)
{
    const struct gs_ynode *labels = find(node, "labels");
    char path[512] = "d";

    for (const struct gs_ynode *l = levels ? levels->child : NULL; l;
         l = l->next) {
        const size_t n = strlen(path);

        (void)snprintf(path + n, sizeof(path) - n, ".%s",
                       text_of(labels, l->text, node->key->text));
        fprintf(out, ", ");
        tier_put(out, l->text);
        fprintf(out, ": \"%s\"", path);
    }
}

static void topology_put(FILE *out, const struct gs_ynode *said)
{
    const struct gs_ynode *nodes = find(said, "nodes");
    const struct gs_ynode *levels = levels_of(said);

    fprintf(out, "cluster: vector\ntiers:\n");
    for (const struct gs_ynode *l = levels ? levels->child : NULL; l;
         l = l->next) {
        fprintf(out, "  - {name: ");
        tier_put(out, l->text);
        fprintf(out, "}\n");
    }
    fprintf(out, "  - {name: node}\nnode_types:\n");
    for (const struct gs_ynode *n = nodes->child; n; n = n->next) {
        fprintf(out, "  %s: {gpus: %.0f, cpu: %.0f, memory: %.0f, pods: %.0f, ",
                n->key->text, number_of(n, "gpus", 0),
                number_of(n, "cpus", NODE_CPUS),
                number_of(n, "memory", NODE_MEMORY),
                number_of(n, "max_pods", 110));
        if (number_of(n, "gpus", 0) > 0)
            fprintf(out, "model: gpu, gpu_memory: %.0fMB, ",
                    number_of(n, "gpu_memory_mb", 100));
        labels_put(out, n);
        fprintf(out, "}\n");
    }
    if (!nodes->child) /* a topology has a node; no task fits on this one */
        fprintf(out, "  none: {gpus: 0, cpu: 0}\nnodes:\n"
                     "  - {name: none, type: none}\n");
    else
        fprintf(out, "nodes:\n");
    for (const struct gs_ynode *n = nodes->child; n; n = n->next) {
        fprintf(out, "  - {name: %s, type: %s", n->key->text, n->key->text);
        domains_put(out, n, levels);
        fprintf(out, "}\n");
    }
}

/* --- queues --------------------------------------------------------------- */

/* An amount of a queue, in parts of the unit; else what stands for it where it
 * is not stated, or nothing (NULL).
 */
static void amount_put(FILE *out, const struct gs_ynode *q, const char *key,
                       const char *resource, double part, const char *none)
{
    const double x = q ? number_of(q, key, -1) : -1;

    if (x >= 0)
        fprintf(out, "%s: %.15g, ", resource, x / part);
    else if (none)
        fprintf(out, "%s: %s, ", resource, none);
}

/* What a queue deserves, and its limits.  What is not stated is unlimited.  `q`
 * NULL: nothing is.
 */
static void queue_put(FILE *out, const struct gs_ynode *q, const char *path,
                      double weight)
{
    fprintf(out, "  - {name: \"%s\", deserved: {", path);
    amount_put(out, q, "deserved_gpus", "gpu", 1, "all");
    amount_put(out, q, "deserved_cpu_milli", "cpu", 1000, "all");
    amount_put(out, q, "deserved_memory", "memory", 1e-6, "all");
    fprintf(out, "}, limit: {");
    amount_put(out, q, "max_gpus", "gpu", 1, NULL);
    amount_put(out, q, "max_cpu_milli", "cpu", 1000, NULL);
    amount_put(out, q, "max_memory", "memory", 1e-6, NULL);
    fprintf(out, "}, weight: 1, over_quota: {gpu: %.15g}, priority: %s}\n",
            weight, q ? text_of(q, "priority", "100") : "100");
}

static bool has_default_department(const struct gs_ynode *said)
{
    return !find(said, "departments")
           && strcmp(text_of(said, "default_department", "True"), "True") == 0;
}

/* The path of a queue, without its own name. */
static void path_above(const struct gs_ynode *said, const struct gs_ynode *q,
                       char *out, size_t size)
{
    const char *parent = text_of(q, "parent",
                                 has_default_department(said) ? "default" : "");

    *out = '\0';
    if (!*parent)
        return;
    for (const struct gs_ynode *n = find(said, "queues")->child; n;
         n = n->next) {
        if (strcmp(find(n, "name")->text, parent) == 0) {
            path_above(said, n, out, size);
            break;
        }
    }
    if (*out)
        strncat(out, "/", size - strlen(out) - 1);
    strncat(out, parent, size - strlen(out) - 1);
}

static void queues_put(FILE *out, const struct gs_ynode *said)
{
    const struct gs_ynode *departments = find(said, "departments");

    fprintf(out, "queues:\n");
    if (has_default_department(said))
        queue_put(out, NULL, "default", 1);
    for (const struct gs_ynode *n = departments ? departments->child : NULL; n;
         n = n->next)
        queue_put(out, n, find(n, "name")->text,
                  fmax(number_of(n, "deserved_gpus", 0), 0));
    for (const struct gs_ynode *n = find(said, "queues")->child; n;
         n = n->next) {
        char path[512];

        path_above(said, n, path, sizeof(path));
        if (*path)
            strncat(path, "/", sizeof(path) - strlen(path) - 1);
        strncat(path, find(n, "name")->text, sizeof(path) - strlen(path) - 1);
        queue_put(out, n, path, number_of(n, "gpu_over_quota_weight", 0));
    }
}

/* --- jobs ----------------------------------------------------------------- */

/* What a task of the job asks for, and where: tasks with equal texts are one
 * group of the trace.
 */
static void task_put(FILE *out, const struct gs_ynode *job,
                     const struct gs_ynode *task)
{
    const struct gs_ynode *affinity = find(task, "node_affinity");
    const struct gs_ynode *memory = find(job, "gpu_memory_mb");
    const double gpus = number_of(task, "gpus", number_of(job, "gpus", 0));

    fprintf(out, "cpu: %.15g, memory: %.15g", number_of(job, "cpus", 1),
            number_of(job, "memory", 1e9));
    if (memory)
        fprintf(out, ", gpu_memory: %sMB", memory->text);
    else if (gpus > 0)
        fprintf(out, ", %s: %.15g", gpus < 1 ? "gpu_share" : "gpus", gpus);
    fprintf(out, ", priority: %s", text_of(task, "priority", "-1"));
    if (!affinity)
        return;
    fprintf(out, ", nodes: [{key: \"kai.scheduler/type\", op: In, values: [");
    for (const struct gs_ynode *v = affinity->child; v; v = v->next)
        fprintf(out, "\"%s\"%s", v->text, v->next ? ", " : "");
    fprintf(out, "]}]");
}

static void task_text(const struct gs_ynode *job, const struct gs_ynode *task,
                      char *out, size_t size)
{
    FILE *f = fmemopen(out, size, "w");

    task_put(f, job, task);
    (void)fclose(f);
}

/* Tasks of one request in one sub-group. */
struct kind {
    char text[256];
    const char *subgroup;
    double priority;
    uint32_t tasks;
};

/* The sub-group of that name in the tree, or NULL. */
static const struct gs_ynode *subgroup_called(const struct gs_ynode *list,
                                              const char *name)
{
    const struct gs_ynode *found = NULL;

    for (const struct gs_ynode *n = list ? list->child : NULL; n && !found;
         n = n->next) {
        if (strcmp(find(n, "name")->text, name) == 0)
            found = n;
        else
            found = subgroup_called(find(n, "children"), name);
    }
    return found;
}

/* The outermost element with a topology around the sub-group of that name, or
 * the sub-group: its tasks stand together.
 */
static const char *standing(const struct gs_ynode *list, const char *name)
{
    for (const struct gs_ynode *n = list ? list->child : NULL; n; n = n->next) {
        const struct gs_ynode *in = find(n, "children");

        if (!subgroup_called(in, name))
            continue;
        return find(n, "topology") ? find(n, "name")->text : standing(in, name);
    }
    return name;
}

/* The sum of the minima of sub-groups. */
static uint32_t minimum_in(const struct gs_ynode *n, uint32_t fallback)
{
    const struct gs_ynode *in = find(n, "children");
    uint32_t sum = 0;

    if (!in)
        return (uint32_t)number_of(n, "min_member", fallback);
    for (n = in->child; n; n = n->next)
        sum += minimum_in(n, 1);
    return sum;
}

/* How many tasks of a sub-group must start together. */
static uint32_t minimum_of(const struct gs_ynode *job, const char *subgroup,
                           uint32_t tasks)
{
    return minimum_in(
        *subgroup ? subgroup_called(find(job, "subgroups"), subgroup) : job,
        tasks);
}

static uint32_t kinds_find(struct solver_job *j, struct kind *kind)
{
    uint32_t kinds = 0, at = 0;

    for (const struct gs_ynode *t = find(j->said, "tasks")->child; t;
         t = t->next) {
        const uint32_t count = (uint32_t)number_of(t, "count", 1);
        const char *state = text_of(t, "state", "Pending");
        const char *subgroup = standing(find(j->said, "subgroups"),
                                        text_of(t, "subgroup", ""));
        char text[256];
        uint32_t k = 0;

        task_text(j->said, t, text, sizeof(text));
        while (k < kinds
               && (strcmp(kind[k].text, text) != 0
                   || strcmp(kind[k].subgroup, subgroup) != 0))
            k++;
        for (uint32_t i = 0; i < count; i++) {
            struct solver_task *it = &j->task[at++];

            CU_ASSERT_FATAL(at < SOLVER_TASKS);
            *it = (struct solver_task){ .group = NOT_THERE };
            if (strcmp(state, "Releasing") == 0) {
                it->state = SOLVER_RELEASES;
                (void)snprintf(it->node, sizeof(it->node), "%s",
                               text_of(t, "node", ""));
                continue;
            }
            if (k == kinds) {
                memcpy(kind[k].text, text, sizeof(text));
                kind[k].subgroup = subgroup;
                kind[k].priority = number_of(t, "priority", -1);
                kind[kinds++].tasks = 0;
            }
            it->group = k;
            it->index = kind[k].tasks++;
        }
    }
    j->tasks = at;
    return kinds;
}

/* `together`: with kinds of tasks of that name (NULL: alone). */
static void topology_constraint_put(FILE *out, const struct gs_ynode *of,
                                    const char *together)
{
    const struct gs_ynode *t = find(of, "topology");
    const char *required = text_of(t, "required", "");
    const char *preferred = text_of(t, "preferred", "");

    if (!*required && !*preferred)
        return;
    fprintf(out, ", topology: {within: ");
    tier_put(out, *required ? required : preferred);
    if (*required && *preferred) {
        fprintf(out, ", prefers: ");
        tier_put(out, preferred);
    }
    if (together)
        fprintf(out, ", together: \"%s\"", together);
    fprintf(out, ", mode: %s}", *required ? "required" : "preferred");
}

/* Of the tasks of a sub-group those of higher priority are its minimum, then
 * those that come first.
 */
static bool is_before(const struct kind *a, const struct kind *b)
{
    return strcmp(a->subgroup, b->subgroup) == 0
           && (a->priority > b->priority
               || (a->priority == b->priority && a < b));
}

/* It has lacked its gang for so long, and may for GRACE seconds: a cycle is a
 * minute later.
 */
static void stale_put(FILE *out, const struct gs_ynode *job)
{
    const double left = GRACE - number_of(job, "stale_s", GRACE) + 60;

    if (find(job, "stale_s"))
        fprintf(out, ", gang_timeout: %.0fs", fmax(left, 1));
}

static void job_put(FILE *out, const struct gs_ynode *said,
                    struct solver_job *j, uint32_t minute)
{
    const struct gs_ynode *q = find(said, "queues")->child;
    const char *queue = find(j->said, "queue")->text;
    const char *priority = text_of(j->said, "priority", "50");
    const char *preemptible = strtol(priority, NULL, 10) < PREEMPTIBLE_BELOW
                                  ? "preemptible"
                                  : "non-preemptible";
    struct kind kind[SOLVER_TASKS];
    const uint32_t kinds = kinds_find(j, kind);
    uint32_t left[SOLVER_TASKS], total = 0, least;
    bool is_one = kinds > 1; /* sub-group: its kinds have one minimum */
    char above[256] = "";

    if (kinds == 0)
        return;
    while (q && strcmp(find(q, "name")->text, queue) != 0)
        q = q->next;
    if (q)
        path_above(said, q, above, sizeof(above));
    fprintf(
        out,
        "  - {name: \"%s\", submit: %um, duration: 10h, "
        "queue: \"%s%s%s\", priority: %s, preemptible: %s",
        j->name, minute, above, *above ? "/" : "", queue, priority,
        strcmp(text_of(j->said, "preemptibility", preemptible), "preemptible")
                == 0
            ? "true"
            : "false");
    topology_constraint_put(out, j->said, NULL);
    stale_put(out, j->said);
    for (uint32_t k = 0; k < kinds; k++) {
        total += kind[k].tasks;
        is_one &= strcmp(kind[k].subgroup, kind[0].subgroup) == 0;
    }
    least = minimum_of(j->said, kind[0].subgroup, total);
    if (is_one && least < total)
        fprintf(out, ", gang: %u", least);
    fprintf(out, ", tasks: [");
    for (uint32_t k = 0; k < kinds; k++) {
        uint32_t all = 0, min;

        for (uint32_t i = 0; i < kinds; i++)
            all += strcmp(kind[i].subgroup, kind[k].subgroup) == 0
                       ? kind[i].tasks
                       : 0;
        left[k] = minimum_of(j->said, kind[k].subgroup, all);
        for (uint32_t i = 0; i < kinds; i++) {
            if (is_before(&kind[i], &kind[k]))
                left[k] = left[k] > kind[i].tasks ? left[k] - kind[i].tasks : 0;
        }
        min = left[k] < kind[k].tasks ? left[k] : kind[k].tasks;
        if (is_one)
            min = least < total ? 0 : kind[k].tasks;
        fprintf(out, "%s{name: k%u, %s, ", k ? ", " : "", k, kind[k].text);
        if (min == kind[k].tasks)
            fprintf(out, "replicas: %u", min);
        else
            fprintf(out, "replicas: {min: %u, max: %u}", min, kind[k].tasks);
        if (*kind[k].subgroup)
            topology_constraint_put(
                out,
                subgroup_called(find(j->said, "subgroups"), kind[k].subgroup),
                all == kind[k].tasks ? NULL : kind[k].subgroup);
        putc('}', out);
    }
    fprintf(out, "]}\n");
}

static long priority_of(const struct gs_ynode *job)
{
    return strtol(text_of(job, "priority", "50"), NULL, 10);
}

/* The jobs in the order of their creation: by priority, then as listed. */
static void jobs_list(struct solver_world *v, const struct gs_ynode *said)
{
    for (const struct gs_ynode *n = find(said, "jobs")->child; n; n = n->next) {
        uint32_t k = v->jobs++;

        CU_ASSERT_FATAL(k < SOLVER_JOBS);
        for (; k > 0 && priority_of(v->job[k - 1].said) < priority_of(n); k--)
            v->job[k] = v->job[k - 1];
        v->job[k] = (struct solver_job){ .said = n,
                                         .name = find(n, "name")->text,
                                         .id = NOT_THERE };
    }
}

static void trace_put(FILE *out, struct solver_world *v,
                      const struct gs_ynode *said)
{
    jobs_list(v, said);
    queues_put(out, said);
    fprintf(
        out,
        "jobs:\n"
        "  - {name: before all, submit: 0, duration: 1s, nodes: {no: node}}\n");
    for (uint32_t i = 0; i < v->jobs; i++)
        job_put(out, said, &v->job[i],
                (uint32_t)(OLDEST
                           - number_of(v->job[i].said, "age_minutes",
                                       v->jobs - i)));
}

/* --- what runs ------------------------------------------------------------ */

static uint32_t node_called(const struct solver_world *v, const char *name)
{
    uint32_t n = 0;

    while (strcmp(gs_strtab_str(v->w.names, v->w.topo->node_name[n]), name)
           != 0) {
        n++;
        CU_ASSERT_FATAL(n < v->w.topo->node_count);
    }
    return n;
}

/* Devices of shared groups on nodes. */
struct devices {
    char group[128]; /* "NODE GROUP" */
    uint32_t device;
};

static void task_adopt(struct solver_world *v, struct solver_job *j,
                       struct solver_task *t, const char *shared,
                       struct devices *known, uint32_t *known_count)
{
    const struct trace_job *job = &v->w.work->job[j->id];
    const struct topo_request *r =
        &v->w.work->shape[trace_group_at(v->w.work, job->first_group + t->group)
                              ->shape];
    uint32_t device = UINT32_MAX, k = 0;
    struct topo_grant g;
    char name[128];

    (void)snprintf(name, sizeof(name), "%s %s", t->node, shared);
    while (k < *known_count && strcmp(known[k].group, name) != 0)
        k++;
    if (r->share && *shared && k < *known_count)
        device = known[k].device;
    else if (r->share) {
        const uint32_t node = node_called(v, t->node);
        const uint32_t n = v->w.topo->klass[v->w.topo->node_class[node]].gpus;

        device = 0;
        while (device < n && !topo_device_is_free(v->cluster, node, device))
            device++;
        device = device < n ? device : UINT32_MAX; /* with others */
    }
    g = topo_cluster_allocate(v->cluster, node_called(v, t->node), r, 1,
                              device);
    topo_cluster_release(v->cluster, r, &g);
    if (r->share && k == *known_count) {
        memcpy(known[k].group, name, sizeof(name));
        known[(*known_count)++].device = device;
    }
    t->state = SOLVER_RUNS;
    t->devices = g.devices;
    CU_ASSERT(
        gsched_adopt(v->sched, j->id, t->group, t->index, &g, v->now, v->now)
        == 0);
}

static void all_adopt(struct solver_world *v)
{
    struct devices known[256];
    uint32_t known_count = 0;

    for (uint32_t i = 0; i < v->jobs; i++) {
        struct solver_job *j = &v->job[i];
        uint32_t at = 0;

        for (const struct gs_ynode *t = find(j->said, "tasks")->child; t;
             t = t->next) {
            const struct gs_ynode *g = find(t, "gpu_groups");
            const uint32_t count = (uint32_t)number_of(t, "count", 1);

            for (uint32_t k = 0; k < count; k++, at++) {
                if (strcmp(text_of(t, "state", "Pending"), "Running") != 0)
                    continue;
                (void)snprintf(j->task[at].node, sizeof(j->task[at].node), "%s",
                               text_of(t, "node", ""));
                task_adopt(v, j, &j->task[at],
                           g && g->child ? g->child->text : "", known,
                           &known_count);
            }
        }
    }
}

/* --- the world ------------------------------------------------------------ */

static int texts_load(struct solver_world *v, const struct gs_ynode *said)
{
    const struct trace_options o = { 0 };
    char *topology = NULL, *trace = NULL;
    size_t size;
    FILE *f = open_memstream(&topology, &size);
    int rc;

    topology_put(f, said);
    (void)fclose(f);
    f = open_memstream(&trace, &size);
    trace_put(f, v, said);
    (void)fclose(f);
    if (getenv("SOLVER_TEXTS"))
        printf("%s---\n%s---\n", topology, trace);
    rc = world_load(&v->w, topology, trace, &o);
    free(topology);
    free(trace);
    return rc;
}

int solver_world_init(struct solver_world *v, const struct gs_ynode *said,
                      const char *profile)
{
    const struct gsched_profile *p;

    *v = (struct solver_world){ 0 };
    world_init(&v->w);
    if (texts_load(v, said) < 0)
        return -1;
    for (uint32_t i = 0; i < v->w.work->shape_count; i++) {
        int64_t other;

        v->w.work->shape[i].amount[TOPO_PODS] = 1; /* as the simulator does */
        CU_ASSERT(topo_request_resolve(v->w.topo, &v->w.work->shape[i], &other)
                  == 0);
    }
    p = world_profile(&v->w, profile);
    v->cluster = p ? topo_cluster_create(v->w.topo) : NULL;
    v->sched = p ? gsched_create(v->cluster, v->w.work, p, 1, &v->w.err) : NULL;
    if (!v->sched)
        return -1;
    for (uint32_t i = 0; i < v->w.work->job_count; i++) {
        const struct trace_job *t = &v->w.work->job[i];
        const char *name = gs_strtab_str(v->w.names, t->name);

        for (uint32_t k = 0; k < v->jobs; k++) {
            if (strcmp(v->job[k].name, name) == 0)
                v->job[k].id = i;
        }
        v->now = t->submit > v->now ? t->submit : v->now;
        CU_ASSERT(gsched_submit(v->sched, i, t->tasks, v->now) == 0);
    }
    all_adopt(v);
    return 0;
}

void solver_world_fini(struct solver_world *v)
{
    gsched_destroy(v->sched);
    topo_cluster_destroy(v->cluster);
    world_fini(&v->w);
}

static void carry_out(struct solver_world *v, const struct gsched_decision *d)
{
    struct solver_job *j = v->job;

    while (j < v->job + v->jobs && j->id != d->job)
        j++;
    for (uint32_t i = 0; j < v->job + v->jobs && i < j->tasks; i++) {
        struct solver_task *t = &j->task[i];
        const bool is_it = t->group == d->group && t->index >= d->first_task
                           && t->index < d->first_task + d->grant.tasks;

        if (d->kind == GSCHED_PLACE && is_it) {
            t->state = SOLVER_STARTED;
            t->devices = d->grant.devices;
            (void)snprintf(
                t->node, sizeof(t->node), "%s",
                gs_strtab_str(v->w.names, v->w.topo->node_name[d->grant.node]));
        } else if ((d->kind == GSCHED_EVICT || d->kind == GSCHED_SHRINK)
                   && is_it) {
            t->state = SOLVER_RELEASES;
        }
    }
}

void solver_world_cycle(struct solver_world *v)
{
    const struct gsched_decision *d;
    uint32_t count;

    v->now += MINUTE;
    d = gsched_cycle(v->sched, v->now, &count);
    for (uint32_t i = 0; i < count; i++)
        carry_out(v, &d[i]);
}

void solver_world_wait(struct solver_world *v)
{
    for (uint32_t n = 0; n < v->w.topo->node_count; n++)
        CU_ASSERT(gsched_node_cordoned(v->sched, n, v->now) == 0);
    solver_world_cycle(v);
    for (uint32_t n = 0; n < v->w.topo->node_count; n++)
        CU_ASSERT(gsched_node_uncordoned(v->sched, n, v->now) == 0);
}

struct solver_job *solver_job_called(struct solver_world *v, const char *name)
{
    for (uint32_t i = 0; i < v->jobs; i++) {
        if (strcmp(v->job[i].name, name) == 0)
            return &v->job[i];
    }
    return NULL;
}

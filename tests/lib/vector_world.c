#include "tests/lib/vector_world.h"

#define VECTOR_TEXT 16384
#define VECTOR_CYCLE INT64_C(1000000) /* us between cycles */

struct vector_text {
    char at[VECTOR_TEXT];
    size_t len;
};

/* --- the texts ------------------------------------------------------------ */

static void text_put(struct vector_text *t, const char *s)
{
    CU_ASSERT_FATAL(t->len + strlen(s) < sizeof(t->at));
    memcpy(t->at + t->len, s, strlen(s) + 1);
    t->len += strlen(s);
}

static void text_node(struct vector_text *t, const struct gs_ynode *n);

/* What a mapping or list says, without the keys of `ours` (may be NULL). */
static void text_within(struct vector_text *t, const struct gs_ynode *n,
                        const char *const *ours)
{
    const char *between = "";

    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        bool is_ours = false;

        for (size_t i = 0; ours && ours[i]; i++)
            is_ours |= strcmp(v->key->text, ours[i]) == 0;
        if (is_ours)
            continue;
        text_put(t, between);
        if (n->kind == GS_YMAP) {
            text_put(t, v->key->text);
            text_put(t, ": ");
        }
        text_node(t, v);
        between = ", ";
    }
}

static void text_node(struct vector_text *t, const struct gs_ynode *n)
{
    if (n->kind == GS_YSCALAR) {
        text_put(t, n->quoted ? "\"" : "");
        text_put(t, n->text);
        text_put(t, n->quoted ? "\"" : "");
        return;
    }
    text_put(t, n->kind == GS_YMAP ? "{" : "[");
    text_within(t, n, NULL);
    text_put(t, n->kind == GS_YMAP ? "}" : "]");
}

static void text_field(struct vector_text *t, const struct gs_ynode *world,
                       const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(world, key);

    if (!n)
        return;
    text_put(t, key);
    text_put(t, ": ");
    text_node(t, n);
    text_put(t, "\n");
}

static void text_topology(struct vector_text *t, const struct gs_ynode *world)
{
    static const char *const ours[] = { "within", NULL };
    const struct gs_ynode *nodes = gs_ynode_find(world, "nodes");
    const struct gs_ynode *tiers = gs_ynode_find(world, "tiers");

    text_put(t, "cluster: vector\ntiers:\n");
    for (const struct gs_ynode *n = tiers ? tiers->child : NULL; n;
         n = n->next) {
        text_put(t, "  - {name: ");
        text_put(t, n->text);
        text_put(t, "}\n");
    }
    text_put(t, "  - {name: node}\nnode_types:\n");
    for (const struct gs_ynode *n = nodes->child; n; n = n->next) {
        text_put(t, "  ");
        text_put(t, n->key->text);
        text_put(t, ": {");
        text_within(t, n, ours);
        text_put(t, "}\n");
    }
    text_put(t, "nodes:\n");
    for (const struct gs_ynode *n = nodes->child; n; n = n->next) {
        const struct gs_ynode *within = gs_ynode_find(n, "within");

        text_put(t, "  - {name: ");
        text_put(t, n->key->text);
        text_put(t, ", type: ");
        text_put(t, n->key->text);
        if (within) {
            text_put(t, ", ");
            text_within(t, within, NULL);
        }
        text_put(t, "}\n");
    }
}

static void text_trace(struct vector_text *t, const struct gs_ynode *world)
{
    static const char *const ours[] = { "on", "pods", NULL };

    text_field(t, world, "priority_classes");
    text_field(t, world, "queues");
    text_put(t, "jobs:\n");
    for (const struct gs_ynode *n = gs_ynode_find(world, "jobs")->child; n;
         n = n->next) {
        text_put(t, "  - {submit: 0, duration: 1h, ");
        text_within(t, n, ours);
        text_put(t, "}\n");
    }
}

static void text_profile(struct vector_text *t, const struct gs_ynode *world)
{
    static const char *const keys[] = { "unit", "actions", "modules" };

    for (size_t i = 0; i < N_ELEMENTS(keys); i++)
        text_field(t, world, keys[i]);
}

/* --- names ---------------------------------------------------------------- */

const struct gs_ynode *vector_job(const struct vector_world *v, uint32_t job)
{
    const char *name = gs_strtab_str(v->w.names, v->w.work->job[job].name);
    const struct gs_ynode *n = gs_ynode_find(v->said, "jobs")->child;

    while (strcmp(gs_ynode_find(n, "name")->text, name) != 0)
        n = n->next;
    return n;
}

const char *vector_pod(const struct vector_world *v, uint32_t job,
                       uint32_t task)
{
    const struct gs_ynode *said = vector_job(v, job);
    const struct gs_ynode *pods = gs_ynode_find(said, "pods");
    const struct gs_ynode *pod = pods ? pods->child : NULL;

    for (; pod && task > 0; task--)
        pod = pod->next;
    return pod ? pod->text : gs_ynode_find(said, "name")->text;
}

uint32_t vector_task(const struct vector_world *v,
                     const struct gsched_decision *d)
{
    const uint32_t first = v->w.work->job[d->job].first_group;
    uint32_t task = d->first_task;

    for (uint32_t i = 0; i < d->group; i++)
        task += trace_group_at(v->w.work, first + i)->replicas;
    return task;
}

const char *vector_node(const struct vector_world *v, uint32_t node)
{
    return gs_strtab_str(v->w.names, v->w.topo->node_name[node]);
}

/* --- running it ----------------------------------------------------------- */

/* The job's task runs on the node called `name`. */
static void vector_adopt(struct vector_world *v, uint32_t job, uint32_t task,
                         const char *name)
{
    const struct trace_job *j = &v->w.work->job[job];
    uint32_t at = j->first_group;
    const struct trace_group *g = trace_group_at(v->w.work, at);
    const struct topo_request *r;
    struct topo_grant grant;
    uint32_t node = 0;

    for (; task >= g->replicas; g = trace_group_at(v->w.work, ++at))
        task -= g->replicas;
    while (strcmp(vector_node(v, node), name) != 0)
        node++;
    r = &v->w.work->shape[g->shape];
    grant = topo_cluster_allocate(v->cluster, node, r, 1, UINT32_MAX);
    topo_cluster_release(v->cluster, r, &grant);
    gsched_adopt(v->sched, job, at - j->first_group, task, &grant, 0, 0);
}

int vector_world_init(struct vector_world *v, const struct gs_ynode *said)
{
    struct vector_text topology = { .len = 0 }, trace = { .len = 0 },
                       profile = { .len = 0 };
    const struct trace_options o = { 0 };
    const struct gsched_profile *p;

    *v = (struct vector_world){ .said = said };
    world_init(&v->w);
    text_topology(&topology, said);
    text_trace(&trace, said);
    text_profile(&profile, said);
    if (world_load(&v->w, topology.at, trace.at, &o) < 0)
        return -1;
    for (uint32_t i = 0; i < v->w.work->shape_count; i++)
        v->w.work->shape[i].amount[TOPO_PODS] = 1; /* as the simulator does */
    p = world_profile(&v->w, profile.at);
    v->cluster = p ? topo_cluster_create(v->w.topo) : NULL;
    v->sched = p ? gsched_create(v->cluster, v->w.work, p, 1, &v->w.err) : NULL;
    if (!v->sched)
        return -1;
    for (uint32_t i = 0; i < v->w.work->job_count; i++)
        gsched_submit(v->sched, i, v->w.work->job[i].tasks, 0);
    for (uint32_t i = 0; i < v->w.work->job_count; i++) {
        const struct gs_ynode *on = gs_ynode_find(vector_job(v, i), "on");
        uint32_t task = 0;

        for (const struct gs_ynode *n = on ? on->child : NULL; n; n = n->next) {
            if (!gs_ynode_is_null(n))
                vector_adopt(v, i, task, n->text);
            task++;
        }
    }
    return 0;
}

void vector_world_fini(struct vector_world *v)
{
    gsched_destroy(v->sched);
    topo_cluster_destroy(v->cluster);
    world_fini(&v->w);
}

void vector_world_cycle(struct vector_world *v, uint32_t n)
{
    v->decision = gsched_cycle(v->sched, n * VECTOR_CYCLE, &v->decisions);
}

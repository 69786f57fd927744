/* tests/sim/test_vectors_quota.c - what the tests of plugin CapacityScheduling
 * expect of namespaces with quotas (tests/data/vectors/volcano-kube.yaml),
 * replayed.
 */
#include "tests/lib/kube_words.h"

static const char by_quotas[] =
    "actions: [allocate, reclaim, preempt]\n"
    "unit: pod\n"
    "modules: [priority, {queue: {mode: capacity}}, fit]\n";

struct space {
    const char *name;
    unsigned min, max, used;
    bool has_min, has_max;
};

struct quotas {
    struct space space[PODS_MAX];
    uint32_t count;
    unsigned min;      /* of all together */
    const char *above; /* "all/", or "": how much they hold is not limited */
};

static void space_read(const struct vector *v, struct quotas *q,
                       const struct gs_ynode *n)
{
    struct space *p = &q->space[q->count++];
    const char *text = n->text;
    char word[PODS_NAME];

    *p = (struct space){ .name = n->key->text };
    for (;;) {
        text = word_next(text, word, sizeof(word));
        if (!word[0])
            break;
        if (number_behind(word, "min", &p->min))
            p->has_min = true;
        else if (number_behind(word, "max", &p->max))
            p->has_max = true;
        else if (!number_behind(word, "used", &p->used))
            vector_fails(v, "an unknown word", word);
    }
    q->min += p->min;
}

/* A namespace is a queue with its minimum guaranteed.  Below a common one, all
 * of them together hold no more than the sum of their minimums.
 */
static void spaces_put(struct pods_text *t, const struct quotas *q)
{
    pods_put(t, "queues:\n- {name: all");
    if (q->min)
        pods_put(t, ", limit: {memory: %u}", q->min);
    pods_put(t, "}\n");
    for (uint32_t i = 0; i < q->count; i++) {
        const struct space *p = &q->space[i];

        pods_put(t, "- {name: %s%s", q->above, p->name);
        if (p->has_min)
            pods_put(t, ", guarantee: {memory: %u}", p->min);
        if (p->has_max)
            pods_put(t, ", limit: {memory: %u}", p->max);
        pods_put(t, "}\n");
    }
}

/* What is used, in pods of `each` (0: in one), where more than the minimum is
 * first, as it could be borrowed then; and a pod that asks for more.
 */
static void quotas_trace(struct pods_text *t, const struct quotas *q,
                         unsigned each, unsigned asked)
{
    pods_put(t, "priority_classes: {high: {value: 1}}\n");
    spaces_put(t, q);
    pods_put(t, "jobs:\n");
    for (uint32_t i = 0; i < q->count; i++) {
        const struct space *p = &q->space[i];
        const unsigned size = each ? each : p->used;

        for (unsigned used = 0; used < p->used; used += size)
            pods_put(t,
                     "- {name: %s-%u, queue: %s%s, submit: %u, "
                     "duration: 1000, memory: %u}\n",
                     p->name, used, q->above, p->name, p->used <= p->min, size);
    }
    pods_put(t,
             "- {name: own, queue: %s%s, submit: %d, duration: 10, "
             "memory: %u, priority: high}\n",
             q->count ? q->above : "", q->count ? q->space[0].name : "default",
             PODS_AT, asked);
}

/* Which namespace had to give up a pod: place in `q`; UINT32_MAX none. */
static uint32_t space_hit(const struct world *w, const struct quotas *q,
                          uint32_t *victims)
{
    uint32_t hit = UINT32_MAX;

    *victims = w->log->eviction_count;
    for (uint32_t i = 0; i < q->count && *victims; i++) {
        const char *name = gs_strtab_str(
            w->names, w->work->job[w->log->eviction[0].what.job].name);
        const size_t len = strlen(q->space[i].name);

        if (strncmp(name, q->space[i].name, len) == 0 && name[len] == '-')
            hit = i;
    }
    return hit;
}

static void quota_check(const struct vector *v, const struct world *w,
                        const struct quotas *q)
{
    const struct gs_ynode *status = gs_ynode_find(v->expected, "status");
    const struct gs_ynode *victim = gs_ynode_find(v->expected, "victim");
    const struct report_job *own = world_job(w, "own");
    const bool starts = own->start == PODS_AT * INT64_C(1000000);
    uint32_t victims;
    const uint32_t hit = space_hit(w, q, &victims);

    if (status) {
        CU_ASSERT_EQUAL(victims, 0);
        CU_ASSERT(starts || own->cause == REPORT_QUOTA);
        if (starts != (strcmp(status->text, "Success") == 0))
            vector_fails(v, "it is not", status->text);
        return;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(victim);
    if (!starts || victims != 1 || hit == UINT32_MAX
        || (strstr(victim->text, "same namespace")
                ? hit != 0
                : !strstr(victim->text, q->space[hit].name)))
        vector_fails(v, "the victim is not", victim->text);
}

/* In namespaces with quotas, the first of them the pod's: does it fit, and
 * which of them makes room?
 */
static void quota_run(const struct vector *v)
{
    const struct gs_ynode *request = gs_ynode_find(v->in, "request");
    const struct gs_ynode *memory = gs_ynode_find(v->in, "node_mem");
    const struct trace_options o = { 0 };
    struct pods_text topology = { .len = 0 }, trace = { .len = 0 };
    struct quotas q = { .above = memory ? "" : "all/" };
    struct world w;

    for (const struct gs_ynode *n = v->in->child; n; n = n->next) {
        if (strncmp(n->key->text, "ns", 2) == 0)
            space_read(v, &q, n);
    }
    pods_put(&topology,
             "node_types: {t: {memory: %s}}\n"
             "nodes: [{name: node-a, type: t}]\n",
             memory ? memory->text : "1000000");
    quotas_trace(&trace, &q, memory ? 50 : 0,
                 request ? (unsigned)strtoul(request->text, NULL, 10) : 50);
    world_init(&w);
    if (world_load(&w, topology.at, trace.at, &o) < 0
        || world_run(&w, by_quotas, NULL, NULL) < 0)
        vector_fails(v, w.err.problem[0].text, trace.at);
    else
        quota_check(v, &w, &q);
    world_fini(&w);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "sp-capsched-", quota_run },
    };

    return vectors_main(&(struct vector_suite){
        .name = "sim/vectors of quotas",
        .file = VECTORS,
        .group = groups,
        .groups = N_ELEMENTS(groups),
    });
}

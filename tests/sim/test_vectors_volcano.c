/* tests/sim/test_vectors_volcano.c - what Volcano's tests say its scheduler
 * decides, from the data: worlds (volcano-worlds.yaml), and what comes of them
 * (volcano-kube.yaml).  WORLDS=FILE of the environment names other worlds.
 */
#include <stdlib.h>

#include "tests/lib/vector_world.h"
#include "tests/lib/vectors.h"
#include "tests/lib/vectors_listed.h"

#define NAMES 256
#define WORLDS "tests/data/vectors/volcano-worlds.yaml"

/* "a=n1 b=n2", sorted: what was decided, as text that can be compared. */
struct pairs {
    char at[NAMES][96];
    uint32_t count;
};

static void pair_put(struct pairs *p, const char *name, const char *what)
{
    uint32_t i = p->count++;

    CU_ASSERT_FATAL(i < NAMES);
    (void)snprintf(p->at[i], sizeof(p->at[i]), "%s%s%s", name, *what ? "=" : "",
                   what);
    for (; i > 0 && strcmp(p->at[i - 1], p->at[i]) > 0; i--) {
        char swap[sizeof(p->at[0])];

        memcpy(swap, p->at[i], sizeof(swap));
        memcpy(p->at[i], p->at[i - 1], sizeof(swap));
        memcpy(p->at[i - 1], swap, sizeof(swap));
    }
}

static bool pairs_equal(const struct pairs *a, const struct pairs *b)
{
    bool equal = a->count == b->count;

    for (uint32_t i = 0; i < a->count && equal; i++)
        equal = strcmp(a->at[i], b->at[i]) == 0;
    return equal;
}

static bool pairs_have(const struct pairs *p, const char *pair)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (strcmp(p->at[i], pair) == 0)
            return true;
    }
    return false;
}

static void pairs_print(const char *what, const struct pairs *p)
{
    printf("%s:", what);
    for (uint32_t i = 0; i < p->count; i++)
        printf(" %s", p->at[i]);
    printf("\n");
}

/* Task by task, the decisions of one kind, or of two. */
static void decided(const struct vector_world *v, enum gsched_kind kind,
                    enum gsched_kind other, struct pairs *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < v->decisions; i++) {
        const struct gsched_decision *d = &v->decision[i];
        const bool is_place = d->kind == GSCHED_PLACE;
        const uint32_t first = d->kind == kind || d->kind == other
                                   ? vector_task(v, d)
                                   : 0;

        for (uint32_t t = 0;
             (d->kind == kind || d->kind == other) && t < d->grant.tasks; t++)
            pair_put(out, vector_pod(v, d->job, first + t),
                     is_place ? vector_node(v, d->grant.node) : "");
    }
}

static void expected(const struct gs_ynode *list, struct pairs *out)
{
    out->count = 0;
    for (const struct gs_ynode *n = list ? list->child : NULL; n; n = n->next)
        pair_put(out, n->key ? n->key->text : n->text, n->key ? n->text : "");
}

/* --- what may be expected ------------------------------------------------- */

typedef bool (*check_fn)(struct vector_world *v, const struct gs_ynode *e);

/* Exactly these tasks start, on these nodes. */
static bool check_bind(struct vector_world *v, const struct gs_ynode *e)
{
    struct pairs got, want;

    decided(v, GSCHED_PLACE, GSCHED_PLACE, &got);
    expected(e, &want);
    if (pairs_equal(&got, &want))
        return true;
    pairs_print("bound", &got);
    return false;
}

/* Exactly these tasks go. */
static bool check_evict(struct vector_world *v, const struct gs_ynode *e)
{
    struct pairs got, want;

    decided(v, GSCHED_EVICT, GSCHED_SHRINK, &got);
    expected(e, &want);
    if (pairs_equal(&got, &want))
        return true;
    pairs_print("evicted", &got);
    return false;
}

/* Room was made for these, there. */
static bool check_pipeline(struct vector_world *v, const struct gs_ynode *e)
{
    struct pairs got, want;
    bool all = true;

    decided(v, GSCHED_PLACE, GSCHED_PLACE, &got);
    expected(e, &want);
    for (uint32_t i = 0; i < want.count; i++)
        all &= pairs_have(&got, want.at[i]);
    if (!all)
        pairs_print("placed", &got);
    return all;
}

/* These start, in this order. */
static bool check_placed(struct vector_world *v, const struct gs_ynode *e)
{
    const struct gs_ynode *n = e->child;

    for (uint32_t i = 0; i < v->decisions; i++) {
        const struct gsched_decision *d = &v->decision[i];
        const char *pod = vector_pod(v, d->job, vector_task(v, d));

        if (d->kind != GSCHED_PLACE)
            continue;
        if (!n || strcmp(n->text, pod) != 0) {
            printf("placed: %s\n", pod);
            return false;
        }
        n = n->next;
    }
    return !n;
}

static bool check_binds(struct vector_world *v, const struct gs_ynode *e)
{
    struct pairs got;

    decided(v, GSCHED_PLACE, GSCHED_PLACE, &got);
    if (got.count == strtoul(e->text, NULL, 10))
        return true;
    pairs_print("bound", &got);
    return false;
}

static bool check_node_in(struct vector_world *v, const struct gs_ynode *e)
{
    for (uint32_t i = 0; i < v->decisions; i++) {
        const struct gs_ynode *n = e->child;

        while (n
               && strcmp(n->text, vector_node(v, v->decision[i].grant.node))
                      != 0)
            n = n->next;
        if (v->decision[i].kind == GSCHED_PLACE && !n)
            return false;
    }
    return true;
}

/* Was it admitted?  If not, it is held by a quota. */
static bool is_in(struct vector_world *v, uint32_t job)
{
    return gsched_wait_cause(v->sched, job) != GSCHED_QUOTA;
}

/* Of each job that is named, or of all. */
static bool check_phase(struct vector_world *v, const struct gs_ynode *e)
{
    bool all = true;

    for (uint32_t i = 0; i < v->w.work->job_count; i++) {
        const char *name = gs_ynode_find(vector_job(v, i), "name")->text;
        const struct gs_ynode *p = e->kind == GS_YMAP ? gs_ynode_find(e, name)
                                                      : e;

        if (p)
            all &= is_in(v, i) == (strcmp(p->text, "Inqueue") == 0);
    }
    return all;
}

static bool check_enqueueable(struct vector_world *v, const struct gs_ynode *e)
{
    return is_in(v, 0) == (strcmp(e->text, "true") == 0);
}

static uint32_t job_called(const struct vector_world *v, const char *name)
{
    uint32_t i = 0;

    while (strcmp(gs_ynode_find(vector_job(v, i), "name")->text, name) != 0)
        i++;
    return i;
}

/* "5c5G" for each job: what its tasks hold. */
static bool check_allocated(struct vector_world *v, const struct gs_ynode *e)
{
    bool all = true;

    for (const struct gs_ynode *n = e->child; n; n = n->next) {
        const uint32_t job = job_called(v, n->key->text);
        const struct trace_job *j = &v->w.work->job[job];
        const int64_t *each =
            v->w.work->shape[trace_group_at(v->w.work, j->first_group)->shape]
                .amount;
        const int64_t tasks = gsched_placed(v->sched, job);
        int64_t cpu = 0, memory = 0;

        for (char *at, *s = strdup(n->text), *from = s;;) {
            const int64_t k = strtoll(from, &at, 10);

            if (at == from) {
                free(s);
                break;
            }
            *(*at == 'c' ? &cpu : &memory) = k;
            from = at + 1;
        }
        if (each[TOPO_CPU] * tasks != cpu * 1000
            || each[TOPO_MEMORY] * tasks != memory * 1000000000) {
            printf("%s: %lld tasks\n", n->key->text, (long long)tasks);
            all = false;
        }
    }
    return all;
}

static bool check_tasks(struct vector_world *v, const struct gs_ynode *e)
{
    bool all = true;

    for (const struct gs_ynode *n = e->child; n; n = n->next)
        all &= gsched_placed(v->sched, job_called(v, n->key->text))
               == strtoul(n->text, NULL, 10);
    return all;
}

/* Are the tasks that went, as many as stated; or of the tasks on the node that
 * the world calls `local` those that are listed?
 */
static bool check_gone(struct vector_world *v, const struct gs_ynode *e,
                       enum gsched_kind kind)
{
    const struct gs_ynode *local = gs_ynode_find(v->said, "local");
    struct pairs got, want;

    if (e->kind == GS_YSCALAR) {
        decided(v, kind, kind, &got);
        return got.count == strtoul(e->text, NULL, 10);
    }
    got.count = 0;
    for (uint32_t i = 0; i < v->decisions; i++) {
        const struct gsched_decision *d = &v->decision[i];

        for (uint32_t t = 0; d->kind == kind && t < d->grant.tasks; t++) {
            if (local
                && strcmp(vector_node(v, d->grant.node), local->text) == 0)
                pair_put(&got, vector_pod(v, d->job, vector_task(v, d) + t),
                         "");
        }
    }
    expected(e, &want);
    if (pairs_equal(&got, &want))
        return true;
    pairs_print("gone", &got);
    return false;
}

/* Tasks above their gangs that went one by one; those that went as a whole. */
static bool check_safe(struct vector_world *v, const struct gs_ynode *e)
{
    return check_gone(v, e, GSCHED_SHRINK);
}

static bool check_whole(struct vector_world *v, const struct gs_ynode *e)
{
    return check_gone(v, e, GSCHED_EVICT);
}

static const struct {
    const char *key;
    check_fn check;
} checks[] = {
    { "bind", check_bind },           { "evict", check_evict },
    { "pipeline", check_pipeline },   { "placed", check_placed },
    { "binds", check_binds },         { "node_in", check_node_in },
    { "phase", check_phase },         { "enqueueable", check_enqueueable },
    { "allocated", check_allocated }, { "tasks", check_tasks },
    { "safe", check_safe },           { "whole", check_whole },
};

/* --- all of them ---------------------------------------------------------- */

static void world_check(struct vector_world *v, const char *id,
                        const struct gs_ynode *expect)
{
    static const struct gs_ynode nothing = { .kind = GS_YSEQ };

    CU_ASSERT_PTR_NOT_NULL_FATAL(expect);
    for (const struct gs_ynode *e = expect->child; e; e = e->next) {
        size_t i = 0;

        while (i < N_ELEMENTS(checks)
               && strcmp(checks[i].key, e->key->text) != 0)
            i++;
        if (i == N_ELEMENTS(checks) || !checks[i].check(v, e)) {
            printf("%s: '%s' is not as expected\n", id, e->key->text);
            CU_FAIL("a vector");
        }
    }
    if (gs_ynode_find(expect, "bind") && !gs_ynode_find(expect, "evict"))
        CU_ASSERT(check_evict(v, &nothing));
}

static void world_test(const struct gs_ynode *said, const struct vector *vec)
{
    const char *id = gs_ynode_find(said, "id")->text;
    const struct gs_ynode *own = gs_ynode_find(said, "expected");
    const struct gs_ynode *cycles = gs_ynode_find(said, "cycles");
    struct vector_world v;

    if (vector_world_init(&v, said) < 0) {
        char text[512];

        printf("%s: %s\n", id, gs_err_format(&v.w.err, 0, text, sizeof(text)));
        CU_FAIL("a world");
    } else {
        for (uint32_t n = 1;
             n <= (cycles ? strtoul(cycles->text, NULL, 10) : 1); n++)
            vector_world_cycle(&v, n);
        world_check(&v, id, own ? own : vec->expected);
    }
    vector_world_fini(&v);
}

/* Each world that has the vector's id. */
static void worlds_run(const struct vector *v)
{
    const char *path = getenv("WORLDS");
    struct gs_arena *arena = gs_arena_create(1 << 16);
    const struct gs_ynode *worlds = vectors_read(path && *path ? path : WORLDS,
                                                 "worlds", arena);
    uint32_t ran = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(worlds);
    for (const struct gs_ynode *w = worlds->child; w; w = w->next) {
        if (strcmp(gs_ynode_find(w, "id")->text, v->id) == 0) {
            world_test(w, v);
            ran++;
        }
    }
    if (!ran)
        vector_not_run(v, "its inputs are words, and no world states them");
    gs_arena_destroy(arena);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "binpack", NULL }, /* tests/policies */
        { "sla", NULL },     /* tests/import */
        { "resource-strategy-fit", NULL },
        { "topology-node-score", NULL },
        { "deviceshare", NULL },
        { "usage", NULL },
        { "topology-hypernode-score", NULL },
        { "proportion-waterfill", NULL },
        { "vc-capacity-share", NULL },
        { "vc-", worlds_run },
        { "drf-", worlds_run },
    };

    return vectors_main(&(struct vector_suite){ "sim/vectors_volcano", VECTORS,
                                                groups, N_ELEMENTS(groups),
                                                listed, N_ELEMENTS(listed) });
}

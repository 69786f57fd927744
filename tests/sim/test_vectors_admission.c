/* tests/sim/test_vectors_admission.c - what Kueue's tests say of admission by
 * quota (tests/data/vectors/kueue.yaml), as the first cycle under preset kueue
 * decides: queues, jobs that run, and one that comes; and functions of the
 * action for values that no decision shows.
 */
#include <stdlib.h>

#include "base/text.h"
#include "policies/admission/flavors.h"
#include "policies/scheduler.h"
#include "policies/state/quota_holds.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"
#include "topology/cluster.h"

#define OWN "tests/data/vectors/kueue.yaml"
#define TEXT 60000
#define FLAVORS 8
#define JOBS 64
#define SECOND INT64_C(1000000)
#define BEGIN (100 * SECOND)
#define NOW (200 * SECOND)

/* One vector as texts. */
static struct {
    char queues[TEXT], jobs[TEXT], nodes[4000], all[2 * TEXT];
    char flavor[FLAVORS][32];
    size_t flavors;
    char name[JOBS][64], on[JOBS][32]; /* jobs that run: their flavors */
    int64_t at[JOBS];
    size_t count;
    const struct gs_ynode *cohorts;
    bool oracle_evicts; /* of its own queue, whatever the queue states */
} t;

static struct gs_arena *arena; /* of fixtures */

/* --- values --------------------------------------------------------------- */

static const char *text_of(const struct gs_ynode *map, const char *key,
                           const char *none)
{
    const struct gs_ynode *n = map && map->kind == GS_YMAP
                                   ? gs_ynode_find(map, key)
                                   : NULL;

    return n && n->kind == GS_YSCALAR && *n->text ? n->text : none;
}

static const struct gs_ynode *item(const struct gs_ynode *list, int i)
{
    const struct gs_ynode *n = list ? list->child : NULL;

    for (; n && i > 0; i--)
        n = n->next;
    return n;
}

static const char *cell(const struct gs_ynode *row, int i)
{
    const struct gs_ynode *n = item(row, i);

    return n && strcmp(n->text, "null") != 0 ? n->text : "";
}

/* Memory without a unit is in GiB. */
static void amount_add(char *to, const char *resource, const char *value)
{
    const bool is_memory = strcmp(resource, "memory") == 0;

    gs_text_add(
        to, TEXT, "%s: %s%s",
        to == t.jobs && strcmp(resource, "gpu") == 0 ? "gpus" : resource, value,
        !is_memory || strcmp(value, "0") == 0 ? ""
        : value[strlen(value) - 1] == 'i'     ? "B"
                                              : "GiB");
}

static int64_t seconds(const char *text)
{
    return (int64_t)(strtod(text, NULL) * (double)SECOND);
}

/* --- queues --------------------------------------------------------------- */

static void flavor_note(const char *name)
{
    for (size_t i = 0; i < t.flavors; i++) {
        if (strcmp(t.flavor[i], name) == 0)
            return;
    }
    CU_ASSERT_FATAL(t.flavors < FLAVORS);
    (void)snprintf(t.flavor[t.flavors++], sizeof(t.flavor[0]), "%s", name);
}

/* The amounts in one column of the rows of a flavor. */
static void column_add(const struct gs_ynode *rows, const char *flavor,
                       const char *key, int column)
{
    bool any = false;

    for (const struct gs_ynode *r = rows->child; r; r = r->next) {
        if (strcmp(cell(r, 0), flavor) != 0 || !*cell(r, column))
            continue;
        gs_text_add(t.queues, TEXT, any ? ", " : ", %s: {", key);
        amount_add(t.queues, cell(r, 1), cell(r, column));
        any = true;
    }
    gs_text_add(t.queues, TEXT, any ? "}" : "");
}

/* The flavors of the rows, each with its amounts or with none of its own. */
static void quota_add(const struct gs_ynode *rows, bool own)
{
    if (!rows || !rows->child)
        return;
    gs_text_add(t.queues, TEXT, "    flavors:\n");
    for (const struct gs_ynode *r = rows->child; r; r = r->next) {
        const char *flavor = cell(r, 0);
        bool seen = false;

        for (const struct gs_ynode *b = rows->child; b != r; b = b->next)
            seen |= strcmp(cell(b, 0), flavor) == 0;
        if (seen)
            continue;
        flavor_note(flavor);
        gs_text_add(t.queues, TEXT, "      - {name: %s", flavor);
        if (own) {
            column_add(rows, flavor, "guarantee", 2);
            column_add(rows, flavor, "borrow", 3);
            column_add(rows, flavor, "lend", 4);
        } else {
            gs_text_add(t.queues, TEXT, ", guarantee: {%s: 0}", cell(r, 1));
        }
        gs_text_add(t.queues, TEXT, "}\n");
    }
}

static const struct gs_ynode *cohort_of(const char *name)
{
    for (const struct gs_ynode *n = t.cohorts ? t.cohorts->child : NULL; n;
         n = n->next) {
        if (strcmp(text_of(n, "n", ""), name) == 0)
            return n;
    }
    return NULL;
}

/* "root/middle/": the path of a cohort. */
static void path_add(char *to, size_t size, const char *cohort)
{
    if (!*cohort)
        return;
    path_add(to, size, text_of(cohort_of(cohort), "parent", ""));
    gs_text_add(to, size, "%s/", cohort);
}

static void word_add(const struct gs_ynode *q, const char *key, const char *as)
{
    static const char *const words[][2] = {
        { "Never", "never" },
        { "LowerPriority", "lower" },
        { "LowerOrNewerEqualPriority", "lower-or-newer" },
        { "Any", "any" },
    };
    const char *value = text_of(q, key,
                                t.oracle_evicts && strcmp(key, "within") == 0
                                    ? "LowerPriority"
                                    : "Never");

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(value, words[i][0]) == 0)
            gs_text_add(t.queues, TEXT, "    %s: %s\n", as, words[i][1]);
    }
}

/* `lends`: what it has is its cohort's, so that it borrows all that it uses,
 * with the largest share.
 */
static void queue_add(const struct gs_ynode *q, const char *name,
                      const char *above, bool lends)
{
    char path[400] = "";

    path_add(path, sizeof(path), above);
    if (lends) {
        gs_text_add(t.queues, TEXT, "  - name: %.*s\n", (int)strlen(path) - 1,
                    path);
        quota_add(gs_ynode_find(q, "quota"), true);
    }
    gs_text_add(t.queues, TEXT, "  - name: %s%s\n    weight: %s\n", path, name,
                text_of(q, "weight", lends ? "0" : "1"));
    word_add(q, "within", "evicts_own");
    word_add(q, "reclaim", "evicts_others");
    if (strcmp(text_of(q, "borrowWithin", "Never"), "LowerPriority") == 0)
        gs_text_add(t.queues, TEXT, "    evicts_borrowing: true\n");
    if (*text_of(q, "threshold", ""))
        gs_text_add(t.queues, TEXT, "    evicts_most: %s\n",
                    text_of(q, "threshold", ""));
    if (strcmp(text_of(q, "whenCanBorrow", ""), "TryNextFlavor") == 0)
        gs_text_add(t.queues, TEXT, "    next_flavor_borrowing: true\n");
    if (strcmp(text_of(q, "whenCanPreempt", ""), "MayStopSearch") == 0)
        gs_text_add(t.queues, TEXT, "    next_flavor_evicting: false\n");
    if (strcmp(text_of(q, "strategy", ""), "StrictFIFO") == 0)
        gs_text_add(t.queues, TEXT, "    head_blocks: true\n");
    if (strcmp(text_of(q, "preference", ""), "PreemptionOverBorrowing") == 0)
        gs_text_add(t.queues, TEXT, "    flavor_prefers: evicting\n");
    quota_add(q ? gs_ynode_find(q, "quota") : NULL, !lends);
}

static const struct gs_ynode *fixture_in(const char *path, const char *name)
{
    const struct gs_ynode *all = vectors_read(path, "vectors", arena);

    for (const struct gs_ynode *n = all ? all->child : NULL; n; n = n->next) {
        const struct gs_ynode *in = gs_ynode_find(n, "inputs");
        const struct gs_ynode *f = in && in->kind == GS_YMAP
                                       ? gs_ynode_find(in, name)
                                       : NULL;

        if (f && f->kind == GS_YSEQ)
            return f;
    }
    return NULL;
}

/* The list, or the fixture that the text names. */
static const struct gs_ynode *queues_of(const struct gs_ynode *n)
{
    const char *other = getenv("VECTORS");
    const struct gs_ynode *f = NULL;

    if (!n || n->kind != GS_YSCALAR)
        return n;
    f = other ? fixture_in(other, n->text) : NULL;
    return f ? f : fixture_in(OWN, n->text);
}

/* --- jobs ----------------------------------------------------------------- */

/* The path of the queue that is called so. */
static void job_queue(const struct gs_ynode *list, const char *name)
{
    char path[400] = "";

    for (const struct gs_ynode *q = list->child; q; q = q->next) {
        if (strcmp(text_of(q, "n", ""), name) == 0)
            path_add(path, sizeof(path), text_of(q, "cohort", ""));
    }
    gs_text_add(t.jobs, TEXT, ", queue: %s%s", path, name);
}

static void job_begin(const char *name, const char *priority, int64_t at,
                      const char *on)
{
    CU_ASSERT_FATAL(t.count < JOBS);
    (void)snprintf(t.name[t.count], sizeof(t.name[0]), "%s", name);
    (void)snprintf(t.on[t.count], sizeof(t.on[0]), "%s", on);
    t.at[t.count++] = at;
    gs_text_add(t.jobs, TEXT,
                "  - {name: %s, submit: %g, duration: 1h, priority: %s", name,
                (double)(BEGIN + (*on ? 0 : at)) / (double)SECOND, priority);
}

/* The labels of the flavor's nodes.  All but the flavor "default" state one
 * key, so that tasks which ask for one of them are refused by the others.
 */
static void labels_add(char *to, size_t size, const char *flavor)
{
    const bool plain = strcmp(flavor, "default") == 0;

    gs_text_add(to, size, "{%s: %s}", plain ? flavor : "flavor",
                plain ? "is" : flavor);
}

/* Resources of rows [flavor, resource, amount], tasks of one kind for each
 * flavor where more than one has a row for a resource.
 */
static void rows_add(const struct gs_ynode *rows, bool apart)
{
    gs_text_add(t.jobs, TEXT, apart ? ", tasks: [" : "");
    for (const struct gs_ynode *r = rows->child; r; r = r->next) {
        gs_text_add(t.jobs, TEXT, apart ? "%s{name: k%zu, " : ", ",
                    r == rows->child ? "" : ", ", strlen(t.jobs));
        amount_add(t.jobs, cell(r, 1), cell(r, 2));
        if (apart) {
            gs_text_add(t.jobs, TEXT, ", nodes: ");
            labels_add(t.jobs, TEXT, cell(r, 0));
            gs_text_add(t.jobs, TEXT, "}");
        }
    }
    gs_text_add(t.jobs, TEXT, apart ? "]" : "");
}

static bool are_apart(const struct gs_ynode *rows)
{
    bool apart = false;

    for (const struct gs_ynode *r = rows->child; r; r = r->next)
        apart |= strcmp(cell(r, 0), cell(rows->child, 0)) != 0;
    return apart;
}

static void job_add(const struct gs_ynode *list, const struct gs_ynode *j,
                    bool comes)
{
    const struct gs_ynode *uses = gs_ynode_find(j, comes ? "assigned" : "uses");
    const char *on = comes ? "" : uses ? cell(uses->child, 0) : "default";

    job_begin(text_of(j, "n", "incoming"), text_of(j, "prio", "0"),
              seconds(text_of(j, "at", "0")), on);
    job_queue(list, text_of(j, "cq", ""));
    if (uses)
        rows_add(uses, comes && are_apart(uses));
    if (uses && comes && !are_apart(uses)) {
        gs_text_add(t.jobs, TEXT, ", nodes: ");
        labels_add(t.jobs, TEXT, cell(uses->child, 0));
    }
    for (const struct gs_ynode *n = j->child; n && !uses; n = n->next) {
        if (strcmp(n->key->text, "cpu") != 0
            && strcmp(n->key->text, "memory") != 0
            && strcmp(n->key->text, "gpu") != 0)
            continue;
        gs_text_add(t.jobs, TEXT, ", ");
        amount_add(t.jobs, n->key->text, n->text);
    }
    gs_text_add(t.jobs, TEXT, "}\n");
}

/* --- one cycle ------------------------------------------------------------ */

struct cycle {
    struct world w;
    struct topo_cluster *cluster;
    struct gsched *sched;
    const struct gsched_decision *d;
    uint32_t count;
};

static uint32_t node_called(const struct world *w, const char *name)
{
    for (uint32_t n = 0; n < w->topo->node_count; n++) {
        if (strcmp(gs_strtab_str(w->names, w->topo->node_name[n]), name) == 0)
            return n;
    }
    return 0;
}

static uint32_t job_called(const struct world *w, const char *name)
{
    for (uint32_t i = 0; i < w->work->job_count; i++) {
        if (strcmp(gs_strtab_str(w->names, w->work->job[i].name), name) == 0)
            return i;
    }
    return 0;
}

static const char *job_name(const struct cycle *c, uint32_t job)
{
    return gs_strtab_str(c->w.names, c->w.work->job[job].name);
}

/* The job that comes is the last one of the texts. */
static bool is_incoming(const struct cycle *c, uint32_t job)
{
    return job < c->w.work->job_count
           && strcmp(job_name(c, job), t.name[t.count - 1]) == 0;
}

/* It came without quota. */
static bool waits(const struct cycle *c, uint32_t job)
{
    bool waits = false;

    for (size_t i = 0; job < c->w.work->job_count && i < t.count; i++)
        waits |= !*t.on[i] && strcmp(job_name(c, job), t.name[i]) == 0;
    return waits;
}

static void texts_make(void)
{
    gs_text_add(t.nodes, sizeof(t.nodes),
                "cluster: c\nnode_types:\n  big: {cpu: 100000, memory: "
                "100TiB, gpus: 64}\nnodes:\n");
    gs_text_add(t.all, sizeof(t.all), "flavors:\n");
    for (size_t i = 0; i < t.flavors; i++) {
        gs_text_add(t.nodes, sizeof(t.nodes),
                    "  - {name: n-%s, type: big, labels: {default: is, "
                    "flavor: %s}}\n",
                    t.flavor[i], t.flavor[i]);
        gs_text_add(t.all, sizeof(t.all),
                    "  - {name: %s, nodes: ", t.flavor[i]);
        labels_add(t.all, sizeof(t.all), t.flavor[i]);
        gs_text_add(t.all, sizeof(t.all), "}\n");
    }
    gs_text_add(t.all, sizeof(t.all), "queues:\n%sjobs:\n%s", t.queues, t.jobs);
}

/* Submit the jobs; those that run are adopted on nodes of their flavors. */
static void jobs_come(struct cycle *c)
{
    for (uint32_t i = 0; i < c->w.work->job_count; i++)
        CU_ASSERT_EQUAL(gsched_submit(c->sched, i, c->w.work->job[i].tasks,
                                      c->w.work->job[i].submit),
                        0);
    for (uint32_t i = 0; i < t.count; i++) {
        const uint32_t job = job_called(&c->w, t.name[i]);
        const struct trace_workload *work = c->w.work;
        const struct topo_request *r =
            &work->shape[trace_group_at(work, work->job[job].first_group)
                             ->shape];
        struct topo_grant g;
        char name[60];

        if (!*t.on[i])
            continue;
        (void)snprintf(name, sizeof(name), "n-%s", t.on[i]);
        g = topo_cluster_allocate(c->cluster, node_called(&c->w, name), r, 1,
                                  UINT32_MAX);
        topo_cluster_release(c->cluster, r, &g);
        CU_ASSERT_EQUAL(
            gsched_adopt(c->sched, job, 0, 0, &g, BEGIN + t.at[i], NOW), 0);
    }
}

static bool cycle_run(const struct vector *v, struct cycle *c,
                      const char *strategies, bool shares)
{
    struct gsched_profile *p;
    char setting[100];

    texts_make();
    world_init(&c->w);
    if (world_load(&c->w, t.nodes, t.all, &(struct trace_options){ 0 }) < 0
        || !(p = world_profile(&c->w, "kueue"))) {
        vector_fails(v, "it cannot be read:", c->w.err.problem[0].text);
        printf("%s\n%s\n", t.nodes, t.all);
        world_fini(&c->w);
        return false;
    }
    (void)gsched_profile_set(p, "quota.uncovered=refuse", c->w.arena,
                             &c->w.err); /* as Kueue without a configuration */
    (void)snprintf(setting, sizeof(setting), "quota.strategies=%s", strategies);
    if (shares) {
        (void)gsched_profile_set(p, "quota.shares=yes", c->w.arena, &c->w.err);
        (void)gsched_profile_set(p, setting, c->w.arena, &c->w.err);
    }
    c->cluster = topo_cluster_create(c->w.topo);
    c->sched = gsched_create(c->cluster, c->w.work, p, 1, &c->w.err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->sched);
    jobs_come(c);
    c->d = gsched_cycle(c->sched, NOW, &c->count);
    return true;
}

static void cycle_end(struct cycle *c)
{
    gsched_destroy(c->sched);
    topo_cluster_destroy(c->cluster);
    world_fini(&c->w);
}

static const char *reason_of(const struct gsched_decision *d)
{
    switch (d->reason) {
    case GSCHED_PREEMPTED:
        return "InClusterQueue";
    case GSCHED_RECLAIMED:
        return "InCohortReclamation";
    case GSCHED_RECLAIMED_BORROWING:
        return "InCohortReclaimWhileBorrowing";
    case GSCHED_RECLAIMED_SHARE:
        return "InCohortFairSharing";
    default:
        return "?";
    }
}

/* Exactly these jobs go, for these reasons. */
static void victims_check(const struct vector *v, const struct cycle *c,
                          const struct gs_ynode *want)
{
    char got[2000] = "";
    size_t found = 0, all = 0, wanted = 0;

    for (const struct gs_ynode *n = want->child; n; n = n->next)
        wanted++;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct gsched_decision *d = &c->d[i];

        if (d->kind != GSCHED_RETURN || !waits(c, d->by))
            continue; /* what is evicted may evict others in turn */
        all++;
        gs_text_add(got, sizeof(got), " %s (%s)", job_name(c, d->job),
                    reason_of(d));
        for (const struct gs_ynode *n = want->child; n; n = n->next)
            found += strcmp(text_of(n, "n", ""), job_name(c, d->job)) == 0
                     && strcmp(text_of(n, "reason", ""), reason_of(d)) == 0;
    }
    if (found != wanted || all != wanted)
        vector_fails(v, "evicted:", got);
}

/* "none", or the flavor that the job got. */
static void got_check(const struct vector *v, const struct cycle *c,
                      const char *want)
{
    const char *got = "n-none";
    char node[60];

    (void)snprintf(node, sizeof(node), "n-%s", want);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->d[i].kind == GSCHED_PLACE && is_incoming(c, c->d[i].job))
            got = gs_strtab_str(c->w.names,
                                c->w.topo->node_name[c->d[i].grant.node]);
    }
    if (strcmp(got, node) != 0)
        vector_fails(v, "it is on", got);
}

/* --- preemption ----------------------------------------------------------- */

static void begin(void)
{
    memset(&t, 0, sizeof(t));
}

static void world_make(const struct vector *v, const struct gs_ynode *list)
{
    begin();
    flavor_note("default");
    t.cohorts = gs_ynode_find(v->in, "cohorts");
    for (const struct gs_ynode *n = t.cohorts ? t.cohorts->child : NULL; n;
         n = n->next)
        queue_add(n, text_of(n, "n", ""), text_of(n, "parent", ""), false);
    for (const struct gs_ynode *n = list->child; n; n = n->next)
        queue_add(n, text_of(n, "n", ""), text_of(n, "cohort", ""), false);
}

static void preempt_run(const struct vector *v)
{
    const struct gs_ynode *list = queues_of(vector_in(v, "cluster_queues"));
    const struct gs_ynode *s = gs_ynode_find(v->in, "strategies");
    const bool shares = strstr(v->group, "fair") != NULL;
    struct cycle c = { .count = 0 };

    if (!list) {
        vector_not_run(v, "its queues are not in the file");
        return;
    }
    world_make(v, list);
    for (const struct gs_ynode *n = vector_in(v, "admitted")->child; n;
         n = n->next)
        job_add(list, n, false);
    job_add(list, vector_in(v, "incoming"), true);
    if (!cycle_run(v, &c,
                   !s || !s->child  ? "final-initial"
                   : s->child->next ? "final-initial"
                   : strcmp(s->child->text, "LessThanInitialShare") == 0
                       ? "initial"
                       : "final",
                   shares))
        return;
    victims_check(v, &c, gs_ynode_find(v->expected, "preempted"));
    if (*text_of(v->expected, "flavor", ""))
        got_check(v, &c, text_of(v->expected, "flavor", ""));
    cycle_end(&c);
}

static bool lists(const struct gs_ynode *list, const char *name)
{
    const struct gs_ynode *n = list ? list->child : NULL;

    while (n && strcmp(n->text, name) != 0)
        n = n->next;
    return n != NULL;
}

/* Those that wait, each admitted in the flavor that is expected, or not; but
 * for those that are left for a later round.
 */
static void admitted_check(const struct vector *v, const struct cycle *c)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "admitted");
    char node[60], text[200];

    for (const struct gs_ynode *n = vector_in(v, "pending")->child; n;
         n = n->next) {
        const char *name = text_of(n, "n", ""), *got = "n-none";

        if (lists(gs_ynode_find(v->expected, "left"), name))
            continue;
        (void)snprintf(node, sizeof(node), "n-%s", text_of(want, name, "none"));
        for (uint32_t i = 0; i < c->count; i++) {
            if (c->d[i].kind == GSCHED_PLACE
                && strcmp(job_name(c, c->d[i].job), name) == 0)
                got = gs_strtab_str(c->w.names,
                                    c->w.topo->node_name[c->d[i].grant.node]);
        }
        (void)snprintf(text, sizeof(text), "%s is on %s, not %s", name, got,
                       node);
        if (strcmp(got, node) != 0)
            vector_fails(v, "of several:", text);
    }
}

/* The node on which the job is at the end, "" for none. */
static const char *node_at_end(const struct cycle *c, size_t job)
{
    static char node[60];

    (void)snprintf(node, sizeof(node), "%s%s", *t.on[job] ? "n-" : "",
                   t.on[job]);
    for (uint32_t i = 0; i < c->count; i++) {
        if (strcmp(job_name(c, c->d[i].job), t.name[job]) != 0)
            continue;
        if (c->d[i].kind == GSCHED_RETURN)
            *node = '\0';
        else if (c->d[i].kind == GSCHED_PLACE)
            (void)snprintf(
                node, sizeof(node), "%s",
                gs_strtab_str(c->w.names,
                              c->w.topo->node_name[c->d[i].grant.node]));
    }
    return node;
}

/* Each job, also of those that ran, in its flavor when nothing changes any
 * more.
 */
static void holds_check(const struct vector *v, const struct cycle *c)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "holds");
    char text[200];

    for (size_t i = 0; want && i < t.count; i++) {
        const char *on = text_of(want, t.name[i], "");
        const char *got = node_at_end(c, i);

        (void)snprintf(text, sizeof(text), "%s is on '%s', not '%s'", t.name[i],
                       got, on);
        if (strcmp(*got ? got + 2 : got, on) != 0)
            vector_fails(v, "at the end:", text);
    }
}

static void several_run(const struct vector *v)
{
    const struct gs_ynode *list = vector_in(v, "cluster_queues");
    struct cycle c = { .count = 0 };

    world_make(v, list);
    for (const struct gs_ynode *n = vector_in(v, "admitted")->child; n;
         n = n->next)
        job_add(list, n, false);
    for (const struct gs_ynode *n = vector_in(v, "pending")->child; n;
         n = n->next)
        job_add(list, n, true);
    if (!cycle_run(v, &c, "final-initial",
                   strcmp(text_of(v->in, "fair_sharing", ""), "true") == 0))
        return;
    if (gs_ynode_find(v->expected, "admitted"))
        admitted_check(v, &c);
    if (gs_ynode_find(v->expected, "preempted"))
        victims_check(v, &c, gs_ynode_find(v->expected, "preempted"));
    holds_check(v, &c);
    cycle_end(&c);
}

/* The queues alone. */
static void fixture_run(const struct vector *v)
{
    for (const struct gs_ynode *n = v->in->child; n; n = n->next) {
        struct cycle c = { .count = 0 };

        if (n->kind != GS_YSEQ)
            continue;
        world_make(v, n);
        job_begin("j", "0", 0, "");
        gs_text_add(t.jobs, TEXT, ", cpu: 1}\n");
        if (cycle_run(v, &c, "final", false))
            cycle_end(&c);
    }
}

/* --- flavors -------------------------------------------------------------- */

/* "one/cpu: 2": a job of lower priority for each unit, since the oracle of such
 * a test finds some to be evicted, whatever they are.
 */
static void usage_add(const struct gs_ynode *usage, const char *queue)
{
    for (const struct gs_ynode *n = usage ? usage->child : NULL; n;
         n = n->next) {
        char flavor[32];
        const char *slash = strchr(n->key->text, '/');
        const long units = strtol(n->text, NULL, 10);

        (void)snprintf(flavor, sizeof(flavor), "%.*s",
                       (int)(slash - n->key->text), n->key->text);
        for (long i = 0; i < units; i++) {
            char name[64];

            (void)snprintf(name, sizeof(name), "%s-%s-%s-%ld", queue, flavor,
                           slash + 1, i);
            job_begin(name, "-1", 0, flavor);
            gs_text_add(t.jobs, TEXT, ", queue: %s, ", queue);
            amount_add(t.jobs, slash + 1, "1");
            gs_text_add(t.jobs, TEXT, "}\n");
        }
    }
}

/* The other queue of the cohort lends what the job asks for, in flavors of
 * which the text says so, all in use where it says that.
 */
static void other_told(const char *told, const struct gs_ynode *cq,
                       const char *path)
{
    const struct gs_ynode *rows = gs_ynode_find(cq, "quota");

    gs_text_add(t.queues, TEXT, "  - name: %s\n    flavors:\n", path);
    for (const struct gs_ynode *r = rows->child; r; r = r->next) {
        char used[80];

        gs_text_add(t.queues, TEXT, "      - {name: %s, guarantee: {%s: 10}}\n",
                    cell(r, 0), cell(r, 1));
        (void)snprintf(used, sizeof(used), "%s fully used", cell(r, 0));
        if (!strstr(told, used))
            continue;
        job_begin("full", "0", 0, cell(r, 0));
        gs_text_add(t.jobs, TEXT, ", queue: %s, %s: 10}\n", path, cell(r, 1));
    }
}

static void flavor_check(const struct vector *v, const struct cycle *c)
{
    const char *want = text_of(v->expected, "flavor", "");
    const bool preempts = strcmp(text_of(v->expected, "mode", ""), "Preempt")
                          == 0;
    char node[60];
    const char *got = "";
    bool evicts = false;

    (void)snprintf(node, sizeof(node), "n-%s", want);
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->d[i].kind == GSCHED_PLACE && is_incoming(c, c->d[i].job))
            got = gs_strtab_str(c->w.names,
                                c->w.topo->node_name[c->d[i].grant.node]);
        evicts |= c->d[i].kind == GSCHED_RETURN;
    }
    if (strcmp(text_of(v->expected, "mode", ""), "NoFit") == 0) {
        if (*got || evicts)
            vector_fails(v, "it is placed on", got);
        return;
    }
    if (strcmp(got, node) != 0)
        vector_fails(v, "it is placed on", *got ? got : "nothing");
    if (evicts != preempts)
        vector_fails(v, evicts ? "it evicts" : "it evicts nothing", "");
}

/* "Preempt ...", or {FLAVOR: Preempt}. */
static bool oracle_evicts(const struct gs_ynode *said)
{
    bool evicts = said && said->kind == GS_YSCALAR
                  && strncmp(said->text, "Preempt", 7) == 0;

    for (const struct gs_ynode *n = said && said->kind == GS_YMAP ? said->child
                                                                  : NULL;
         n; n = n->next)
        evicts |= oracle_evicts(n);
    return evicts;
}

/* The oracle of a test finds jobs to evict, whatever they are: those of its own
 * queue, which then are of lower priority; where it has none, the other queue
 * holds what it uses as a borrower.
 */
static void flavor_run(const struct vector *v)
{
    const struct gs_ynode *cq = vector_in(v, "cq");
    const struct gs_ynode *other = gs_ynode_find(v->in, "other_cq");
    const char *above = text_of(cq, "cohort", "");
    const bool evicts = oracle_evicts(gs_ynode_find(v->in, "oracle"));
    char queue[400] = "", lender[400] = "";
    struct cycle c = { .count = 0 };

    begin();
    path_add(queue, sizeof(queue), above);
    gs_text_add(lender, sizeof(lender), "%sother", queue);
    gs_text_add(queue, sizeof(queue), "cq");
    t.oracle_evicts = evicts;
    queue_add(cq, "cq", above, false);
    t.oracle_evicts = false;
    usage_add(gs_ynode_find(cq, "usage"), queue);
    if (other && other->kind == GS_YSCALAR) {
        other_told(other->text, cq, lender);
    } else if (other) {
        queue_add(other, "other", above, evicts && !gs_ynode_find(cq, "usage"));
        usage_add(gs_ynode_find(other, "usage"), lender);
    }
    job_begin("incoming", "0", 0, "");
    gs_text_add(t.jobs, TEXT, ", queue: %s", queue);
    for (const struct gs_ynode *n = vector_in(v, "request")->child; n;
         n = n->next) {
        if (strcmp(n->text, "0") == 0)
            continue;
        gs_text_add(t.jobs, TEXT, ", ");
        amount_add(t.jobs, n->key->text, n->text);
    }
    gs_text_add(t.jobs, TEXT, "}\n");
    if (!cycle_run(v, &c, "final-initial",
                   strcmp(text_of(v->in, "fair_sharing", ""), "true") == 0))
        return;
    flavor_check(v, &c);
    cycle_end(&c);
}

static enum quota_mode mode_of(const struct gs_ynode *n)
{
    static const char *const names[] = {
        [QUOTA_NO_FIT] = "noFit",     [QUOTA_NO_VICTIMS] = "noCandidates",
        [QUOTA_PREEMPTS] = "preempt", [QUOTA_RECLAIMS] = "reclaim",
        [QUOTA_FITS] = "fit",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(text_of(n, "mode", ""), names[i]) == 0)
            return (enum quota_mode)i;
    }
    CU_FAIL_FATAL("an unknown mode");
    return QUOTA_NO_FIT;
}

static void prefer_run(const struct vector *v)
{
    const struct gs_ynode *a = vector_in(v, "a"), *b = vector_in(v, "b");
    const struct quota_policy p = {
        .borrows_last = strcmp(text_of(v->in, "preference", ""),
                               "PreemptionOverBorrowing")
                        == 0,
    };
    const bool better = flavor_is_better(
        &p, mode_of(a),
        (uint32_t)strtoul(text_of(a, "borrow_level", "0"), NULL, 10),
        mode_of(b),
        (uint32_t)strtoul(text_of(b, "borrow_level", "0"), NULL, 10));

    if (better
        != (strcmp(text_of(v->expected, "a_preferred", ""), "true") == 0))
        vector_fails(v, "a is", better ? "better" : "not better");
}

/* --- values --------------------------------------------------------------- */

/* As many tasks as fit: each kind asks for one unit. */
static void partial_run(const struct vector *v)
{
    static const int64_t one[] = { 1 };
    const uint32_t parent = QUOTA_NONE;
    uint32_t flavor = 0, cells[] = { 0 };
    uint8_t set = 0, set_of_dim = 0;
    struct quotas *q = quotas_create(1, &parent);
    struct quota_search search = { .victims = 0 };
    const struct flavor_list list = { 1, 1, &flavor, &set, cells, &set_of_dim };
    struct flavor_tasks kind[JOBS];
    struct flavor_choice c = { .asks = 0 };
    struct flavor_query f = { .q = q,
                              .search = &search,
                              .list = &list,
                              .dims = 1,
                              .kind = kind,
                              .pods = 1 };
    uint64_t total = 0;
    char got[40];

    quotas_cell(q, 0, 0, 0);
    quotas_cells_done(q);
    quotas_amount_set(q, 0, 0, strtoll(text_of(v->in, "limit", "0"), NULL, 10),
                      -1, -1);
    quotas_settle(q);
    for (const struct gs_ynode *n = vector_in(v, "podsets")->child; n;
         n = n->next) {
        const uint32_t tasks = (uint32_t)strtoul(cell(n, 0), NULL, 10);

        kind[f.kinds++] = (struct flavor_tasks){
            .amount = one,
            .tasks = tasks,
            .least = *cell(n, 1) ? (uint32_t)strtoul(cell(n, 1), NULL, 10)
                                 : tasks,
            .allowed = 1,
            .next = QUOTA_NONE,
        };
    }
    flavor_choose_any(&f, NULL, &c);
    for (uint32_t k = 0; c.mode == QUOTA_FITS && k < f.kinds; k++)
        total += c.tasks[k];
    (void)snprintf(got, sizeof(got), "%llu", (unsigned long long)total);
    if (strcmp(got, text_of(v->expected, "total", "0")) != 0)
        vector_fails(v, "tasks:", got);
    flavor_choice_free(&c);
    quota_search_free(&search);
    quotas_free(q);
}

static void pause_run(const struct vector *v)
{
    const struct gsp_admit how = {
        .pause = strtoll(text_of(v->in, "base_s", "0"), NULL, 10),
        .pause_most = strtoll(text_of(v->in, "max_s", "0"), NULL, 10),
    };
    const struct gs_ynode *want = gs_ynode_find(v->expected, "seconds")->child;

    for (const struct gs_ynode *n = vector_in(v, "counts")->child; n;
         n = n->next, want = want->next) {
        const int64_t got = gsched_quota_pause(
            &how, (uint32_t)strtoul(n->text, NULL, 10) - 1);

        if (got != strtoll(want->text, NULL, 10))
            vector_fails(v, "another pause after", n->text);
    }
}

static const struct vector_group groups[] = {
    { "kueue-prefer-", prefer_run },
    { "kueue-preempt", preempt_run },
    { "kueue-hierpreempt", preempt_run },
    { "kueue-fairpreempt", preempt_run },
    { "kueue-preemption-fixture", fixture_run },
    { "kueue-flavor", flavor_run },
    { "kueue-cycle", several_run },
    { "kueue-partial-admission", partial_run },
    { "kueue-requeue", pause_run },
    { "kueue-quota", NULL },
    { "kueue-fair-share", NULL },
    { "kueue-admission-fair-sharing", NULL },
    { "kueue-tas", NULL },
};

int main(void)
{
    static const struct vector_suite suite = {
        "admission", OWN, groups, sizeof(groups) / sizeof(groups[0]), NULL, 0,
    };
    int rc;

    arena = gs_arena_create(1 << 16);
    rc = vectors_main(&suite);
    gs_arena_destroy(arena);
    return rc;
}

/* tests/sim/test_vectors_gangs.c - what the tests of YuniKorn and of KAI
 * Scheduler expect of gangs that are not whole (tests/data/vectors/gangs.yaml).
 */
#include <limits.h>
#include <stdlib.h>

#include "tests/lib/pods.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"

#define GANGS "tests/data/vectors/gangs.yaml"
#define SECOND INT64_C(1000000)
#define FREED 1000 /* s: there is room for all from then on */
#define GROUPS 2

static long number(const struct gs_ynode *n, const char *key, long fallback)
{
    const struct gs_ynode *v = gs_ynode_find(n, key);

    return v ? strtol(v->text, NULL, 10) : fallback;
}

/* Tasks that were evicted, and when the last of them was. */
struct evicted {
    long tasks;
    int64_t at;
};

static struct evicted evicted_of(const struct world *w)
{
    struct evicted e = { 0 };

    for (size_t i = 0; i < w->log->eviction_count; i++) {
        const struct report_evicted *x = &w->log->eviction[i];

        if (x->what.job != world_job(w, "gang")->job)
            continue;
        e.tasks += x->what.tasks;
        e.at = x->at;
    }
    return e;
}

/* --- placeholders of YuniKorn --------------------------------------------- */

/* Another job leaves room for those that fit, and ends after a while. */
static void placeholders_run(const struct vector *v)
{
    const struct trace_options o = { 0 };
    const long all = number(v->in, "placeholders", 0);
    const long fit = number(v->in, "fit", 0);
    const struct gs_ynode *style = gs_ynode_find(v->in, "style");
    const char *becomes = gs_ynode_find(v->expected, "application")->text;
    const bool starts = strcmp(becomes, "fails") != 0;
    struct pods_text nodes = { .len = 0 }, trace = { .len = 0 };
    struct evicted e = { 0 };
    struct world w;

    pods_put(&nodes,
             "node_types: {t: {cpu: %ld}}\nnodes: [{name: n1, type: t}]\n",
             all);
    pods_put(&trace, "jobs:\n");
    if (fit < all)
        pods_put(&trace, "- {name: other, submit: 0, duration: %d, cpu: %ld}\n",
                 FREED, all - fit);
    pods_put(&trace,
             "- {name: gang, submit: 1, duration: 10, cpu: 1, replicas: %ld",
             all);
    if (style && strcmp(style->text, "Hard") == 0)
        pods_put(&trace, ", gang_style: hard");
    if (gs_ynode_find(v->in, "timeout_s"))
        pods_put(&trace, ", gang_timeout: %lds", number(v->in, "timeout_s", 0));
    pods_put(&trace, "}\n");
    world_init(&w);
    if (world_load(&w, nodes.at, trace.at, &o) < 0
        || world_run(&w, "yunikorn", NULL, NULL) < 0) {
        vector_fails(v, w.err.problem[0].text, trace.at);
    } else {
        const struct report_job *j = world_job(&w, "gang");

        e = evicted_of(&w);
        if ((j->state == REPORT_DONE) != starts)
            vector_fails(v, "not what becomes of it:", becomes);
        if (starts && j->start != (fit < all ? FREED * SECOND : SECOND))
            vector_fails(v, "it starts at another time:", becomes);
        if (e.tasks != number(v->expected, "given_back", 0))
            vector_fails(v, "not so many are given back:", becomes);
        if (e.tasks && e.at != SECOND * (1 + number(v->expected, "after_s", 0)))
            vector_fails(v, "not then:", becomes);
    }
    world_fini(&w);
}

/* --- stale gangs of KAI --------------------------------------------------- */

/* The numbers under `key`, one for each sub-group. */
static void numbers(const struct vector *v, const char *key, long *to)
{
    const struct gs_ynode *n = vector_in(v, key);
    size_t i = 0;

    memset(to, 0, GROUPS * sizeof(*to));
    for (const struct gs_ynode *x = n->kind == GS_YSEQ ? n->child : n;
         x && i < GROUPS; x = n->kind == GS_YSEQ ? x->next : NULL)
        to[i++] = strtol(x->text, NULL, 10);
}

/* The node has room for no more than what runs. */
static void stale_run(const struct vector *v)
{
    const struct trace_options o = { 0 };
    const long own = number(v->in, "own_grace_s", LONG_MIN);
    long running[GROUPS], lost[GROUPS], least[GROUPS];
    struct pods_text nodes = { .len = 0 }, trace = { .len = 0 };
    char set[64];
    struct world w;

    numbers(v, "running", running);
    numbers(v, "lost", lost);
    numbers(v, "least", least);
    pods_put(&nodes,
             "node_types: {t: {gpus: %ld}}\nnodes: [{name: n1, type: t}]\n",
             running[0] + running[1]);
    pods_put(&trace, "jobs:\n- {name: gang, submit: 0, duration: 1h");
    if (own != LONG_MIN)
        pods_put(&trace, ", gang_timeout: %s",
                 own < 0    ? "36500d"
                 : own == 0 ? "1us"
                            : gs_ynode_find(v->in, "own_grace_s")->text);
    pods_put(&trace, ", tasks: [");
    for (size_t i = 0; i < GROUPS; i++) {
        if (running[i] + lost[i] == 0)
            continue;
        pods_put(&trace,
                 "%s{name: g%zu, gpus: 1, replicas: {min: %ld, max: %ld}",
                 i ? ", " : "", i, least[i], running[i] + lost[i]);
        if (running[i])
            pods_put(&trace, ", running_on: [n1*%ld]", running[i]);
        pods_put(&trace, "}");
    }
    pods_put(&trace, "]}\n");
    (void)snprintf(set, sizeof(set), "gang.timeout=%lds",
                   number(v->in, "grace_s", 0));
    world_init(&w);
    w.until = number(v->in, "stale_s", 0) * SECOND;
    if (world_load(&w, nodes.at, trace.at, &o) < 0
        || world_run(&w, "kai", set, NULL) < 0)
        vector_fails(v, w.err.problem[0].text, trace.at);
    else if (evicted_of(&w).tasks != number(v->expected, "evicted", 0))
        vector_fails(v, "not so many are evicted:",
                     gs_ynode_find(v->expected, "evicted")->text);
    world_fini(&w);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "yk-gang-", placeholders_run },
        { "kai-stale-", stale_run },
    };

    return vectors_main(
        &(struct vector_suite){ "sim/vectors of gangs that are not whole",
                                GANGS, groups, N_ELEMENTS(groups), NULL, 0 });
}

/* sim/study/anonymize.c - see anonymize.h. */
#include "sim/study/anonymize.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "sim/study/inputs.h"
#include "sim/study/known_names.h"
#include "sim/study/pseudonym.h"
#include "topology/topology.h"
#include "traces/workload/accounts.h"
#include "traces/workload/budgets.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/pools.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/quotas.h"
#include "traces/workload/records.h"
#include "traces/workload/reservations.h"
#include "traces/workload/workload.h"

/* A name that stays. */
static void keep(struct pseudonyms *n, enum pseudonym_sort m, uint32_t id)
{
    (void)pseudonym(n, m, id, NULL);
}

static uint32_t put(struct pseudonyms *n, const char *text)
{
    return gs_strtab_put(n->texts, text, strlen(text));
}

/* --- names of each sort --------------------------------------------------- */

static uint32_t key(struct pseudonyms *n, uint32_t id)
{
    return pseudonym(n, OF_KEYS, id,
                     known_key(gs_strtab_str(n->texts, id)) ? NULL : "label-");
}

static uint32_t place(struct pseudonyms *n, uint32_t id, const char *prefix)
{
    return pseudonym(n, OF_PLACES, id,
                     known_value(gs_strtab_str(n->texts, id)) ? NULL : prefix);
}

/* "app=web": its key as others, and "app=set-2". */
static uint32_t label(struct pseudonyms *n, uint32_t id)
{
    const char *text = gs_strtab_str(n->texts, id);
    const char *equals = strchr(text, '=');
    uint32_t k;
    char both[200];

    assert(equals);
    k = key(n, gs_strtab_put(n->texts, text, (size_t)(equals - text)));
    id = pseudonym(n, OF_LABELS, id, "set-");
    if (!n->is_numbered)
        return id;
    (void)snprintf(both, sizeof(both), "%.120s=%s", gs_strtab_str(n->texts, k),
                   gs_strtab_str(n->texts, id));
    return put(n, both);
}

/* A path, name by name. */
static uint32_t queue(struct pseudonyms *n, uint32_t id)
{
    char path[TRACE_QUEUE_DEPTH_MAX * 20] = "";
    const char *s = gs_strtab_str(n->texts, id);
    size_t at = 0;

    while (*s) {
        const size_t len = strcspn(s, "/");
        const uint32_t part = gs_strtab_put(n->texts, s, len);
        const char *text = gs_strtab_str(n->texts, part);
        const uint32_t to = pseudonym(
            n, OF_QUEUES, part, strcmp(text, "default") == 0 ? NULL : "queue-");

        if (n->is_numbered)
            at += (size_t)snprintf(path + at, sizeof(path) - at, "%s%s",
                                   at ? "/" : "", gs_strtab_str(n->texts, to));
        assert(at < sizeof(path));
        s += len + (s[len] == '/');
    }
    return n->is_numbered ? put(n, path) : id;
}

/* --- the topology --------------------------------------------------------- */

static void class_walk(struct pseudonyms *n, struct gs_arena *arena,
                       struct topo_class *k)
{
    struct topo_label *l = gs_arena_memdup(arena, k->label,
                                           k->label_count * sizeof(*l));
    struct topo_taint *t = gs_arena_memdup(arena, k->taint,
                                           k->taint_count * sizeof(*t));
    struct topo_speed *s = gs_arena_memdup(arena, k->speed,
                                           k->speed_count * sizeof(*s));

    k->type = place(n, k->type, "type-"); /* before a label of that value */
    for (uint32_t i = 0; i < k->label_count; i++)
        l[i] = (struct topo_label){ key(n, l[i].key),
                                    place(n, l[i].value, "value-") };
    for (uint32_t i = 0; i < k->taint_count; i++) {
        t[i].key = key(n, t[i].key);
        t[i].value = place(n, t[i].value, "value-");
    }
    for (uint32_t i = 0; i < k->speed_count; i++)
        s[i].label = s[i].label ? label(n, s[i].label) : 0;
    k->label = l;
    k->taint = t;
    k->speed = s;
}

/* Nodes first: a label that has a node's name gets the node's new one. */
static void topology_walk(struct pseudonyms *n, const struct topo *t)
{
    for (uint32_t i = 0; i < t->node_count; i++)
        t->node_name[i] = place(n, t->node_name[i], "node-");
    for (uint32_t i = 1; i < t->domain_count; i++)
        t->domain[i].name = place(n, t->domain[i].name, "domain-");
    for (uint32_t i = 0; i < t->class_count; i++)
        class_walk(n, t->arena, &t->klass[i]);
}

static void models_of_keep(struct pseudonyms *n, const struct topo_class *k)
{
    keep(n, OF_PLACES, k->model);
    for (uint32_t i = 0; i < k->model_count; i++)
        keep(n, OF_PLACES, k->models[i].name);
}

static void models_keep(struct pseudonyms *n, const struct topo *t)
{
    const uint32_t cpu = put(n, "cpu");

    keep(n, OF_PLACES, cpu);
    for (uint32_t i = 0; i < t->class_count; i++)
        models_of_keep(n, &t->klass[i]);
    for (uint32_t i = 0; i < t->tier_count; i++)
        keep(n, OF_KEYS, t->tier[i].name);
    for (uint32_t d = TOPO_DIMS_FIXED; d < t->dims->count; d++)
        keep(n, OF_PLACES, t->dims->name[d]);
}

/* --- the workload --------------------------------------------------------- */

static struct topo_condition condition_walk(struct pseudonyms *n,
                                            struct gs_arena *arena,
                                            const struct topo_condition *c)
{
    uint32_t *value = gs_arena_memdup(arena, c->value,
                                      c->value_count * sizeof(*value));
    struct topo_condition to = *c;

    for (uint32_t v = 0; v < c->value_count; v++)
        value[v] = place(n, value[v], "value-");
    to.key = key(n, c->key);
    to.value = value;
    return to;
}

static struct topo_preference preference_walk(struct pseudonyms *n,
                                              struct gs_arena *arena,
                                              const struct topo_preference *p)
{
    struct topo_condition *c = gs_arena_alloc(arena, p->condition_count,
                                              sizeof(*c));

    for (uint32_t i = 0; i < p->condition_count; i++)
        c[i] = condition_walk(n, arena, &p->condition[i]);
    return (struct topo_preference){ .weight = p->weight,
                                     .condition_count = p->condition_count,
                                     .condition = c };
}

static void taints_walk(struct pseudonyms *n, struct topo_taint *t,
                        uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        t[k].key = key(n, t[k].key);
        if (t[k].value != TOPO_NO_VALUE)
            t[k].value = place(n, t[k].value, "value-");
    }
}

/* What tasks ask of nodes. */
static void requests_walk(struct pseudonyms *n, const struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->shape_count; i++) {
        struct topo_request *r = &w->shape[i];
        struct topo_condition *c = gs_arena_alloc(w->arena, r->selector_count,
                                                  sizeof(*c));
        struct topo_taint *t = gs_arena_memdup(
            w->arena, r->toleration, r->toleration_count * sizeof(*t));
        struct topo_preference *p = gs_arena_alloc(
            w->arena, r->preference_count, sizeof(*p));

        for (uint32_t k = 0; k < r->selector_count; k++)
            c[k] = condition_walk(n, w->arena, &r->selector[k]);
        taints_walk(n, t, r->toleration_count);
        for (uint32_t k = 0; k < r->preference_count; k++)
            p[k] = preference_walk(n, w->arena, &r->preference[k]);
        r->selector = c;
        r->toleration = t;
        r->preference = p;
    }
}

static void numbers_find(const struct topo_condition *c, uint32_t count,
                         bool *is_number_key)
{
    for (uint32_t i = 0; i < count; i++) {
        if (c[i].op == TOPO_GT || c[i].op == TOPO_LT)
            is_number_key[c[i].key] = true;
    }
}

/* Labels that are compared as numbers keep their values. */
static void numbers_keep(struct pseudonyms *n, const struct topo *t,
                         const struct trace_workload *w)
{
    bool *is_number_key = gs_array_new(gs_strtab_count(n->texts), sizeof(bool));

    for (uint32_t i = 0; i < w->shape_count; i++) {
        const struct topo_request *r = &w->shape[i];

        numbers_find(r->selector, r->selector_count, is_number_key);
        for (uint32_t k = 0; k < r->preference_count; k++)
            numbers_find(r->preference[k].condition,
                         r->preference[k].condition_count, is_number_key);
    }
    for (uint32_t i = 0; i < t->class_count; i++) {
        for (uint32_t k = 0; k < t->klass[i].label_count; k++) {
            const struct topo_label *l = &t->klass[i].label[k];

            if (is_number_key[l->key]
                && known_number(gs_strtab_str(n->texts, l->value)))
                keep(n, OF_PLACES, l->value);
        }
    }
    gs_array_free(is_number_key);
}

static uint32_t account(struct pseudonyms *n, uint32_t id)
{
    const bool is_root = strcmp(gs_strtab_str(n->texts, id), TRACE_ROOT_ACCOUNT)
                         == 0;

    return pseudonym(n, OF_ACCOUNTS, id, is_root ? NULL : "account-");
}

static uint32_t user(struct pseudonyms *n, uint32_t id)
{
    const bool is_known = strcmp(gs_strtab_str(n->texts, id), "kube-system")
                          == 0;

    return pseudonym(n, OF_USERS, id, is_known ? NULL : "user-");
}

static void accounts_walk(struct pseudonyms *n, struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->accounts->account_count; i++) {
        struct trace_account *a = &w->accounts->account[i];

        a->name = account(n, a->name);
        a->parent = account(n, a->parent);
        a->user = user(n, a->user);
    }
    for (uint32_t i = 0; i < w->accounts->qos_count; i++)
        w->accounts->qos[i].name = pseudonym(n, OF_QOS,
                                             w->accounts->qos[i].name, "qos-");
    for (uint32_t i = 0; i < w->accounts->partition_count; i++) {
        w->accounts->partition[i].name = pseudonym(
            n, OF_PARTITIONS, w->accounts->partition[i].name, "partition-");
        w->accounts->partition[i].qos = pseudonym(
            n, OF_QOS, w->accounts->partition[i].qos, "qos-");
    }
    trace_accounts_index(w);
}

/* Labels and taints of flavors go with those of nodes. */
static void flavors_walk(struct pseudonyms *n, const struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->terms->flavor_count; i++) {
        struct trace_flavor *f = &w->terms->flavor[i];
        struct topo_label *l = gs_arena_memdup(w->arena, f->label,
                                               f->label_count * sizeof(*l));
        struct topo_taint *t = gs_arena_memdup(w->arena, f->taint,
                                               f->taint_count * sizeof(*t));
        struct topo_taint *o = gs_arena_memdup(
            w->arena, f->toleration, f->toleration_count * sizeof(*o));

        for (uint32_t k = 0; k < f->label_count; k++)
            l[k] = (struct topo_label){ key(n, l[k].key),
                                        place(n, l[k].value, "value-") };
        taints_walk(n, t, f->taint_count);
        taints_walk(n, o, f->toleration_count);
        f->label = l;
        f->taint = t;
        f->toleration = o;
    }
}

static bool is_all(const struct pseudonyms *n, uint32_t id)
{
    return strcmp(gs_strtab_str(n->texts, id), "*") == 0;
}

/* Names of flavors, users and groups in the terms of queues and of tasks. */
static void queue_terms_walk(struct pseudonyms *n, struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->terms->flavor_count; i++)
        w->terms->flavor[i].name = pseudonym(
            n, OF_FLAVORS, w->terms->flavor[i].name, "flavor-");
    for (uint32_t i = 0; i < w->held_count; i++)
        w->held[i] = pseudonym(n, OF_FLAVORS, w->held[i], "flavor-");
    for (uint32_t i = 0; i < w->terms->user_limit_count; i++) {
        const struct trace_user_limit *l = &w->terms->user_limit[i];

        for (uint32_t k = 0; k < l->users + l->groups; k++) {
            uint32_t *name = &w->terms->limited[l->first_name + k];

            if (!is_all(n, *name))
                *name = k < l->users ? user(n, *name)
                                     : pseudonym(n, OF_GROUPS, *name, "group-");
        }
    }
}

static uint32_t priority_class(struct pseudonyms *n, uint32_t id)
{
    return pseudonym(n, OF_CLASSES, id,
                     known_class(gs_strtab_str(n->texts, id)) ? NULL
                                                              : "class-");
}

static void workload_walk(struct pseudonyms *n, struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->queue_count; i++)
        w->queue[i].name = queue(n, w->queue[i].name);
    for (uint32_t i = 0; i < w->class_count; i++)
        w->klass[i].name = priority_class(n, w->klass[i].name);
    for (uint32_t i = 0; i < w->victim_count; i++)
        w->victim[i] = priority_class(n, w->victim[i]);
    for (uint32_t i = 0; i < w->job_count; i++) {
        struct trace_job *j = &w->job[i];
        struct trace_job_aside aside = *j->aside;

        j->name = pseudonym(n, OF_JOBS, j->name, "job-");
        j->user = user(n, j->user);
        aside.account = account(n, aside.account);
        aside.user_group = pseudonym(n, OF_GROUPS, aside.user_group, "group-");
        aside.qos = pseudonym(n, OF_QOS, aside.qos, "qos-");
        aside.partition = pseudonym(n, OF_PARTITIONS, aside.partition,
                                    "partition-");
        aside.reservation = pseudonym(n, OF_RESERVATIONS, aside.reservation,
                                      "reservation-");
        trace_job_aside_set(w, i, &aside);
    }
    accounts_walk(n, w);
    queue_terms_walk(n, w);
    for (uint32_t i = 0; i < w->dependencies->dependency_count; i++)
        w->dependencies->dependency[i].job = pseudonym(
            n, OF_JOBS, w->dependencies->dependency[i].job, "job-");
    for (uint32_t i = 0; i < w->quotas->quota_count; i++)
        w->quotas->quota[i].name = pseudonym(
            n, OF_QUOTAS, w->quotas->quota[i].name, "quota-");
    for (uint32_t i = 0; i < w->pools->pool_count; i++) {
        w->pools->pool[i].name = pseudonym(n, OF_POOLS, w->pools->pool[i].name,
                                           "pool-");
        w->pools->pool[i].reason = 0;
    }
    for (uint32_t i = 0; i < w->reservations->reservation_count; i++)
        w->reservations->reservation[i].name = pseudonym(
            n, OF_RESERVATIONS, w->reservations->reservation[i].name,
            "reservation-");
    for (uint32_t i = 0; i < w->group_count; i++) {
        struct trace_group g = *trace_group_at(w, i);

        g.name = pseudonym(n, OF_TASKS, g.name, "task-");
        trace_group_set(w, i, &g);
    }
    for (uint32_t i = 0; i < w->budgets->budget_count; i++) {
        w->budgets->budget[i].name = pseudonym(
            n, OF_BUDGETS, w->budgets->budget[i].name, "budget-");
    }
    for (uint32_t i = 0; i < w->label_count; i++)
        w->label[i] = label(n, w->label[i]);
    for (uint32_t i = 0; i < w->rule_count; i++) {
        if (w->rule[i].label)
            w->rule[i].label = label(n, w->rule[i].label);
    }
}

/* --- all of it ------------------------------------------------------------ */

void inputs_anonymize(struct inputs *in, bool with_nodes)
{
    struct pseudonyms n = { .texts = in->names };

    assert(in->work && (!in->topo || !in->topo->stated));
    if (in->topo) {
        models_keep(&n, in->topo);
        numbers_keep(&n, in->topo, in->work);
    }
    with_nodes = with_nodes || in->topo;
    for (int pass = 0; pass < 2; pass++) {
        if (in->topo)
            topology_walk(&n, in->topo);
        if (with_nodes) {
            requests_walk(&n, in->work);
            flavors_walk(&n, in->work);
            for (uint32_t i = 0; i < in->work->stand_count; i++)
                in->work->stand[i].node = place(&n, in->work->stand[i].node,
                                                "node-");
            for (uint32_t i = 0; i < in->work->records->spot_count; i++)
                in->work->records->spot[i].node = place(
                    &n, in->work->records->spot[i].node, "node-");
            for (uint32_t i = 0; i < in->work->reservations->reserved_nodes;
                 i++)
                in->work->reservations->reserved_node[i] = place(
                    &n, in->work->reservations->reserved_node[i], "node-");
        }
        workload_walk(&n, in->work);
        if (pass == 0)
            pseudonyms_number(&n);
    }
    pseudonyms_free(&n);
}

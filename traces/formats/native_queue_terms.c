/* traces/formats/native_queue_terms.c - the keys of a queue, see
 * terms.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native_task.h"
#include "traces/formats/terms.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

#define WEIGHT_ALLOWED "at least 0 and at most 1e9"

/* --- reading single keys -------------------------------------------------- */

static int read_weight(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    double weight;

    if (gs_yread_double(c, v, &weight, err) < 0)
        return -1;
    if (!(weight >= 0 && weight <= 1e9))
        return gs_yread_refuse(c, v, WEIGHT_ALLOWED, err);
    *(double *)dest = weight + 0.0; /* no negative zero */
    return 0;
}

static int read_state(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    static const char *const word[] = { "open", "closed" };
    const int i = gs_yread_word(c, v, word, 2, err);

    *(bool *)dest = i == 1;
    return i < 0 ? -1 : 0;
}

/* Weights by resources. */
static int weights_take(const struct gs_yctx *c, const struct gs_ynode *map,
                        double *weight, struct gs_err *err)
{
    int rc = 0;

    if (map->kind != GS_YMAP)
        return gs_yread_refuse(c, map, "a mapping such as {gpu: 2, cpu: 1}",
                               err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        const int dim = trace_dim_put(c, v, err);

        if (dim < 0 || read_weight(c, v, &weight[dim], err) < 0)
            rc = -1;
    }
    return rc;
}

static int term_take(const struct gs_yctx *c, const struct gs_ynode *v,
                     const struct trace_term_info *t, int64_t *value,
                     struct gs_err *err)
{
    char allowed[80];
    size_t words = 0;
    double number;
    bool yes;
    int i;

    switch (t->type) {
    case TRACE_TERM_TIME:
        return gs_yread_duration(c, v, value, err);
    case TRACE_TERM_YESNO:
        if (gs_yread_bool(c, v, &yes, err) < 0)
            return -1;
        *value = yes;
        return 0;
    case TRACE_TERM_WORD:
        while (t->words[words])
            words++;
        i = gs_yread_word(c, v, t->words, words, err);
        *value = i < 0 ? *value : i;
        return i < 0 ? -1 : 0;
    default:
        (void)snprintf(allowed, sizeof(allowed),
                       "a whole number from %" PRId64 " to %" PRId64, t->low,
                       t->high);
        if (gs_yread_double(c, v, &number, NULL) < 0
            || !(number >= (double)t->low && number <= (double)t->high)
            || number > (double)(int64_t)number
            || number < (double)(int64_t)number)
            return gs_yread_refuse(c, v, allowed, err);
        *value = (int64_t)number;
        return 0;
    }
}

/* --- limits of users ------------------------------------------------------ */

struct user_limit_in {
    const struct gs_ynode *users, *groups, *limit, *max_jobs;
};

/* Append the names of a list to name[]; -1 when they are none. */
static int names_take(const struct gs_yctx *c, const struct gs_ynode *list,
                      uint32_t *name, uint32_t *count, struct gs_err *err)
{
    const struct trace_workload *w = c->user;

    if (!list)
        return 0;
    if (list->kind != GS_YSEQ || list->len > TRACE_LIMITED_MAX)
        return gs_yread_refuse(c, list, "a list of at most 1000 names", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (v->kind != GS_YSCALAR || v->len == 0
            || !gs_text_is_clean(v->text, v->len))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                           "'%s' must be printable names, or '*' for all "
                           "others",
                           list->key->text);
        name[(*count)++] = gs_strtab_put(w->names, v->text, v->len);
    }
    return 0;
}

static int user_limit_take(const struct gs_yctx *c, const struct gs_ynode *item,
                           struct trace_queue_extra *extra, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "users", gs_yread_node, offsetof(struct user_limit_in, users),
          false },
        { "groups", gs_yread_node, offsetof(struct user_limit_in, groups),
          false },
        { "limit", gs_yread_node, offsetof(struct user_limit_in, limit),
          false },
        { "max_jobs", gs_yread_node, offsetof(struct user_limit_in, max_jobs),
          false },
    };
    uint32_t name[2 * TRACE_LIMITED_MAX], users = 0, names;
    struct user_limit_in in = { NULL };
    struct trace_user_limit *l;
    int rc = gs_ynode_fields(c, item, "user limit", fields, 4, &in, err);

    if (names_take(c, in.users, name, &users, err) < 0)
        return -1;
    names = users;
    if (names_take(c, in.groups, name, &names, err) < 0)
        return -1;
    if (names == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, item),
                       "a limit of users needs 'users' or 'groups'");
    l = trace_user_limit_add(c->user, extra, name, users, names - users);
    if (in.limit && trace_amounts_take(c, in.limit, l->limit, err) < 0)
        rc = -1;
    if (in.max_jobs
        && term_take(c, in.max_jobs, &trace_term_info[TRACE_TERM_MAX_JOBS],
                     &l->max_jobs, err)
               < 0)
        rc = -1;
    return rc;
}

static int user_limits_take(const struct gs_yctx *c,
                            const struct gs_ynode *list,
                            struct trace_queue_extra *extra, struct gs_err *err)
{
    int rc = 0;

    extra->user_limits = 0;
    if (list->kind != GS_YSEQ || list->len > TRACE_USER_LIMITS_MAX)
        return gs_yread_refuse(c, list, "a list of at most 1000 limits", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (user_limit_take(c, v, extra, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    return rc;
}

/* --- a queue -------------------------------------------------------------- */

struct queue_in {
    const struct gs_ynode *name;
    double weight;
    int32_t priority;
    bool closed, reclaimable;
    const struct gs_ynode *guarantee, *deserved, *limit, *user_limit;
    const struct gs_ynode *borrow, *lend, *over_quota, *flavors, *user_limits;
    const struct gs_ynode *term[TRACE_QUEUE_TERMS];
};

#define IN(key, read, member)                               \
    {                                                       \
        key, read, offsetof(struct queue_in, member), false \
    }

static const struct gs_yfield own_fields[] = {
    { "name", gs_yread_node, offsetof(struct queue_in, name), true },
    IN("weight", read_weight, weight),
    IN("guarantee", gs_yread_node, guarantee),
    IN("deserved", gs_yread_node, deserved),
    IN("limit", gs_yread_node, limit),
    IN("user_limit", gs_yread_node, user_limit),
    IN("priority", gs_yread_i32, priority),
    IN("state", read_state, closed),
    IN("reclaimable", gs_yread_bool, reclaimable),
    IN("borrow", gs_yread_node, borrow),
    IN("lend", gs_yread_node, lend),
    IN("over_quota", gs_yread_node, over_quota),
    IN("flavors", gs_yread_node, flavors),
    IN("user_limits", gs_yread_node, user_limits),
};

#define OWN_FIELDS (sizeof(own_fields) / sizeof(own_fields[0]))

/* All keys of a queue: its own, then its terms. */
static size_t fields_make(struct gs_yfield *field)
{
    size_t n = OWN_FIELDS;

    memcpy(field, own_fields, sizeof(own_fields));
    for (size_t t = 0; t < TRACE_QUEUE_TERMS; t++)
        field[n++] = (struct gs_yfield){ trace_term_info[t].key, gs_yread_node,
                                         offsetof(struct queue_in, term)
                                             + t * sizeof(struct gs_ynode *),
                                         false };
    return n;
}

/* Take the keys that few queues state. */
static int extra_take(const struct gs_yctx *c, const struct queue_in *in,
                      struct trace_queue *q, struct gs_err *err)
{
    bool any = in->borrow || in->lend || in->over_quota || in->flavors
               || in->user_limits;
    struct trace_queue_extra *x;
    int rc = 0;

    for (int t = 0; t < TRACE_QUEUE_TERMS; t++)
        any |= in->term[t] != NULL;
    if (!any)
        return 0;
    x = trace_queue_extra_put(c->user, q);
    if ((in->borrow && trace_amounts_take(c, in->borrow, x->borrow, err) < 0)
        || (in->lend && trace_amounts_take(c, in->lend, x->lend, err) < 0)
        || (in->over_quota
            && weights_take(c, in->over_quota, x->over_quota, err) < 0))
        rc = -1;
    if (in->flavors && trace_queue_flavors_take(c, in->flavors, x, err) < 0)
        rc = -1;
    if (in->user_limits && user_limits_take(c, in->user_limits, x, err) < 0)
        rc = -1;
    for (int t = 0; t < TRACE_QUEUE_TERMS; t++) {
        if (in->term[t]
            && term_take(c, in->term[t], &trace_term_info[t], &x->term[t], err)
                   < 0)
            rc = -1;
    }
    return rc;
}

/* Modules that divide resources among queues know GPUs of any model only. */
static int models_refuse(const struct gs_yctx *c, const struct gs_ynode *queue,
                         struct gs_err *err)
{
    int rc = 0;

    for (const struct gs_ynode *e = queue->child; e; e = e->next) {
        for (const struct gs_ynode *v = e->kind == GS_YMAP ? e->child : NULL; v;
             v = v->next) {
            if (topo_dim_is_model(v->key->text))
                rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                             "queues count GPUs of all models: '%s' is for "
                             "'limits' and 'quotas'",
                             v->key->text);
        }
    }
    return rc;
}

/* Amounts, or `all` of a resource. */
static int deserved_take(const struct gs_yctx *c, const struct gs_ynode *map,
                         int64_t *amount, struct gs_err *err)
{
    int rc = 0;

    if (map->kind != GS_YMAP)
        return trace_amounts_take(c, map, amount, err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        const bool is_all = v->kind == GS_YSCALAR && !strcmp(v->text, "all");
        const int dim = is_all ? trace_dim_put(c, v, err) : 0;

        if (dim < 0 || (!is_all && trace_amount_take(c, v, amount, err) < 0))
            rc = -1;
        else if (is_all)
            amount[dim] = TRACE_ALL;
    }
    return rc;
}

/* Set the amounts that the queue states. */
static int amounts_take(const struct gs_yctx *c, const struct queue_in *in,
                        struct trace_queue *q, struct gs_err *err)
{
    struct trace_queue_amounts *a;
    int rc = 0;

    if (!in->guarantee && !in->deserved && !in->limit && !in->user_limit)
        return 0;
    a = trace_queue_amounts_put(c->user, q);
    if (in->guarantee
        && trace_amounts_take(c, in->guarantee, a->guarantee, err) < 0)
        rc = -1;
    if (in->deserved && deserved_take(c, in->deserved, a->deserved, err) < 0)
        rc = -1;
    if (in->limit && trace_amounts_take(c, in->limit, a->limit, err) < 0)
        rc = -1;
    if (in->user_limit
        && trace_amounts_take(c, in->user_limit, a->user_limit, err) < 0)
        rc = -1;
    return rc;
}

int trace_queue_terms(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode **name, struct trace_queue *q,
                      struct gs_err *err)
{
    const size_t first = name ? 0 : 1;
    struct gs_yfield field[OWN_FIELDS + TRACE_QUEUE_TERMS];
    struct queue_in in = { .weight = q->weight,
                           .priority = q->priority,
                           .closed = q->closed,
                           .reclaimable = !q->keeps };
    const size_t count = fields_make(field);
    int rc = gs_ynode_fields(c, map, "queue", field + first, count - first, &in,
                             err);

    if (name)
        *name = in.name;
    q->weight = in.weight;
    q->priority = in.priority;
    q->closed = in.closed;
    q->keeps = !in.reclaimable;
    if (amounts_take(c, &in, q, err) < 0)
        rc = -1;
    if (map->kind == GS_YMAP && models_refuse(c, map, err) < 0)
        rc = -1;
    return extra_take(c, &in, q, err) < 0 ? -1 : rc;
}

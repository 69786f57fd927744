/* traces/edit/edit.c - changes a workload by path, see edit.h.
 *
 * "queues.a.guarantee.gpu" and "64" become the document "guarantee:\n  gpu:
 * 64", which the readers of queues parse as in a trace.
 */
#include "traces/edit/edit.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "traces/formats/terms.h"
#include "traces/workload/accounts.h"
#include "traces/workload/pools.h"
#include "traces/workload/quotas.h"
#include "traces/workload/workload.h"

#define QUEUES "queues."
#define CLASSES "priority_classes."
#define QUOTAS "quotas."
#define POOLS "pools."
#define ACCOUNTS "accounts."
#define QOS "qos."
#define PARTITIONS "partitions."

bool trace_change_is(const char *path)
{
    assert(path);
    return strncmp(path, QUEUES, strlen(QUEUES)) == 0
           || strncmp(path, QUOTAS, strlen(QUOTAS)) == 0
           || strncmp(path, POOLS, strlen(POOLS)) == 0
           || strncmp(path, ACCOUNTS, strlen(ACCOUNTS)) == 0
           || strncmp(path, QOS, strlen(QOS)) == 0
           || strncmp(path, PARTITIONS, strlen(PARTITIONS)) == 0
           || strncmp(path, CLASSES, strlen(CLASSES)) == 0;
}

/* --- finding the objects of a change -------------------------------------- */

/* The field after the name in `rest`, or NULL. */
static const char *field_after(const char *rest, const char *name)
{
    const size_t n = strlen(name);

    return n && strncmp(rest, name, n) == 0 && rest[n] == '.' ? rest + n + 1
                                                              : NULL;
}

/* The entry that `rest` names, in a table whose rows begin with the string id
 * of a name.  Names may contain dots: the longest known name counts.
 */
static uint32_t named(const struct trace_workload *w, const void *table,
                      size_t row, uint32_t rows, const char *rest,
                      const char **field)
{
    uint32_t found = TRACE_NONE;

    *field = rest;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t name;
        const char *f;

        memcpy(&name, (const char *)table + i * row, sizeof(name));
        f = field_after(rest, gs_strtab_str(w->names, name));
        if (f && f > *field) {
            *field = f;
            found = i;
        }
    }
    return found;
}

/* --- changing ------------------------------------------------------------- */

/* The mapping for "a.b" and a value. */
static const struct gs_ynode *terms_parse(const char *source, const char *field,
                                          const char *value,
                                          struct gs_arena *arena,
                                          struct gs_err *err)
{
    const size_t size = strlen(field) + strlen(value) + 8;
    const char *dot = strchr(field, '.');
    char *text = gs_arena_alloc(arena, size, 1);

    if (dot)
        snprintf(text, size, "%.*s:\n  %s: %s", (int)(dot - field), field,
                 dot + 1, value);
    else
        snprintf(text, size, "%s: %s", field, value);
    return gs_yaml_parse(source, text, arena, err);
}

/* True when `queue` is `above` or below it. */
static bool is_below(const struct trace_workload *w, uint32_t queue,
                     uint32_t above)
{
    while (queue != TRACE_NONE && queue != above)
        queue = w->queue[queue].parent;
    return queue == above;
}

static int preemptible_set(struct trace_workload *w, uint32_t queue,
                           const struct gs_yctx *c, const struct gs_ynode *v,
                           struct gs_err *err)
{
    bool may;

    if (gs_yread_bool(c, v, &may, err) < 0)
        return -1;
    for (uint32_t i = 0; i < w->job_count; i++) {
        struct trace_job *j = &w->job[i];

        if (!is_below(w, j->queue, queue))
            continue;
        j->fixed = !may;
        for (uint32_t k = 0; k < j->group_count; k++) {
            struct trace_group g = *trace_group_at(w, j->first_group + k);

            g.fixed = false;
            trace_group_set(w, j->first_group + k, &g);
        }
    }
    return 0;
}

/* An unknown resource was named: the first one behind those known before. */
static int resource_fail(const struct trace_workload *w, uint32_t known,
                         struct gs_mark at, struct gs_err *err)
{
    return gs_fail(err, GS_USAGE, at,
                   "neither the trace nor the topology has the resource '%s'",
                   gs_strtab_str(w->names, w->dims->name[known]));
}

/* Set the terms.  An unknown resource is an error: it would have no effect. */
static int terms_set(struct trace_workload *w, const struct gs_yctx *c,
                     const struct gs_ynode *map, struct trace_queue *q,
                     struct gs_err *err)
{
    const struct gs_mark at = { .source = c->source };
    const uint32_t known = w->dims->count;

    if (trace_queue_terms(c, map, NULL, q, err) < 0)
        return -1;
    if (w->dims->count == known)
        return 0;
    return resource_fail(w, known, at, err);
}

static int queue_change(struct trace_workload *w, const struct gs_yctx *c,
                        const char *rest, const char *value,
                        struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_mark at = { .source = c->source };
    const char *field;
    const uint32_t queue = named(w, w->queue, sizeof(*w->queue), w->queue_count,
                                 rest, &field);
    const struct gs_ynode *map;

    if (queue == TRACE_NONE)
        return gs_fail(err, GS_USAGE, at,
                       "no queue of the trace is meant by '" QUEUES "%s'",
                       rest);
    map = terms_parse(c->source, field, value, arena, err);
    if (!map)
        return -1;
    w->queue[queue].line = 0; /* it differs from what its line states */
    if (map->kind == GS_YMAP && map->child
        && strcmp(map->child->key->text, "preemptible") == 0)
        return preemptible_set(w, queue, c, map->child, err);
    return terms_set(w, c, map, &w->queue[queue], err);
}

static int quota_change(struct trace_workload *w, const struct gs_yctx *c,
                        const char *rest, const char *value,
                        struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_mark at = { .source = c->source };
    const uint32_t known = w->dims->count;
    const struct gs_ynode *map;
    const char *field;
    const uint32_t quota = named(w, w->quotas->quota, sizeof(*w->quotas->quota),
                                 w->quotas->quota_count, rest, &field);

    if (quota == TRACE_NONE)
        return gs_fail(err, GS_USAGE, at,
                       "no quota of the trace is meant by '" QUOTAS "%s'",
                       rest);
    map = terms_parse(c->source, field, value, arena, err);
    w->quotas->quota[quota].line = 0;
    if (!map
        || trace_quota_terms(c, map, NULL, &w->quotas->quota[quota], err) < 0)
        return -1;
    return w->dims->count == known ? 0 : resource_fail(w, known, at, err);
}

static int pool_change(struct trace_workload *w, const struct gs_yctx *c,
                       const char *rest, const char *value,
                       struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_ynode *map;
    const char *field;
    const uint32_t pool = named(w, w->pools->pool, sizeof(*w->pools->pool),
                                w->pools->pool_count, rest, &field);

    if (pool == TRACE_NONE)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = c->source },
                       "no pool of the trace is meant by '" POOLS "%s'", rest);
    map = terms_parse(c->source, field, value, arena, err);
    w->pools->pool[pool].line = 0;
    return map ? trace_pool_terms(c, map, &w->pools->pool[pool], err) : -1;
}

static int class_change(struct trace_workload *w, const struct gs_yctx *c,
                        const char *rest, const char *value,
                        struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_mark at = { .source = c->source };
    const char *field;
    const uint32_t klass = named(w, w->klass, sizeof(*w->klass), w->class_count,
                                 rest, &field);
    const struct gs_ynode *map;

    if (klass == TRACE_NONE)
        return gs_fail(
            err, GS_USAGE, at,
            "no priority class of the trace is meant by '" CLASSES "%s'", rest);
    map = terms_parse(c->source, field, value, arena, err);
    w->klass[klass].line = 0;
    return map && trace_class_terms(c, map, false, &w->klass[klass], err) == 0
                   && trace_class_victims_check(c, map, err) == 0
               ? trace_class_loops_check(w, c->source, err)
               : -1;
}

static int account_change(struct trace_workload *w, const struct gs_yctx *c,
                          const char *path, const char *value,
                          struct gs_arena *arena, struct gs_err *err)
{
    const bool is_account = strncmp(path, ACCOUNTS, strlen(ACCOUNTS)) == 0;
    const bool is_qos = strncmp(path, QOS, strlen(QOS)) == 0;
    const char *rest = strchr(path, '.') + 1, *field;
    const uint32_t at =
        is_account
            ? named(w, w->accounts->account, sizeof(*w->accounts->account),
                    w->accounts->account_count, rest, &field)
        : is_qos
            ? named(w, w->accounts->qos, sizeof(*w->accounts->qos),
                    w->accounts->qos_count, rest, &field)
            : named(w, w->accounts->partition, sizeof(*w->accounts->partition),
                    w->accounts->partition_count, rest, &field);
    const struct gs_ynode *map;

    if (at == TRACE_NONE)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = c->source },
                       "no %s of the trace is meant by '%s'",
                       is_account ? "account"
                       : is_qos   ? "QOS"
                                  : "partition",
                       path);
    map = terms_parse(c->source, field, value, arena, err);
    if (!map)
        return -1;
    if (is_account) {
        w->accounts->account[at].line = 0;
        return trace_account_terms(c, map, NULL, &w->accounts->account[at],
                                   err);
    }
    if (is_qos) {
        w->accounts->qos[at].line = 0;
        return trace_qos_terms(c, map, &w->accounts->qos[at], err);
    }
    w->accounts->partition[at].line = 0;
    return trace_partition_terms(c, map, &w->accounts->partition[at], err);
}

int trace_change_apply(struct trace_workload *w, const char *source,
                       const char *path, const char *value,
                       struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_yctx c = { .source = source, .user = w };

    assert(w && source);
    if (strncmp(path, QUEUES, strlen(QUEUES)) == 0)
        return queue_change(w, &c, path + strlen(QUEUES), value, arena, err);
    if (strncmp(path, QUOTAS, strlen(QUOTAS)) == 0)
        return quota_change(w, &c, path + strlen(QUOTAS), value, arena, err);
    if (strncmp(path, POOLS, strlen(POOLS)) == 0)
        return pool_change(w, &c, path + strlen(POOLS), value, arena, err);
    if (strncmp(path, CLASSES, strlen(CLASSES)) != 0)
        return account_change(w, &c, path, value, arena, err);
    return class_change(w, &c, path + strlen(CLASSES), value, arena, err);
}

/* traces/workload/workload.c - jobs, shapes, queues and classes as growing
 * arrays.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "topology/mig.h"
#include "traces/workload/accounts.h"
#include "traces/workload/budgets.h"
#include "traces/workload/by_name.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/pools.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/quotas.h"
#include "traces/workload/records.h"
#include "traces/workload/reservations.h"
#include "traces/workload/workload.h"

#define NAMES_MANY 10000u

struct trace_workload *trace_workload_create(struct gs_arena *arena,
                                             struct gs_strtab *names,
                                             struct topo_dims *dims)
{
    struct trace_workload *w = gs_array_new(1, sizeof(*w));

    assert(arena && names && dims);
    w->arena = arena;
    w->names = names;
    w->dims = dims;
    w->shape_index = gs_array_new(1, sizeof(*w->shape_index));
    w->aside_index = gs_array_new(1, sizeof(*w->aside_index));
    w->group_index = gs_array_new(1, sizeof(*w->group_index));
    w->plain = gs_arena_alloc(arena, 1, sizeof(*w->plain));
    w->records = gs_arena_alloc(arena, 1, sizeof(*w->records));
    w->dependencies = gs_arena_alloc(arena, 1, sizeof(*w->dependencies));
    w->budgets = gs_arena_alloc(arena, 1, sizeof(*w->budgets));
    w->quotas = gs_arena_alloc(arena, 1, sizeof(*w->quotas));
    w->pools = gs_arena_alloc(arena, 1, sizeof(*w->pools));
    w->reservations = gs_arena_alloc(arena, 1, sizeof(*w->reservations));
    w->accounts = gs_arena_alloc(arena, 1, sizeof(*w->accounts));
    w->terms = gs_arena_alloc(arena, 1, sizeof(*w->terms));
    trace_queue_put(w, gs_strtab_put(names, "default", 7));
    trace_class_put(w, 0);
    return w;
}

void trace_workload_destroy(struct trace_workload *w)
{
    if (!w)
        return;
    gs_far_free(w->far, w->job);
    trace_job_asides_free(w);
    trace_groups_free(w);
    gs_array_free(w->shape);
    gs_array_free(w->queue);
    gs_array_free(w->klass);
    gs_far_free(w->far, w->rule);
    gs_far_free(w->far, w->label);
    gs_far_free(w->far, w->held);
    gs_array_free(w->victim);
    gs_far_free(w->far, w->stand);
    trace_records_free(w);
    gs_far_free(w->far, w->dependencies->dependency);
    gs_array_free(w->budgets->budget);
    trace_quotas_free(w);
    trace_pools_free(w);
    trace_queue_terms_free(w);
    trace_reservations_free(w);
    gs_array_free(w->minimum);
    gs_array_free(w->task_rules);
    gs_array_free(w->slices);
    gs_array_free(w->topology);
    trace_accounts_free(w);
    gs_hash_free(w->shape_index);
    gs_array_free(w->shape_index);
    gs_far_free(w->far, w->queue_of);
    gs_far_free(w->far, w->class_of);
    gs_array_free(w);
}

#define NUMBER_MAX 32 /* bytes of a prefix and a number */

/* The end of `text` that is `prefix` and `n`; returns where it begins. */
static size_t number_text(char *text, const char *prefix, int64_t n)
{
    const size_t len = strlen(prefix);
    uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
    size_t at = NUMBER_MAX;

    assert(len < NUMBER_MAX - 21);
    do
        text[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (n < 0)
        text[--at] = '-';
    at -= len;
    memcpy(text + at, prefix, len);
    return at;
}

uint32_t trace_number_name(struct gs_strtab *names, const char *prefix,
                           int64_t n)
{
    char text[NUMBER_MAX];
    const size_t at = number_text(text, prefix, n);

    return gs_strtab_put_rising(names, text + at, sizeof(text) - at);
}

/* --- shapes --------------------------------------------------------------- */

struct sought_shape {
    const struct trace_workload *w;
    const struct topo_request *r;
};

static bool is_same(const void *of, uint32_t shape)
{
    const struct sought_shape *k = of;

    return topo_request_equal(&k->w->shape[shape], k->r);
}

/* A copy of a list of `count` elements in the workload's arena. */
static const void *keep(struct trace_workload *w, const void *list,
                        uint32_t count, size_t size)
{
    return count ? gs_arena_memdup(w->arena, list, count * size) : NULL;
}

static const struct topo_condition *keep_conditions(
    struct trace_workload *w, const struct topo_condition *list, uint32_t n)
{
    struct topo_condition *c =
        n ? gs_arena_memdup(w->arena, list, n * sizeof(*c)) : NULL;

    for (uint32_t i = 0; i < n; i++)
        c[i].value = keep(w, c[i].value, c[i].value_count, sizeof(*c[i].value));
    return c;
}

static const struct topo_preference *keep_preferences(
    struct trace_workload *w, const struct topo_request *r)
{
    const uint32_t n = r->preference_count;
    struct topo_preference *p =
        n ? gs_arena_memdup(w->arena, r->preference, n * sizeof(*p)) : NULL;

    for (uint32_t i = 0; i < n; i++)
        p[i].condition = keep_conditions(w, p[i].condition,
                                         p[i].condition_count);
    return p;
}

uint32_t trace_workload_shape(struct trace_workload *w,
                              const struct topo_request *r)
{
    struct topo_request q = *r;
    const struct sought_shape k = { w, &q };
    uint64_t hash;
    uint32_t found;

    assert((r->gpus > 0) + (r->share > 0) + (r->mig > 0) <= 1);
    assert(r->gpus <= TOPO_DEVICES_MAX && r->share < TOPO_SHARE_ONE);
    q.amount[TOPO_GPU] = r->gpus  ? (int64_t)r->gpus * TOPO_SHARE_ONE
                         : r->mig ? (int64_t)topo_mig_kind_milli(r->mig)
                                  : (int64_t)r->share;
    if (w->shape_count && topo_request_equal(&w->shape[w->shape_last], &q))
        return w->shape_last;
    hash = topo_request_hash(&q);
    found = gs_hash_find(w->shape_index, hash, is_same, &k);
    if (found == GS_HASH_NONE) {
        q.model = keep(w, r->model, r->model_count, sizeof(*r->model));
        q.selector = keep_conditions(w, r->selector, r->selector_count);
        q.toleration = keep(w, r->toleration, r->toleration_count,
                            sizeof(*r->toleration));
        q.preference = keep_preferences(w, r);
        w->shape = gs_array_grow(w->shape, &w->shape_cap, w->shape_count + 1,
                                 sizeof(*w->shape));
        w->shape[w->shape_count] = q;
        found = w->shape_count++;
        gs_hash_put(w->shape_index, hash, found);
    }
    w->shape_last = found;
    return found;
}

/* --- jobs ----------------------------------------------------------------- */

uint32_t trace_workload_add(struct trace_workload *w,
                            const struct trace_job *job,
                            const struct trace_group *group)
{
    const uint32_t n = job->group_count;
    const uint32_t again = n <= TRACE_REUSED_GROUPS ? w->removed[n] : 0;
    struct trace_job *j;
    uint32_t first;

    assert(n > 0 && group && job->queue < w->queue_count
           && job->klass < w->class_count);
    assert(job->submit >= 0 && job->duration >= 0);
    assert(!job->aside || job->aside->since <= 0);
    if (again) {
        j = &w->job[again - 1];
        first = j->first_group;
        w->removed[n] = j->line;
    } else {
        w->job = gs_far_grow(w->far, w->job, &w->job_cap, w->job_count + 1,
                             sizeof(*w->job));
        w->group = gs_far_grow(w->far, w->group, &w->group_cap,
                               w->group_count + n, sizeof(*w->group));
        j = &w->job[w->job_count++];
        first = w->group_count;
        w->group_count += n;
    }
    *j = *job;
    j->first_group = first;
    j->tasks = 0;
    for (uint32_t i = 0; i < n; i++) {
        trace_group_set(w, first + i, &group[i]);
        j->tasks += group[i].replicas;
    }
    if (j->gang == 0)
        j->gang = j->tasks;
    assert(j->gang >= 1 && j->gang <= j->tasks);
    trace_job_aside_set(w, (uint32_t)(j - w->job), job->aside);
    return (uint32_t)(j - w->job);
}

/* Free numbers form a list for each count of groups, linked by `line`. */
void trace_workload_remove(struct trace_workload *w, uint32_t job)
{
    struct trace_job *j = &w->job[job];

    assert(job < w->job_count && j->tasks > 0);
    j->tasks = 0; /* schedulers refuse it */
    if (j->group_count > TRACE_REUSED_GROUPS)
        return;
    j->line = w->removed[j->group_count];
    w->removed[j->group_count] = job + 1;
}

int64_t trace_job_gpu_milli(const struct trace_workload *w, uint32_t job)
{
    const struct trace_job *j = &w->job[job];
    int64_t sum = 0;

    assert(job < w->job_count);
    for (uint32_t i = 0; i < j->group_count; i++) {
        const struct trace_group *g = trace_group_at(w, j->first_group + i);

        sum += g->replicas * w->shape[g->shape].amount[TOPO_GPU];
    }
    return sum;
}

/* --- queues and classes --------------------------------------------------- */

uint32_t trace_queue_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->queue_of, w->queue_of_cap, name);
}

uint32_t trace_class_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->class_of, w->class_of_cap, name);
}

bool trace_queue_name_ok(const char *name)
{
    uint32_t depth = 0;

    assert(name);
    for (;;) {
        const size_t len = strcspn(name, "/");

        if (len == 0 || ++depth > TRACE_QUEUE_DEPTH_MAX)
            return false;
        if (name[len] == '\0')
            return true;
        name += len + 1;
    }
}

struct trace_queue trace_queue_bare(uint32_t name, uint32_t parent)
{
    return (struct trace_queue){ .name = name, .parent = parent, .weight = 1 };
}

_Static_assert(TOPO_DIMS_MAX == 16, "NO_LIMIT is of all dimensions");
#define NO_LIMIT                                                       \
    {                                                                  \
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 \
    }
static const struct trace_queue_amounts no_amounts = { .limit = NO_LIMIT,
                                                       .user_limit = NO_LIMIT };

const struct trace_queue_amounts *trace_queue_amounts(
    const struct trace_queue *q)
{
    assert(q);
    return q->amounts ? q->amounts : &no_amounts;
}

struct trace_queue_amounts *trace_queue_amounts_put(struct trace_workload *w,
                                                    struct trace_queue *q)
{
    assert(w && q);
    if (!q->amounts)
        q->amounts = gs_arena_memdup(w->arena, &no_amounts, sizeof(no_amounts));
    return q->amounts;
}

/* Add one queue below `parent`, which exists. */
static uint32_t put_below(struct trace_workload *w, uint32_t name,
                          uint32_t parent)
{
    assert(parent == TRACE_NONE || parent < w->queue_count);
    if (trace_queue_find(w, name) != TRACE_NONE)
        return trace_queue_find(w, name);
    w->queue = gs_array_grow(w->queue, &w->queue_cap, w->queue_count + 1,
                             sizeof(*w->queue));
    w->queue[w->queue_count] = trace_queue_bare(name, parent);
    w->queue_of = gs_far_grow(w->far, w->queue_of, &w->queue_of_cap, name + 1,
                              sizeof(*w->queue_of));
    w->queue_of[name] = ++w->queue_count;
    return w->queue_count - 1;
}

uint32_t trace_queue_put(struct trace_workload *w, uint32_t name)
{
    const char *path = gs_strtab_str(w->names, name);
    uint32_t parent = TRACE_NONE;

    assert(name < gs_strtab_count(w->names));
    if (trace_queue_find(w, name) != TRACE_NONE)
        return trace_queue_find(w, name);
    for (size_t i = 0; path[i]; i++) {
        if (path[i] == '/')
            parent = put_below(w, gs_strtab_put(w->names, path, i), parent);
    }
    return put_below(w, name, parent);
}

bool trace_queues_are_stated(const struct trace_workload *w)
{
    uint32_t i = 0;

    while (i < w->queue_count && !w->queue[i].line)
        i++;
    return i < w->queue_count;
}

void trace_queues_clear(struct trace_workload *w)
{
    assert(!trace_queues_are_stated(w));
    for (uint32_t i = 1; i < w->queue_count; i++)
        w->queue_of[w->queue[i].name] = 0;
    w->queue_count = 1;
}

uint32_t trace_class_put(struct trace_workload *w, uint32_t name)
{
    const uint32_t found = trace_class_find(w, name);

    assert(name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    w->klass = gs_array_grow(w->klass, &w->class_cap, w->class_count + 1,
                             sizeof(*w->klass));
    w->klass[w->class_count] = (struct trace_class){ .name = name,
                                                     .preempts = true };
    w->class_of = gs_far_grow(w->far, w->class_of, &w->class_of_cap, name + 1,
                              sizeof(*w->class_of));
    w->class_of[name] = ++w->class_count;
    return w->class_count - 1;
}

uint32_t trace_class_value(struct trace_workload *w, int32_t value)
{
    char text[NUMBER_MAX];
    uint32_t name, klass;
    size_t at;

    if (value == 0)
        return 0;
    at = number_text(text, "", value);
    name = gs_strtab_put(w->names, text + at, sizeof(text) - at);
    klass = trace_class_find(w, name);
    if (klass == TRACE_NONE) {
        klass = trace_class_put(w, name);
        w->klass[klass].value = value;
    }
    return klass;
}

void trace_workload_settle(struct trace_workload *w)
{
    bool *is_out = gs_far_new(w->far, gs_strtab_count(w->names),
                              sizeof(*is_out));

    w->job = gs_far_trim(w->far, w->job, &w->job_cap, w->job_count,
                         sizeof(*w->job));
    w->group = gs_far_trim(w->far, w->group, &w->group_cap, w->group_count,
                           sizeof(*w->group));
    for (uint32_t i = 0; i < w->job_count; i++)
        is_out[w->job[i].name] = true;
    is_out[0] = false;
    if (w->job_count >= NAMES_MANY)
        gs_strtab_leave_out(w->names, is_out);
    gs_far_free(w->far, is_out);
}

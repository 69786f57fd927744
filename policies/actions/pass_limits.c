/* policies/actions/pass_limits.c - see pass_limits.h. */
#include "policies/actions/pass_limits.h"

#include "base/array.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"

/* The count of the key in this pass; not used without a limit. */
static uint32_t *count_of(struct pass_tally *t, uint32_t key, uint32_t pass)
{
    struct pass_count *c;

    t->at = gs_array_grow(t->at, &t->cap, key + 1, sizeof(*t->at));
    c = &t->at[key];
    if (c->pass != pass)
        *c = (struct pass_count){ pass, 0 };
    return &c->count;
}

static bool is_pair(const void *of, uint32_t at)
{
    const struct pass_limits *l = of;
    const struct pass_pair *sought = &l->pair[l->pair_count];

    return l->pair[at].of == sought->of && l->pair[at].user == sought->user
           && l->pair[at].is_queue == sought->is_queue;
}

/* The number of the pair, whose entry behind the last one is set to it. */
static uint32_t pair_of(struct pass_limits *l, uint32_t of, uint32_t user,
                        bool is_queue)
{
    const uint64_t hash = gs_hash_mix(gs_hash_mix(is_queue, of), user);
    uint32_t found;

    l->pair = gs_array_grow(l->pair, &l->pair_cap, l->pair_count + 1,
                            sizeof(*l->pair));
    l->pair[l->pair_count] = (struct pass_pair){ of, user, is_queue };
    found = gs_hash_find(&l->pair_index, hash, is_pair, l);
    if (found != GS_HASH_NONE)
        return found;
    gs_hash_put(&l->pair_index, hash, l->pair_count);
    return l->pair_count++;
}

bool gsched_pass_count(const struct gsched *s, struct pass_limits *l,
                       uint32_t job, uint32_t partition)
{
    const struct gsp_backfill *how = &s->modules->backfill;
    const struct trace_job *j = &s->work->job[job];
    const struct {
        struct pass_tally *of;
        uint32_t key, limit;
    } limits[] = {
        { &l->pairs,
          how->per_partition_user ? pair_of(l, partition, j->user, false) : 0,
          how->per_partition_user },
        { &l->pairs,
          how->per_queue_user ? pair_of(l, j->queue, j->user, true) : 0,
          how->per_queue_user },
        { &l->partitions, partition, how->per_partition },
        { &l->users, j->user, how->per_user },
    };
    const size_t n = sizeof(limits) / sizeof(limits[0]);

    for (size_t i = 0; i < n; i++) {
        if (limits[i].limit
            && *count_of(limits[i].of, limits[i].key, l->pass)
                   >= limits[i].limit)
            return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (limits[i].limit)
            ++*count_of(limits[i].of, limits[i].key, l->pass);
    }
    return true;
}

bool gsched_pass_may_reserve(const struct gsched *s, struct pass_limits *l,
                             uint32_t partition)
{
    const uint32_t limit = s->modules->backfill.reserved_per_partition;

    return limit == 0 || *count_of(&l->reserved, partition, l->pass) < limit;
}

void gsched_pass_reserved(const struct gsched *s, struct pass_limits *l,
                          uint32_t partition)
{
    if (s->modules->backfill.reserved_per_partition)
        ++*count_of(&l->reserved, partition, l->pass);
}

bool gsched_pass_looks(const struct gsched *s, struct pass_limits *l,
                       uint32_t partition)
{
    const uint32_t limit = s->modules->passes.per_partition;

    return limit == 0
           || (*count_of(&l->partitions, partition, l->pass))++ < limit;
}

bool gsched_pass_counts(const struct gsched *s, uint32_t job, int32_t priority,
                        int64_t wait)
{
    const struct gsched_module *m = s->modules->number;
    const struct gsp_job j = { .s = s, .id = job, .group = NONE };

    return s->now - gsched_job(s, job)->since >= wait
           && (priority == 0
               || (m ? m->module->number(m->self, &j)
                     : s->work->klass[s->work->job[job].klass].value)
                      >= priority);
}

void gsched_pass_limits_free(struct pass_limits *l)
{
    gs_array_free(l->users.at);
    gs_array_free(l->partitions.at);
    gs_array_free(l->pairs.at);
    gs_array_free(l->reserved.at);
    gs_array_free(l->pair);
    gs_hash_free(&l->pair_index);
}

/* policies/state/limit_sets.c - see limit_sets.h.
 *
 * A count has what the jobs of one QOS, account or user hold; it is shared by
 * the sets that limit it.  A set is a list of checks, each of them a count with
 * the limits that hold for it.
 */
#include "policies/state/limit_sets.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "policies/state/associations.h"
#include "policies/state/jobs.h"
#include "policies/state/limit_reasons.h"
#include "policies/state/usage.h"
#include "traces/workload/accounts.h"
#include "traces/workload/limits.h"
#include "traces/workload/pools.h"

/* The jobs that a count is of: `of` is a QOS, an entry of the accounts or a pool,
 * `name` a user or an account (string ids), 0: all of them.
 */
struct count_key {
    enum limit_holder holder;
    enum trace_limit_scope scope;
    uint32_t of, name;
};

struct limit_count {
    struct count_key key;
    int64_t used[TOPO_DIMS_MAX];
    int64_t jobs;
};

struct limit_check {
    uint32_t count; /* NONE: of one job */
    bool counts;    /* no check of the set before it has the same count */
    enum limit_holder holder;
    enum trace_limit_scope scope;
    const char *reason; /* of a pool */
    int64_t each; /* what a job counts for below `jobs`: 1, or its tokens */
    int64_t amount[TOPO_DIMS_MAX], jobs, wall; /* -1: no limit */
};

struct limit_set {
    uint32_t entry, user, qos, partition, pools; /* of its jobs */
    bool is_long;          /* they exceed a limit of time */
    uint32_t first, count; /* checks */
};

struct gsched_limits {
    struct limit_count *count;
    struct limit_check *check;
    struct limit_set *set; /* 0: none */
    uint32_t counts, checks, sets;
    uint32_t count_cap, check_cap, set_cap;
    struct gs_hash count_index, set_index;
    bool has_accounts, has_pools; /* they are limited */
};

void gsched_limits_open(struct gsched *s, uint32_t reads)
{
    const bool accounts = (reads & GSP_READS_LIMITS) != 0;
    const bool pools = (reads & GSP_READS_POOLS) != 0;

    if (s->limits) {
        s->limits->has_accounts |= accounts;
        s->limits->has_pools |= pools;
    }
    if (s->limits || !(accounts || pools))
        return;
    s->limits = gs_arena_alloc(s->arena, 1, sizeof(*s->limits));
    s->limits->set = gs_array_grow(NULL, &s->limits->set_cap, 1,
                                   sizeof(*s->limits->set));
    s->limits->set[0] = (struct limit_set){ .first = 0 };
    s->limits->sets = 1;
    s->limits->has_accounts = accounts;
    s->limits->has_pools = pools;
}

void gsched_limits_free(struct gsched *s)
{
    struct gsched_limits *l = s->limits;

    if (!l)
        return;
    gs_array_free(l->count);
    gs_array_free(l->check);
    gs_array_free(l->set);
    gs_hash_free(&l->count_index);
    gs_hash_free(&l->set_index);
}

/* --- counts --------------------------------------------------------------- */

struct sought_count {
    const struct gsched_limits *l;
    struct count_key key;
};

static bool is_count(const void *of, uint32_t at)
{
    const struct sought_count *k = of;
    const struct count_key *c = &k->l->count[at].key;

    return c->holder == k->key.holder && c->scope == k->key.scope
           && c->of == k->key.of && c->name == k->key.name;
}

static uint32_t count_put(struct gsched_limits *l, struct count_key key)
{
    const struct sought_count k = { l, key };
    uint64_t hash = gs_hash_mix(key.holder * 8u + key.scope, key.of);
    uint32_t found;

    hash = gs_hash_mix(hash, key.name);
    found = gs_hash_find(&l->count_index, hash, is_count, &k);
    if (found != GS_HASH_NONE)
        return found;
    l->count = gs_array_grow(l->count, &l->count_cap, l->counts + 1,
                             sizeof(*l->count));
    l->count[l->counts] = (struct limit_count){ .key = key };
    gs_hash_put(&l->count_index, hash, l->counts);
    return l->counts++;
}

/* --- the limits of a set -------------------------------------------------- */

/* What holders before have limited already. */
struct limited {
    bool amount[TRACE_LIMIT_SCOPES][TOPO_DIMS_MAX];
    bool jobs[TRACE_LIMIT_JOB], wall;
};

/* Add a check for the limits of one scope that nothing before has limited; if
 * all of them are, it counts only.  What it limits is marked in `now`.
 */
static void check_add(struct gsched_limits *l, const struct trace_limits *from,
                      struct count_key key, const struct limited *before,
                      struct limited *now)
{
    const enum trace_limit_scope scope = key.scope;
    struct limit_check c = { .count = NONE,
                             .holder = key.holder,
                             .scope = scope,
                             .each = 1,
                             .jobs = -1,
                             .wall = -1 };
    bool any = false;

    for (int d = 0; d < TOPO_DIMS_MAX; d++) {
        const bool has = from->amount[scope][d] >= 0;

        c.amount[d] = has && !before->amount[scope][d] ? from->amount[scope][d]
                                                       : -1;
        now->amount[scope][d] |= has;
        any |= has;
    }
    any |= scope < TRACE_LIMIT_JOB && from->jobs[scope] >= 0;
    if (scope < TRACE_LIMIT_JOB && from->jobs[scope] >= 0) {
        c.jobs = before->jobs[scope] ? -1 : from->jobs[scope];
        now->jobs[scope] = true;
    } else if (scope == TRACE_LIMIT_JOB && from->wall >= 0) {
        c.wall = before->wall ? -1 : from->wall;
        now->wall = true;
    }
    if (!any && c.wall < 0)
        return;
    if (scope != TRACE_LIMIT_JOB)
        c.count = count_put(l, key);
    l->check = gs_array_grow(l->check, &l->check_cap, l->checks + 1,
                             sizeof(*l->check));
    l->check[l->checks++] = c;
}

static void qos_add(struct gsched *s, const struct limit_set *set, uint32_t qos,
                    struct limited *done)
{
    const struct trace_limits *from =
        qos == TRACE_NONE ? NULL
                          : trace_limits_of(s->work, s->work->qos[qos].limits);
    const uint32_t account = s->accounts->at[set->entry].name;
    const uint32_t name[TRACE_LIMIT_SCOPES] = { 0, set->user, account, 0 };
    const struct limited before = *done;

    for (enum trace_limit_scope i = 0; from && i < TRACE_LIMIT_SCOPES; i++)
        check_add(s->limits, from,
                  (struct count_key){ LIMIT_OF_QOS, i, qos, name[i] }, &before,
                  done);
}

/* The accounts from the user's entry up.  All sums above are limited; of the
 * other limits the nearest holds.
 */
static void accounts_add(struct gsched *s, const struct limit_set *set,
                         const struct limited *by_qos)
{
    const struct gsched_association *at = s->accounts->at;
    const uint32_t own = at[set->entry].user ? at[set->entry].parent
                                             : set->entry;
    struct limited done = *by_qos;

    for (uint32_t e = set->entry; e != NONE; e = at[e].parent) {
        const uint32_t user = at[e].user == GSCHED_NOBODY ? 0 : at[e].user;
        const uint32_t found = trace_account_find(s->work, at[e].name, user);
        const struct trace_limits *from =
            found == TRACE_NONE || (at[e].user && !user)
                ? NULL
                : trace_limits_of(s->work, s->work->account[found].limits);
        const struct limited before = done;

        for (enum trace_limit_scope i = 0; from && i < TRACE_LIMIT_SCOPES; i++)
            check_add(
                s->limits, from,
                (struct count_key){ LIMIT_OF_ACCOUNT, i,
                                    i == TRACE_LIMIT_USER ? own : e,
                                    i == TRACE_LIMIT_USER ? set->user : 0 },
                i == TRACE_LIMIT_GROUP || i == TRACE_LIMIT_ACCOUNT ? by_qos
                                                                   : &before,
                &done);
    }
}

/* The QOS of the partition, that of the job, its accounts. */
static void holders_add(struct gsched *s, const struct limit_set *set)
{
    const uint32_t partition = set->partition;
    const uint32_t its_qos =
        partition == TRACE_NONE
            ? TRACE_NONE
            : trace_qos_find(s->work, s->work->partition[partition].qos);
    struct limited done = { .wall = false };

    qos_add(s, set, its_qos, &done);
    if (set->qos != its_qos)
        qos_add(s, set, set->qos, &done);
    accounts_add(s, set, &done);
}

static void pools_add(struct gsched *s, const struct limit_set *set)
{
    struct gsched_limits *l = s->limits;
    uint32_t n;
    const struct trace_tokens *t = trace_pool_tokens(s->work, set->pools, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct trace_pool *p = &s->work->pool[t[i].pool];
        struct limit_check c = {
            .reason = p->reason ? gs_strtab_str(s->work->names, p->reason)
                                : gs_arena_printf(
                                    s->arena, "pool %s",
                                    gs_strtab_str(s->work->names, p->name)),
            .count = count_put(l, (struct count_key){ LIMIT_OF_POOL,
                                                      TRACE_LIMIT_GROUP,
                                                      t[i].pool, 0 }),
            .holder = LIMIT_OF_POOL,
            .scope = TRACE_LIMIT_GROUP,
            .each = t[i].count,
            .jobs = p->size,
            .wall = -1,
        };

        for (int d = 0; d < TOPO_DIMS_MAX; d++)
            c.amount[d] = -1;
        l->check = gs_array_grow(l->check, &l->check_cap, l->checks + 1,
                                 sizeof(*l->check));
        l->check[l->checks++] = c;
    }
}

static void checks_make(struct gsched *s, struct limit_set *set)
{
    set->first = s->limits->checks;
    if (s->limits->has_accounts)
        holders_add(s, set);
    pools_add(s, set);
    set->count = s->limits->checks - set->first;
    for (uint32_t i = set->first; i < s->limits->checks; i++) {
        struct limit_check *c = &s->limits->check[i];
        uint32_t k = set->first;

        while (k < i && s->limits->check[k].count != c->count)
            k++;
        c->counts = k == i && c->count != NONE;
    }
}

/* --- sets ----------------------------------------------------------------- */

struct sought_set {
    const struct gsched_limits *l;
    const struct limit_set *set;
};

static bool is_set(const void *of, uint32_t at)
{
    const struct sought_set *k = of;
    const struct limit_set *a = &k->l->set[at];

    return a->entry == k->set->entry && a->user == k->set->user
           && a->qos == k->set->qos && a->partition == k->set->partition
           && a->pools == k->set->pools && a->is_long == k->set->is_long;
}

static uint32_t set_put(struct gsched *s, struct limit_set *set)
{
    struct gsched_limits *l = s->limits;
    const struct sought_set k = { l, set };
    uint64_t hash = gs_hash_mix(gs_hash_mix(set->entry, set->user), set->qos);
    uint32_t found;

    hash = gs_hash_mix(gs_hash_mix(hash, set->partition), set->is_long);
    hash = gs_hash_mix(hash, set->pools);
    found = gs_hash_find(&l->set_index, hash, is_set, &k);
    if (found != GS_HASH_NONE)
        return found;
    checks_make(s, set);
    l->set = gs_array_grow(l->set, &l->set_cap, l->sets + 1, sizeof(*l->set));
    l->set[l->sets] = *set;
    gs_hash_put(&l->set_index, hash, l->sets);
    return l->sets++;
}

static bool is_longer(const struct limit_check *c, int64_t estimate)
{
    return c->wall >= 0 && estimate > c->wall;
}

/* Jobs that exceed a limit of time have a set of their own: they are refused
 * where others with the same limits are not.
 */
uint32_t gsched_limits_set(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    struct limit_set set = { 0 };
    uint32_t at;

    if (!s->limits)
        return 0;
    if (s->limits->has_accounts) {
        set.user = j->user;
        set.entry = gsched_association_of(s, job);
        set.qos = trace_qos_find(s->work, j->qos);
        set.partition = trace_partition_find(s->work, j->partition);
    } else if (!j->pools) {
        return 0;
    }
    set.pools = s->limits->has_pools ? j->pools : 0;
    at = set_put(s, &set);
    set = s->limits->set[at];
    for (uint32_t i = 0; i < set.count && !set.is_long; i++)
        set.is_long = is_longer(&s->limits->check[set.first + i], j->estimate);
    return set.is_long ? set_put(s, &set) : at;
}

void gsched_limits_placed(struct gsched *s, uint32_t job, uint32_t group,
                          int64_t tasks)
{
    struct gsched_limits *l = s->limits;
    const struct topo_request *r = gsched_request(s, job, group);
    const int64_t placed = s->jobs->job[job].placed;
    const struct limit_set *set = &l->set[s->jobs->job[job].limit_set];

    for (uint32_t i = 0; i < set->count; i++) {
        const struct limit_check *c = &l->check[set->first + i];
        struct limit_count *n;

        if (!c->counts)
            continue;
        n = &l->count[c->count];
        for (uint32_t d = 0; d < s->dims; d++) {
            n->used[d] += r->amount[d] * tasks;
            assert(n->used[d] >= 0);
        }
        if (tasks > 0)
            n->jobs += placed == tasks ? c->each : 0;
        else
            n->jobs -= placed == 0 ? c->each : 0;
        assert(n->jobs >= 0);
    }
}

const char *gsched_limits_reason(const struct gsched *s, uint32_t job,
                                 const int64_t *asked)
{
    const struct gsched_limits *l = s->limits;
    const struct job_state *j = &s->jobs->job[job];
    const struct limit_set *set = &l->set[j->limit_set];
    int64_t own[TOPO_DIMS_MAX];

    if (set->count)
        gsched_job_used(s, job, own);
    for (uint32_t i = 0; i < set->count; i++) {
        const struct limit_check *c = &l->check[set->first + i];
        const struct limit_count *n = c->count == NONE ? NULL
                                                       : &l->count[c->count];
        const int64_t *used = n ? n->used : own;

        if (c->jobs >= 0 && j->placed == 0 && n->jobs + c->each > c->jobs)
            return c->holder == LIMIT_OF_POOL
                       ? c->reason
                       : gsched_limit_jobs_name(c->holder, c->scope);
        if (is_longer(c, s->work->job[job].estimate))
            return gsched_limit_wall_name(c->holder);
        for (uint32_t d = 0; d < s->dims; d++) {
            if (c->amount[d] >= 0 && asked[d] > 0
                && used[d] + asked[d] > c->amount[d])
                return gsched_limit_amount_name(c->holder, c->scope, d);
        }
    }
    return NULL;
}

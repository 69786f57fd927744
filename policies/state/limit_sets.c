/* policies/state/limit_sets.c - see limit_sets.h.
 */
#include "policies/state/limit_sets.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/state/associations.h"
#include "policies/state/jobs.h"
#include "policies/state/limit_counts.h"
#include "traces/workload/accounts.h"
#include "traces/workload/pools.h"
#include "traces/workload/queue_terms.h"

#define FACTOR_MAX 1000

void gsched_limits_open(struct gsched *s, uint32_t reads)
{
    const bool accounts = (reads & GSP_READS_LIMITS) != 0;
    const bool pools = (reads & GSP_READS_POOLS) != 0;
    const bool users = (reads & GSP_READS_USER_LIMITS) != 0
                       && s->work->terms->user_limit_count > 0;

    if (!(accounts || pools || users))
        return;
    if (!s->limits) {
        s->limits = gs_arena_alloc(s->arena, 1, sizeof(*s->limits));
        s->limits->set = gs_array_grow(NULL, &s->limits->set_cap, 1,
                                       sizeof(*s->limits->set));
        s->limits->set[0] = (struct limit_set){ .first = 0 };
        s->limits->sets = 1;
        s->limits->next = GSCHED_NEVER;
    }
    s->limits->has_accounts |= accounts;
    s->limits->has_pools |= pools;
    if (users && !s->limits->has_users)
        gsched_limits_users_open(s);
}

void gsched_limits_free(struct gsched *s)
{
    struct gsched_limits *l = s->limits;

    if (!l)
        return;
    gs_array_free(l->count);
    gs_array_free(l->use);
    gs_array_free(l->check);
    gs_array_free(l->set);
    gs_array_free(l->name);
    gs_hash_free(&l->limited);
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

uint32_t gsched_limits_count(struct gsched_limits *l, struct count_key key)
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
    bool amount[TRACE_LIMIT_KINDS][TRACE_LIMIT_SCOPES][TOPO_DIMS_MAX];
    bool jobs[TRACE_LIMIT_JOB], wall, group_wall;
};

/* The limit, unless it was limited before; *now: it is limited. */
static int64_t limit_take(int64_t limit, bool before, bool *now, bool *any)
{
    if (limit < 0)
        return -1;
    *any = *now = true;
    return before ? -1 : limit;
}

static void numbers_take(struct limit_check *c, const struct trace_limits *from,
                         const struct limited *before, struct limited *now,
                         bool *any)
{
    if (c->kind == TRACE_LIMIT_HOLDS && c->scope < TRACE_LIMIT_JOB)
        c->jobs = limit_take(from->jobs[c->scope], before->jobs[c->scope],
                             &now->jobs[c->scope], any);
    else if (c->kind == TRACE_LIMIT_HOLDS)
        c->wall = limit_take(from->wall, before->wall, &now->wall, any);
    else if (c->kind == TRACE_LIMIT_MINUTES && c->scope == TRACE_LIMIT_GROUP)
        c->wall = limit_take(from->group_wall, before->group_wall,
                             &now->group_wall, any);
}

void gsched_limits_check(struct gsched_limits *l, const struct limit_check *c)
{
    l->check = gs_array_grow(l->check, &l->check_cap, l->checks + 1,
                             sizeof(*l->check));
    l->check[l->checks++] = *c;
}

/* The count keeps what is used, from now on. */
static void use_put(struct gsched *s, struct limit_count *n)
{
    struct gsched_limits *l = s->limits;

    if (n->use)
        return;
    l->use = gs_array_grow(l->use, &l->use_cap, l->uses + 1, sizeof(*l->use));
    l->use[l->uses] = (struct limit_use){
        .since = s->now,
        .stays = n->key.holder == LIMIT_OF_QOS
                 && s->work->accounts->qos[n->key.of].stays
    };
    n->use = ++l->uses;
}

/* Add a check for the limits of one kind and scope that nothing before has
 * limited; if all of them are, it counts only.  What it limits is marked in
 * `now`.
 */
static void check_add(struct gsched *s, const struct trace_limits *from,
                      enum trace_limit_kind kind, struct count_key key,
                      const struct limited *before, struct limited *now)
{
    const enum trace_limit_scope scope = key.scope;
    struct limit_check c = { .count = NONE,
                             .kind = kind,
                             .holder = key.holder,
                             .scope = scope,
                             .each = 1,
                             .jobs = -1,
                             .wall = -1 };
    bool any = false;

    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        c.amount[d] = limit_take(from->amount[kind][scope][d],
                                 before->amount[kind][scope][d],
                                 &now->amount[kind][scope][d], &any);
    numbers_take(&c, from, before, now, &any);
    if (!any)
        return;
    if (scope != TRACE_LIMIT_JOB)
        c.count = gsched_limits_count(s->limits, key);
    if (c.count != NONE && kind != TRACE_LIMIT_HOLDS)
        use_put(s, &s->limits->count[c.count]);
    gsched_limits_check(s->limits, &c);
}

static void checks_add(struct gsched *s, const struct trace_limits *from,
                       struct count_key key, const struct limited *before,
                       struct limited *now)
{
    for (enum trace_limit_kind k = 0; from && k < TRACE_LIMIT_KINDS; k++)
        check_add(s, from, k, key, before, now);
}

static void qos_add(struct gsched *s, const struct limit_set *set, uint32_t qos,
                    struct limited *done)
{
    const struct trace_limits *from =
        qos == TRACE_NONE
            ? NULL
            : trace_limits_of(s->work, s->work->accounts->qos[qos].limits);
    const uint32_t account = s->accounts->at[set->entry].name;
    const uint32_t name[TRACE_LIMIT_SCOPES] = { 0, set->user, account, 0 };
    const struct limited before = *done;

    for (enum trace_limit_scope i = 0; i < TRACE_LIMIT_SCOPES; i++)
        checks_add(s, from, (struct count_key){ LIMIT_OF_QOS, i, qos, name[i] },
                   &before, done);
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
                : trace_limits_of(s->work,
                                  s->work->accounts->account[found].limits);
        const struct limited before = done;

        for (enum trace_limit_scope i = 0; i < TRACE_LIMIT_SCOPES; i++)
            checks_add(
                s, from,
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
            : trace_qos_find(s->work,
                             s->work->accounts->partition[partition].qos);
    struct limited done = { .wall = false };
    const bool is_over = set->qos != TRACE_NONE
                         && s->work->accounts->qos[set->qos].over_partition;

    qos_add(s, set, is_over ? set->qos : its_qos, &done);
    if (set->qos != its_qos)
        qos_add(s, set, is_over ? its_qos : set->qos, &done);
    accounts_add(s, set, &done);
}

static void pools_add(struct gsched *s, const struct limit_set *set)
{
    struct gsched_limits *l = s->limits;
    uint32_t n;
    const struct trace_tokens *t = trace_pool_tokens(s->work, set->pools, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct trace_pool *p = &s->work->pools->pool[t[i].pool];
        struct limit_check c = {
            .reason = p->reason ? gs_strtab_str(s->work->names, p->reason)
                                : gs_arena_printf(
                                    s->arena, "pool %s",
                                    gs_strtab_str(s->work->names, p->name)),
            .count = gsched_limits_count(
                l, (struct count_key){ LIMIT_OF_POOL, TRACE_LIMIT_GROUP,
                                       t[i].pool, 0 }),
            .holder = LIMIT_OF_POOL,
            .scope = TRACE_LIMIT_GROUP,
            .each = t[i].count,
            .jobs = p->size,
            .wall = -1,
        };

        for (int d = 0; d < TOPO_DIMS_MAX; d++)
            c.amount[d] = -1;
        gsched_limits_check(l, &c);
    }
}

static void checks_make(struct gsched *s, struct limit_set *set)
{
    set->first = s->limits->checks;
    if (s->limits->has_accounts)
        holders_add(s, set);
    pools_add(s, set);
    if (set->queue)
        gsched_limits_users_add(s, set);
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
           && a->pools == k->set->pools && a->length == k->set->length
           && a->queue == k->set->queue && a->group == k->set->group;
}

static uint32_t set_put(struct gsched *s, struct limit_set *set)
{
    struct gsched_limits *l = s->limits;
    const struct sought_set k = { l, set };
    uint64_t hash = gs_hash_mix(gs_hash_mix(set->entry, set->user), set->qos);
    uint32_t found;

    hash = gs_hash_mix(gs_hash_mix(hash, set->partition),
                       (uint64_t)set->length);
    hash = gs_hash_mix(hash, set->pools);
    hash = gs_hash_mix(gs_hash_mix(hash, set->queue), set->group);
    found = gs_hash_find(&l->set_index, hash, is_set, &k);
    if (found != GS_HASH_NONE)
        return found;
    checks_make(s, set);
    l->set = gs_array_grow(l->set, &l->set_cap, l->sets + 1, sizeof(*l->set));
    l->set[l->sets] = *set;
    gs_hash_put(&l->set_index, hash, l->sets);
    return l->sets++;
}

/* What limits tell of the estimate, see struct limit_set. */
static int64_t length_of(const struct gsched_limits *l,
                         const struct limit_set *set, int64_t estimate)
{
    bool is_long = false;

    for (uint32_t i = 0; i < set->count; i++) {
        const struct limit_check *c = &l->check[set->first + i];

        if (c->kind == TRACE_LIMIT_RUNNING
            || (c->kind == TRACE_LIMIT_MINUTES && c->count == NONE))
            return estimate > 1 ? estimate : 2;
        is_long |= c->kind == TRACE_LIMIT_HOLDS && c->wall >= 0
                   && estimate > c->wall;
    }
    return is_long;
}

static int64_t factor_of(const struct gsched *s, uint32_t qos)
{
    const double factor = qos == TRACE_NONE
                              ? 1
                              : s->work->accounts->qos[qos].usage_factor;

    return factor < FACTOR_MAX ? (int64_t)(factor * LIMIT_FACTOR + 0.5)
                               : (int64_t)FACTOR_MAX * LIMIT_FACTOR;
}

/* Jobs whose length makes a difference to a limit have a set of their own: they
 * are refused where others with the same limits are not.
 */
uint32_t gsched_limits_set(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    struct limit_set set = { .factor = LIMIT_FACTOR };
    uint32_t at;

    if (!s->limits)
        return 0;
    if (s->limits->has_accounts) {
        set.user = j->user;
        set.entry = gsched_association_of(s, job);
        set.qos = trace_qos_find(s->work, j->aside->qos);
        set.partition = trace_partition_find(s->work, j->aside->partition);
        set.factor = factor_of(s, set.qos);
    }
    if (s->limits->has_users)
        gsched_limits_users_of(s, job, &set);
    if (!s->limits->has_accounts && !j->aside->pools && !set.queue)
        return 0;
    set.pools = s->limits->has_pools ? j->aside->pools : 0;
    at = set_put(s, &set);
    set = s->limits->set[at];
    set.length = length_of(s->limits, &set, j->estimate);
    return set.length ? set_put(s, &set) : at;
}

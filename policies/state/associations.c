/* policies/state/associations.c - the tree of accounts, see associations.h. */
#include "policies/state/associations.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "traces/workload/accounts.h"

struct sought {
    const struct gsched_association *at;
    uint32_t name, user;
};

static bool is_same(const void *of, uint32_t i)
{
    const struct sought *k = of;

    return k->at[i].name == k->name && k->at[i].user == k->user;
}

static uint64_t hash_of(uint32_t name, uint32_t user)
{
    return gs_hash_mix(gs_hash_mix(1, name), user);
}

static uint32_t find(const struct gsched_accounts *a, uint32_t name,
                     uint32_t user)
{
    const struct sought k = { a->at, name, user };

    return gs_hash_find(&a->index, hash_of(name, user), is_same, &k);
}

/* --- the tree ------------------------------------------------------------- */

/* The entry, appended below the root with one share when new. */
static uint32_t put(struct gsched_accounts *a, uint32_t *cap, uint32_t name,
                    uint32_t user)
{
    const uint32_t found = find(a, name, user);

    if (found != GS_HASH_NONE)
        return found;
    a->at = gs_array_grow(a->at, cap, a->count + 1, sizeof(*a->at));
    a->at[a->count] = (struct gsched_association){
        .name = name, .user = user, .parent = 0, .shares = 1
    };
    gs_hash_put(&a->index, hash_of(name, user), a->count);
    return a->count++;
}

static uint32_t user_of(const struct trace_job *j)
{
    return j->user ? j->user : GSCHED_NOBODY;
}

static void collect(struct gsched_accounts *a, const struct trace_workload *w)
{
    uint32_t cap = 0;

    (void)put(a, &cap, a->root, 0);
    a->at[0].parent = NONE;
    for (uint32_t i = 0; i < w->accounts->account_count; i++) {
        const struct trace_account *from = &w->accounts->account[i];
        const uint32_t to = put(a, &cap, from->name, from->user);

        a->at[to].shares = from->shares;
        a->at[to].usage = from->usage;
    }
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const uint32_t name = j->aside->account ? j->aside->account : a->root;

        (void)put(a, &cap, name, 0);
        (void)put(a, &cap, name, user_of(j));
    }
    for (uint32_t i = 0; i < w->accounts->account_count; i++) {
        const struct trace_account *from = &w->accounts->account[i];
        const uint32_t above = from->parent ? find(a, from->parent, 0) : 0;

        if (!from->user && from->name != a->root && above != GS_HASH_NONE)
            a->at[find(a, from->name, 0)].parent = above;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->at[i].user)
            a->at[i].parent = find(a, a->at[i].name, 0);
    }
}

/* Number the entries from the root down, level by level, children in their
 * order: out[new number] = old number.  Entries that do not lead to the root
 * are not reached.  Returns the number of those that are.
 */
static uint32_t number(const struct gsched_accounts *a, uint32_t *first,
                       uint32_t *next, uint32_t *out)
{
    uint32_t n = 1;

    for (uint32_t i = a->count; i-- > 1;) {
        next[i] = first[a->at[i].parent];
        first[a->at[i].parent] = i;
    }
    out[0] = 0;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = first[out[k]]; i; i = next[i])
            out[n++] = i;
    }
    return n;
}

/* A host may state accounts above themselves: they stand below the root. */
static void loops_break(struct gsched_accounts *a, const uint32_t *out,
                        uint32_t reached)
{
    bool *is_reached = gs_array_new(a->count, sizeof(*is_reached));

    for (uint32_t k = 0; k < reached; k++)
        is_reached[out[k]] = true;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!is_reached[i] && !a->at[i].user)
            a->at[i].parent = 0;
    }
    gs_array_free(is_reached);
}

static void sort(struct gsched_accounts *a, struct gs_arena *arena)
{
    const uint32_t n = a->count;
    uint32_t *work = gs_array_new((size_t)n * 4, sizeof(*work));
    uint32_t *first = work, *next = work + n, *out = next + n, *place = out + n;
    struct gsched_association *sorted;
    const uint32_t reached = number(a, first, next, out);

    if (reached < n) {
        loops_break(a, out, reached);
        memset(work, 0, (size_t)n * 2 * sizeof(*work));
        (void)number(a, first, next, out);
    }
    sorted = gs_arena_alloc(arena, n, sizeof(*sorted));
    gs_hash_clear(&a->index);
    for (uint32_t k = 0; k < n; k++) {
        sorted[k] = a->at[out[k]];
        place[out[k]] = k;
        if (k > 0)
            sorted[k].parent = place[sorted[k].parent];
        gs_hash_put(&a->index, hash_of(sorted[k].name, sorted[k].user), k);
    }
    gs_array_free(work);
    gs_array_free(a->at);
    a->at = sorted;
}

void gsched_associations_open(struct gsched *s)
{
    struct gsched_accounts *a = gs_arena_alloc(s->arena, 1, sizeof(*a));

    assert(!s->accounts);
    a->root = gs_strtab_put(s->work->names, TRACE_ROOT_ACCOUNT,
                            strlen(TRACE_ROOT_ACCOUNT));
    collect(a, s->work);
    sort(a, s->arena);
    s->accounts = a;
}

void gsched_associations_free(struct gsched *s)
{
    if (s->accounts)
        gs_hash_free(&s->accounts->index);
}

uint32_t gsched_association_of(const struct gsched *s, uint32_t job)
{
    const struct gsched_accounts *a = s->accounts;
    const struct trace_job *j = &s->work->job[job];
    const uint32_t name = j->aside->account ? j->aside->account : a->root;
    uint32_t found = find(a, name, user_of(j));

    if (found == GS_HASH_NONE)
        found = find(a, name, 0);
    return found == GS_HASH_NONE ? 0 : found;
}

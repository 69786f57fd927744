/* traces/workload/accounts.c - see accounts.h. */
#include "traces/workload/accounts.h"
#include "traces/workload/by_name.h"

#include <assert.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "traces/workload/limits.h"
#include "traces/workload/workload.h"

struct sought_account {
    const struct trace_workload *w;
    uint32_t name, user;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct sought_account *k = of;

    return k->w->accounts->account[at].name == k->name
           && k->w->accounts->account[at].user == k->user;
}

static uint64_t hash_of(uint32_t name, uint32_t user)
{
    return gs_hash_mix(gs_hash_mix(1, name), user);
}

uint32_t trace_account_find(const struct trace_workload *w, uint32_t name,
                            uint32_t user)
{
    const struct sought_account k = { w, name, user };

    return w->accounts->account_index ? gs_hash_find(
               w->accounts->account_index, hash_of(name, user), is_same, &k)
                                      : TRACE_NONE;
}

static void account_index(struct trace_workload *w, uint32_t i)
{
    struct trace_accounts *all = w->accounts;

    gs_hash_put(all->account_index,
                hash_of(all->account[i].name, all->account[i].user), i);
}

void trace_account_add(struct trace_workload *w, const struct trace_account *a)
{
    struct trace_accounts *all = w->accounts;

    assert(a->name && a->name < gs_strtab_count(w->names));
    assert(all->account_count < TRACE_ACCOUNTS_MAX);
    assert(trace_account_find(w, a->name, a->user) == TRACE_NONE);
    if (!all->account_index)
        all->account_index = gs_array_new(1, sizeof(*all->account_index));
    all->account = gs_array_grow(all->account, &all->account_cap,
                                 all->account_count + 1, sizeof(*all->account));
    all->account[all->account_count] = *a;
    account_index(w, all->account_count++);
}

/* --- by name -------------------------------------------------------------- */

uint32_t trace_qos_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->accounts->qos_by, w->accounts->qos_by_cap, name);
}

uint32_t trace_partition_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->accounts->partition_by,
                         w->accounts->partition_by_cap, name);
}

uint32_t trace_qos_put(struct trace_workload *w, uint32_t name)
{
    struct trace_accounts *all = w->accounts;
    const uint32_t found = trace_qos_find(w, name);

    assert(name && name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    all->qos = gs_array_grow(all->qos, &all->qos_cap, all->qos_count + 1,
                             sizeof(*all->qos));
    all->qos[all->qos_count] = (struct trace_qos){ .name = name,
                                                   .usage_factor = 1 };
    trace_by_name_put(&all->qos_by, &all->qos_by_cap, name, all->qos_count);
    return all->qos_count++;
}

uint32_t trace_partition_put(struct trace_workload *w, uint32_t name)
{
    struct trace_accounts *all = w->accounts;
    const uint32_t found = trace_partition_find(w, name);

    assert(name && name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    all->partition = gs_array_grow(all->partition, &all->partition_cap,
                                   all->partition_count + 1,
                                   sizeof(*all->partition));
    all->partition[all->partition_count] =
        (struct trace_partition){ .name = name, .tier = 1, .factor = 1 };
    trace_by_name_put(&all->partition_by, &all->partition_by_cap, name,
                      all->partition_count);
    return all->partition_count++;
}

void trace_accounts_index(struct trace_workload *w)
{
    struct trace_accounts *all = w->accounts;

    if (all->account_index)
        gs_hash_clear(all->account_index);
    for (uint32_t i = 0; i < all->account_count; i++)
        account_index(w, i);
    for (uint32_t i = 0; i < all->qos_count; i++)
        trace_by_name_put(&all->qos_by, &all->qos_by_cap, all->qos[i].name, i);
    for (uint32_t i = 0; i < all->partition_count; i++)
        trace_by_name_put(&all->partition_by, &all->partition_by_cap,
                          all->partition[i].name, i);
}

void trace_accounts_free(struct trace_workload *w)
{
    struct trace_accounts *all = w->accounts;
    trace_limits_free(w);
    gs_array_free(all->account);
    gs_array_free(all->qos);
    gs_array_free(all->partition);
    gs_array_free(all->qos_by);
    gs_array_free(all->partition_by);
    if (all->account_index)
        gs_hash_free(all->account_index);
    gs_array_free(all->account_index);
}

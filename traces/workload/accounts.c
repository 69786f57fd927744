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

    return k->w->account[at].name == k->name
           && k->w->account[at].user == k->user;
}

static uint64_t hash_of(uint32_t name, uint32_t user)
{
    return gs_hash_mix(gs_hash_mix(1, name), user);
}

uint32_t trace_account_find(const struct trace_workload *w, uint32_t name,
                            uint32_t user)
{
    const struct sought_account k = { w, name, user };

    return w->account_index ? gs_hash_find(w->account_index,
                                           hash_of(name, user), is_same, &k)
                            : TRACE_NONE;
}

static void account_index(struct trace_workload *w, uint32_t i)
{
    gs_hash_put(w->account_index,
                hash_of(w->account[i].name, w->account[i].user), i);
}

void trace_account_add(struct trace_workload *w, const struct trace_account *a)
{
    assert(a->name && a->name < gs_strtab_count(w->names));
    assert(w->account_count < TRACE_ACCOUNTS_MAX);
    assert(trace_account_find(w, a->name, a->user) == TRACE_NONE);
    if (!w->account_index)
        w->account_index = gs_array_new(1, sizeof(*w->account_index));
    w->account = gs_array_grow(w->account, &w->account_cap,
                               w->account_count + 1, sizeof(*w->account));
    w->account[w->account_count] = *a;
    account_index(w, w->account_count++);
}

/* --- by name -------------------------------------------------------------- */

uint32_t trace_qos_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->qos_by, w->qos_by_cap, name);
}

uint32_t trace_partition_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->partition_by, w->partition_by_cap, name);
}

uint32_t trace_qos_put(struct trace_workload *w, uint32_t name)
{
    const uint32_t found = trace_qos_find(w, name);

    assert(name && name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    w->qos = gs_array_grow(w->qos, &w->qos_cap, w->qos_count + 1,
                           sizeof(*w->qos));
    w->qos[w->qos_count] = (struct trace_qos){ .name = name,
                                               .usage_factor = 1 };
    trace_by_name_put(&w->qos_by, &w->qos_by_cap, name, w->qos_count);
    return w->qos_count++;
}

uint32_t trace_partition_put(struct trace_workload *w, uint32_t name)
{
    const uint32_t found = trace_partition_find(w, name);

    assert(name && name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    w->partition = gs_array_grow(w->partition, &w->partition_cap,
                                 w->partition_count + 1, sizeof(*w->partition));
    w->partition[w->partition_count] =
        (struct trace_partition){ .name = name, .tier = 1, .factor = 1 };
    trace_by_name_put(&w->partition_by, &w->partition_by_cap, name,
                      w->partition_count);
    return w->partition_count++;
}

void trace_accounts_index(struct trace_workload *w)
{
    if (w->account_index)
        gs_hash_clear(w->account_index);
    for (uint32_t i = 0; i < w->account_count; i++)
        account_index(w, i);
    for (uint32_t i = 0; i < w->qos_count; i++)
        trace_by_name_put(&w->qos_by, &w->qos_by_cap, w->qos[i].name, i);
    for (uint32_t i = 0; i < w->partition_count; i++)
        trace_by_name_put(&w->partition_by, &w->partition_by_cap,
                          w->partition[i].name, i);
}

void trace_accounts_free(struct trace_workload *w)
{
    trace_limits_free(w);
    gs_array_free(w->account);
    gs_array_free(w->qos);
    gs_array_free(w->partition);
    gs_array_free(w->qos_by);
    gs_array_free(w->partition_by);
    if (w->account_index)
        gs_hash_free(w->account_index);
    gs_array_free(w->account_index);
}

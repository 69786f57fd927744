/* traces/formats/write_accounts.c - accounts, QOS classes and partitions in
 * native YAML.
 */
#include <assert.h>
#include <inttypes.h>

#include "base/array.h"
#include "base/strtab.h"
#include "traces/formats/writing.h"
#include "traces/workload/accounts.h"

static void put_shares(FILE *out, uint32_t shares)
{
    if (shares == TRACE_SHARES_PARENT)
        fputs("parent", out);
    else
        fprintf(out, "%" PRIu32, shares);
}

/* Write the users [first], linked by `next`, as a mapping. */
static void put_users(FILE *out, const struct trace_workload *w,
                      const uint32_t *next, uint32_t first)
{
    for (uint32_t i = first; i; i = next[i - 1]) {
        const struct trace_account *u = &w->accounts->account[i - 1];

        fputs(i == first ? ", users: {" : ", ", out);
        trace_put_id(out, w, u->user);
        fputs(u->usage > 0 || u->limits ? ": {shares: " : ": ", out);
        put_shares(out, u->shares);
        if (u->usage > 0)
            fprintf(out, ", usage: %.17g", u->usage);
        trace_put_limits(out, w, u->limits);
        if (u->usage > 0 || u->limits)
            putc('}', out);
    }
    if (first)
        putc('}', out);
}

static void put_accounts(FILE *out, const struct trace_workload *w)
{
    const uint32_t n = w->accounts->account_count;
    uint32_t *first = gs_array_new(n, sizeof(*first));
    uint32_t *next = gs_array_new(n, sizeof(*next));

    for (uint32_t i = n; i-- > 0;) {
        const struct trace_account *a = &w->accounts->account[i];
        const uint32_t of = a->user ? trace_account_find(w, a->name, 0) : i;

        assert(of != TRACE_NONE);
        if (of == i)
            continue;
        next[i] = first[of];
        first[of] = i + 1;
    }
    fputs("accounts:\n", out);
    for (uint32_t i = 0; i < n; i++) {
        const struct trace_account *a = &w->accounts->account[i];

        if (a->user)
            continue;
        fputs("  - {name: ", out);
        trace_put_id(out, w, a->name);
        if (a->parent) {
            fputs(", parent: ", out);
            trace_put_id(out, w, a->parent);
        }
        fputs(", shares: ", out);
        put_shares(out, a->shares);
        if (a->usage > 0)
            fprintf(out, ", usage: %.17g", a->usage);
        trace_put_limits(out, w, a->limits);
        put_users(out, w, next, first[i]);
        fputs("}\n", out);
    }
    gs_array_free(first);
    gs_array_free(next);
}

static void put_grace(FILE *out, int64_t us)
{
    if (us == 0)
        return;
    fputs(", grace: ", out);
    trace_put_time(out, us);
}

void trace_put_accounts(FILE *out, const struct trace_workload *w)
{
    if (w->accounts->account_count)
        put_accounts(out, w);
    if (w->accounts->qos_count)
        fputs("qos:\n", out);
    for (uint32_t i = 0; i < w->accounts->qos_count; i++) {
        fputs("  ", out);
        trace_put_id(out, w, w->accounts->qos[i].name);
        fprintf(out, ": {priority: %" PRIu32, w->accounts->qos[i].priority);
        if (w->accounts->qos[i].usage_factor > 1
            || w->accounts->qos[i].usage_factor < 1)
            fprintf(out, ", usage_factor: %.17g",
                    w->accounts->qos[i].usage_factor);
        if (w->accounts->qos[i].over_partition)
            fputs(", over_partition: true", out);
        put_grace(out, w->accounts->qos[i].grace);
        if (w->accounts->qos[i].stays)
            fputs(", decays: false", out);
        trace_put_limits(out, w, w->accounts->qos[i].limits);
        fputs("}\n", out);
    }
    if (w->accounts->partition_count)
        fputs("partitions:\n", out);
    for (uint32_t i = 0; i < w->accounts->partition_count; i++) {
        fputs("  ", out);
        trace_put_id(out, w, w->accounts->partition[i].name);
        fprintf(out, ": {tier: %" PRIu32 ", factor: %" PRIu32,
                w->accounts->partition[i].tier,
                w->accounts->partition[i].factor);
        if (w->accounts->partition[i].qos) {
            fputs(", qos: ", out);
            trace_put_id(out, w, w->accounts->partition[i].qos);
        }
        put_grace(out, w->accounts->partition[i].grace);
        fputs("}\n", out);
    }
}

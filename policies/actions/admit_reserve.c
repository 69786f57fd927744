/* policies/actions/admit_reserve.c - see admit_reserve.h. */
#include "policies/actions/admit_reserve.h"

#include "policies/actions/admit_heads.h"
#include "policies/state/quota_holds.h"

/* Use it until the end of the round. */
static void reserve(struct gsched *s, uint32_t node, uint32_t cell,
                    int64_t amount)
{
    struct gsched_admits *a = s->admits;

    if (amount <= 0)
        return;
    a->reserved = gs_array_grow(a->reserved, &a->reserved_cap,
                                a->reserved_count + 1, sizeof(*a->reserved));
    a->reserved[a->reserved_count++] = (struct quota_reserved){ node, cell,
                                                                amount };
    quotas_use(s->quotas->q, node, cell, amount);
}

void gsched_reserve_all(struct gsched *s, const struct contest_entry *e)
{
    for (uint32_t i = 0; i < e->choice.asks; i++)
        reserve(s, e->node, e->choice.ask[i].cell, e->choice.ask[i].amount);
}

void gsched_reserve_own(struct gsched *s, const struct contest_entry *e)
{
    for (uint32_t i = 0; i < e->choice.asks; i++) {
        const struct quota_ask *ask = &e->choice.ask[i];
        const struct quota_amount *a = quotas_amount(s->quotas->q, e->node,
                                                     ask->cell);
        int64_t most = a->nominal - a->usage;

        if (e->choice.level > 0
            && (a->borrow < 0
                || __builtin_add_overflow(most, a->borrow, &most)))
            most = ask->amount;
        reserve(s, e->node, ask->cell, most < ask->amount ? most : ask->amount);
    }
}

void gsched_reserved_free(struct gsched *s)
{
    struct gsched_admits *a = s->admits;

    while (a->reserved_count > 0) {
        const struct quota_reserved *r = &a->reserved[--a->reserved_count];

        quotas_unuse(s->quotas->q, r->node, r->cell, r->amount);
    }
}

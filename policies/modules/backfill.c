/* policies/modules/backfill.c - how jobs may run before one that is blocked.
 *
 * `easy` (Lifka, JSSPP'95): the first blocked job has a reservation.
 * `conservative` (Mu'alem and Feitelson, TPDS 2001): every blocked job has.
 * `best-effort` (Volcano): only tasks that ask for nothing.
 */
#include "policies/policy.h"

struct backfill {
    struct gsp_backfill how;
};

static const char *const modes[] = {
    "none", "best-effort", "easy", "conservative", NULL,
};

static const char *const plans[] = { "keep", "replan", NULL };

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "easy", 0, 0,
      "none, best-effort, easy or conservative", modes },
    { "plan", GSP_CHOICE, "keep", 0, 0,
      "conservative: keep reservations, moving up, or replan", plans },
};

static int backfill_open(const struct gsp_host *host, void *ctx,
                         const union gsp_value *value, void **self)
{
    struct backfill *b = host->keep(ctx, sizeof(*b));

    b->how.mode = (enum gsp_backfill_mode)value[0].whole;
    b->how.replan = value[1].whole == 1;
    *self = b;
    return 0;
}

static bool backfill_backfill(void *self, struct gsp_backfill *out)
{
    const struct backfill *b = self;

    *out = b->how;
    return true;
}

/* Only reservations need to know when jobs end. */
static uint32_t backfill_unread(const union gsp_value *value)
{
    return value[0].whole >= GSP_BACKFILL_EASY ? 0 : GSP_READS_ESTIMATE;
}

extern const struct gsp_module gsp_module_backfill;
const struct gsp_module gsp_module_backfill = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "backfill",
    .summary = "jobs run before a blocked one where that costs it nothing",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .reads = GSP_READS_ESTIMATE,
    .open = backfill_open,
    .unread = backfill_unread,
    .backfill = backfill_backfill,
};

/* policies/modules/backfill.c - jobs that may start before a blocked job.
 *
 * `easy` (Lifka, JSSPP'95): the first blocked job has a reservation.
 * `conservative` (Mu'alem and Feitelson, TPDS 2001): every blocked job has one.
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

enum { MODE, PLAN };

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "easy", 0, 0,
      "none, best-effort, easy or conservative", modes },
    { "plan", GSP_CHOICE, "keep", 0, 0,
      "conservative: keep reservations, moving up, or replan", plans },
};

static bool backfill_backfill(void *self, struct gsp_backfill *out)
{
    const struct gsp_self *b = self;

    out->mode = (enum gsp_backfill_mode)b->value[MODE].whole;
    out->replan = b->value[PLAN].whole == 1;
    return true;
}

/* Estimates are only read for reservations. */
static uint32_t backfill_unread(const union gsp_value *value)
{
    return value[0].whole >= GSP_BACKFILL_EASY ? 0 : GSP_READS_ESTIMATE;
}

extern const struct gsp_module gsp_module_backfill;
const struct gsp_module gsp_module_backfill = {
    GSP_ABI,
    .name = "backfill",
    .summary = "jobs run before a blocked one where that costs it nothing",
    GSP_PARAMS(params),
    .reads = GSP_READS_ESTIMATE,
    .unread = backfill_unread,
    .backfill = backfill_backfill,
};

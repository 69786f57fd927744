/* policies/modules/backfill.c - jobs that may start before a blocked job.
 *
 * `easy` (Lifka, JSSPP'95): the first blocked job has a reservation.
 * `conservative` (Mu'alem and Feitelson, TPDS 2001): every blocked job has one.
 * `best-effort` (Volcano): only tasks that ask for nothing.
 * `windowed` (Slurm): at intervals, the first jobs in order are planned anew,
 * on whole nodes and a grid of time.
 */
#include "policies/policy.h"

struct backfill {
    struct gsp_backfill how;
};

static const char *const modes[] = {
    "none", "best-effort", "easy", "conservative", "windowed", NULL,
};

static const char *const plans[] = { "keep", "replan", NULL };

static const char *const rounds[] = { "up", "down", NULL };

enum {
    MODE,
    PLAN,
    INTERVAL,
    WINDOW,
    RESOLUTION,
    JOBS,
    STARTS,
    PER_USER,
    PER_QUEUE_USER,
    PER_PARTITION,
    PER_PARTITION_USER,
    RESERVED,
    MIN_WAIT,
    MIN_PRIORITY,
    WINDOW_STEP,
    ROUND,
    PHASE,
    CLOCK,
    RECORDS,
    RUNNING,
    BUSY
};

static const struct gsp_param params[] = {
    { "mode", GSP_CHOICE, "easy", 0, 0,
      "none, best-effort, easy, conservative or windowed", modes },
    { "plan", GSP_CHOICE, "keep", 0, 0,
      "conservative: keep reservations, moving up, or replan", plans },
    { "interval", GSP_TIME, "30s", 0, 0, "windowed: time between passes",
      NULL },
    { "window", GSP_TIME, "1d", 0, 0,
      "windowed: no reservation starts later than this", NULL },
    { "resolution", GSP_TIME, "60s", 0, 0,
      "windowed: grid of the begins and ends of reservations", NULL },
    { "jobs", GSP_WHOLE, "500", 1, 1000000,
      "windowed: jobs for which a place is searched in one pass", NULL },
    { "starts", GSP_WHOLE, "0", 0, 1000000,
      "windowed: jobs started in one pass at most; 0: any number", NULL },
    { "per_user", GSP_WHOLE, "0", 0, 1000000,
      "windowed: jobs of a user looked at; 0: all", NULL },
    { "per_queue_user", GSP_WHOLE, "0", 0, 1000000,
      "windowed: jobs of a user in a queue looked at; 0: all", NULL },
    { "per_partition", GSP_WHOLE, "0", 0, 1000000,
      "windowed: jobs of a partition looked at; 0: all", NULL },
    { "per_partition_user", GSP_WHOLE, "0", 0, 1000000,
      "windowed: jobs of a user in a partition looked at; 0: all", NULL },
    { "reserved_per_partition", GSP_WHOLE, "0", 0, 1000000,
      "windowed: reservations in a partition; 0: any number", NULL },
    { "min_wait", GSP_TIME, "0", 0, 0,
      "windowed: a job that waits for less has no reservation", NULL },
    { "min_priority", GSP_WHOLE, "0", 0, INT32_MAX,
      "windowed: a job of lower priority has no reservation; 0: none", NULL },
    { "window_step", GSP_TIME, "0", 0, 0,
      "windowed: growth of the time in which ends are one; 0: it doubles",
      NULL },
    { "round", GSP_CHOICE, "up", 0, 0,
      "windowed: the end of a reservation is rounded up or down", rounds },
    { "phase", GSP_TIME, "0", 0, 0, "windowed: time of the first pass", NULL },
    { "clock", GSP_TIME, "0", 0, 0,
      "windowed: what the clock of the grid shows at time 0, added to the "
      "trace's epoch",
      NULL },
    { "records", GSP_WHOLE, "0", 0, 2000000,
      "windowed: a pass ends with so many in its map; 0: as many as jobs",
      NULL },
    { "running", GSP_YESNO, "no", 0, 0,
      "windowed: running jobs that fill nodes have reservations, too", NULL },
    { "busy_nodes", GSP_YESNO, "no", 0, 0,
      "windowed: reservations are on nodes where jobs run, if they can", NULL },
};

#define DAY INT64_C(86400000000) /* us; whole half minutes and resolutions */

/* What the clock shows at time 0, within a day. */
static gsp_time clock_of(const struct gsp_self *b)
{
    return (b->value[CLOCK].whole % DAY + b->host->epoch(b->ctx) % DAY + DAY)
           % DAY;
}

static bool backfill_backfill(void *self, struct gsp_backfill *out)
{
    const struct gsp_self *b = self;

    out->mode = (enum gsp_backfill_mode)b->value[MODE].whole;
    out->replan = b->value[PLAN].whole == 1;
    out->interval = b->value[INTERVAL].whole;
    out->phase = b->value[PHASE].whole;
    out->clock = clock_of(b);
    out->window = b->value[WINDOW].whole;
    out->resolution = b->value[RESOLUTION].whole;
    out->window_step = b->value[WINDOW_STEP].whole;
    out->min_wait = b->value[MIN_WAIT].whole;
    out->min_priority = (int32_t)b->value[MIN_PRIORITY].whole;
    out->jobs = (uint32_t)b->value[JOBS].whole;
    out->starts = (uint32_t)b->value[STARTS].whole;
    out->per_user = (uint32_t)b->value[PER_USER].whole;
    out->per_queue_user = (uint32_t)b->value[PER_QUEUE_USER].whole;
    out->per_partition = (uint32_t)b->value[PER_PARTITION].whole;
    out->per_partition_user = (uint32_t)b->value[PER_PARTITION_USER].whole;
    out->reserved_per_partition = (uint32_t)b->value[RESERVED].whole;
    out->records = (uint32_t)b->value[RECORDS].whole;
    out->running = b->value[RUNNING].whole != 0;
    out->busy_nodes = b->value[BUSY].whole != 0;
    out->rounds_down = b->value[ROUND].whole == 1;
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

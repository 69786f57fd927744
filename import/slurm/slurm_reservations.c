/* import/slurm/slurm_reservations.c - see slurm_reservations.h. */
#include "import/slurm/slurm_reservations.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/timezone.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "topology/topology.h"
#include "traces/workload/reservations.h"
#include "traces/workload/workload.h"

#define DAY (INT64_C(86400) * GS_SECOND)
#define TIMES_MAX 2000 /* of one that repeats */

/* --- reading -------------------------------------------------------------- */

/* A local time as us since 1970; SLURM_UNKNOWN. */
static int64_t time_of(struct slurm *s, const char *text, size_t len)
{
    int64_t us;

    if (gs_date_parse(text, len, &us) < 0)
        return SLURM_UNKNOWN;
    s->has_local_times = true;
    return s->zone ? gs_zone_utc(s->zone, us / GS_SECOND, NULL) * GS_SECOND
                   : us;
}

static void pair_take(struct slurm *s, struct slurm_reservation *r,
                      const char *key, size_t key_len, const char *value,
                      size_t len)
{
    const bool is_none = slurm_is_none(value, len);

    if (slurm_is_word(key, key_len, "StartTime"))
        r->start = time_of(s, value, len);
    else if (slurm_is_word(key, key_len, "EndTime"))
        r->end = time_of(s, value, len);
    else if (slurm_is_word(key, key_len, "Nodes") && !is_none)
        r->nodes = gs_arena_strndup(s->arena, value, len);
    else if (slurm_is_word(key, key_len, "Flags") && !is_none)
        r->flags = gs_arena_strndup(s->arena, value, len);
    else if ((slurm_is_word(key, key_len, "Licenses")
              || slurm_is_word(key, key_len, "BurstBuffer"))
             && !is_none)
        slurm_tell(s, IMPORT_IGNORED, &r->at, "%.*s of a reservation",
                   (int)key_len, key);
    else if (slurm_is_word(key, key_len, "CoreIDs"))
        slurm_tell(s, IMPORT_ASSUMED, &r->at,
                   "reservations of some cores are of their whole nodes");
}

static void line_take(struct slurm *s, const char *p, int line)
{
    while (*p) {
        const char *key, *equals;

        while (isspace((unsigned char)*p))
            p++;
        key = p;
        while (*p && !isspace((unsigned char)*p))
            p++;
        equals = memchr(key, '=', (size_t)(p - key));
        if (!equals)
            continue;
        if (slurm_is_word(key, (size_t)(equals - key), "ReservationName")) {
            s->reservation = gs_array_grow(s->reservation, &s->reservation_cap,
                                           s->reservations + 1,
                                           sizeof(*s->reservation));
            s->reservation[s->reservations++] = (struct slurm_reservation){
                .name = slurm_put(s, equals + 1, (size_t)(p - equals) - 1),
                .start = SLURM_UNKNOWN,
                .end = SLURM_UNKNOWN,
                .at = slurm_place_at(s, line, 1),
            };
        } else if (s->reservations) {
            pair_take(s, &s->reservation[s->reservations - 1], key,
                      (size_t)(equals - key), equals + 1,
                      (size_t)(p - equals) - 1);
        }
    }
}

int slurm_reservations_read(struct slurm *s, struct gs_input *in,
                            struct gs_err *err)
{
    size_t len;
    char *line;
    int rc;

    assert(s && in);
    while ((rc = gs_input_line(in, &line, &len, err)) > 0)
        line_take(s, line, gs_input_line_number(in));
    return rc;
}

/* --- making --------------------------------------------------------------- */

struct reserving {
    struct slurm *s;
    struct trace_workload *w;
    const struct slurm_reservation *r;
    int64_t epoch, last; /* us since 1970 */
    uint32_t *node, count, cap;
};

static int node_take(void *ctx, const char *name, size_t len)
{
    struct reserving *x = ctx;

    if (x->count >= TOPO_NODES_MAX)
        return -1;
    x->node = gs_array_grow(x->node, &x->cap, x->count + 1, sizeof(*x->node));
    x->node[x->count++] = slurm_put(x->s, name, len);
    return 0;
}

static bool has_flag(const struct reserving *x, const char *flag)
{
    return x->r->flags && slurm_list_has(x->r->flags, flag);
}

/* Days between two times; 0: it does not repeat. */
static int64_t period_of(const struct reserving *x)
{
    if (has_flag(x, "HOURLY"))
        return DAY / 24;
    if (has_flag(x, "WEEKLY"))
        return 7 * DAY;
    return has_flag(x, "DAILY") || has_flag(x, "WEEKDAY")
                   || has_flag(x, "WEEKEND")
               ? DAY
               : 0;
}

/* WEEKDAY and WEEKEND leave days out.  1970 began on a Thursday. */
static bool is_day(const struct reserving *x, int64_t start)
{
    const bool is_end = (start / DAY + 4) % 7 == 0
                        || (start / DAY + 4) % 7 == 6;

    return has_flag(x, "WEEKDAY")   ? !is_end
           : has_flag(x, "WEEKEND") ? is_end
                                    : true;
}

static void time_put(const struct reserving *x, int64_t start)
{
    const int64_t end = start + x->r->end - x->r->start;

    if (end <= x->epoch || !is_day(x, start))
        return;
    (void)trace_reservation_add(
        x->w,
        &(struct trace_reservation){
            .name = x->r->name,
            .start = start > x->epoch ? start - x->epoch : 0,
            .end = end - x->epoch,
            .is_flexible = has_flag(x, "FLEX") },
        x->node, x->count);
}

static void times_put(struct reserving *x)
{
    const int64_t period = period_of(x);
    int64_t start = x->r->start;
    int times = 0;

    if (!period) {
        time_put(x, start);
        return;
    }
    slurm_tell(x->s, IMPORT_ASSUMED, &x->r->at,
               "reservations that repeat do so from the first to the last time "
               "of a job");
    if (start > x->epoch)
        start -= (start - x->epoch) / period * period;
    for (; start <= x->last && times < TIMES_MAX; start += period, times++)
        time_put(x, start);
}

static void reservation_make(struct reserving *x)
{
    const char *why, *const nodes = x->r->nodes;

    x->count = 0;
    if (!nodes || x->r->start == SLURM_UNKNOWN || x->r->end == SLURM_UNKNOWN
        || x->r->end <= x->r->start || x->r->end - x->r->start > GS_TIME_MAX
        || slurm_hostlist_read(nodes, strlen(nodes), node_take, x, &why) != 0
        || x->count == 0) {
        slurm_tell(x->s, IMPORT_LEFT, &x->r->at,
                   "reservations without nodes, or without times");
        return;
    }
    if (has_flag(x, "MAGNETIC"))
        slurm_tell(x->s, IMPORT_IGNORED, &x->r->at,
                   "flag MAGNETIC of a reservation: jobs that do not name it");
    import_account_count(x->s->account, "reservation", IMPORT_USED);
    times_put(x);
}

void slurm_reservations_make(struct slurm *s, struct trace_workload *w,
                             int64_t epoch)
{
    struct reserving x = { .s = s, .w = w, .epoch = epoch, .last = epoch };

    assert(s && w);
    for (uint32_t i = 0; i < s->jobs; i++) {
        const int64_t end = s->job[i].end;

        if (s->job[i].submit > x.last)
            x.last = s->job[i].submit;
        if (end != SLURM_UNKNOWN && end > x.last)
            x.last = end;
    }
    for (uint32_t i = 0; i < s->reservations; i++) {
        x.r = &s->reservation[i];
        reservation_make(&x);
    }
    gs_array_free(x.node);
    for (uint32_t i = 0; i < w->job_count && s->reservations; i++) {
        struct trace_job_aside aside = *w->job[i].aside;

        if (!aside.reservation || trace_reservation_is(w, aside.reservation))
            continue;
        aside.reservation = 0;
        trace_job_aside_set(w, i, &aside);
    }
}

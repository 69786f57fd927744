/* policies/modules/time-windows.c - nodes that take tasks at some hours only.
 *
 * Volcano's plugin tdm.  Nodes with the taint `taint=ZONE` take tasks in the
 * window of that zone, every day; they are preferred for the tasks that
 * tolerate the taint.  When a window is over, the action shuffle evicts what
 * runs there, `most` tasks of a job in each `period`.  Zones without a window
 * take none.
 *
 * Jobs that may not use zones go first.  Only jobs that are not preemptible and
 * may not use zones preempt others: `most` tasks of a job, outside the zones.
 */
#include <string.h>

#include "policies/policy.h"

enum { TAINT, ZONES, TIMEZONE, PERIOD, MOST, WEIGHT };

#define MINUTE (INT64_C(60) * 1000000)
#define DAY (24 * 60 * MINUTE)
#define POINTS (100 * GSP_POINT)

/* The window of a zone, times of the day; over midnight: from > to. */
struct window {
    const char *zone;
    size_t len;
    gsp_time from, to;
};

enum { NO_ZONE, NO_WINDOW, FIRST_WINDOW };

struct windows {
    const struct gsp_host *host;
    void *ctx;
    const union gsp_value *value;
    struct window *window;
    uint32_t windows;
    uint32_t *of;   /* [class] its window + FIRST_WINDOW; NO_ZONE, NO_WINDOW */
    gsp_time shift; /* of the zone's clock to the time of the run */
    gsp_time next;  /* when tasks may be evicted again */
};

static const struct gsp_param params[] = {
    { "taint", GSP_TEXT, "zone", 0, 0, "taint of nodes that names their zone",
      NULL },
    { "zones", GSP_TEXT, "none", 0, 0,
      "windows in which zones are open: night 20:00-06:00, noon 12:00-13:30",
      NULL },
    { "timezone", GSP_TEXT, "+00:00", 0, 0,
      "of the windows, from UTC: +08:00; without an epoch a run begins at 00:00",
      NULL },
    { "period", GSP_TIME, "1m", 1, INT64_MAX,
      "time between evictions after a window (action shuffle)", NULL },
    { "most", GSP_WHOLE, "1", 1, 1000000,
      "tasks of a job that are evicted at once", NULL },
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

/* --- the text ------------------------------------------------------------- */

static const char *skip(const char *s)
{
    return s + strspn(s, ", ");
}

/* Read "HH:MM", at most 24:00, to *at.  Returns the text behind it, or NULL. */
static const char *read_time(const char *s, gsp_time *at)
{
    int part[2] = { 0, 0 };

    for (int i = 0; i < 5; i++) {
        if (i == 2 ? s[i] != ':' : s[i] < '0' || s[i] > '9')
            return NULL;
        if (i != 2)
            part[i > 2] = part[i > 2] * 10 + (s[i] - '0');
    }
    *at = (part[0] * 60 + part[1]) * MINUTE;
    return part[1] < 60 && *at <= DAY ? s + 5 : NULL;
}

static const char *read_window(const char *s, struct window *w)
{
    w->zone = s;
    w->len = strcspn(s, " ,");
    s += w->len;
    s = read_time(s + strspn(s, " "), &w->from);
    s = s && *s == '-' ? read_time(s + 1, &w->to) : NULL;
    return s && (!*s || *s == ' ' || *s == ',') ? skip(s) : NULL;
}

static int zones_read(struct windows *w)
{
    const char *text = w->value[ZONES].text;
    const char *s = strcmp(text, "none") == 0 ? "" : skip(text);

    /* each has 11 characters and its name */
    w->window = w->host->keep(w->ctx,
                              (strlen(text) / 12 + 1) * sizeof(*w->window));
    while (*s) {
        s = read_window(s, &w->window[w->windows]);
        if (!s)
            return w->host->fail(
                w->ctx, "'zones' lists NAME HH:MM-HH:MM, but is", text);
        w->windows++;
    }
    return 0;
}

static int timezone_read(struct windows *w)
{
    const char *text = w->value[TIMEZONE].text;
    const char *s = *text == '+' || *text == '-'
                        ? read_time(text + 1, &w->shift)
                        : NULL;

    if (!s || *s)
        return w->host->fail(w->ctx, "'timezone' is such as +08:00, but is",
                             text);
    if (*text == '-')
        w->shift = -w->shift;
    w->shift += w->host->epoch(w->ctx);
    return 0;
}

/* The window of the classes of nodes, by their taint. */
static void classes_read(struct windows *w)
{
    const uint32_t classes = w->host->classes(w->ctx);

    w->of = w->host->keep(w->ctx, classes * sizeof(*w->of));
    for (uint32_t k = 0; k < classes; k++) {
        const char *zone = w->host->class_taint(w->ctx, k,
                                                w->value[TAINT].text);

        w->of[k] = zone ? NO_WINDOW : NO_ZONE;
        for (uint32_t i = 0; zone && i < w->windows; i++) {
            const struct window *x = &w->window[i];

            if (strlen(zone) == x->len && memcmp(zone, x->zone, x->len) == 0)
                w->of[k] = FIRST_WINDOW + i;
        }
    }
}

static int windows_open(const struct gsp_host *host, void *ctx,
                        const union gsp_value *value, void **self)
{
    struct windows *w = host->keep(ctx, sizeof(*w));

    *w = (struct windows){ .host = host, .ctx = ctx, .value = value };
    *self = w;
    if (zones_read(w) < 0 || timezone_read(w) < 0)
        return -1;
    classes_read(w);
    return 0;
}

/* --- nodes ---------------------------------------------------------------- */

static bool windows_class_open(void *self, uint32_t klass, gsp_time *until)
{
    const struct windows *w = self;
    const struct window *x;
    gsp_time at, next;
    bool is_open;

    *until = GSP_NEVER;
    if (w->of[klass] < FIRST_WINDOW)
        return w->of[klass] == NO_ZONE;
    x = &w->window[w->of[klass] - FIRST_WINDOW];
    if (x->from % DAY == x->to % DAY)
        return true;
    at = ((w->host->now(w->ctx) % DAY + w->shift % DAY) % DAY + DAY) % DAY;
    is_open = x->from < x->to ? at >= x->from && at < x->to
                              : at >= x->from || at < x->to;
    next = is_open ? x->to : x->from;
    *until = w->host->now(w->ctx) + (next - at + DAY - 1) % DAY + 1;
    return is_open;
}

static bool may_use(const struct windows *w, const struct gsp_task *t)
{
    return w->host->tolerates(w->ctx, t, w->value[TAINT].text, NULL);
}

static void windows_score(void *self, const struct gsp_view *v,
                          const struct gsp_task *t, int64_t *score)
{
    const struct windows *w = self;
    const bool may = may_use(w, t);

    for (uint32_t i = 0; i < v->states && may; i++) {
        if (w->of[v->klass[i]] != NO_ZONE)
            score[i] += w->value[WEIGHT].whole * POINTS;
    }
}

/* --- jobs ----------------------------------------------------------------- */

static bool job_may_use(const struct windows *w, const struct gsp_job *j)
{
    return may_use(w, w->host->job_task(j, 0));
}

static int windows_job_order(void *self, const struct gsp_job *a,
                             const struct gsp_job *b)
{
    return (int)job_may_use(self, a) - (int)job_may_use(self, b);
}

/* Victims before `i` that may go and are of the same job. */
static uint32_t gone(const struct windows *w, const struct gsp_victims *v,
                     uint32_t i, const uint8_t *spared)
{
    const uint32_t id = w->host->job_id(v->at[i].job);
    uint32_t n = 0;

    for (uint32_t k = 0; k < i; k++)
        n += !spared[k] && w->host->job_id(v->at[k].job) == id;
    return n;
}

static bool windows_victims(void *self, enum gsp_why why,
                            const struct gsp_job *j,
                            const struct gsp_victims *v, uint8_t *spared)
{
    const struct windows *w = self;
    const bool may = why == GSP_PREEMPT && w->host->job_stays(j)
                     && !job_may_use(w, j);

    if (why != GSP_PREEMPT)
        return false;
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t node = w->host->victim_node(&v->at[i]);
        const uint32_t klass = w->host->node_class(w->ctx, node);

        spared[i] = !may || w->of[klass] != NO_ZONE
                    || gone(w, v, i, spared) >= w->value[MOST].whole;
    }
    return true;
}

static gsp_time windows_moves_at(void *self)
{
    return ((const struct windows *)self)->next;
}

static uint32_t windows_moves(void *self, const struct gsp_standing *v,
                              uint8_t *goes)
{
    struct windows *w = self;
    const gsp_time now = w->host->now(w->ctx), period = w->value[PERIOD].whole;
    gsp_time until;

    w->next = now < GSP_NEVER - period ? now + period : GSP_NEVER;
    for (uint32_t i = 0; i < v->count; i++)
        goes[i] = !windows_class_open(
            w, w->host->node_class(w->ctx, v->at[i].node), &until);
    return (uint32_t)w->value[MOST].whole;
}

extern const struct gsp_module gsp_module_time_windows;
const struct gsp_module gsp_module_time_windows = {
    GSP_ABI,
    .name = "time-windows",
    .summary = "zones of nodes that take tasks at some hours only (Volcano)",
    GSP_PARAMS(params),
    .promises = GSP_SCORE_RISES,
    .reads = GSP_READS_PREEMPTIBLE,
    .open = windows_open,
    .job_order = windows_job_order,
    .score = windows_score,
    .victims = windows_victims,
    .gang_victims = windows_victims,
    .class_open = windows_class_open,
    .moves_at = windows_moves_at,
    .moves = windows_moves,
};

/* traces/formats/swf.c - the Standard Workload Format: one job per line, 18
 * numbers, -1 for unknown (Parallel Workloads Archive, version 2.2).
 *
 * A job runs for its recorded time, cut at the requested time, on its allocated
 * processors.  A job that never ran, or started before the log by its record,
 * gets a duration of one second, since it was in the queue.  Of others the wait
 * time says when they really started.
 */
#include <string.h>

#include "base/duration.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "traces/formats/reading.h"
#include "traces/workload/records.h"

enum {
    NUMBER = 1,
    SUBMIT = 2,
    WAIT = 3,
    RUN = 4,
    PROCS = 5,
    REQUESTED_TIME = 9,
    USER = 12,
    READ = 12, /* number of fields that are read */
    FIELDS = 18,
};

static const char *const field_name[READ + 1] = {
    NULL,
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
};

#define USERS 1024 /* user numbers with cached names */

struct swf {
    struct trace_reading *r;
    uint64_t max_procs;   /* 0: not stated */
    uint32_t user[USERS]; /* string ids; 0: not seen yet */
};

/* One line; times in microseconds, since fractions of a second occur. */
struct record {
    int64_t value[READ + 1];
    const char *number;
    size_t number_len;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Read a number with an optional sign, and skip it. */
static int number_take(const char **p, int64_t unit, int64_t *out)
{
    const bool is_negative = **p == '-';
    const char *s = *p + (is_negative || **p == '+');
    const size_t n = gs_decimal_parse(s, SIZE_MAX, unit, out, NULL);

    if (n == 0)
        return -1;
    *p = s + n;
    *out = is_negative ? -*out : *out;
    return 0;
}

static int bad_field(const struct swf *s, const char *line, const char *at,
                     unsigned field, struct gs_err *err)
{
    const struct trace_reading *r = s->r;
    const struct gs_mark mark = trace_reading_mark(
        r, gs_input_line_number(r->in), (int)(at - line) + 1);
    const int len = (int)strcspn(at, " \t");

    return gs_fail(err, GS_INPUT, mark,
                   "field %u (%s) must be a number (got '%.*s')", field,
                   field_name[field], len < 40 ? len : 40, at);
}

/* Count the fields from `p` on, of which `n` came before. */
static unsigned count_fields(const char *p, unsigned n)
{
    while (n < FIELDS) {
        while (is_blank(*p))
            p++;
        if (!*p)
            return n;
        n++;
        while (*p && !is_blank(*p))
            p++;
    }
    return n;
}

static int parse_line(const struct swf *s, const char *line, struct record *rec,
                      struct gs_err *err)
{
    const char *p = line;
    unsigned n;

    for (n = 1; n <= READ; n++) {
        const char *begin;

        while (is_blank(*p))
            p++;
        if (!*p)
            break;
        begin = p;
        if (number_take(&p, GS_SECOND, &rec->value[n]) < 0
            || (*p && !is_blank(*p)))
            return bad_field(s, line, begin, n, err);
        if (n == NUMBER) {
            rec->number = begin;
            rec->number_len = (size_t)(p - begin);
        }
    }
    n = count_fields(p, n - 1);
    if (n < FIELDS)
        return gs_fail(
            err, GS_INPUT,
            trace_reading_mark(s->r, gs_input_line_number(s->r->in), 0),
            "a job has %d fields (got %u)", FIELDS, n);
    return 0;
}

/* The number of the user as text; 0 when unknown. */
static uint32_t user_of(struct swf *s, int64_t us)
{
    const int64_t number = us / GS_SECOND;
    uint32_t id;

    if (number <= 0)
        return 0;
    if (number < USERS && s->user[number])
        return s->user[number];
    id = trace_number_name(s->r->w->names, "", number);
    if (number < USERS)
        s->user[number] = id;
    return id;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The run that the log recorded, with its whole run time. */
static void record_take(const struct swf *s, const int64_t *v,
                        struct trace_job *job)
{
    const struct trace_record r = { .wait = v[WAIT], .length = v[RUN] };

    job->first_record = trace_workload_record(s->r->w, &r);
    job->record_count = 1;
}

static int add_job(struct swf *s, const struct record *rec, struct gs_err *err)
{
    const int64_t *v = rec->value;
    const struct gs_mark at = trace_reading_mark(
        s->r, gs_input_line_number(s->r->in), 0);
    const int64_t asked = v[REQUESTED_TIME] > 0 ? v[REQUESTED_TIME] : v[RUN];
    struct trace_job job = { .submit = v[SUBMIT], .retries = TRACE_NONE };
    uint64_t procs = (uint64_t)max(v[PROCS] / GS_SECOND, 1);

    if (v[PROCS] > 0 && v[PROCS] % GS_SECOND)
        return gs_fail(err, GS_INPUT, at,
                       "field 5 (allocated processors) must be a whole "
                       "number");
    if (v[RUN] > 0 && v[PROCS] > 0 && v[SUBMIT] >= 0) {
        job.duration = max(v[RUN] < asked ? v[RUN] : asked, GS_SECOND);
        job.estimate = max(max(v[RUN], asked), GS_SECOND);
        if (v[WAIT] >= 0)
            record_take(s, v, &job);
    } else {
        job.submit = max(v[SUBMIT], GS_SECOND);
        job.duration = job.estimate = GS_SECOND;
    }
    if (s->max_procs && procs > s->max_procs)
        procs = s->max_procs;
    job.name = gs_strtab_put(s->r->w->names, rec->number, rec->number_len);
    job.user = user_of(s, v[USER]);
    return trace_reading_add_units(s->r, &job, procs, at, err);
}

/* "; MaxProcs: 128" */
static void read_comment(struct swf *s, const char *p)
{
    int64_t v;

    while (*p == ';' || is_blank(*p))
        p++;
    if (strncmp(p, "MaxProcs:", 9) == 0) {
        p += 9;
        while (is_blank(*p))
            p++;
        if (number_take(&p, 1, &v) == 0 && v > 0 && v <= UINT32_MAX) {
            s->max_procs = (uint64_t)v;
            s->r->facts->max_procs = (uint32_t)v;
        }
    } else if (strncmp(p, "UnixStartTime:", 14) == 0) {
        p += 14;
        while (is_blank(*p))
            p++;
        if (number_take(&p, GS_SECOND, &v) == 0 && v > 0)
            s->r->facts->epoch = v;
    }
}

int trace_read_swf(struct trace_reading *r, struct gs_err *err)
{
    struct swf s = { .r = r };
    struct record rec;
    bool failed = false;
    char *line;
    size_t len;
    int more;

    while ((more = gs_input_line(r->in, &line, &len, err)) > 0) {
        const char *p = line;

        while (is_blank(*p))
            p++;
        if (*p == ';') {
            read_comment(&s, p);
        } else if (*p
                   && (parse_line(&s, line, &rec, err) < 0
                       || add_job(&s, &rec, err) < 0)) {
            failed = true;
            if (!gs_err_wants_more(err))
                break;
        }
    }
    return failed || more < 0 ? -1 : 0;
}

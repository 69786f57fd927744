/* import/slurm/sacct_row.c - see sacct_row.h. */
#include "import/slurm/sacct_row.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/timezone.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/workload.h"

#define ARRAY_MAX 100000 /* tasks of one row */
#define NODES_MAX TRACE_REPLICAS_MAX

struct row {
    struct slurm *s;
    const struct sacct_cell *cell;
    struct slurm_place at;
    struct slurm_job job;
};

static void left(struct row *r, const char *what, enum sacct_field f)
{
    const struct sacct_cell *c = &r->cell[f];
    char shown[40];
    char text[80] = "";

    if (f < SACCT_FIELDS && c->text && c->len) {
        (void)snprintf(text, sizeof(text), "%.*s",
                       (int)(c->len < 60 ? c->len : 60), c->text);
        slurm_tell(r->s, IMPORT_LEFT, &r->at, "rows %s (the first: '%s')", what,
                   gs_text_shown(text, shown, sizeof(shown)));
        return;
    }
    slurm_tell(r->s, IMPORT_LEFT, &r->at, "rows %s", what);
}

/* The first byte of a cell, and its end. */
static const char *cell_begin(const struct sacct_cell *c, const char **end)
{
    const char *text = c->text ? c->text : "";

    *end = text + (c->text ? c->len : 0);
    return text;
}

static bool is_empty(const struct sacct_cell *c)
{
    return !c->text || slurm_is_none(c->text, c->len);
}

/* The text of a cell as a string id; 0 for none. */
static uint32_t text_of(struct row *r, enum sacct_field f)
{
    const struct sacct_cell *c = &r->cell[f];

    if (is_empty(c) || c->len > 4096 || !gs_text_is_clean(c->text, c->len))
        return 0;
    return slurm_put(r->s, c->text, c->len);
}

/* --- times -------------------------------------------------------------------- */

static int two(const char *p)
{
    const unsigned a = (unsigned)(p[0] - '0'), b = (unsigned)(p[1] - '0');

    return a > 9 || b > 9 ? -1 : (int)(a * 10 + b);
}

/* "2026-01-31T12:00:00" as seconds, as if it were UTC. */
static bool civil_read(const char *p, uint32_t len, int64_t *seconds)
{
    static const int before[] = { 0,   31,  59,  90,  120, 151,
                                  181, 212, 243, 273, 304, 334 };
    int y, m, d, h, min, sec;
    int64_t days;

    if (len != 19 || p[4] != '-' || p[7] != '-'
        || (p[10] != 'T' && p[10] != ' ') || p[13] != ':' || p[16] != ':')
        return false;
    y = two(p) * 100 + two(p + 2);
    m = two(p + 5);
    d = two(p + 8);
    h = two(p + 11);
    min = two(p + 14);
    sec = two(p + 17);
    if (two(p) < 0 || two(p + 2) < 0 || y < 1900 || m < 1 || m > 12 || d < 1
        || d > 31 || h < 0 || h > 23 || min < 0 || min > 59 || sec < 0
        || sec > 60)
        return false;
    days = (int64_t)y * 365 + (y - 1) / 4 - (y - 1) / 100 + (y - 1) / 400
           + before[m - 1] + d - 1 - 719527;
    if (m > 2 && y % 4 == 0 && (y % 100 || y % 400 == 0))
        days++;
    if (y % 4 == 0 && (y % 100 || y % 400 == 0)) {
        if (m == 2 && d > 29)
            return false;
    } else if (m == 2 && d > 28) {
        return false;
    }
    *seconds = days * 86400 + h * 3600 + min * 60 + sec;
    return true;
}

static int64_t local_utc(struct row *r, int64_t seconds)
{
    enum gs_zone_hour hour = GS_ZONE_PLAIN;

    if (!r->s->zone)
        return seconds;
    seconds = gs_zone_utc(r->s->zone, seconds, &hour);
    if (hour == GS_ZONE_TWICE)
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "times within the hour that clocks show twice are those of "
                   "the first");
    else if (hour == GS_ZONE_SKIPPED)
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "times within the hour that clocks skip are those of an "
                   "hour later");
    return seconds;
}

/* *us is SLURM_UNKNOWN for no time; -1 for a text that is none. */
static int time_read(struct row *r, enum sacct_field f, int64_t *us)
{
    const struct sacct_cell *c = &r->cell[f];
    uint64_t number;
    int64_t seconds;

    *us = SLURM_UNKNOWN;
    if (is_empty(c))
        return 0;
    if (civil_read(c->text, c->len, &seconds)) {
        r->s->has_local_times = true;
        *us = local_utc(r, seconds) * GS_SECOND;
        return 0;
    }
    if (gs_quantity_parse_u64(c->text, c->len, &number) == 0) {
        if (number >= UINT64_C(100000000000))
            return -1;
        *us = number ? (int64_t)number * GS_SECOND : SLURM_UNKNOWN;
        return 0;
    }
    return gs_date_parse(c->text, c->len, us);
}

static int times_read(struct row *r)
{
    static const struct {
        enum sacct_field field;
        size_t offset;
    } rows[] = {
        { SACCT_SUBMIT, offsetof(struct slurm_job, submit) },
        { SACCT_START, offsetof(struct slurm_job, start) },
        { SACCT_END, offsetof(struct slurm_job, end) },
    };
    struct slurm_job *j = &r->job;
    int64_t eligible;

    for (size_t i = 0; i < 3; i++) {
        char *to = (char *)j + rows[i].offset;

        if (time_read(r, rows[i].field, (int64_t *)(void *)to) < 0) {
            left(r, "with a time that is none", rows[i].field);
            return -1;
        }
    }
    if (time_read(r, SACCT_ELIGIBLE, &eligible) < 0) {
        left(r, "with a time that is none", SACCT_ELIGIBLE);
        return -1;
    }
    if (j->submit == SLURM_UNKNOWN)
        j->submit = eligible;
    else if (eligible > j->submit) {
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "jobs that became eligible later than they were submitted "
                   "(--begin, dependencies, holds) are submitted then");
        j->submit = eligible;
    }
    if (j->submit == SLURM_UNKNOWN && j->start != SLURM_UNKNOWN) {
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "jobs without a time of submission are submitted when they "
                   "started");
        j->submit = j->start;
    }
    if (j->submit == SLURM_UNKNOWN) {
        left(r, "without a time of submission", SACCT_FIELDS);
        return -1;
    }
    return 0;
}

static int spans_read(struct row *r)
{
    const struct sacct_cell *elapsed = &r->cell[SACCT_ELAPSED];
    const struct sacct_cell *raw = &r->cell[SACCT_ELAPSED_RAW];
    const struct sacct_cell *limit = &r->cell[SACCT_LIMIT];
    const struct sacct_cell *minutes = &r->cell[SACCT_LIMIT_RAW];
    struct slurm_job *j = &r->job;
    uint64_t number;

    j->elapsed = j->limit = SLURM_UNKNOWN;
    if (!is_empty(raw)) {
        if (gs_quantity_parse_u64(raw->text, raw->len, &number) < 0
            || number > UINT64_C(100000000000)) {
            left(r, "with an elapsed time that is none", SACCT_ELAPSED_RAW);
            return -1;
        }
        j->elapsed = (int64_t)number * GS_SECOND;
    } else if (!is_empty(elapsed)
               && slurm_elapsed_read(elapsed->text, elapsed->len, &j->elapsed)
                      < 0) {
        left(r, "with an elapsed time that is none", SACCT_ELAPSED);
        return -1;
    }
    if (is_empty(minutes) && !is_empty(limit))
        minutes = limit;
    if (is_empty(minutes)
        || slurm_is_word(minutes->text, minutes->len, "Partition_Limit"))
        return 0;
    if (slurm_span_read(minutes->text, minutes->len, &j->limit) < 0)
        left(r, "with a time limit that is none: it is left out",
             minutes == limit ? SACCT_LIMIT : SACCT_LIMIT_RAW);
    return 0;
}

/* --- resources --------------------------------------------------------------------- */

struct tres {
    int64_t cpus, memory, nodes, gpus; /* 0: not stated */
    uint32_t type;                     /* of GPUs; 0 */
    bool has_types;                    /* of more than one type */
    char gres[240];                    /* others: "name=n,..." */
};

static void gpu_add(struct row *r, struct tres *t, const char *type, size_t len,
                    int64_t count)
{
    const uint32_t id = len ? slurm_put(r->s, type, len) : 0;

    if (!id) {
        if (count > t->gpus)
            t->gpus = count;
        return;
    }
    t->has_types = t->has_types || (t->type && t->type != id);
    t->type = id;
}

static void gres_add(struct tres *t, const char *name, size_t len,
                     int64_t count)
{
    const char *colon = memchr(name, ':', len);

    if (colon)
        len = (size_t)(colon - name);
    if (len && len < 64 && count > 0)
        gs_text_add(t->gres, sizeof(t->gres), "%s%.*s=%" PRId64,
                    t->gres[0] ? "," : "", (int)len, name, count);
}

static bool begins(const char *text, size_t len, const char *with)
{
    const size_t n = strlen(with);

    return len >= n && memcmp(text, with, n) == 0;
}

/* "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G,node=1" */
static void tres_read(struct row *r, enum sacct_field f, struct tres *t)
{
    const struct sacct_cell *c = &r->cell[f];
    const char *end, *p = cell_begin(c, &end), *part;
    int64_t typed = 0, count;
    size_t len, used;
    char of;

    *t = (struct tres){ 0 };
    while (!is_empty(c)
           && (part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const char *equals = memchr(part, '=', len);
        const size_t key = equals ? (size_t)(equals - part) : len;
        const char *v = part + key + 1;
        const size_t v_len = equals ? len - key - 1 : 0;

        if (v_len == 0)
            continue;
        if (slurm_is_word(part, key, "mem")) {
            if (slurm_memory_read(v, v_len, &count, &of) == 0)
                t->memory = count;
            continue;
        }
        if (slurm_count_read(v, v_len, 1000, 1, &count, &used) < 0)
            continue;
        if (slurm_is_word(part, key, "cpu")) {
            t->cpus = count;
        } else if (slurm_is_word(part, key, "node")) {
            t->nodes = count;
        } else if (slurm_is_word(part, key, "gres/gpu")) {
            gpu_add(r, t, NULL, 0, count);
        } else if (begins(part, key, "gres/gpu:")) {
            typed += count;
            gpu_add(r, t, part + 9, key - 9, count);
        } else if (begins(part, key, "gres/")) {
            gres_add(t, part + 5, key - 5, count);
        }
    }
    if (t->gpus < typed)
        t->gpus = typed;
}

/* "gpu:2", "gpu:a100:2", "PER_NODE:gpu:4", "gres:gpu:1", "7696487:2": of each
 * node.
 */
static void gres_read(struct row *r, enum sacct_field f, int64_t nodes,
                      struct tres *t)
{
    const struct sacct_cell *c = &r->cell[f];
    const char *end, *p = cell_begin(c, &end), *part;
    size_t len;

    while (!is_empty(c)
           && (part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        const char *q = part, *stop = part + len, *word;
        bool is_gpu = false;
        int64_t count = 1;
        size_t size, used, type_len = 0;
        const char *type = NULL;

        while ((word = slurm_part_next(&q, stop, ':', &size)) != NULL) {
            if (slurm_is_word(word, size, "gpu")
                || slurm_is_word(word, size, "7696487"))
                is_gpu = true;
            else if (is_gpu && word[0] >= '0' && word[0] <= '9' && q >= stop) {
                if (slurm_count_read(word, size, 1000, 1, &count, &used) < 0)
                    count = 1;
            } else if (is_gpu) {
                type = word;
                type_len = size;
            }
        }
        if (is_gpu && count * nodes > t->gpus)
            t->gpus = count * nodes;
        if (is_gpu && type)
            gpu_add(r, t, type, type_len, count);
    }
}

static int64_t number_of(const struct row *r, enum sacct_field f)
{
    const struct sacct_cell *c = &r->cell[f];
    int64_t v = 0;
    size_t used;

    return !is_empty(c)
                   && slurm_count_read(c->text, c->len, 1000, 1, &v, &used) == 0
               ? v
               : 0;
}

static int64_t first_of(int64_t a, int64_t b, int64_t c)
{
    return a > 0 ? a : b > 0 ? b : c > 0 ? c : 0;
}

static int64_t memory_asked(struct row *r, int64_t nodes, int64_t cpus)
{
    const struct sacct_cell *c = &r->cell[SACCT_REQ_MEMORY];
    int64_t bytes = 0, times;
    char of = '\0';

    if (is_empty(c) || slurm_memory_read(c->text, c->len, &bytes, &of) < 0)
        return 0;
    times = of == 'n' ? nodes : of == 'c' ? (cpus > 0 ? cpus : 1) : 1;
    return bytes > (INT64_C(1) << 60) / times ? 0 : bytes * times;
}

static bool is_same(const struct sacct_cell *a, const struct sacct_cell *b)
{
    return a->text && b->text && a->len == b->len
           && memcmp(a->text, b->text, a->len) == 0;
}

static int resources_read(struct row *r)
{
    struct slurm_job *j = &r->job;
    struct tres held, asked;
    int64_t nodes, cpus, gpus;

    tres_read(r, SACCT_ALLOC_TRES, &held);
    if (is_same(&r->cell[SACCT_ALLOC_TRES], &r->cell[SACCT_REQ_TRES]))
        asked = held;
    else
        tres_read(r, SACCT_REQ_TRES, &asked);
    nodes = first_of(held.nodes, number_of(r, SACCT_NODES),
                     number_of(r, SACCT_ALLOC_NODES));
    nodes = first_of(nodes, asked.nodes, number_of(r, SACCT_REQ_NODES));
    if (nodes == 0) {
        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "jobs that state no nodes are on one");
        nodes = 1;
    }
    gres_read(r, SACCT_ALLOC_GRES, nodes, &held);
    gres_read(r, SACCT_REQ_GRES, nodes, &asked);
    cpus = first_of(held.cpus, number_of(r, SACCT_ALLOC_CPUS),
                    number_of(r, SACCT_CPUS));
    cpus = first_of(cpus, asked.cpus, number_of(r, SACCT_REQ_CPUS));
    gpus = first_of(held.gpus, asked.gpus, 0);
    j->memory = first_of(held.memory, asked.memory,
                         memory_asked(r, nodes, cpus));
    if (nodes > NODES_MAX || cpus > INT64_C(1) << 30
        || gpus > nodes * TOPO_DEVICES_MAX) {
        left(r, "with more nodes, CPUs or GPUs than gsim has", SACCT_FIELDS);
        return -1;
    }
    j->nodes = (uint32_t)nodes;
    j->cpus = (uint32_t)cpus;
    j->asked_cpus = (uint32_t)first_of(asked.cpus, number_of(r, SACCT_REQ_CPUS),
                                       cpus);
    if (j->asked_cpus == 0 || j->asked_cpus > (1u << 30))
        j->asked_cpus = j->cpus;
    j->gpus = (uint32_t)gpus;
    if (asked.has_types)
        slurm_tell(r->s, IMPORT_IGNORED, &r->at,
                   "GPUs of two types in a job: any GPUs will do");
    else if (asked.gpus || asked.type)
        j->type = asked.type;
    if (held.gres[0] || asked.gres[0])
        j->gres = slurm_put_text(r->s, held.gres[0] ? held.gres : asked.gres);
    return 0;
}

/* --- what the submission said ------------------------------------------------------- */

static bool option_is(const char *word, size_t len, const char *name,
                      const char **value, size_t *value_len)
{
    const size_t n = strlen(name);

    if (len < n || memcmp(word, name, n) != 0 || (len > n && word[n] != '='))
        return false;
    *value = len > n ? word + n + 1 : "";
    *value_len = len > n ? len - n - 1 : 0;
    return true;
}

/* Options of sbatch that no column tells. */
static void submit_line_read(struct row *r)
{
    const struct sacct_cell *c = &r->cell[SACCT_SUBMIT_LINE];
    const char *end, *p = cell_begin(c, &end), *word, *value;
    size_t len, value_len;

    while (!is_empty(c)
           && (word = slurm_part_next(&p, end, ' ', &len)) != NULL) {
        if (begins(word, len, "--wrap"))
            return;
        if (option_is(word, len, "--nice", &value, &value_len)) {
            const bool is_negative = value_len && value[0] == '-';
            uint64_t n = 100;

            if (value_len
                && gs_quantity_parse_u64(value + is_negative,
                                         value_len - is_negative, &n)
                       == 0
                && n < INT32_MAX)
                r->job.nice = is_negative ? -(int32_t)n : (int32_t)n;
            else if (!value_len)
                r->job.nice = 100;
        } else if (option_is(word, len, "--dependency", &value, &value_len)) {
            if (value_len && value_len < 200
                && gs_text_is_clean(value, value_len))
                r->job.dependency = slurm_put(r->s, value, value_len);
        } else if (option_is(word, len, "--exclusive", &value, &value_len)) {
            r->job.is_exclusive = value_len == 0;
        }
    }
}

/* --- what became of it ------------------------------------------------------------------ */

static bool state_is(const struct row *r, const char *word)
{
    const struct sacct_cell *c = &r->cell[SACCT_STATE];

    return c->text && begins(c->text, c->len, word);
}

static int end_find(struct row *r)
{
    struct slurm_job *j = &r->job;
    const bool has_lists = r->cell[SACCT_NODE_LIST].text != NULL;
    const bool had_nodes = !has_lists || j->placed;
    const bool ran = j->elapsed > 0
                     || (j->start != SLURM_UNKNOWN && had_nodes
                         && !(state_is(r, "CANCELLED") && j->elapsed == 0
                              && !j->placed));

    if (state_is(r, "REVOKED")) {
        left(r, "of jobs that ran on another cluster (REVOKED)", SACCT_FIELDS);
        return -1;
    }
    if (state_is(r, "PENDING")) {
        j->how = SLURM_PENDING;
    } else if (state_is(r, "RUNNING") || state_is(r, "SUSPENDED")
               || state_is(r, "COMPLETING")) {
        j->how = SLURM_RUNNING;
    } else if (ran) {
        j->how = j->end == SLURM_UNKNOWN && j->elapsed == SLURM_UNKNOWN
                     ? SLURM_RUNNING
                     : SLURM_ENDED;
    } else if (j->end != SLURM_UNKNOWN) {
        j->how = SLURM_WITHDRAWN;
    } else {
        left(r, "of jobs that never started and never ended", SACCT_STATE);
        return -1;
    }
    if (j->how == SLURM_ENDED && j->elapsed == SLURM_UNKNOWN) {
        if (j->start == SLURM_UNKNOWN || j->end < j->start) {
            left(r, "that end before they start", SACCT_END);
            return -1;
        }
        j->elapsed = j->end - j->start;
    }
    if (j->how == SLURM_WITHDRAWN && j->end < j->submit)
        j->end = j->submit;
    return 0;
}

/* --- ids ------------------------------------------------------------------------------------ */

static uint32_t job_add(struct slurm *s, const struct slurm_job *j)
{
    s->job = gs_array_grow(s->job, &s->job_cap, s->jobs + 1, sizeof(*s->job));
    s->job[s->jobs] = *j;
    return s->jobs++;
}

/* Of the rows of one id, from which a job was requeued, the last run counts. */
static void same_join(struct row *r, uint32_t was)
{
    struct slurm *s = r->s;
    struct slurm_job *a = &s->job[was], *b = &s->job[s->jobs - 1];
    const bool is_later = b->start == SLURM_UNKNOWN || a->how == SLURM_WITHDRAWN
                          || (a->start != SLURM_UNKNOWN
                              && b->start >= a->start);
    struct slurm_job *keep = is_later ? b : a, *drop = is_later ? a : b;

    slurm_tell(s, IMPORT_LEFT, &r->at,
               "earlier runs of jobs that were requeued, and repeated rows");
    if (drop->submit < keep->submit)
        keep->submit = drop->submit;
    drop->is_gone = true;
    s->job_of[keep->name] = (uint32_t)(keep - s->job) + 1;
}

static void one_add(struct row *r, const char *name, size_t len)
{
    struct slurm *s = r->s;
    const uint32_t id = slurm_put(s, name, len);
    uint32_t was;

    r->job.name = id;
    s->job_of = gs_array_grow(s->job_of, &s->job_of_cap, id + 1,
                              sizeof(*s->job_of));
    was = s->job_of[id];
    s->job_of[id] = job_add(s, &r->job) + 1;
    if (was)
        same_join(r, was - 1);
}

/* A component "7+1" of job 7: all of them start together. */
static void part_add(struct row *r, const char *text, size_t base, size_t len)
{
    struct slurm *s = r->s;
    const uint32_t id = slurm_put(s, text, base);
    const uint32_t own = slurm_put(s, text, len);
    const uint32_t cap = own > id ? own : id;
    uint32_t at, first;

    r->job.name = id;
    s->part_of = gs_array_grow(s->part_of, &s->part_of_cap, cap + 1,
                               sizeof(*s->part_of));
    if (s->part_of[own]) {
        slurm_tell(s, IMPORT_LEFT, &r->at,
                   "earlier runs of jobs that were requeued, and repeated "
                   "rows");
        return;
    }
    first = s->part_of[id];
    r->job.is_part = first != 0;
    at = job_add(s, &r->job);
    s->part_of[own] = at + 1;
    if (!first) {
        s->part_of[id] = at + 1;
        return;
    }
    s->job[at].next = s->job[first - 1].next;
    s->job[first - 1].next = at + 1;
}

/* "[1-3,7%2]" of job `base`: a job for each task. */
static void tasks_add(struct row *r, const char *base, size_t base_len,
                      const char *p, const char *end)
{
    uint64_t count = 0;
    char name[64];

    while (p < end && *p != '%' && *p != ']') {
        uint64_t low, high, step = 1;
        char *after;

        if (*p < '0' || *p > '9')
            break;
        low = high = strtoull(p, &after, 10);
        if (after < end && *after == '-')
            high = strtoull(after + 1, &after, 10);
        if (after < end && *after == ':')
            step = strtoull(after + 1, &after, 10);
        p = after < end && *after == ',' ? after + 1 : after;
        for (; low <= high && step && count < ARRAY_MAX; low += step, count++) {
            const int len = snprintf(name, sizeof(name), "%.*s_%" PRIu64,
                                     (int)base_len, base, low);

            one_add(r, name, (size_t)len);
        }
    }
    if (p < end && *p == '%')
        slurm_tell(r->s, IMPORT_IGNORED, &r->at,
                   "a limit of tasks of an array that run at once");
    if (count == 0 || count == ARRAY_MAX)
        left(r,
             count ? "of arrays: tasks beyond 100000"
                   : "with an array of tasks that is none",
             SACCT_JOB_ID);
}

static void id_add(struct row *r)
{
    const struct sacct_cell *c = is_empty(&r->cell[SACCT_JOB_ID])
                                     ? &r->cell[SACCT_JOB_ID_RAW]
                                     : &r->cell[SACCT_JOB_ID];
    char name[64];
    uint32_t digits = 0;

    if (!c->text) {
        const int len = snprintf(name, sizeof(name), "job-%u", r->s->jobs + 1);

        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "rows without JobID are jobs, none is a step");
        one_add(r, name, (size_t)len);
        return;
    }
    if (!sacct_is_job_id(c->text, c->len) || c->len >= 256
        || !gs_text_is_clean(c->text, c->len)) {
        left(r, "whose JobID is none", SACCT_JOB_ID);
        import_account_count(r->s->account, "row", IMPORT_REFUSED);
        return;
    }
    while (digits < c->len && c->text[digits] >= '0' && c->text[digits] <= '9')
        digits++;
    if (digits < c->len && c->text[digits] == '+')
        part_add(r, c->text, digits, c->len);
    else if (digits + 1 < c->len && c->text[digits + 1] == '[')
        tasks_add(r, c->text, digits, c->text + digits + 2, c->text + c->len);
    else
        one_add(r, c->text, c->len);
}

static bool is_step(const struct sacct_cell *c)
{
    return c->text && memchr(c->text, '.', c->len);
}

void sacct_row_take(struct slurm *s, const struct sacct_cell *cell, int line)
{
    struct row r = { .s = s, .cell = cell, .at = slurm_place_at(s, line, 0) };
    struct slurm_job *j = &r.job;

    assert(s && cell);
    if (is_step(&cell[SACCT_JOB_ID]) || is_step(&cell[SACCT_JOB_ID_RAW])) {
        s->steps++;
        return;
    }
    j->line = line > 0 ? (uint32_t)line : 0;
    j->placed = text_of(&r, SACCT_NODE_LIST);
    if (times_read(&r) < 0 || spans_read(&r) < 0 || resources_read(&r) < 0
        || end_find(&r) < 0) {
        import_account_count(s->account, "row", IMPORT_REFUSED);
        return;
    }
    j->user = text_of(&r, SACCT_USER);
    j->account = text_of(&r, SACCT_ACCOUNT);
    j->partition = text_of(&r, SACCT_PARTITION);
    j->qos = text_of(&r, SACCT_QOS);
    j->reservation = text_of(&r, SACCT_RESERVATION);
    j->constraints = text_of(&r, SACCT_CONSTRAINTS);
    j->licenses = text_of(&r, SACCT_LICENSES);
    j->dependency = text_of(&r, SACCT_DEPENDENCY);
    j->is_exclusive = !is_empty(&cell[SACCT_EXCLUSIVE]);
    submit_line_read(&r);
    id_add(&r);
}

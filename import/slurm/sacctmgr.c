/* import/slurm/sacctmgr.c - see sacctmgr.h. */
#include "import/slurm/sacctmgr.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/text.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/workload.h"

#define COLUMNS_MAX 128
#define ACCOUNTS_MAX 1000000

struct table {
    struct slurm *s;
    struct gs_input *in;
    uint32_t columns;
    char names[COLUMNS_MAX][40];
    const char *text[COLUMNS_MAX]; /* of the row */
    size_t len[COLUMNS_MAX];
};

/* --- headers -------------------------------------------------------------- */

static bool has_column(const char *head, size_t size, const char *name)
{
    const char *lf = memchr(head, '\n', size);
    const char *p = head, *end = lf ? lf : head + size, *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, '|', &len)) != NULL) {
        if (len && part[len - 1] == '\r')
            len--;
        if (slurm_is_word(part, len, name))
            return true;
    }
    return false;
}

bool sacctmgr_is_assoc(const char *head, size_t size)
{
    return has_column(head, size, "Account")
           && (has_column(head, size, "Share")
               || has_column(head, size, "Fairshare")
               || has_column(head, size, "Par Name")
               || has_column(head, size, "ParentName"))
           && !has_column(head, size, "Submit");
}

bool sacctmgr_is_qos(const char *head, size_t size)
{
    return has_column(head, size, "Name") && has_column(head, size, "Priority")
           && (has_column(head, size, "Preempt")
               || has_column(head, size, "GraceTime")
               || has_column(head, size, "UsageFactor")
               || has_column(head, size, "MaxTRESPU"));
}

/* --- rows ----------------------------------------------------------------- */

static uint32_t split(struct table *t, const char *line, size_t len)
{
    const char *p = line, *const end = line + len;
    uint32_t n = 0;

    while (n < COLUMNS_MAX) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        const char *stop = bar ? bar : end;

        t->text[n] = p;
        t->len[n++] = (size_t)(stop - p);
        if (!bar)
            break;
        p = bar + 1;
    }
    return n;
}

static int header_read(struct table *t, struct gs_err *err)
{
    size_t len;
    char *line;
    const int rc = gs_input_line(t->in, &line, &len, err);

    if (rc <= 0)
        return -1;
    t->columns = split(t, line, len);
    for (uint32_t i = 0; i < t->columns; i++) {
        const size_t n = t->len[i] < 39 ? t->len[i] : 39;

        memcpy(t->names[i], t->text[i], n);
        t->names[i][n] = '\0';
    }
    return 0;
}

/* 1 with a row, 0 at the end, -1 on failure. */
static int row_read(struct table *t, struct gs_err *err)
{
    size_t len;
    char *line;
    int rc;

    while ((rc = gs_input_line(t->in, &line, &len, err)) > 0) {
        const struct slurm_place at = slurm_place_at(
            t->s, gs_input_line_number(t->in), 0);
        uint32_t n;

        if (len == 0)
            continue;
        n = split(t, line, len);
        if (n >= t->columns)
            return 1;
        slurm_tell(t->s, IMPORT_LEFT, &at,
                   "rows with fewer fields than columns");
        import_account_count(t->s->account, "row", IMPORT_REFUSED);
    }
    return rc;
}

/* The cell of a column; "" when there is none. */
static const char *cell(const struct table *t, const char *name, size_t *len)
{
    for (uint32_t i = 0; i < t->columns; i++) {
        if (slurm_is_word(name, strlen(name), t->names[i])) {
            *len = t->len[i];
            return t->text[i];
        }
    }
    *len = 0;
    return "";
}

static uint32_t cell_name(struct table *t, const char *name)
{
    size_t len;
    const char *text = cell(t, name, &len);

    while (len && *text == ' ') {
        text++;
        len--;
    }
    return len && len < 256 && gs_text_is_clean(text, len)
               ? slurm_put(t->s, text, len)
               : 0;
}

/* The text of a cell, without blanks around it; NULL: none. */
static const char *cell_text(struct table *t, const char *name)
{
    char text[1024];
    size_t len;
    const char *p = cell(t, name, &len);

    if (!len || len >= sizeof(text) || !gs_text_is_clean(p, len))
        return NULL;
    memcpy(text, p, len);
    text[len] = '\0';
    return slurm_copy(t->s, text);
}

/* --- limits --------------------------------------------------------------- */

/* A column, and the same for the table of QOS; "": it has none. */
struct limit_column {
    const char *of_account, *of_qos;
    enum trace_limit_kind kind;
    enum trace_limit_scope scope;
};

static const struct limit_column tres_columns[] = {
    { "GrpTRES", "GrpTRES", TRACE_LIMIT_HOLDS, TRACE_LIMIT_GROUP },
    { "", "MaxTRESPU", TRACE_LIMIT_HOLDS, TRACE_LIMIT_USER },
    { "", "MaxTRESPA", TRACE_LIMIT_HOLDS, TRACE_LIMIT_ACCOUNT },
    { "MaxTRES", "MaxTRES", TRACE_LIMIT_HOLDS, TRACE_LIMIT_JOB },
    { "MaxTRESPerNode", "MaxTRESPerNode", TRACE_LIMIT_TASK, TRACE_LIMIT_JOB },
    { "", "MinTRES", TRACE_LIMIT_LEAST, TRACE_LIMIT_JOB },
    { "GrpTRESMins", "GrpTRESMins", TRACE_LIMIT_MINUTES, TRACE_LIMIT_GROUP },
    { "MaxTRESMins", "MaxTRESMins", TRACE_LIMIT_MINUTES, TRACE_LIMIT_JOB },
    { "GrpTRESRunMins", "GrpTRESRunMins", TRACE_LIMIT_RUNNING,
      TRACE_LIMIT_GROUP },
    { "", "MaxTRESRunMinsPU", TRACE_LIMIT_RUNNING, TRACE_LIMIT_USER },
    { "", "MaxTRESRunMinsPA", TRACE_LIMIT_RUNNING, TRACE_LIMIT_ACCOUNT },
};

static const struct limit_column job_columns[] = {
    { "GrpJobs", "GrpJobs", TRACE_LIMIT_HOLDS, TRACE_LIMIT_GROUP },
    { "MaxJobs", "MaxJobsPU", TRACE_LIMIT_HOLDS, TRACE_LIMIT_USER },
    { "", "MaxJobsPA", TRACE_LIMIT_HOLDS, TRACE_LIMIT_ACCOUNT },
};

static int64_t limit_number(const struct table *t, const char *name)
{
    size_t len;
    const char *text = cell(t, name, &len);
    uint64_t n = 0;

    return len && gs_quantity_parse_u64(text, len, &n) == 0
                   && n <= TRACE_JOBS_MAX
               ? (int64_t)n
               : -1;
}

/* Limits that nothing here enforces. */
static void limits_tell(struct table *t, const char *what)
{
    static const char *const limits[] = {
        "UsageThres",   "GrpJobsAccrue",     "MaxJobsAccrue",
        "MinPrioThres", "PreemptExemptTime",
    };
    static const char *const submits[] = { "GrpSubmit", "MaxSubmit",
                                           "MaxSubmitPU", "MaxSubmitPA" };
    const struct slurm_place at = slurm_place_at(
        t->s, gs_input_line_number(t->in), 0);
    size_t len;

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        const char *text = cell(t, limits[i], &len);

        if (len && !slurm_is_word(text, len, "0.000000")
            && !slurm_is_word(text, len, "00:00:00")
            && !slurm_is_word(text, len, "-1"))
            slurm_tell(t->s, IMPORT_IGNORED, &at, "%s of %s", limits[i], what);
    }
    for (size_t i = 0; i < sizeof(submits) / sizeof(submits[0]); i++) {
        (void)cell(t, submits[i], &len);
        if (len)
            slurm_tell(t->s, IMPORT_ASSUMED, &at,
                       "%s of %s: all jobs of the export were accepted",
                       submits[i], what);
    }
}

/* us; -1: none. */
static int64_t limit_span(const struct table *t, const char *name)
{
    size_t len;
    const char *text = cell(t, name, &len);
    int64_t us;

    return len && slurm_span_read(text, len, &us) == 0 && us != SLURM_INFINITE
               ? us
               : -1;
}

static void limits_read(struct table *t, bool is_qos, struct slurm_limits *out)
{
    const size_t amounts = sizeof(tres_columns) / sizeof(tres_columns[0]);

    *out = (struct slurm_limits){ .wall = limit_span(t, "MaxWall"),
                                  .group_wall = limit_span(t, "GrpWall") };
    for (size_t i = 0; i < sizeof(job_columns) / sizeof(job_columns[0]); i++) {
        const struct limit_column *c = &job_columns[i];

        out->jobs[c->scope] = limit_number(t,
                                           is_qos ? c->of_qos : c->of_account);
    }
    for (size_t i = 0; i < amounts; i++) {
        const struct limit_column *c = &tres_columns[i];

        out->tres[c->kind][c->scope] = cell_text(t, is_qos ? c->of_qos
                                                           : c->of_account);
    }
    t->s->has_used_limits |=
        out->group_wall >= 0
        || out->tres[TRACE_LIMIT_MINUTES][TRACE_LIMIT_GROUP];
    limits_tell(t, is_qos                 ? "a QOS"
                   : cell_name(t, "User") ? "a user's association"
                                          : "an account");
}

/* --- accounts ------------------------------------------------------------- */

static void assoc_take(struct table *t, uint32_t *above)
{
    struct slurm *s = t->s;
    struct slurm_account a = {
        .name = cell_name(t, "Account"),
        .user = cell_name(t, "User"),
        .at = slurm_place_at(s, gs_input_line_number(t->in), 0),
        .shares = 1,
    };
    size_t len, depth = 0;
    const char *text = cell(t, "Account", &len);

    limits_read(t, false, &a.limits);
    if (!a.name)
        return;
    while (depth < len && text[depth] == ' ')
        depth++;
    a.parent = cell_name(t, "ParentName");
    if (!a.parent)
        a.parent = cell_name(t, "Par Name");
    /* `tree` writes a blank for each level above */
    if (!a.parent && depth > 0 && depth < 16)
        a.parent = above[depth - 1];
    if (depth < 16 && !a.user)
        above[depth] = a.name;
    text = cell(t, "Share", &len);
    if (!len)
        text = cell(t, "Fairshare", &len);
    a.as_parent = slurm_is_word(text, len, "parent");
    if (len && gs_quantity_parse_double(text, len, &a.shares) < 0)
        a.shares = 1;
    import_account_count(s->account, a.user ? "user of an account" : "account",
                         IMPORT_USED);
    if (s->accounts >= ACCOUNTS_MAX)
        return;
    s->user_account = gs_array_grow(s->user_account, &s->account_cap,
                                    s->accounts + 1, sizeof(*s->user_account));
    s->user_account[s->accounts++] = a;
}

int sacctmgr_assoc_read(struct slurm *s, struct gs_input *in,
                        struct gs_err *err)
{
    struct table *t = gs_array_new(1, sizeof(*t));
    uint32_t above[16] = { 0 };
    int rc;

    assert(s && in);
    t->s = s;
    t->in = in;
    rc = header_read(t, err);
    while (rc == 0 && (rc = row_read(t, err)) > 0) {
        assoc_take(t, above);
        rc = 0;
    }
    gs_array_free(t);
    return rc;
}

/* --- QOS ------------------------------------------------------------------ */

/* Flags that change nothing of jobs that were accepted, or are honoured. */
static void flags_tell(struct table *t, const struct slurm_qos *q)
{
    static const char *const known[] = { "OverPartQOS",
                                         "DenyOnLimit",
                                         "PartitionMaxNodes",
                                         "PartitionMinNodes",
                                         "PartitionTimeLimit",
                                         "PartitionQOS",
                                         "NoDecay",
                                         "NotSet" };
    const char *p = q->flags ? q->flags : "", *end = p + strlen(p), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        size_t i = 0;

        while (i < sizeof(known) / sizeof(known[0])
               && !slurm_is_word(part, len, known[i]))
            i++;
        if (i == 1)
            slurm_tell(t->s, IMPORT_ASSUMED, &q->at,
                       "DenyOnLimit of a QOS: all jobs of the export were "
                       "accepted");
        else if (i == sizeof(known) / sizeof(known[0]))
            slurm_tell(t->s, IMPORT_IGNORED, &q->at, "flag %.*s of a QOS",
                       (int)(len < 40 ? len : 40), part);
    }
}

/* us; sacctmgr shows HH:MM:SS, and takes seconds. */
static int64_t grace_read(const struct table *t)
{
    const int64_t us = limit_span(t, "GraceTime");
    size_t len;
    const char *text = cell(t, "GraceTime", &len);
    uint64_t seconds;

    if (len && gs_quantity_parse_u64(text, len, &seconds) == 0)
        return seconds <= UINT32_MAX ? (int64_t)seconds * GS_SECOND : 0;
    return us > 0 ? us : 0;
}

static void qos_take(struct table *t)
{
    struct slurm *s = t->s;
    struct slurm_qos q = {
        .name = cell_name(t, "Name"),
        .usage_factor = 1,
        .preempt = cell_text(t, "Preempt"),
        .mode = cell_text(t, "PreemptMode"),
        .flags = cell_text(t, "Flags"),
        .at = slurm_place_at(s, gs_input_line_number(t->in), 0),
    };
    size_t len;
    const char *text = cell(t, "Priority", &len);
    uint64_t priority = 0;

    if (!q.name)
        return;
    if (gs_quantity_parse_u64(text, len, &priority) == 0
        && priority <= UINT32_MAX)
        q.priority = (int64_t)priority;
    text = cell(t, "UsageFactor", &len);
    if (len
        && (gs_quantity_parse_double(text, len, &q.usage_factor) < 0
            || !(q.usage_factor >= 0 && q.usage_factor < 1e9)))
        q.usage_factor = 1;
    q.grace = grace_read(t);
    limits_read(t, true, &q.limits);
    flags_tell(t, &q);
    import_account_count(s->account, "QOS", IMPORT_USED);
    if (s->qoses >= 65536)
        return;
    s->qos = gs_array_grow(s->qos, &s->qos_cap, s->qoses + 1, sizeof(*s->qos));
    s->qos[s->qoses++] = q;
}

int sacctmgr_qos_read(struct slurm *s, struct gs_input *in, struct gs_err *err)
{
    struct table *t = gs_array_new(1, sizeof(*t));
    int rc;

    assert(s && in);
    t->s = s;
    t->in = in;
    rc = header_read(t, err);
    while (rc == 0 && (rc = row_read(t, err)) > 0) {
        qos_take(t);
        rc = 0;
    }
    gs_array_free(t);
    return rc;
}

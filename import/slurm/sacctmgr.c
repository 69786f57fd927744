/* import/slurm/sacctmgr.c - see sacctmgr.h. */
#include "import/slurm/sacctmgr.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/text.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

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

/* --- headers ------------------------------------------------------------------- */

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

/* --- rows ---------------------------------------------------------------------- */

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

/* A limit that nothing here enforces. */
static void limits_tell(struct table *t, const char *what)
{
    static const char *const limits[] = {
        "GrpTRESMins",    "GrpTRESRunMins", "GrpWall",      "GrpJobs",
        "GrpSubmit",      "MaxTRES",        "MaxTRESPU",    "MaxTRESPA",
        "MaxTRESPerNode", "MaxTRESMins",    "MaxWall",      "MaxJobs",
        "MaxJobsPU",      "MaxJobsPA",      "MaxSubmit",    "MaxSubmitPU",
        "MaxSubmitPA",    "MinTRES",        "UsageThres",   "UsageFactor",
        "Preempt",        "GrpJobsAccrue",  "MinPrioThres",
    };
    const struct slurm_place at = slurm_place_at(
        t->s, gs_input_line_number(t->in), 0);

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        size_t len;
        const char *text = cell(t, limits[i], &len);

        if (len && !slurm_is_word(text, len, "1.000000")
            && !slurm_is_word(text, len, "-1"))
            slurm_tell(t->s, IMPORT_IGNORED, &at, "%s of %s", limits[i], what);
    }
}

/* --- accounts -------------------------------------------------------------------- */

static void group_limit_read(struct table *t, struct slurm_account *a)
{
    size_t len, n, used;
    const char *p = cell(t, "GrpTRES", &len), *end = p + len, *part;
    char of;

    for (int i = 0; i < 3; i++)
        a->group_limit[i] = -1;
    while ((part = slurm_part_next(&p, end, ',', &n)) != NULL) {
        const char *equals = memchr(part, '=', n);
        const size_t key = equals ? (size_t)(equals - part) : n;
        const size_t v_len = equals ? n - key - 1 : 0;
        int64_t v = -1;

        if (slurm_is_word(part, key, "cpu") && v_len
            && slurm_count_read(equals + 1, v_len, 1000, 1, &v, &used) == 0)
            a->group_limit[0] = v;
        else if (slurm_is_word(part, key, "mem") && v_len
                 && slurm_memory_read(equals + 1, v_len, &v, &of) == 0)
            a->group_limit[1] = v;
        else if (slurm_is_word(part, key, "gres/gpu") && v_len
                 && slurm_count_read(equals + 1, v_len, 1000, 1, &v, &used)
                        == 0)
            a->group_limit[2] = v;
        else
            slurm_tell(t->s, IMPORT_IGNORED, &a->at, "GrpTRES of %.*s",
                       (int)(key < 40 ? key : 40), part);
    }
}

static void assoc_take(struct table *t, uint32_t *above)
{
    struct slurm *s = t->s;
    struct slurm_account a = {
        .name = cell_name(t, "Account"),
        .at = slurm_place_at(s, gs_input_line_number(t->in), 0),
        .shares = 1,
    };
    size_t len, depth = 0;
    const char *text = cell(t, "Account", &len);

    limits_tell(t,
                cell_name(t, "User") ? "a user's association" : "an account");
    if (!a.name || cell_name(t, "User"))
        return;
    while (depth < len && text[depth] == ' ')
        depth++;
    a.parent = cell_name(t, "ParentName");
    if (!a.parent)
        a.parent = cell_name(t, "Par Name");
    /* `tree` writes a blank for each level above */
    if (!a.parent && depth > 0 && depth < 16)
        a.parent = above[depth - 1];
    if (depth < 16)
        above[depth] = a.name;
    text = cell(t, "Share", &len);
    if (!len)
        text = cell(t, "Fairshare", &len);
    if (len && gs_quantity_parse_double(text, len, &a.shares) < 0)
        a.shares = 1; /* "parent" */
    group_limit_read(t, &a);
    import_account_count(s->account, "account", IMPORT_USED);
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

/* --- QOS ---------------------------------------------------------------------------- */

static void qos_take(struct table *t)
{
    struct slurm *s = t->s;
    struct slurm_qos q = { .name = cell_name(t, "Name") };
    size_t len;
    const char *text = cell(t, "Priority", &len);
    uint64_t priority = 0;

    if (!q.name)
        return;
    if (gs_quantity_parse_u64(text, len, &priority) == 0
        && priority <= UINT32_MAX)
        q.priority = (int64_t)priority;
    limits_tell(t, "a QOS");
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

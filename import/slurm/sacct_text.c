/* import/slurm/sacct_text.c - rows of text, see sacct.h.
 *
 * SubmitLine and other free texts may hold newlines and the delimiter itself.
 * A row with too few fields goes on in the next lines; of a row with too many
 * the surplus belongs to the free text that lets the other columns make sense.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "import/slurm/sacct.h"
#include "import/slurm/sacct_cells.h"
#include "import/slurm/sacct_row.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

#define COLUMNS_MAX 512
#define LINES_OF_ROW 1000
#define ROW_MAX (1u << 20)
#define TRIES_MAX 5000 /* to divide the surplus of a row */

struct sacct_text {
    struct slurm *s;
    struct gs_input *in;
    char by;
    uint32_t columns;
    uint32_t field_of[COLUMNS_MAX]; /* enum sacct_field */
    uint32_t free_text[COLUMNS_MAX], free_texts;
    uint32_t extra[COLUMNS_MAX]; /* fields more that belong to a column */
    char *row;                   /* several lines as one */
    uint32_t row_cap;
    char *kept; /* a line that was read ahead */
    uint32_t kept_cap, kept_len;
    bool has_kept;
    bool ends_free; /* its last column is a free text */
    bool ends_by;   /* sacct -p: each line ends with the delimiter */
    int line;       /* of the row */
    const char *at[COLUMNS_MAX + 1]; /* begins of fields */
    uint32_t len[COLUMNS_MAX + 1];
};

/* --- fields --------------------------------------------------------------- */

/* Split a line: the number of its fields, of which the first `columns` + 1 are
 * kept.  In CSV commas within quotes and brackets are text.
 */
static uint32_t split(struct sacct_text *t, char *line, size_t len)
{
    char *p = line, *const end = line + len;
    uint32_t n = 0;

    for (;;) {
        char *from = p, *stop;

        if (t->by == ',' && p < end && *p == '"') {
            char *to = ++from;

            for (p++; p < end && (*p != '"' || p[1] == '"'); p++) {
                p += *p == '"';
                *to++ = *p;
            }
            stop = to;
            while (p < end && *p != ',')
                p++;
        } else if (t->by == ',') {
            int depth = 0;

            for (; p < end && (depth > 0 || *p != ','); p++)
                depth += *p == '[' ? 1 : *p == ']' ? -1 : 0;
            stop = p;
        } else {
            p = memchr(p, t->by, (size_t)(end - p));
            p = p ? p : end;
            stop = p;
        }
        if (n <= COLUMNS_MAX) {
            t->at[n] = from;
            t->len[n] = (uint32_t)(stop - from);
        }
        n++;
        if (p >= end)
            return n;
        p++;
    }
}

/* --- columns -------------------------------------------------------------- */

static bool is_free_text(const char *name, uint32_t len)
{
    static const char *const names[] = {
        "SubmitLine", "JobName", "Comment",   "AdminComment", "SystemComment",
        "Extra",      "WorkDir", "Container", "Constraints"
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (slurm_is_word(name, len, names[i]))
            return true;
    }
    return false;
}

static int columns_take(struct sacct_text *t, int line, struct gs_err *err)
{
    const struct gs_mark at = { gs_input_name(t->in), line, 0 };
    const struct slurm_place place = slurm_place_at(t->s, line, 0);
    bool has[SACCT_FIELDS + 1] = { false };
    const char *lack;

    t->ends_by = t->columns > 1 && t->len[t->columns - 1] == 0;
    t->columns -= t->ends_by;
    if (t->columns > COLUMNS_MAX)
        return gs_fail(err, GS_LIMIT, at, "has more than %d columns",
                       COLUMNS_MAX);
    for (uint32_t i = 0; i < t->columns; i++) {
        char name[64];
        bool is_known;

        t->field_of[i] = sacct_field_find(t->at[i], t->len[i], &is_known);
        if (t->field_of[i] < SACCT_FIELDS && has[t->field_of[i]])
            return gs_fail(err, GS_INPUT, at, "column '%.*s' comes twice",
                           (int)t->len[i], t->at[i]);
        has[t->field_of[i]] = true;
        if (is_free_text(t->at[i], t->len[i])) {
            const bool is_submit = t->field_of[i] == SACCT_SUBMIT_LINE;

            t->free_text[t->free_texts] = i;
            if (is_submit && t->free_texts) { /* it is tried first */
                t->free_text[t->free_texts] = t->free_text[0];
                t->free_text[0] = i;
            }
            t->free_texts++;
            t->ends_free = i + 1 == t->columns;
        }
        if (!is_known) {
            const char *nearest;

            (void)memcpy(name, t->at[i], t->len[i] < 63 ? t->len[i] : 63);
            name[t->len[i] < 63 ? t->len[i] : 63] = '\0';
            nearest = sacct_column_nearest(name);
            slurm_tell(t->s, IMPORT_LEFT, &place, "unknown column '%s'%s%s%s",
                       name, nearest ? " (did you mean '" : "",
                       nearest ? nearest : "", nearest ? "'?)" : "");
        }
    }
    lack = sacct_columns_lack(has);
    if (lack)
        return gs_fail(err, GS_INPUT, at,
                       "jobs cannot be replayed without column %s: export it "
                       "with sacct --format",
                       lack);
    return 0;
}

static int columns_given(struct sacct_text *t, const char *list,
                         struct gs_err *err)
{
    const char *p = list, *part;
    size_t n;

    while ((part = slurm_part_next(&p, list + strlen(list), ',', &n)) != NULL
           && t->columns < COLUMNS_MAX) {
        const char *percent = memchr(part, '%', n); /* "JobID%20" */

        t->at[t->columns] = part;
        t->len[t->columns++] = (uint32_t)(percent ? percent - part
                                                  : (ptrdiff_t)n);
    }
    return columns_take(t, 1, err);
}

/* --- lines ---------------------------------------------------------------- */

static int line_next(struct sacct_text *t, char **line, size_t *len,
                     struct gs_err *err)
{
    if (t->has_kept) {
        t->has_kept = false;
        *line = t->kept;
        *len = t->kept_len;
        return 1;
    }
    return gs_input_line(t->in, line, len, err);
}

static void line_keep(struct sacct_text *t, const char *line, size_t len)
{
    t->kept = gs_array_grow(t->kept, &t->kept_cap, (uint32_t)len + 1, 1);
    memcpy(t->kept, line, len);
    t->kept[len] = '\0';
    t->kept_len = (uint32_t)len;
    t->has_kept = true;
}

/* Does a row begin here: a job's id where the column of ids is, if it is the
 * first; else as many fields as there are columns?
 */
static bool row_begins(struct sacct_text *t, const char *line, size_t len)
{
    const bool has_ids = t->field_of[0] == SACCT_JOB_ID
                         || t->field_of[0] == SACCT_JOB_ID_RAW;
    const char *end = memchr(line, t->by, len);

    if (has_ids && end && sacct_is_job_id(line, (uint32_t)(end - line)))
        return true;
    return sacct_delimiter_count(line, len, t->by) + 1 >= t->columns;
}

/* Join lines until the row has all of its fields; the number of fields. */
static uint32_t row_join(struct sacct_text *t, char *line, size_t len,
                         struct gs_err *err, int *rc)
{
    uint32_t n, size = (uint32_t)len, lines = 1;

    t->row = gs_array_grow(t->row, &t->row_cap, size + 1, 1);
    memcpy(t->row, line, len + 1);
    do {
        *rc = line_next(t, &line, &len, err);
        if (*rc <= 0)
            break;
        if (row_begins(t, line, len) || ++lines > LINES_OF_ROW
            || size + len + 2 > ROW_MAX) {
            line_keep(t, line, len);
            break;
        }
        t->row = gs_array_grow(t->row, &t->row_cap, size + (uint32_t)len + 2,
                               1);
        t->row[size++] = ' ';
        memcpy(t->row + size, line, len + 1);
        size += (uint32_t)len;
        n = sacct_delimiter_count(t->row, size, t->by) + 1;
    } while (n < t->columns);
    return split(t, t->row, size);
}

/* --- rows ----------------------------------------------------------------- */

/* The cells, if extra[c] more fields belong to column c. */
static void cells_make(const struct sacct_text *t, struct sacct_cell *cell)
{
    uint32_t from = 0;

    memset(cell, 0, (SACCT_FIELDS + 1) * sizeof(*cell));
    for (uint32_t i = 0; i < t->columns; i++) {
        const uint32_t to = from + t->extra[i];

        cell[t->field_of[i]].text = t->at[from];
        cell[t->field_of[i]].len = (uint32_t)(t->at[to] + t->len[to]
                                              - t->at[from]);
        from = to + 1;
    }
}

static void row_refuse(struct sacct_text *t, uint32_t fields)
{
    const struct slurm_place at = slurm_place_at(t->s, t->line, 0);

    import_account_count(t->s->account, "row", IMPORT_REFUSED);
    slurm_tell(t->s, IMPORT_LEFT, &at,
               fields < t->columns ? "rows with fewer fields than columns"
                                   : "rows with more fields than columns");
}

/* Divide `surplus` fields among the free texts from number `first` on, so that
 * the others make sense.
 */
static bool surplus_place(struct sacct_text *t, struct sacct_cell *cell,
                          uint32_t first, uint32_t surplus, uint32_t *tries)
{
    const uint32_t column = first < t->free_texts ? t->free_text[first] : 0;
    bool found = false;

    if (first + 1 >= t->free_texts || surplus == 0) {
        if (surplus && first >= t->free_texts)
            return false;
        if (surplus)
            t->extra[column] = surplus;
        cells_make(t, cell);
        t->extra[column] = surplus ? 0 : t->extra[column];
        return ++*tries < TRIES_MAX && sacct_cells_make_sense(cell);
    }
    for (uint32_t n = surplus + 1; !found && n-- > 0 && *tries < TRIES_MAX;) {
        t->extra[column] = n;
        found = surplus_place(t, cell, first + 1, surplus - n, tries);
    }
    t->extra[column] = 0;
    return found;
}

static void row_take(struct sacct_text *t, uint32_t fields)
{
    struct sacct_cell cell[SACCT_FIELDS + 1];
    uint32_t tries = 0;

    if ((t->ends_by || fields == t->columns + 1) && fields > t->columns
        && fields <= COLUMNS_MAX && t->len[fields - 1] == 0)
        fields--;
    if (fields < t->columns || fields > COLUMNS_MAX)
        row_refuse(t, fields);
    else if (fields == t->columns) {
        cells_make(t, cell);
        sacct_row_take(t->s, cell, t->line);
    } else if (surplus_place(t, cell, 0, fields - t->columns, &tries))
        sacct_row_take(t->s, cell, t->line);
    else
        row_refuse(t, fields);
}

/* Lines of a free text in the last column stand behind a row that is whole. */
static bool is_tail(struct sacct_text *t, const char *line, size_t len)
{
    const struct slurm_place at = slurm_place_at(t->s, t->line, 0);

    const bool has_ids = t->field_of[0] == SACCT_JOB_ID
                         || t->field_of[0] == SACCT_JOB_ID_RAW;

    if (!t->ends_free || row_begins(t, line, len)
        || (!has_ids && memchr(line, t->by, len)))
        return false;
    slurm_tell(t->s, IMPORT_ASSUMED, &at,
               "lines that begin no row belong to the text of the row before "
               "them");
    return true;
}

static int rows_read(struct sacct_text *t, struct gs_err *err)
{
    size_t len;
    char *line;
    int rc;

    while ((rc = line_next(t, &line, &len, err)) > 0) {
        uint32_t fields;

        t->line = gs_input_line_number(t->in);
        if (len == 0)
            continue;
        if (is_tail(t, line, len))
            continue;
        fields = split(t, line, len);
        if (fields < t->columns) {
            fields = row_join(t, line, len, err, &rc);
            if (rc < 0)
                break;
        }
        row_take(t, fields);
    }
    return rc;
}

/* Rows of "Key=Value", each with its own columns. */
static int pairs_read(struct sacct_text *t, struct gs_err *err)
{
    size_t len;
    char *line;
    int rc;

    t->by = ',';
    while ((rc = gs_input_line(t->in, &line, &len, err)) > 0) {
        struct sacct_cell cell[SACCT_FIELDS + 1] = { 0 };
        uint32_t fields;

        if (len == 0)
            continue;
        fields = split(t, line, len);
        for (uint32_t i = 0; i < fields && i <= COLUMNS_MAX; i++) {
            const char *equals = memchr(t->at[i], '=', t->len[i]);
            const uint32_t key = equals ? (uint32_t)(equals - t->at[i]) : 0;
            bool is_known;

            if (equals)
                cell[sacct_field_find(t->at[i], key, &is_known)] =
                    (struct sacct_cell){ equals + 1, t->len[i] - key - 1 };
        }
        sacct_row_take(t->s, cell, gs_input_line_number(t->in));
    }
    return rc;
}

static int table_read(struct sacct_text *t, enum sacct_form form,
                      struct gs_err *err)
{
    const char *name = gs_input_name(t->in);
    size_t size, len;
    const char *head = gs_input_head(t->in, &size, err);
    char *line;

    if (!head)
        return -1;
    if (t->s->columns) {
        static const char all[] = "|;\t,";
        const char *lf = memchr(head, '\n', size);
        const size_t first = lf ? (size_t)(lf - head) : size;

        for (size_t d = 0; d < 4 && !t->by; d++)
            t->by = memchr(head, all[d], first) ? all[d] : '\0';
        return columns_given(t, t->s->columns, err) < 0 ? -1
                                                        : rows_read(t, err);
    }
    if (form == SACCT_BARE)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ name, 1, 0 },
                       "the rows of sacct have no header: --columns names "
                       "them (sacct without -n writes a header)");
    if (gs_input_line(t->in, &line, &len, err) <= 0)
        return -1;
    t->by = sacct_delimiter_find(line, len);
    t->columns = split(t, line, len);
    return columns_take(t, 1, err) < 0 ? -1 : rows_read(t, err);
}

int sacct_text_read(struct slurm *s, struct gs_input *in, struct gs_err *err)
{
    struct sacct_text *t = gs_array_new(1, sizeof(*t));
    size_t size = 0;
    const char *head = gs_input_head(in, &size, err);
    const enum sacct_form form = head ? sacct_recognise(head, size)
                                      : SACCT_NONE;
    int rc = -1;

    assert(s && in);
    t->s = s;
    t->in = in;
    if (head)
        rc = form == SACCT_PAIRS && !s->columns ? pairs_read(t, err)
                                                : table_read(t, form, err);
    gs_array_free(t->row);
    gs_array_free(t->kept);
    gs_array_free(t);
    return rc < 0 ? -1 : 0;
}

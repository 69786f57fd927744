/* base/csv.c - rows of fields, see csv.h. */
#include "base/csv.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/input.h"

static struct gs_mark mark_at(const struct gs_csv *csv, uint32_t column)
{
    return (struct gs_mark){ gs_input_name(csv->in),
                             gs_input_line_number(csv->in), (int)column };
}

struct gs_mark gs_csv_mark(const struct gs_csv *csv, uint32_t c)
{
    assert(c < csv->count || csv->count < GS_CSV_COLUMNS_MAX);
    return mark_at(csv, csv->field[c].column);
}

/* Unquote the field at `s` in place.  Returns its end, or NULL when a quote is
 * not closed.
 */
static char *unquote(char *s, struct gs_csv_field *f)
{
    char *to = s, *from = s + 1;
    bool is_open = true;

    assert(*s == '"');
    while (*from && is_open) {
        if (*from == '"' && *++from != '"')
            is_open = false;
        else
            *to++ = *from++;
    }
    if (is_open || (*from && *from != ','))
        return NULL;
    f->text = s;
    f->len = (uint32_t)(to - s);
    return from;
}

/* Split `line` into csv->field.  Returns the number of fields, or -1. */
static int split(struct gs_csv *csv, char *line, uint32_t max,
                 struct gs_err *err)
{
    char *s = line;
    uint32_t n = 0;

    assert(max > 0 && max <= GS_CSV_COLUMNS_MAX);
    for (;;) {
        struct gs_csv_field *f = &csv->field[n];
        char *end;

        if (n == max) {
            n++;
            for (; *s; s++)
                n += *s == ',';
            return (int)n;
        }
        f->column = (uint32_t)(s - line) + 1;
        if (*s == '"') {
            end = unquote(s, f);
            if (!end)
                return gs_fail(err, GS_INPUT, mark_at(csv, f->column),
                               "a quoted field must end with '\"' before the "
                               "next ',' or the end of the line");
        } else {
            end = s;
            while (*end && *end != ',')
                end++;
            f->text = s;
            f->len = (uint32_t)(end - s);
        }
        n++;
        if (*end == '\0') {
            s[f->len] = '\0';
            return (int)n;
        }
        s[f->len] = '\0';
        s = end + 1;
    }
}

/* The next line that is not blank: 1, 0, -1. */
static int line_next(struct gs_csv *csv, char **line, struct gs_err *err)
{
    size_t len;
    int rc;

    do {
        rc = gs_input_line(csv->in, line, &len, err);
        if (rc <= 0)
            return rc;
    } while (len == 0 || strspn(*line, " \t") == len);
    return 1;
}

static int names_keep(struct gs_csv *csv, int count, struct gs_err *err)
{
    size_t size = 0;
    char *to;

    for (int i = 0; i < count; i++)
        size += csv->field[i].len + 1;
    to = csv->names = gs_array_new(size, 1);
    for (int i = 0; i < count; i++) {
        const struct gs_csv_field *f = &csv->field[i];

        if (f->len == 0)
            return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)i),
                           "column %d has no name", i + 1);
        if (gs_csv_column(csv, f->text) >= 0)
            return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)i),
                           "column '%s' is named twice", f->text);
        csv->name[csv->count++] = memcpy(to, f->text, f->len + 1);
        to += f->len + 1;
    }
    return 0;
}

int gs_csv_open(struct gs_csv *csv, struct gs_input *in, struct gs_err *err)
{
    char *line;
    int n, rc;

    assert(csv && in);
    assert(gs_input_line_number(in) == 0); /* nothing was read before */
    csv->in = in;
    csv->count = 0;
    csv->names = NULL;
    rc = line_next(csv, &line, err);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ gs_input_name(in), 1, 1 },
                       "the file is empty: a header line was expected");
    n = split(csv, line, GS_CSV_COLUMNS_MAX, err);
    if (n < 0)
        return -1;
    if (n > GS_CSV_COLUMNS_MAX)
        return gs_fail(err, GS_INPUT, mark_at(csv, 1),
                       "at most %d columns are read (got %d)",
                       GS_CSV_COLUMNS_MAX, n);
    if (names_keep(csv, n, err) < 0) {
        gs_csv_close(csv);
        return -1;
    }
    return 0;
}

void gs_csv_close(struct gs_csv *csv)
{
    gs_array_free(csv->names);
    csv->names = NULL;
    csv->count = 0;
}

int gs_csv_column(const struct gs_csv *csv, const char *name)
{
    assert(csv && name);
    for (uint32_t i = 0; i < csv->count; i++) {
        if (strcmp(csv->name[i], name) == 0)
            return (int)i;
    }
    return -1;
}

int gs_csv_next(struct gs_csv *csv, struct gs_err *err)
{
    char *line;
    int n, rc = line_next(csv, &line, err);

    assert(csv->in && csv->count > 0);
    if (rc <= 0)
        return rc;
    n = split(csv, line, csv->count, err);
    if (n < 0)
        return -1;
    if ((uint32_t)n != csv->count)
        return gs_fail(err, GS_INPUT, mark_at(csv, 1),
                       "%d fields where the header names %u", n, csv->count);
    return 1;
}

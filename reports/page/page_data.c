/* reports/page/page_data.c - reads the data of a picture. */
#include <assert.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/csv_write.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/glossary/cause_info.h"
#include "reports/page/page_private.h"
#include "reports/store/store_private.h"

/* The number of a label, from 1; 0 when there are too many. */
static uint32_t label_number(const struct report_page *p, struct page_data *d,
                             sqlite3_stmt *st)
{
    const char *text = store_clean_text(st, 0, p->arena);
    const uint32_t at = (uint32_t)gs_text_find(text, d->label, d->labels);

    if (at == PAGE_LABELS)
        return 0;
    if (at == d->labels)
        d->label[d->labels++] = text;
    return at + 1;
}

/* Read a row; false when it is left out. */
static bool row_read(const struct report_page *p,
                     const struct page_picture *pic, struct page_data *d,
                     sqlite3_stmt *st, double *row)
{
    for (int i = 0; i < d->columns; i++) {
        if (i == 0 && pic->has_labels) {
            const uint32_t n = label_number(p, d, st);

            if (n == 0)
                return false;
            row[i] = n;
        } else
            row[i] = sqlite3_column_type(st, i) == SQLITE_NULL
                         ? (double)NAN
                         : sqlite3_column_double(st, i);
        if (isfinite(row[i]) && row[i] > d->max[i])
            d->max[i] = row[i];
    }
    return true;
}

/* ?4: the names of all causes, as a JSON array. */
static void causes_bind(sqlite3_stmt *st)
{
    char list[256] = "";

    for (int c = REPORT_NO_CAUSE + 1; c < REPORT_CAUSES; c++)
        gs_text_add(list, sizeof(list), "%c\"%s\"", list[0] ? ',' : '[',
                    report_cause_info((enum report_cause)c)->name);
    gs_text_add(list, sizeof(list), "]");
    sqlite3_bind_text(st, 4, list, -1, SQLITE_TRANSIENT);
}

static int series_read(const struct report_page *p, uint32_t run,
                       const struct page_picture *pic, struct page_data *d)
{
    const struct page_run *r = &p->run[run];
    sqlite3_stmt *st = store_ask(r->store, pic->sql, r->id, r->from_us,
                                 r->to_us);
    double(*rows)[PAGE_COLUMNS] = NULL;
    uint32_t n = 0, cap = 0;
    int rc = SQLITE_ROW;

    if (!st)
        return -1;
    if (sqlite3_bind_parameter_count(st) >= 4)
        causes_bind(st);
    d->columns = sqlite3_column_count(st);
    while (n < PAGE_ROWS && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        rows = gs_array_grow(rows, &cap, n + 1, sizeof(*rows));
        n += row_read(p, pic, d, st, rows[n]);
    }
    d->run[run].row = n ? gs_arena_memdup(p->arena, rows, n * sizeof(*rows))
                        : NULL;
    d->run[run].rows = n;
    gs_array_free(rows);
    sqlite3_finalize(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

int page_data_read(const struct report_page *p, const struct page_picture *pic,
                   struct page_data *d, struct gs_err *err)
{
    *d = (struct page_data){ .labels = 0 };
    for (uint32_t run = 0; run < page_drawn(p); run++) {
        if (series_read(p, run, pic, d) < 0)
            return store_fail(p->run[run].store,
                              "cannot read what a picture shows", err);
    }
    return 0;
}

bool page_data_is_empty(const struct page_data *d)
{
    for (uint32_t run = 0; run < PAGE_DRAWN; run++) {
        if (d->run[run].rows)
            return false;
    }
    return true;
}

void page_data_csv(const struct report_page *p, const struct page_picture *pic,
                   const struct page_data *d, FILE *out)
{
    fprintf(out, "run,%s\n", pic->columns);
    for (uint32_t run = 0; run < page_drawn(p); run++) {
        for (uint32_t k = 0; k < d->run[run].rows; k++) {
            const double *row = d->run[run].row[k];

            gs_csv_put_cell(p->compare->run[run].title, out);
            for (int i = 0; i < d->columns; i++) {
                fputc(',', out);
                if (i == 0 && pic->has_labels)
                    gs_csv_put_cell(d->label[(uint32_t)row[i] - 1], out);
                else if (isfinite(row[i]))
                    fprintf(out, "%.7g", row[i]);
            }
            fputc('\n', out);
        }
    }
}

/* base/csv_write.c - fields of comma-separated lines. */
#include "base/csv_write.h"

#include <assert.h>
#include <string.h>

static void quoted_put(const char *before, const char *s, FILE *out)
{
    fprintf(out, "\"%s", before);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}

void gs_csv_put_quoted(const char *s, FILE *out)
{
    assert(s && out);
    quoted_put("", s, out);
}

void gs_csv_put_cell(const char *s, FILE *out)
{
    const char *guard = *s && strchr("=+-@", *s) ? "'" : "";

    assert(s && out);
    if (strpbrk(s, ",\""))
        quoted_put(guard, s, out);
    else
        fprintf(out, "%s%s", guard, s);
}

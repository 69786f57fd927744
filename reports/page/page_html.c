/* reports/page/page_html.c - texts from databases, escaped for HTML and URIs.
 * Each writer passes only characters that are known to be safe.
 */
#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "reports/page/page_private.h"
#include "reports/table/cell_text.h"

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9');
}

void page_html(const char *s, FILE *out)
{
    for (; *s; s++) {
        const char *entity = *s == '\'' ? "&#39;" : report_entity(*s);

        if (entity)
            fputs(entity, out);
        else
            fputc(*s, out);
    }
}

void page_print(FILE *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    for (const char *s = format; *s; s++) {
        if (*s != '%')
            fputc(*s, out);
        else if (*++s == 's')
            page_html(va_arg(args, const char *), out);
        else if (*s == 'u')
            fprintf(out, "%u", va_arg(args, unsigned));
        else {
            assert(*s == '%');
            fputc('%', out);
        }
    }
    va_end(args);
}

void page_uri(const char *s, size_t len, FILE *out)
{
    for (size_t i = 0; i < len; i++) {
        if (is_plain(s[i]) || (s[i] && strchr(".-_,:", s[i])))
            fputc(s[i], out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)s[i]);
    }
}

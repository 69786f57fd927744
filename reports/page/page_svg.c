/* reports/page/page_svg.c - copies SVG of gnuplot into a page.
 *
 * A page has several pictures, so the ids of each get a prefix; the colours of
 * text and axes become those of the page by its style.
 */
#include <string.h>

#include "base/array.h"
#include "reports/page/page_private.h"

/* The content of a file with a final NUL; freed by the caller. */
static char *text_of(FILE *f)
{
    char *text = NULL;
    uint32_t cap = 0, len = 0;

    rewind(f);
    do {
        text = gs_array_grow(text, &cap, len + 65536, 1);
        len += (uint32_t)fread(text + len, 1, cap - len - 1, f);
    } while (!feof(f) && !ferror(f));
    text[len] = '\0';
    return text;
}

static bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* Past the end of the title or description that begins at `s`; else NULL. */
static const char *skip_element(const char *s)
{
    const char *end = starts(s, "<title>")  ? "</title>"
                      : starts(s, "<desc>") ? "</desc>"
                                            : NULL;
    const char *to = end ? strstr(s, end) : NULL;

    if (!end)
        return NULL;
    return to ? to + strlen(end) : s + strlen(s);
}

/* Copy the tag at `s`; returns what follows it. */
static const char *tag_copy(const char *s, const char *prefix, FILE *out)
{
    static const char *const before[] = { " id='", " id=\"", "url(#", "href='#",
                                          "href=\"#" };

    while (*s && *s != '>') {
        size_t i = 0;

        while (i < 5 && !starts(s, before[i]))
            i++;
        if (i == 5) {
            fputc(*s++, out);
            continue;
        }
        fprintf(out, "%s%s", before[i], prefix);
        s += strlen(before[i]);
    }
    return s;
}

void page_svg_copy(FILE *svg, const char *prefix, const char *label, FILE *out)
{
    char *text = text_of(svg);
    const char *s = strstr(text, "<svg"), *box, *after;

    box = s ? strstr(s, "viewBox=\"") : NULL;
    s = box ? strchr(box, '>') : NULL;
    if (s) {
        box += strlen("viewBox=\"");
        fprintf(out,
                "<svg role=\"img\" viewBox=\"%.*s\""
                " xmlns=\"http://www.w3.org/2000/svg\""
                " xmlns:xlink=\"http://www.w3.org/1999/xlink\" aria-label=\"",
                (int)strcspn(box, "\""), box);
        page_print(out, "%s\">", label);
        s++;
    }
    while (s && *s) {
        if (*s != '<' || starts(s, "</"))
            fputc(*s++, out);
        else if ((after = skip_element(s)))
            s = after;
        else
            s = tag_copy(s, prefix, out);
    }
    gs_array_free(text);
}

/* reports/text.c - UTF-8, just enough of it; see text.h. */
#include "reports/text.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

/* Bytes of the character at `s`; 0 when it is none or must not be shown. */
static size_t character(const unsigned char *s)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t n = s[0] < 0x80   ? 1
                     : s[0] < 0xc0 ? 0
                     : s[0] < 0xe0 ? 2
                     : s[0] < 0xf0 ? 3
                     : s[0] < 0xf8 ? 4
                                   : 0;
    uint32_t code = n > 1 ? s[0] & (0x7fu >> n) : s[0];

    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) /* a NUL is none either */
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (n == 0 || code < least[n] || code > 0x10ffff
        || (code >= 0xd800 && code < 0xe000))
        return 0;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : n;
}

const char *report_text_clean(struct gs_arena *arena, const char *s)
{
    char *copy = gs_arena_strndup(arena, s, strlen(s));
    char *to = copy;

    while (*s) {
        const size_t n = character((const unsigned char *)s);

        if (n)
            memmove(to, s, n);
        else
            *to = '?';
        to += n ? n : 1;
        s += n ? n : 1;
    }
    *to = '\0';
    return copy;
}

size_t report_text_length(const char *s)
{
    size_t n = 0;

    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

size_t report_text_bytes(const char *s, size_t count)
{
    size_t i = 0;

    while (s[i] && (count > 0 || ((unsigned char)s[i] & 0xc0) == 0x80)) {
        count -= ((unsigned char)s[i] & 0xc0) != 0x80;
        i++;
    }
    return i;
}

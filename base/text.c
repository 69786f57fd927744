/* base/text.c - the part of UTF-8 that is needed; see text.h. */
#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"

/* Code points that are invisible or change the order of the text around them:
 * line separators, direction controls, and Default_Ignorable_Code_Point of
 * Unicode (DerivedCoreProperties.txt).  Names that differ only in these look
 * the same.
 */
static const struct {
    uint32_t first, last;
} unseen[] = {
    { 0x00ad, 0x00ad },   { 0x034f, 0x034f },   { 0x061c, 0x061c },
    { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
    { 0x200b, 0x200f },   { 0x2028, 0x202e },   { 0x2060, 0x206f },
    { 0x3164, 0x3164 },   { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
    { 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb },   { 0x1bca0, 0x1bca3 },
    { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

static bool is_unseen(uint32_t code)
{
    for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
        if (code >= unseen[i].first && code <= unseen[i].last)
            return true;
    }
    return false;
}

/* Number of bytes of the character at `s`, of `len` bytes; 0 when it is not a
 * character or must not be shown.
 */
static size_t character(const unsigned char *s, size_t len)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t n = s[0] < 0x80   ? 1
                     : s[0] < 0xc0 ? 0
                     : s[0] < 0xe0 ? 2
                     : s[0] < 0xf0 ? 3
                     : s[0] < 0xf8 ? 4
                                   : 0;
    uint32_t code = n > 1 ? s[0] & (0x7fu >> n) : s[0];

    if (n == 0 || n > len)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || is_unseen(code) ? 0
                                                                           : n;
}

bool gs_text_is_clean(const char *s, size_t len)
{
    assert(s || len == 0);
    for (size_t i = 0; i < len;) {
        const unsigned char *c = (const unsigned char *)s + i;
        const size_t n = *c >= 0x20 && *c < 0x7f ? 1 : character(c, len - i);

        if (n == 0)
            return false;
        i += n;
    }
    return true;
}

void gs_text_clean(char *s)
{
    assert(s);
    for (size_t len = strlen(s); len;) {
        const size_t n = character((const unsigned char *)s, len);

        if (n == 0)
            *s = '?';
        s += n ? n : 1;
        len -= n ? n : 1;
    }
}

char *gs_text_copy(struct gs_arena *arena, const char *s)
{
    char *copy = gs_arena_strndup(arena, s, s ? strlen(s) : 0);

    gs_text_clean(copy);
    return copy;
}

const char *gs_text_shown(const char *s, char *buf, size_t size)
{
    size_t len = strlen(s);

    assert(size >= 4);
    if (len >= size) {
        len = size - 4;
        memcpy(buf, s, len);
        memcpy(buf + len, "...", 4);
    } else {
        memcpy(buf, s, len + 1);
    }
    gs_text_clean(buf);
    return buf;
}

size_t gs_text_find(const char *s, const char *const *name, size_t count)
{
    size_t i = 0;

    assert(s && name);
    while (i < count && strcmp(name[i], s) != 0)
        i++;
    return i;
}

char *gs_text_add(char *buf, size_t size, const char *fmt, ...)
{
    const size_t len = strlen(buf);
    va_list args;

    assert(len < size);
    va_start(args, fmt);
    vsnprintf(buf + len, size - len, fmt, args);
    va_end(args);
    return buf;
}

char *gs_text_make(const char *fmt, ...)
{
    va_list args, again;
    char *text;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    assert(len >= 0);
    text = gs_array_new((size_t)len + 1, 1);
    vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    va_end(args);
    return text;
}

size_t gs_text_length(const char *s)
{
    size_t n = 0;

    assert(s);
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

size_t gs_text_bytes(const char *s, size_t count)
{
    size_t i = 0;

    assert(s);
    while (s[i] && (count > 0 || ((unsigned char)s[i] & 0xc0) == 0x80)) {
        count -= ((unsigned char)s[i] & 0xc0) != 0x80;
        i++;
    }
    return i;
}

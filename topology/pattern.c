/* topology/pattern.c - names with brackets, see pattern.h. */
#include "topology/pattern.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "topology/topology.h"

#define DIGITS_MAX 9u

/* One entry of a bracket: a word, or the numbers low .. high. */
struct entry {
    const char *word;
    size_t len; /* of the word; for a range: its width */
    uint32_t low, high;
    bool is_range;
};

static size_t digits(const char *s, uint32_t *out)
{
    size_t n = 0;

    *out = 0;
    while (n < DIGITS_MAX && s[n] >= '0' && s[n] <= '9')
        *out = *out * 10 + (uint32_t)(s[n++] - '0');
    return n;
}

/* Read the entry at `s`.  Returns its end, at ',' or ']'; NULL when it is
 * invalid.
 */
static const char *entry_read(const char *s, struct entry *e)
{
    const char *end = s + strcspn(s, ",]");
    const size_t n = digits(s, &e->low);
    const size_t more = strspn(s + n, "0123456789"); /* past DIGITS_MAX */

    *e = (struct entry){ .word = s, .len = (size_t)(end - s), .low = e->low };
    if (e->len == 0 || memchr(s, '[', e->len))
        return NULL;
    if (more && s[n + more] == '-')
        return NULL; /* a range with too large numbers, not a word */
    if (n && s[n] == '-') {
        const size_t m = digits(s + n + 1, &e->high);

        if (m == 0 || s + n + 1 + m != end || e->high < e->low)
            return NULL;
        e->is_range = true;
        e->len = s[0] == '0' ? n : 0;
    }
    return end;
}

static uint64_t entry_count(const struct entry *e)
{
    return e->is_range ? (uint64_t)e->high - e->low + 1 : 1;
}

/* The number of names of the bracket whose inside begins at `s`; 0 when it is
 * invalid.  *end: after its ']'.
 */
static uint64_t bracket_count(const char *s, const char **end)
{
    uint64_t n = 0;

    for (;; s++) {
        struct entry e;

        s = entry_read(s, &e);
        if (!s || *s == '\0')
            return 0;
        n += entry_count(&e);
        if (*s == ']')
            break;
    }
    *end = s + 1;
    return n;
}

int64_t topo_pattern_count(const char *pattern, struct gs_mark at,
                           struct gs_err *err)
{
    uint64_t n = 1;

    assert(pattern);
    if (strlen(pattern) >= TOPO_NAME_MAX / 2)
        return gs_fail(err, GS_LIMIT, at,
                       "a name may hold at most %d bytes (got '%.40s...')",
                       TOPO_NAME_MAX / 2 - 1, pattern);
    for (const char *s = pattern; *s;) {
        uint64_t k = 1;

        if (*s == '[')
            k = bracket_count(s + 1, &s);
        else if (*s == ']')
            k = 0;
        else
            s++;
        if (k == 0)
            return gs_fail(err, GS_INPUT, at,
                           "a pattern must look like n[001-016] or "
                           "gpu-[a,b,7-9] (got '%s')",
                           pattern);
        n *= k;
        if (n > TOPO_NODES_MAX)
            return gs_fail(err, GS_LIMIT, at,
                           "'%s' stands for more than %u names", pattern,
                           TOPO_NODES_MAX);
    }
    return (int64_t)n;
}

static char *number_put(char *to, uint32_t v, size_t width)
{
    char text[DIGITS_MAX + 2];
    size_t n = 0;

    do
        text[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n < width)
        text[n++] = '0';
    while (n)
        *to++ = text[--n];
    return to;
}

/* Write the i-th name of a bracket. */
static char *bracket_put(char *to, const char *s, uint64_t i)
{
    for (;; s++) {
        struct entry e;

        s = entry_read(s, &e);
        if (i < entry_count(&e)) {
            if (e.is_range)
                return number_put(to, e.low + (uint32_t)i, e.len);
            memcpy(to, e.word, e.len);
            return to + e.len;
        }
        i -= entry_count(&e);
    }
}

size_t topo_pattern_name(const char *pattern, uint32_t i, char *buf)
{
    uint64_t rest = 1; /* number of names of the later brackets */
    char *to = buf;

    assert(pattern && buf);
    for (const char *s = pattern; *s;) {
        if (*s++ == '[')
            rest *= bracket_count(s, &s);
    }
    for (const char *s = pattern; *s;) {
        const char *end;
        uint64_t n;

        if (*s != '[') {
            *to++ = *s++;
            continue;
        }
        n = bracket_count(s + 1, &end);
        rest /= n;
        to = bracket_put(to, s + 1, i / rest % n);
        s = end;
    }
    *to = '\0';
    return (size_t)(to - buf);
}

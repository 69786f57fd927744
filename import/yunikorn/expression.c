/* import/yunikorn/expression.c - regular expressions in the syntax of Go (RE2),
 * by those of POSIX.
 *
 * Only whether an expression matches matters here, so that groups without a
 * number and lazy repetitions are as others.  What POSIX cannot say, such as
 * classes of Unicode, flags in the middle, and classes within brackets that are
 * the complement of one, is no expression here.
 */
#include "import/yunikorn/yunikorn.h"

#include <assert.h>
#include <ctype.h>
#include <regex.h>
#include <string.h>

#define EXPRESSION_MAX 256 /* bytes of one */

struct translation {
    const char *from;
    char to[16 * EXPRESSION_MAX];
    size_t len;
    int flags;
    bool repeats; /* the last part of `to` may be repeated */
};

static void put(struct translation *t, const char *s, size_t len)
{
    assert(t->len + len < sizeof(t->to));
    memcpy(t->to + t->len, s, len);
    t->len += len;
    t->to[t->len] = '\0';
}

/* What stands in brackets for the class \d, \w or \s; NULL: it is none. */
static const char *class_of(char c)
{
    return c == 'd'   ? "0-9"
           : c == 'w' ? "0-9A-Za-z_"
           : c == 's' ? "\t\n\f\r "
                      : NULL;
}

/* Behind a backslash, outside of brackets. */
static bool escape_take(struct translation *t)
{
    const char c = *t->from++;
    const char *chars = class_of((char)tolower((unsigned char)c));

    t->repeats = true;
    if (chars) {
        put(t, "[^", isupper((unsigned char)c) ? 2 : 1);
        put(t, chars, strlen(chars));
        put(t, "]", 1);
        return true;
    }
    if (c == 'A' || c == 'z') {
        put(t, c == 'A' ? "^" : "$", 1);
        return true;
    }
    if (!c || (isalnum((unsigned char)c) && c != 'b' && c != 'B'))
        return false;
    put(t, (const char[]){ '\\', c }, 2);
    return true;
}

/* Behind "[": POSIX has no escapes there, "]" stands first and "-" last. */
static bool brackets_take(struct translation *t)
{
    const char *s = t->from;
    bool close = false, dash = false;

    put(t, "[^", *s == '^' ? 2 : 1);
    s += *s == '^';
    /* what is escaped and may not stand where it is */
    for (const char *c = s; *c && (c == s || *c != ']'); c++) {
        c += *c == '\\' && c[1];
        close |= *c == ']';
    }
    put(t, "]", close);
    for (const char *start = s; *s && (s == start || *s != ']'); s++) {
        const char *end = s[0] == '[' && s[1] == ':' ? strstr(s, ":]") : NULL;

        if (end) {
            put(t, s, (size_t)(end + 2 - s));
            s = end + 1;
        } else if (*s == '\\' && class_of(s[1])) {
            s++;
            put(t, class_of(*s), strlen(class_of(*s)));
        } else if (*s == '\\' && (!s[1] || isalnum((unsigned char)s[1]))) {
            return false;
        } else if (*s == '\\') {
            s++;
            dash |= *s == '-';
            put(t, s, *s != '-' && *s != ']');
        } else {
            put(t, s, *s != ']');
        }
    }
    put(t, "-", dash);
    put(t, "]", 1);
    t->repeats = true;
    t->from = s + 1;
    return *s == ']';
}

/* Behind "(". */
static bool group_take(struct translation *t)
{
    const char *s = t->from;

    put(t, "(", 1);
    t->repeats = false;
    if (*s != '?')
        return true;
    s++;
    if (*s == ':') {
        t->from = s + 1;
        return true;
    }
    s += *s == 'P';
    t->from = s + strcspn(s, ">") + 1;
    return *s == '<' && strchr(s, '>');
}

/* A repetition, and "?" behind it. */
static bool repetition_take(struct translation *t)
{
    const size_t len = *t->from == '{' ? strcspn(t->from, "}") + 1 : 1;

    if (!t->repeats || strlen(t->from) < len)
        return false;
    put(t, t->from, len);
    t->from += len;
    t->from += *t->from == '?';
    t->repeats = false;
    return true;
}

static bool part_take(struct translation *t)
{
    if (strchr("*+?{", *t->from))
        return repetition_take(t);
    switch (*t->from++) {
    case '\\':
        return escape_take(t);
    case '[':
        return brackets_take(t);
    case '(':
        return group_take(t);
    default:
        put(t, t->from - 1, 1);
        t->repeats = t->from[-1] != '|';
        return true;
    }
}

/* "(?i)" at the start. */
static void flags_take(struct translation *t)
{
    size_t len;

    if (strncmp(t->from, "(?", 2) != 0)
        return;
    len = strspn(t->from + 2, "is");
    if (!len || t->from[2 + len] != ')')
        return;
    t->flags |= memchr(t->from + 2, 'i', len) ? REG_ICASE : 0;
    t->from += len + 3;
}

static bool compile(const char *expression, regex_t *to)
{
    struct translation t = { .from = expression,
                             .flags = REG_EXTENDED | REG_NOSUB };

    if (strlen(expression) > EXPRESSION_MAX)
        return false;
    flags_take(&t);
    while (*t.from) {
        if (!part_take(&t))
            return false;
    }
    return regcomp(to, t.to, t.flags) == 0;
}

bool yunikorn_is_expression(const char *s)
{
    return strpbrk(s, "^$*+?()[{}|") != NULL;
}

bool yunikorn_expression_ok(const char *s)
{
    regex_t exp;

    if (!yunikorn_is_expression(s) || !compile(s, &exp))
        return false;
    regfree(&exp);
    return true;
}

bool yunikorn_expression_matches(const char *s, const char *name)
{
    regex_t exp;
    bool found;

    if (!compile(s, &exp))
        return false;
    found = regexec(&exp, name, 0, NULL, 0) == 0;
    regfree(&exp);
    return found;
}

/* import/yunikorn/names.c - amounts and names as YuniKorn takes them. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "import/yunikorn/yunikorn.h"

/* --- amounts -------------------------------------------------------------- */

/* Has the text the form of a suffix, known or not? */
static bool is_suffix(const char *s)
{
    return !*s || (strchr("mkKMGTPE", *s) && (!s[1] || (s[1] == 'i' && !s[2])));
}

static bool scale_of(const char *suffix, bool milli, int64_t *scale)
{
    static const char letters[] = "kMGTPE";
    const char *at = *suffix ? strchr(letters, *suffix) : NULL;

    *scale = 1;
    if (!*suffix)
        return true;
    if (strcmp(suffix, "m") == 0)
        return milli;
    if (!at || (*suffix == 'k' && suffix[1]))
        at = *suffix == 'K' && suffix[1] == 'i' ? letters : NULL;
    if (!at || (suffix[1] && (suffix[1] != 'i' || suffix[2])))
        return false;
    for (size_t i = 0; i <= (size_t)(at - letters); i++)
        *scale *= suffix[1] ? 1024 : 1000;
    return true;
}

static bool times(int64_t *value, int64_t by)
{
    if (*value > INT64_MAX / by)
        return false;
    *value *= by;
    return true;
}

enum yunikorn_quantity yunikorn_quantity(const char *text, bool milli,
                                         int64_t *value)
{
    char suffix[4] = "";
    size_t len = 0;
    int64_t scale;
    bool fits = true;

    while (isspace((unsigned char)*text))
        text++;
    if (!isdigit((unsigned char)*text))
        return YUNIKORN_INVALID;
    for (*value = 0; isdigit((unsigned char)*text); text++) {
        const int64_t digit = *text - '0';

        fits = fits && times(value, 10) && *value <= INT64_MAX - digit;
        *value += fits ? digit : 0;
    }
    while (isspace((unsigned char)*text))
        text++;
    while (isalpha((unsigned char)*text) && len + 1 < sizeof(suffix))
        suffix[len++] = *text++;
    while (isspace((unsigned char)*text))
        text++;
    if (*text || !is_suffix(suffix))
        return YUNIKORN_INVALID;
    if (!fits)
        return YUNIKORN_OVERFLOW;
    if (!scale_of(suffix, milli, &scale))
        return YUNIKORN_INVALID;
    if (!times(value, scale)
        || (milli && suffix[0] != 'm' && !times(value, 1000)))
        return YUNIKORN_OVERFLOW;
    return YUNIKORN_OK;
}

/* --- names ---------------------------------------------------------------- */

static bool is_of(const char *s, const char *more)
{
    for (; *s; s++) {
        if (!isalnum((unsigned char)*s) && !strchr(more, *s))
            return false;
    }
    return true;
}

static bool begins(const char *s)
{
    return isalpha((unsigned char)*s) || *s == '_';
}

bool yunikorn_name_ok(const char *name)
{
    return *name && strlen(name) <= 64 && is_of(name, "_:#/@-");
}

bool yunikorn_user_ok(const char *name)
{
    char start[257];
    const size_t len = strlen(name);

    if (!begins(name) || len >= sizeof(start))
        return false;
    memcpy(start, name, len + 1);
    if (start[len - 1] == '$')
        start[len - 1] = '\0';
    return is_of(start, ":#/_.@-");
}

bool yunikorn_group_ok(const char *name)
{
    return begins(name) && is_of(name, ":_.-");
}

bool yunikorn_filter_ok(const struct yunikorn_words *w, bool is_user)
{
    const char *s = w->count == 1 ? w->at[0] : NULL;

    return !s || (is_user ? yunikorn_user_ok(s) : yunikorn_group_ok(s))
           || yunikorn_expression_ok(s);
}

const struct yunikorn_property *yunikorn_property(
    const struct yunikorn_properties *p, const char *name)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (strcmp(p->at[i].name, name) == 0)
            return &p->at[i];
    }
    return NULL;
}

/* import/yunikorn/values.c - see values.h. */
#include "import/yunikorn/values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"

#define FAIL(r, n, ...)                                              \
    gs_fail((r)->err, GS_INPUT,                                      \
            (struct gs_mark){ (r)->source, (n)->line, (n)->column }, \
            __VA_ARGS__)

const struct gs_ynode *yunikorn_value(const struct gs_ynode *map,
                                      const char *key)
{
    return map ? gs_ynode_find(map, key) : NULL;
}

const struct gs_ynode *yunikorn_map_of(const struct yunikorn_reader *r,
                                       const struct gs_ynode *n,
                                       const char *what,
                                       const char *const *known)
{
    if (!n || gs_ynode_is_null(n))
        return NULL;
    if (n->kind != GS_YMAP) {
        FAIL(r, n, "%s is a mapping", what);
        return NULL;
    }
    for (const struct gs_ynode *v = n->child; v && known; v = v->next) {
        uint32_t i = 0;

        while (known[i] && strcmp(known[i], v->key->text) != 0)
            i++;
        if (!known[i])
            gs_fail(r->unknown, GS_INPUT,
                    (struct gs_mark){ r->source, v->key->line, v->key->column },
                    "'%.80s' is no key of %s (YuniKorn refuses it)",
                    v->key->text, what);
    }
    return n;
}

const struct gs_ynode *yunikorn_list_of(const struct yunikorn_reader *r,
                                        const struct gs_ynode *map,
                                        const char *key, uint32_t *count)
{
    const struct gs_ynode *v = yunikorn_value(map, key);

    *count = 0;
    if (!v || gs_ynode_is_null(v))
        return NULL;
    if (v->kind != GS_YSEQ) {
        FAIL(r, v, "'%s' is a list", key);
        return NULL;
    }
    *count = v->len;
    return v->child;
}

const char *yunikorn_text_of(const struct yunikorn_reader *r,
                             const struct gs_ynode *map, const char *key)
{
    const struct gs_ynode *v = yunikorn_value(map, key);

    if (!v || gs_ynode_is_null(v))
        return "";
    if (v->kind == GS_YSCALAR)
        return v->text;
    FAIL(r, v, "'%s' is a text", key);
    return "";
}

const char *yunikorn_lower_of(const struct yunikorn_reader *r, const char *text)
{
    char *s = gs_arena_strndup(r->arena, text, strlen(text));

    for (char *c = s; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return s;
}

bool yunikorn_flag_of(const struct yunikorn_reader *r,
                      const struct gs_ynode *map, const char *key,
                      bool fallback)
{
    const char *s = yunikorn_text_of(r, map, key);

    if (strcmp(s, "true") == 0 || strcmp(s, "True") == 0
        || strcmp(s, "TRUE") == 0)
        return true;
    if (*s && strcmp(s, "false") != 0 && strcmp(s, "False") != 0
        && strcmp(s, "FALSE") != 0)
        FAIL(r, yunikorn_value(map, key), "'%s' is true or false, not '%.40s'",
             key, s);
    return *s ? false : fallback;
}

uint64_t yunikorn_number_of(const struct yunikorn_reader *r,
                            const struct gs_ynode *map, const char *key)
{
    const char *s = yunikorn_text_of(r, map, key);
    char *end = NULL;
    unsigned long long n;

    if (!*s)
        return 0;
    errno = 0;
    n = strtoull(s, &end, 10);
    if (*end || !isdigit((unsigned char)*s) || errno) {
        FAIL(r, yunikorn_value(map, key),
             "'%s' is a whole number of 0 or more, not '%.40s'", key, s);
        return 0;
    }
    return n;
}

struct yunikorn_words yunikorn_words_of(const struct yunikorn_reader *r,
                                        const struct gs_ynode *map,
                                        const char *key)
{
    struct yunikorn_words w = { 0 };
    uint32_t count;
    const struct gs_ynode *v = yunikorn_list_of(r, map, key, &count);

    w.at = gs_arena_alloc(r->arena, count + 1, sizeof(*w.at));
    for (; v; v = v->next) {
        if (v->kind == GS_YSCALAR)
            w.at[w.count++] = v->text;
        else
            FAIL(r, v, "'%s' is a list of names", key);
    }
    return w;
}

/* Is the resource one of those that a file may have? */
static bool resource_ok(const struct yunikorn_reader *r,
                        const struct gs_ynode *key)
{
    struct yunikorn_names *all = r->resources;

    for (uint32_t i = 0; i < all->count; i++) {
        if (strcmp(all->at[i], key->text) == 0)
            return true;
    }
    if (all->count == YUNIKORN_RESOURCES)
        FAIL(r, key, "a file names at most %d resources", YUNIKORN_RESOURCES);
    else
        all->at[all->count++] = key->text;
    return r->err->count == 0;
}

struct yunikorn_amounts yunikorn_amounts_of(const struct yunikorn_reader *r,
                                            const struct gs_ynode *map,
                                            const char *key)
{
    const struct gs_ynode *n = yunikorn_map_of(r, yunikorn_value(map, key), key,
                                               NULL);
    struct yunikorn_amounts a = { .is_set = n != NULL };

    if (!n)
        return a;
    a.at = gs_arena_alloc(r->arena, n->len + 1, sizeof(*a.at));
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        const char *name = v->key->text;
        struct yunikorn_amount *to = &a.at[a.count];
        const enum yunikorn_quantity is =
            v->kind == GS_YSCALAR ? yunikorn_quantity(
                v->text, strcmp(name, "vcore") == 0, &to->value)
                                  : YUNIKORN_INVALID;

        to->name = name;
        a.count += is == YUNIKORN_OK && resource_ok(r, v->key);
        if (is == YUNIKORN_OVERFLOW)
            FAIL(r, v, "amount '%.40s' of '%.80s' is too large", v->text, name);
        if (is == YUNIKORN_INVALID)
            FAIL(r, v,
                 "'%.80s' is an amount: digits and k, M, G, T, P, E, Ki to Ei%s"
                 " (got '%.40s')",
                 name, strcmp(name, "vcore") == 0 ? ", m" : "",
                 v->kind == GS_YSCALAR ? v->text : "a mapping or a list");
    }
    return a;
}

struct yunikorn_properties yunikorn_properties_of(
    const struct yunikorn_reader *r, const struct gs_ynode *map)
{
    const struct gs_ynode *n = yunikorn_map_of(
        r, yunikorn_value(map, "properties"), "properties", NULL);
    struct yunikorn_properties p = { 0 };

    if (!n)
        return p;
    p.at = gs_arena_alloc(r->arena, n->len + 1, sizeof(*p.at));
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        if (v->kind == GS_YSCALAR)
            p.at[p.count++] = (struct yunikorn_property){ v->key->text, v->text,
                                                          v };
        else
            FAIL(r, v, "property '%.80s' is a text", v->key->text);
    }
    return p;
}

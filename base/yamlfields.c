/* base/yamlfields.c - readers of mappings and of values. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/yamldoc.h"

#define FIELDS_MAX 64u

struct gs_mark gs_ynode_mark(const struct gs_yctx *c, const struct gs_ynode *n)
{
    assert(n && n->line >= 0 && n->column >= 0);
    return (struct gs_mark){ c->source, n->line, n->column };
}

/* --- trees ---------------------------------------------------------------- */

const struct gs_ynode *gs_ynode_find(const struct gs_ynode *map,
                                     const char *key)
{
    assert(key);
    if (map->kind != GS_YMAP)
        return NULL;
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (strcmp(v->key->text, key) == 0)
            return v;
    }
    return NULL;
}

bool gs_ynode_is_null(const struct gs_ynode *n)
{
    assert(n);
    return n->kind == GS_YSCALAR && !n->quoted
           && (n->len == 0 || strcmp(n->text, "~") == 0
               || strcmp(n->text, "null") == 0);
}

/* --- tables --------------------------------------------------------------- */

static int unknown_key(const struct gs_yctx *c, const struct gs_ynode *v,
                       const char *what, const struct gs_yfield *f,
                       size_t count, struct gs_err *err)
{
    const char *name[FIELDS_MAX];
    const char *near;
    char known[480];

    for (size_t i = 0; i < count; i++)
        name[i] = f[i].name;
    near = gs_nearest(v->key->text, name, count);
    if (near)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                       "unknown key '%.64s' in %s (did you mean '%s'?)",
                       v->key->text, what, near);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                   "unknown key '%.64s' in %s (known: %s)", v->key->text, what,
                   gs_names_join(known, sizeof(known), name, count));
}

static size_t field_find(const struct gs_yfield *f, size_t count,
                         const char *key)
{
    size_t i = 0;

    while (i < count && (f[i].name[0] != key[0] || strcmp(f[i].name, key) != 0))
        i++;
    return i;
}

int gs_ynode_fields(const struct gs_yctx *c, const struct gs_ynode *n,
                    const char *what, const struct gs_yfield *f, size_t count,
                    void *out, struct gs_err *err)
{
    bool has_unknown = false;
    uint64_t seen = 0;
    int rc = 0;

    assert(c && n && what && out && (f || count == 0));
    if (n->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "%s must be a mapping of keys to values", what);
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        const size_t i = field_find(f, count, v->key->text);

        if (i == count)
            rc = unknown_key(c, v, what, f, count, err);
        else if (f[i].read(c, v, (char *)out + f[i].offset, err) < 0)
            rc = -1;
        if (i < count)
            seen |= UINT64_C(1) << i;
        else
            has_unknown = true;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    /* a missing key may be a misspelt one */
    for (size_t i = 0; i < count && !has_unknown; i++) {
        if (f[i].required && !(seen >> i & 1))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n), "%s needs '%s'",
                         what, f[i].name);
    }
    return rc;
}

/* --- values --------------------------------------------------------------- */

int gs_yread_refuse(const struct gs_yctx *c, const struct gs_ynode *v,
                    const char *allowed, struct gs_err *err)
{
    static const char *const kinds[] = {
        [GS_YMAP] = "a mapping",
        [GS_YSEQ] = "a list",
    };
    const char *key = v->key ? v->key->text : "value";

    if (v->kind != GS_YSCALAR)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%.40s' must be %s (got %s)", key, allowed,
                       kinds[v->kind]);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%.40s' must be %s (got '%.60s%s')", key, allowed, v->text,
                   v->len > 60 ? "..." : "");
}

int gs_yread_bool(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err)
{
    static const char *const yes[] = { "true", "yes", "on" };
    static const char *const no[] = { "false", "no", "off" };

    assert(v && dest);
    for (size_t i = 0; v->kind == GS_YSCALAR && i < 3; i++) {
        if (strcmp(v->text, yes[i]) == 0 || strcmp(v->text, no[i]) == 0) {
            *(bool *)dest = strcmp(v->text, yes[i]) == 0;
            return 0;
        }
    }
    return gs_yread_refuse(c, v, "true or false", err);
}

int gs_yread_whole(const struct gs_yctx *c, const struct gs_ynode *v,
                   uint32_t low, uint32_t high, uint32_t *out,
                   struct gs_err *err)
{
    char allowed[64];
    uint64_t n;

    assert(v && out && low <= high);
    if (v->kind == GS_YSCALAR && gs_quantity_parse_u64(v->text, v->len, &n) == 0
        && n >= low && n <= high) {
        *out = (uint32_t)n;
        return 0;
    }
    snprintf(allowed, sizeof(allowed),
             high == UINT32_MAX ? "a whole number of at least %u"
                                : "a whole number from %u to %u",
             low, high);
    return gs_yread_refuse(c, v, allowed, err);
}

int gs_yread_word(const struct gs_yctx *c, const struct gs_ynode *v,
                  const char *const *word, size_t count, struct gs_err *err)
{
    char known[200], allowed[220];

    assert(v && word && count > 0);
    for (size_t i = 0; v->kind == GS_YSCALAR && i < count; i++) {
        if (strcmp(v->text, word[i]) == 0)
            return (int)i;
    }
    snprintf(allowed, sizeof(allowed), "one of: %s",
             gs_names_join(known, sizeof(known), word, count));
    return gs_yread_refuse(c, v, allowed, err);
}

int gs_yread_u32(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                 struct gs_err *err)
{
    return gs_yread_whole(c, v, 0, UINT32_MAX, dest, err);
}

int gs_yread_count(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    return gs_yread_whole(c, v, 1, UINT32_MAX, dest, err);
}

int gs_yread_i32(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                 struct gs_err *err)
{
    const bool minus = v->kind == GS_YSCALAR && v->text[0] == '-';
    uint64_t n;

    assert(v && dest);
    if (v->kind != GS_YSCALAR
        || gs_quantity_parse_u64(v->text + minus, v->len - minus, &n) < 0
        || n > INT32_MAX)
        return gs_yread_refuse(c, v, "a whole number", err);
    *(int32_t *)dest = minus ? -(int32_t)n : (int32_t)n;
    return 0;
}

typedef int (*amount_fn)(const char *s, size_t len, int64_t *out);

static int read_amount(const struct gs_yctx *c, const struct gs_ynode *v,
                       amount_fn parse, const char *allowed, void *dest,
                       struct gs_err *err)
{
    int64_t n;

    assert(v && dest && parse && allowed);
    if (v->kind != GS_YSCALAR || parse(v->text, v->len, &n) < 0)
        return gs_yread_refuse(c, v, allowed, err);
    *(int64_t *)dest = n;
    return 0;
}

int gs_yread_duration(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    return read_amount(c, v, gs_duration_parse,
                       "a time such as 90, 90s, 15m, 1h30m or 2d", dest, err);
}

int gs_yread_milli(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    return read_amount(c, v, gs_quantity_parse_milli,
                       "an amount such as 4, 1.5 or 500m", dest, err);
}

int gs_yread_bytes(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    return read_amount(c, v, gs_quantity_parse_bytes,
                       "an amount of bytes such as 512MiB or 80GB", dest, err);
}

int gs_yread_rate(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err)
{
    return read_amount(c, v, gs_quantity_parse_rate,
                       "a rate such as 25GB/s or 200Gbit/s", dest, err);
}

int gs_yread_double(const struct gs_yctx *c, const struct gs_ynode *v,
                    void *dest, struct gs_err *err)
{
    double n;

    assert(v && dest);
    if (v->kind != GS_YSCALAR
        || gs_quantity_parse_double(v->text, v->len, &n) < 0)
        return gs_yread_refuse(c, v, "a number", err);
    *(double *)dest = n;
    return 0;
}

int gs_yread_text(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err)
{
    assert(v && dest);
    if (v->kind != GS_YSCALAR || v->len == 0
        || !gs_text_is_clean(v->text, v->len))
        return gs_yread_refuse(c, v, "a text without control characters", err);
    *(const char **)dest = v->text;
    return 0;
}

int gs_yread_node(const struct gs_yctx *c, const struct gs_ynode *v, void *dest,
                  struct gs_err *err)
{
    assert(v && dest);
    (void)c; /* every node is valid */
    (void)err;
    *(const struct gs_ynode **)dest = v;
    return 0;
}

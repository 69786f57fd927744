/* import/kubernetes/object/value.c - values of objects, see kube.h. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"

/* The child of `map` whose key is the first `len` bytes of `key`. */
static const struct gs_ynode *child_find(const struct gs_ynode *map,
                                         const char *key, size_t len)
{
    if (!map || map->kind != GS_YMAP)
        return NULL;
    for (const struct gs_ynode *c = map->child; c; c = c->next) {
        if (c->key->len == len && memcmp(c->key->text, key, len) == 0)
            return c;
    }
    return NULL;
}

const struct gs_ynode *kube_key(const struct gs_ynode *n, const char *key)
{
    return child_find(n, key, strlen(key));
}

const struct gs_ynode *kube_at(const struct gs_ynode *n, const char *path)
{
    while (n && *path) {
        const size_t len = strcspn(path, ".");

        n = child_find(n, path, len);
        path += len + (path[len] == '.');
    }
    return n && !gs_ynode_is_null(n) ? n : NULL;
}

const char *kube_text(const struct gs_ynode *n, const char *path)
{
    n = kube_at(n, path);
    return n && n->kind == GS_YSCALAR ? n->text : NULL;
}

uint32_t kube_put(const struct kube *k, const char *s)
{
    const size_t len = strlen(s);
    char *clean;

    if (gs_text_is_clean(s, len))
        return gs_strtab_put(k->names, s, len);
    clean = gs_arena_strndup(k->arena, s, len);
    gs_text_clean(clean);
    return gs_strtab_put(k->names, clean, len);
}

const char *kube_str(const struct kube *k, uint32_t id)
{
    return gs_strtab_str(k->names, id);
}

uint32_t kube_name(const struct kube *k, const struct gs_ynode *n,
                   const char *path)
{
    const char *s = kube_text(n, path);

    return s ? kube_put(k, s) : 0;
}

int64_t kube_number(struct kube *k, const struct gs_ynode *n, const char *path,
                    int64_t fallback, int64_t low, int64_t high)
{
    const struct gs_ynode *v = kube_at(n, path);
    int64_t number;
    char *end;

    assert(low <= fallback && fallback <= high);
    if (!v)
        return fallback;
    number = v->kind == GS_YSCALAR ? strtoll(v->text, &end, 10) : 0;
    if (v->kind != GS_YSCALAR || v->len == 0 || *end) {
        k->has_mistake = true;
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%s' that is no whole number ('%.40s')", path,
                            v->kind == GS_YSCALAR ? v->text
                                                  : "a list or mapping");
        return fallback;
    }
    if (number < low || number > high)
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%s' out of range: taken as %lld", path,
                            (long long)(number < low ? low : high));
    return number < low ? low : number > high ? high : number;
}

bool kube_flag(const struct gs_ynode *n, const char *path, bool fallback)
{
    const char *s = kube_text(n, path);

    return !s ? fallback : strcmp(s, "true") == 0;
}

int64_t kube_date(const struct gs_ynode *n, const char *path)
{
    const char *s = kube_text(n, path);
    int64_t us;

    return s && gs_date_parse(s, strlen(s), &us) == 0 && us >= 0 ? us
                                                                 : KUBE_UNKNOWN;
}

const struct gs_ynode *kube_list(const struct gs_ynode *n, const char *path)
{
    n = kube_at(n, path);
    return n && n->kind == GS_YSEQ ? n->child : NULL;
}

const struct gs_ynode *kube_map(const struct gs_ynode *n, const char *path)
{
    n = kube_at(n, path);
    return n && n->kind == GS_YMAP ? n->child : NULL;
}

uint32_t kube_full_name(const struct kube *k, const struct gs_ynode *object)
{
    const char *space = kube_text(object, "metadata.namespace");
    const char *name = kube_text(object, "metadata.name");
    char full[600];

    if (!name)
        name = kube_text(object, "metadata.generateName");
    (void)snprintf(full, sizeof(full), "%.253s/%.253s",
                   space ? space : "default", name ? name : "unnamed");
    return kube_put(k, full);
}

static void time_note(struct kube *k, int64_t us)
{
    k->seen = us > k->seen ? us : k->seen;
}

void kube_times_note(struct kube *k, const struct gs_ynode *object)
{
    static const char *const times[] = { "lastTransitionTime",
                                         "lastHeartbeatTime",
                                         "lastUpdateTime" };

    time_note(k, kube_date(object, "metadata.creationTimestamp"));
    time_note(k, kube_date(object, "status.startTime"));
    time_note(k, kube_date(object, "status.completionTime"));
    for (const struct gs_ynode *c = kube_list(object, "status.conditions"); c;
         c = c->next) {
        for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
            time_note(k, kube_date(c, times[i]));
    }
}

void kube_keys_check(struct kube *k, const struct gs_ynode *n, const char *what,
                     const char *const *known)
{
    for (const struct gs_ynode *v = kube_map(n, ""); v; v = v->next) {
        const char *const *x = known;

        while (*x && strcmp(*x, v->key->text) != 0)
            x++;
        if (!*x && !gs_ynode_is_null(v))
            import_account_tell(k->account, IMPORT_IGNORED, k->source, v,
                                "'%.60s' of %s", v->key->text, what);
    }
}

int64_t kube_go_time(const char *text)
{
    static const struct {
        const char *name;
        double us;
    } units[] = { { "ns", 1e-3 }, { "us", 1 },  { "\xc2\xb5s", 1 },
                  { "ms", 1e3 },  { "s", 1e6 }, { "m", 60e6 },
                  { "h", 3600e6 } };
    double sum = 0;

    if (!*text)
        return KUBE_UNKNOWN;
    while (*text) {
        size_t i = 0;
        char *end;
        double n;

        if ((*text < '0' || *text > '9') && *text != '.')
            return KUBE_UNKNOWN;
        n = strtod(text, &end);
        while (i < sizeof(units) / sizeof(units[0])
               && strncmp(end, units[i].name, strlen(units[i].name)) != 0)
            i++;
        if (i == sizeof(units) / sizeof(units[0]))
            return KUBE_UNKNOWN;
        sum += n * units[i].us;
        text = end + strlen(units[i].name);
        if (!(sum <= 1e18))
            return KUBE_UNKNOWN;
    }
    return (int64_t)sum;
}

int64_t kube_prometheus_time(const char *text)
{
    static const struct {
        char name;
        int64_t days;
    } units[] = { { 'y', 365 }, { 'w', 7 }, { 'd', 1 } };
    int64_t days = 0, rest;

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        const size_t len = strspn(text, "0123456789");

        if (len == 0 || len > 5 || text[len] != units[i].name)
            continue;
        days += strtol(text, NULL, 10) * units[i].days;
        text += len + 1;
        if (!*text)
            return days * 24 * 3600 * GS_SECOND;
    }
    rest = kube_go_time(text);
    return rest == KUBE_UNKNOWN ? rest : days * 24 * 3600 * GS_SECOND + rest;
}

bool kube_go_true(const char *text)
{
    static const char *const yes[] = { "1", "t", "T", "true", "TRUE", "True" };

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (strcmp(text, yes[i]) == 0)
            return true;
    }
    return false;
}

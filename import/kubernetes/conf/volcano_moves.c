/* import/kubernetes/conf/volcano_moves.c - Volcano's plugins tdm and
 * rescheduling, whose victims the action shuffle evicts.
 */
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/volcano_plugins.h"
#include "import/kubernetes/object/kube.h"

/* A time above 0 for parameter `period`; what is none counts as not stated. */
static void period_put(const struct volcano_plugin *p, struct kube_conf_use *u,
                       const char *key)
{
    const struct gs_ynode *v = volcano_argument(p, key);
    const int64_t us = v && v->kind == GS_YSCALAR ? kube_go_time(v->text)
                                                  : KUBE_UNKNOWN;

    if (v && us <= 0)
        import_account_tell(p->k->account, IMPORT_LEFT, p->k->source, v,
                            "'%s' that is no time above 0, such as 1m", key);
    else if (v)
        kube_conf_param(p->k, u, "period", "%lldus", (long long)us);
}

/* --- tdm ------------------------------------------------------------------ */

#define ZONE "tdm.revocable-zone."

static const char *skip(const char *s)
{
    return s + strspn(s, " \t");
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read a time of the day, "9:05" or "21:00", in minutes.  Returns the text
 * behind it, or NULL.
 */
static const char *read_clock(const char *s, unsigned *minutes)
{
    unsigned hour = 0, digits = 0;

    for (; digits < 2 && is_digit(*s); digits++)
        hour = hour * 10 + (unsigned)(*s++ - '0');
    if (digits == 0 || hour > 23 || s[0] != ':' || !is_digit(s[1]) || s[1] > '5'
        || !is_digit(s[2]))
        return NULL;
    *minutes = hour * 60 + (unsigned)(s[1] - '0') * 10 + (unsigned)(s[2] - '0');
    return s + 3;
}

/* "10:00-21:00"; a window that ends before it begins lasts until midnight, as
 * in Volcano, which looks at the window that begins on this day only.
 */
static bool window_read(const struct volcano_plugin *p,
                        const struct gs_ynode *v, unsigned *from, unsigned *to)
{
    const char *s = v->kind == GS_YSCALAR ? read_clock(skip(v->text), from)
                                          : NULL;

    s = s && *s == '-' ? read_clock(s + 1, to) : NULL;
    if (!s || *skip(s)) {
        import_account_tell(p->k->account, IMPORT_LEFT, p->k->source, v,
                            "'" ZONE "*' that is no window, such as "
                            "10:00-21:00: the zone is never open");
        return false;
    }
    if (*to > *from)
        return true;
    if (*to > 0)
        import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, v,
                            "a window over midnight ends at midnight, as in "
                            "Volcano");
    *to = 24 * 60;
    return true;
}

static bool is_plain(const char *name)
{
    return *name
           && strspn(name,
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                     "0123456789._-")
                  == strlen(name)
           && strlen(name) <= 63;
}

void volcano_windows_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u = volcano_use(p, "time-windows");
    const char *zones = "";

    if (!u)
        return;
    for (const struct gs_ynode *v = kube_map(p->at, "arguments"); v;
         v = v->next) {
        const char *name = v->key->text + strlen(ZONE);
        unsigned from = 0, to = 0;

        if (strncmp(v->key->text, ZONE, strlen(ZONE)) != 0)
            continue;
        if (!is_plain(name))
            import_account_tell(p->k->account, IMPORT_LEFT, p->k->source, v,
                                "a zone whose name is no value of a label");
        else if (window_read(p, v, &from, &to))
            zones = gs_arena_printf(p->k->arena, "%s%s%s %02u:%02u-%02u:%02u",
                                    zones, *zones ? ", " : "", name, from / 60,
                                    from % 60, to / 60, to % 60);
    }
    kube_conf_param(p->k, u, "taint", "%s", KUBE_ZONE);
    kube_conf_param(p->k, u, "zones", "\"%s\"", *zones ? zones : "none");
    period_put(p, u, "tdm.evict.period");
    import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, p->at,
                        "windows of plugin 'tdm' are in UTC (parameter "
                        "timezone of module time-windows)");
}

/* --- rescheduling --------------------------------------------------------- */

/* Percents of cpu and memory; others count nothing there, either. */
static void percents_put(const struct volcano_plugin *p,
                         struct kube_conf_use *u, const char *name,
                         const struct gs_ynode *from)
{
    static const char *const resource[] = { "cpu", "memory" };

    for (size_t i = 0; from && i < 2; i++)
        kube_conf_weight(p->k, u, name, resource[i],
                         kube_conf_number(p->k, kube_key(from, resource[i]),
                                          resource[i], 100, 0, 1000),
                         NULL);
}

static void strategy_take(const struct volcano_plugin *p,
                          struct kube_conf_use *u, const struct gs_ynode *at)
{
    const char *name = kube_text(at, "name");

    if (!name || strcmp(name, "lowNodeUtilization") != 0) {
        kube_conf_ignore(p->k, at, "strategy '%.80s' of plugin '%s'",
                         name ? name : "", p->name);
        return;
    }
    percents_put(p, u, "low", kube_at(at, "params.thresholds"));
    percents_put(p, u, "high", kube_at(at, "params.targetThresholds"));
}

void volcano_rebalance_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u = volcano_use(p, "rebalance");

    if (!u)
        return;
    period_put(p, u, "interval");
    for (const struct gs_ynode *s = kube_list(p->at, "arguments.strategies"); s;
         s = s->next)
        strategy_take(p, u, s);
    import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, p->at,
                        "plugin 'rescheduling': the load of a node is `load` "
                        "of the topology and a part of what its tasks ask for");
}

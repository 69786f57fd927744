/* reports/gate/gate_range.c - a rangespec of Kueue's scalability tests as
 * rules:
 *
 *     wlClassesMaxAvgTimeToAdmissionMs: {large: 23_000}
 *
 * The class of a workload is the qos of its job (import/kubernetes), and its
 * time to admission the wait.  The test's other thresholds are on its own
 * process and on the use of quotas, of which a run has no metric.
 */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "reports/gate/gate_rules.h"

#define WAITS "wlClassesMaxAvgTimeToAdmissionMs"
#define MS_MAX INT64_C(1000000000000)
#define CLASSES_MAX 1000u
#define UNREAD_MAX 8 /* keys that are named */

bool report_range_is(const struct gs_ynode *root)
{
    return root->kind == GS_YMAP && gs_ynode_find(root, WAITS);
}

/* Milliseconds, with '_' between digits; -1. */
static int64_t ms_of(const struct gs_ynode *v)
{
    int64_t ms = 0;

    if (v->kind != GS_YSCALAR || !isdigit((unsigned char)v->text[0]))
        return -1;
    for (const char *c = v->text; *c; c++) {
        if (*c != '_' && (!isdigit((unsigned char)*c) || ms > MS_MAX))
            return -1;
        ms = *c == '_' ? ms : 10 * ms + (*c - '0');
    }
    return ms;
}

/* Of letters, digits and "-_.", which need no quotes. */
static bool class_ok(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            return false;
    }
    return *name != '\0';
}

int report_range_read(const char *source, const struct gs_ynode *root,
                      struct gs_arena *arena, struct report_rules *out,
                      struct gs_err *err)
{
    const struct gs_ynode *waits = gs_ynode_find(root, WAITS), *map;
    const char *text = "";
    uint32_t at = 0;

    if (waits->kind != GS_YMAP || !waits->child || waits->len > CLASSES_MAX)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ source, waits->line, waits->column },
                       "'" WAITS "' is a mapping of at most 1000 classes to "
                       "milliseconds");
    for (const struct gs_ynode *v = waits->child; v; v = v->next) {
        const int64_t ms = ms_of(v);

        if (ms < 0 || !class_ok(v->key->text))
            return gs_fail(
                err, GS_INPUT, (struct gs_mark){ source, v->line, v->column },
                "a threshold of '" WAITS "' is a class and a whole number "
                "of milliseconds (got '%.40s': '%.40s')",
                v->key->text, v->kind == GS_YSCALAR ? v->text : "a list");
        text = gs_arena_printf(arena, "%s'wait.mean[qos=%s]': {max: %lldms}\n",
                               text, v->key->text, (long long)ms);
    }
    map = gs_yaml_parse(source, text, arena, err);
    if (!map || report_rules_parse(source, map, arena, out, err) < 0)
        return -1;
    for (const struct gs_ynode *v = waits->child; v; v = v->next, at++) {
        out->rule[at].line = v->line;
        out->rule[at].column = v->column;
    }
    at = 0;
    for (const struct gs_ynode *v = root->child; v; v = v->next) {
        if (v != waits && at++ < UNREAD_MAX)
            out->unread = gs_arena_printf(
                arena, "%s%s'%.60s'", out->unread ? out->unread : "",
                out->unread ? ", " : "", v->key->text);
    }
    return 0;
}

/* policies/profile/profile_fields.c - the settings of a profile, as a mapping
 * states them.
 */
#include "policies/profile/profile_fields.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "policies/profile/params_use.h"
#include "policies/profile/profile.h"

#define COST_MAX (3600 * GS_SECOND)

const char *const gsched_action_names[GSCHED_ACTIONS] = {
    [GSCHED_ENQUEUE] = "enqueue",
    [GSCHED_ALLOCATE] = "allocate",
    [GSCHED_BACKFILL] = "backfill",
    [GSCHED_PREEMPT] = "preempt",
    [GSCHED_RECLAIM] = "reclaim",
    [GSCHED_SHUFFLE] = "shuffle",
    [GSCHED_GANG_PREEMPT] = "gang-preempt",
    [GSCHED_GANG_RECLAIM] = "gang-reclaim",
    [GSCHED_CONSOLIDATE] = "consolidate",
    [GSCHED_ADMIT] = "admit",
};

/* The index of scalar `v` among `count` names, or -1. */
static int choose(const struct gs_yctx *c, const struct gs_ynode *v,
                  const char *const *names, int count, struct gs_err *err)
{
    char known[160];

    for (int i = 0; v->kind == GS_YSCALAR && i < count; i++) {
        if (strcmp(v->text, names[i]) == 0)
            return i;
    }
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "'%s' must be one of: %s (got '%s')",
                   v->key ? v->key->text : "action",
                   gs_names_join(known, sizeof(known), names, (size_t)count),
                   v->kind == GS_YSCALAR ? v->text : "a list or mapping");
}

static int read_actions(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    struct gsched_profile *p = dest;
    char known[160];
    unsigned listed = 0;
    int rc = 0;

    if (v->kind != GS_YSEQ || !v->child)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'actions' must be a list of: %s",
                       gs_names_join(known, sizeof(known), gsched_action_names,
                                     GSCHED_ACTIONS));
    p->action_count = 0;
    for (const struct gs_ynode *n = v->child; n; n = n->next) {
        const int a = choose(c, n, gsched_action_names, GSCHED_ACTIONS, err);

        if (a < 0)
            rc = -1;
        else if (listed >> a & 1)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                         "action '%s' is listed twice", n->text);
        else
            p->action[p->action_count++] = (enum gsched_action)a;
        listed |= a < 0 ? 0 : 1u << a;
    }
    return rc;
}

static int read_unit(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    static const char *const names[] = {
        [GSCHED_UNIT_GANG] = "gang",
        [GSCHED_UNIT_POD] = "pod",
    };
    struct gsched_profile *p = dest;
    const int i = choose(c, v, names, 2, err);

    if (i < 0)
        return -1;
    p->unit = (enum gsched_unit)i;
    p->unit_at = gs_ynode_mark(c, v);
    return 0;
}

static int read_head(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    static const char *const names[] = { "skip", "block" };
    const int i = choose(c, v, names, 2, err);

    ((struct gsched_profile *)dest)->head_blocks = i == 1;
    return i < 0 ? -1 : 0;
}

static int read_requeue(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    static const char *const names[] = { "submitted", "last" };
    const int i = choose(c, v, names, 2, err);

    ((struct gsched_profile *)dest)->requeue = i == 1
                                                   ? GSCHED_REQUEUE_LAST
                                                   : GSCHED_REQUEUE_SUBMITTED;
    return i < 0 ? -1 : 0;
}

static int read_period(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "period", gs_yread_duration, 0, true },
    };
    int64_t period = 0;

    if (v->kind == GS_YSCALAR && strcmp(v->text, "event") == 0) {
        ((struct gsched_profile *)dest)->period = 0;
        return 0;
    }
    if (v->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'trigger' must be 'event' or {period: DURATION}");
    if (gs_ynode_fields(c, v, "trigger", fields, 1, &period, err) < 0)
        return -1;
    if (period < 1000)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->child),
                       "'period' must be at least 1ms (got '%s')",
                       v->child->text);
    ((struct gsched_profile *)dest)->period = period;
    return 0;
}

static int read_name(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    return gs_yread_text(c, v, &((struct gsched_profile *)dest)->name, err);
}

static int read_process(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    return gs_yread_text(c, v, &((struct gsched_profile *)dest)->process, err);
}

static int read_shares_of(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    struct gsched_profile *p = dest;
    const char *text = NULL, *value;
    size_t len;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    value = *text == '!' ? NULL : strchr(text, '=');
    text += *text == '!';
    len = value ? (size_t)(value - text) : strlen(text);
    if (len == 0 || (!value && *v->text != '!'))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'shares_of' must be LABEL=VALUE, or !LABEL for the "
                       "nodes without it (got '%.80s')",
                       v->text);
    p->share_label = gs_arena_strndup(p->arena, text, len);
    p->share_value = value ? value + 1 : NULL;
    p->share_at = gs_ynode_mark(c, v);
    return 0;
}

static int read_cost(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    int64_t cost = 0;

    if (gs_yread_duration(c, v, &cost, err) < 0)
        return -1;
    if (cost > COST_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'decision_cost' must be at most 1h (got '%s')",
                       v->text);
    ((struct gsched_profile *)dest)->decision_cost = cost;
    return 0;
}

static int read_latency(const struct gs_yctx *c, const struct gs_ynode *v,
                        int64_t *out, struct gs_err *err)
{
    int64_t us = 0;

    if (gs_yread_duration(c, v, &us, err) < 0)
        return -1;
    if (us > COST_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be at most 1h (got '%s')", v->key->text,
                       v->text);
    *out = us;
    return 0;
}

static int read_start_latency(const struct gs_yctx *c, const struct gs_ynode *v,
                              void *dest, struct gs_err *err)
{
    return read_latency(c, v, &((struct gsched_profile *)dest)->start_latency,
                        err);
}

static int read_end_latency(const struct gs_yctx *c, const struct gs_ynode *v,
                            void *dest, struct gs_err *err)
{
    return read_latency(c, v, &((struct gsched_profile *)dest)->end_latency,
                        err);
}

static int read_decisions(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    static const char *const names[] = { "policy", "recorded" };
    const int i = choose(c, v, names, 2, err);

    ((struct gsched_profile *)dest)->is_recorded = i == 1;
    return i < 0 ? -1 : 0;
}

/* --- parts of the nodes --------------------------------------------------- */

static int whole_read(const struct gs_yctx *c, const struct gs_ynode *v,
                      int32_t low, int32_t high, const char *word, int32_t *out,
                      struct gs_err *err)
{
    int32_t n = 0;

    if (gs_yread_i32(c, v, &n, NULL) < 0 || n < low || n > high)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'%s' must be a whole number from %d to %d%s%s%s "
                       "(got '%s')",
                       v->key->text, low, high, word ? ", or '" : "",
                       word ? word : "", word ? "'" : "",
                       v->kind == GS_YSCALAR ? v->text : "a list or mapping");
    *out = n;
    return 0;
}

static bool is_word(const struct gs_ynode *v, const char *word)
{
    return v->kind == GS_YSCALAR && strcmp(v->text, word) == 0;
}

static int read_percentage(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err)
{
    struct gsched_part *part = dest;

    if (!is_word(v, "adaptive"))
        return whole_read(c, v, 0, 100, "adaptive", &part->percentage, err);
    part->percentage = GSCHED_ADAPTIVE;
    return 0;
}

static int read_minimum(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    return whole_read(c, v, 0, INT32_MAX, NULL,
                      &((struct gsched_part *)dest)->minimum, err);
}

static int read_start(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct gsched_profile *p = dest;
    int32_t node = 0;

    if (is_word(v, "victims")) {
        p->start = GSCHED_START_VICTIMS;
    } else if (is_word(v, "random")) {
        p->start = GSCHED_START_RANDOM;
    } else {
        if (whole_read(c, v, 0, INT32_MAX, "victims' or 'random", &node, err)
            < 0)
            return -1;
        p->start = GSCHED_START_NODE;
        p->start_node = (uint32_t)node;
    }
    return 0;
}

static int read_sample(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    static const struct gs_yfield keys[] = {
        { "percentage", read_percentage, 0, false },
        { "minimum", read_minimum, 0, false },
    };

    return gs_ynode_fields(c, v, "sample", keys, 2,
                           &((struct gsched_profile *)dest)->sample, err);
}

static int read_candidates(const struct gs_yctx *c, const struct gs_ynode *v,
                           void *dest, struct gs_err *err)
{
    static const struct gs_yfield keys[] = {
        { "percentage", read_percentage,
          offsetof(struct gsched_profile, candidates), false },
        { "minimum", read_minimum, offsetof(struct gsched_profile, candidates),
          false },
        { "start", read_start, 0, false },
    };

    return gs_ynode_fields(c, v, "candidates", keys, 3, dest, err);
}

/* --- bundles of victims --------------------------------------------------- */

static int read_domains(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    int32_t n = 0;

    if (whole_read(c, v, 1, 1000, NULL, &n, err) < 0)
        return -1;
    ((struct gsched_profile *)dest)->domains = (uint32_t)n;
    return 0;
}

static int read_whole(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    bool whole = true;

    if (gs_yread_bool(c, v, &whole, err) < 0)
        return -1;
    ((struct gsched_profile *)dest)->keeps_gangs = !whole;
    return 0;
}

static int read_bundles(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    static const struct gs_yfield keys[] = {
        { "domains", read_domains, 0, false },
        { "whole", read_whole, 0, false },
    };

    return gs_ynode_fields(c, v, "bundles", keys, 2, dest, err);
}

uint32_t gsched_part_of(const struct gsched_part *p, uint32_t nodes)
{
    const uint32_t less = nodes / 125, minimum = (uint32_t)p->minimum;
    const uint32_t percentage = p->percentage != GSCHED_ADAPTIVE
                                    ? (uint32_t)p->percentage
                                : less < 45 ? 50 - less
                                            : 5;
    const uint32_t part = (uint32_t)((uint64_t)nodes * percentage / 100);
    const uint32_t enough = part < minimum ? minimum : part;

    return enough < nodes ? enough : nodes;
}

/* --- how many jobs of a queue are tried ----------------------------------- */

static int read_depth(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    int32_t n = 0;

    if (whole_read(c, v, 0, INT32_MAX, NULL, &n, err) < 0)
        return -1;
    *(uint32_t *)dest = (uint32_t)n;
    return 0;
}

static int read_queue_depth(const struct gs_yctx *c, const struct gs_ynode *v,
                            void *dest, struct gs_err *err)
{
    static const struct gs_yfield keys[] = {
        { "allocate", read_depth, GSCHED_ALLOCATE * sizeof(uint32_t), false },
        { "consolidate", read_depth, GSCHED_CONSOLIDATE * sizeof(uint32_t),
          false },
        { "reclaim", read_depth, GSCHED_RECLAIM * sizeof(uint32_t), false },
        { "preempt", read_depth, GSCHED_PREEMPT * sizeof(uint32_t), false },
    };
    struct gsched_profile *p = dest;

    p->depth_at = gs_ynode_mark(c, v);
    return gs_ynode_fields(c, v, "queue_depth", keys, 4, p->queue_depth, err);
}

/* --- all ------------------------------------------------------------------ */

static const struct gs_yfield fields[] = {
    { "name", read_name, 0, false },
    { "actions", read_actions, 0, true },
    { "unit", read_unit, 0, false },
    { "head", read_head, 0, false },
    { "requeue", read_requeue, 0, false },
    { "trigger", read_period, 0, false },
    { "decision_cost", read_cost, 0, false },
    { "start_latency", read_start_latency, 0, false },
    { "end_latency", read_end_latency, 0, false },
    { "decisions", read_decisions, 0, false },
    { "modules", gsched_uses_read, 0, true },
    { "process", read_process, 0, false },
    { "sample", read_sample, 0, false },
    { "candidates", read_candidates, 0, false },
    { "bundles", read_bundles, 0, false },
    { "queue_depth", read_queue_depth, 0, false },
    { "shares_of", read_shares_of, 0, false },
};

#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

int gsched_profile_fields(const struct gs_yctx *c, const struct gs_ynode *root,
                          struct gsched_profile *p, struct gs_err *err)
{
    return gs_ynode_fields(c, root, "profile", fields, N_FIELDS, p, err);
}

const struct gs_yfield *gsched_profile_field(const char *name)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    }
    return NULL;
}

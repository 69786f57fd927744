/* traces/formats/native_rules.c - labels of jobs and tasks, and rules about
 * other jobs: affinity, anti_affinity, spread.
 */
#include <string.h>

#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native_rules.h"

#define LABEL_MAX 400 /* bytes of "key=value" */

/* Read one entry of a mapping as "key=value". */
static int read_label(const struct gs_yctx *c, const struct gs_ynode *v,
                      uint32_t *id, struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    const struct gs_ynode *key = v->key;
    char text[LABEL_MAX];
    size_t len;

    if (key->len == 0 || !gs_text_is_clean(key->text, key->len)
        || strchr(key->text, '='))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, key),
                       "a label's name must be a text without '=' (got "
                       "'%.60s')",
                       key->text);
    if (v->kind != GS_YSCALAR || gs_ynode_is_null(v)
        || !gs_text_is_clean(v->text, v->len))
        return gs_yread_refuse(c, v, "a label's value", err);
    len = (size_t)key->len + 1 + v->len;
    if (len > sizeof(text))
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, key),
                       "a label may have at most %d bytes", LABEL_MAX);
    memcpy(text, key->text, key->len);
    text[key->len] = '=';
    memcpy(text + key->len + 1, v->text, v->len);
    *id = gs_strtab_put(w->names, text, len);
    return 0;
}

int trace_read_labels(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode *others, uint32_t *first,
                      uint32_t *count, struct gs_err *err)
{
    struct trace_workload *w = c->user;
    uint32_t label[TRACE_LABELS_MAX] = { 0 }, n = 0;
    int rc = 0;

    if (!map)
        return 0;
    if (map->kind != GS_YMAP)
        return gs_yread_refuse(c, map, "a mapping of names to values", err);
    if (map->len > TRACE_LABELS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, map),
                       "a job may have at most %d labels", TRACE_LABELS_MAX);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (read_label(c, v, &label[n++], err) < 0)
            rc = -1;
        else if (others && gs_ynode_find(others, v->key->text))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v->key),
                         "the job states the label '%.60s' for all its tasks",
                         v->key->text);
    }
    if (rc < 0)
        return -1;
    if (n > TRACE_TABLE_MAX - w->label_count)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, map),
                       "more than %u labels of all jobs", TRACE_TABLE_MAX);
    *first = trace_workload_labels(w, label, n);
    *count = n;
    return 0;
}

static int read_one_label(const struct gs_yctx *c, const struct gs_ynode *map,
                          uint32_t *id, struct gs_err *err)
{
    if (map->kind != GS_YMAP || map->len != 1)
        return gs_yread_refuse(c, map, "one label, such as {app: web}", err);
    return read_label(c, map->child, id, err);
}

static uint32_t text_id(const struct gs_yctx *c, const char *s)
{
    const struct trace_workload *w = c->user;

    return gs_strtab_put(w->names, s, strlen(s));
}

struct affinity_in {
    const struct gs_ynode *jobs;
    const char *within;
    uint32_t weight;
};

static int read_affinity(const struct gs_yctx *c, const struct gs_ynode *item,
                         struct trace_rule *rule, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "jobs", gs_yread_node, offsetof(struct affinity_in, jobs), true },
        { "within", gs_yread_text, offsetof(struct affinity_in, within), true },
        { "weight", trace_yread_weight, offsetof(struct affinity_in, weight),
          false },
    };
    struct affinity_in in = { .within = NULL };

    if (gs_ynode_fields(c, item, "affinity", fields, 3, &in, err) < 0)
        return -1;
    rule->tier = text_id(c, in.within);
    rule->weight = in.weight;
    return read_one_label(c, in.jobs, &rule->label, err);
}

int trace_read_affinity(const struct gs_yctx *c, const struct gs_ynode *list,
                        enum trace_rule_kind kind, struct trace_rules *rules,
                        struct gs_err *err)
{
    int rc = 0;

    if (!list)
        return 0;
    if (list->kind != GS_YSEQ || list->len == 0)
        return gs_yread_refuse(c, list, "a list of {jobs, within}", err);
    if (list->len > TRACE_RULES_MAX - rules->count)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, list),
                       "a task may have at most %d affinities, with those of "
                       "its job",
                       TRACE_RULES_MAX);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        struct trace_rule *rule = &rules->rule[rules->count++];

        *rule = (struct trace_rule){ .kind = kind };
        if (read_affinity(c, v, rule, err) < 0)
            rc = -1;
    }
    return rc;
}

int trace_yread_mode(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    static const char *const word[] = { "required", "preferred" };
    const int i = gs_yread_word(c, v, word, 2, err);

    *(enum trace_within *)dest = i == 1 ? TRACE_PREFERRED : TRACE_REQUIRED;
    return i < 0 ? -1 : 0;
}

static int read_honor(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    static const char *const word[] = { "ignore", "honor" };
    const int i = gs_yread_word(c, v, word, 2, err);

    *(bool *)dest = i == 1;
    return i < 0 ? -1 : 0;
}

struct spread_in {
    const struct gs_ynode *jobs;
    const char *over;
    uint32_t max_skew, min_domains;
    enum trace_within mode;
    bool selects, tolerates;
};

static int read_spread(const struct gs_yctx *c, const struct gs_ynode *v,
                       struct trace_rule *rule, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "over", gs_yread_text, offsetof(struct spread_in, over), true },
        { "max_skew", trace_yread_tasks, offsetof(struct spread_in, max_skew),
          false },
        { "mode", trace_yread_mode, offsetof(struct spread_in, mode), false },
        { "jobs", gs_yread_node, offsetof(struct spread_in, jobs), false },
        { "min_domains", trace_yread_tasks,
          offsetof(struct spread_in, min_domains), false },
        { "node_affinity", read_honor, offsetof(struct spread_in, selects),
          false },
        { "node_taints", read_honor, offsetof(struct spread_in, tolerates),
          false },
    };
    struct spread_in in = { .max_skew = 1,
                            .mode = TRACE_REQUIRED,
                            .selects = true };

    if (gs_ynode_fields(c, v, "spread", fields,
                        sizeof(fields) / sizeof(fields[0]), &in, err)
        < 0)
        return -1;
    *rule = (struct trace_rule){
        .kind = TRACE_SPREAD,
        .tier = text_id(c, in.over),
        .max_skew = in.max_skew,
        .min_domains = in.min_domains > 1 ? in.min_domains : 0,
        .counts = (in.selects ? 0 : TRACE_SPREAD_ANY)
                  | (in.tolerates ? TRACE_SPREAD_TOLERATED : 0),
        .weight = in.mode == TRACE_PREFERRED,
    };
    return in.jobs ? read_one_label(c, in.jobs, &rule->label, err) : 0;
}

/* Append {over: tier, max_skew: N, mode: required}, or a list of them. */
static int read_spreads(const struct gs_yctx *c, const struct gs_ynode *spread,
                        struct trace_rules *rules, struct gs_err *err)
{
    const bool is_list = spread && spread->kind == GS_YSEQ;
    const struct gs_ynode *v = is_list ? spread->child : spread;

    if (is_list && (spread->len == 0 || spread->len > TRACE_SPREADS_MAX))
        return gs_yread_refuse(
            c, spread, "{over, max_skew, mode}, or a list of at most 8", err);
    for (; v; v = is_list ? v->next : NULL) {
        if (read_spread(c, v, &rules->rule[rules->count++], err) < 0)
            return -1;
    }
    return 0;
}

int trace_read_group_rules(const struct gs_yctx *c, const struct trace_task *t,
                           const struct trace_job_rules *of,
                           const struct gs_ynode *at, struct trace_group *g,
                           struct gs_err *err)
{
    struct trace_workload *w = c->user;
    struct trace_rules own = of->rules;
    int rc = trace_read_affinity(c, t->affinity, TRACE_NEAR, &own, err);

    if (trace_read_affinity(c, t->anti_affinity, TRACE_APART, &own, err) < 0)
        rc = -1;
    if (trace_read_labels(c, t->labels, of->labels, &g->first_label,
                          &g->label_count, err)
        < 0)
        rc = -1;
    if (read_spreads(c, t->spread, &own, err) < 0)
        return -1;
    if (own.count > TRACE_TABLE_MAX - w->rule_count)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, at),
                       "more than %u rules of all jobs", TRACE_TABLE_MAX);
    trace_group_rules(w, g, own.rule, own.count);
    return rc;
}

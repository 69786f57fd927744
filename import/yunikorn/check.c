/* import/yunikorn/check.c - the checks of a partition, as YuniKorn does them when
 * it loads a configuration (configvalidator.go).
 *
 * An amount that one side does not state is no limit.
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/yunikorn/yunikorn.h"

struct checker {
    const char *source;
    struct gs_arena *arena;
    struct gs_err *err;
};

#define FAIL(c, n, ...)                                              \
    gs_fail((c)->err, GS_INPUT,                                      \
            (struct gs_mark){ (c)->source, (n)->line, (n)->column }, \
            __VA_ARGS__)

/* --- amounts ---------------------------------------------------------------- */

static struct yunikorn_amount *find(const struct yunikorn_amounts *a,
                                    const char *name)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (strcmp(a->at[i].name, name) == 0)
            return &a->at[i];
    }
    return NULL;
}

/* The first of `small` that is above what `large` states of it; NULL. */
static const char *above(const struct yunikorn_amounts *large,
                         const struct yunikorn_amounts *small)
{
    for (uint32_t i = 0; i < small->count; i++) {
        const struct yunikorn_amount *l = find(large, small->at[i].name);

        if (l && small->at[i].value > l->value)
            return small->at[i].name;
    }
    return NULL;
}

static struct yunikorn_amount *put(const struct checker *c,
                                   struct yunikorn_amounts *a, const char *name)
{
    struct yunikorn_amount *at = find(a, name);

    if (at)
        return at;
    at = gs_arena_alloc(c->arena, a->count + 1, sizeof(*at));
    if (a->count)
        memcpy(at, a->at, a->count * sizeof(*at));
    a->at = at;
    at[a->count] = (struct yunikorn_amount){ name, YUNIKORN_UNSET };
    return &at[a->count++];
}

/* Component-wise minimum; what one does not state is the other's. */
static struct yunikorn_amounts least(const struct checker *c,
                                     const struct yunikorn_amounts *a,
                                     const struct yunikorn_amounts *b)
{
    struct yunikorn_amounts min = { .is_set = a->is_set || b->is_set };

    for (uint32_t i = 0; i < a->count + b->count; i++) {
        const struct yunikorn_amount *x = i < a->count ? &a->at[i]
                                                       : &b->at[i - a->count];
        struct yunikorn_amount *to = put(c, &min, x->name);

        if (to->value == YUNIKORN_UNSET || x->value < to->value)
            to->value = x->value;
    }
    return min;
}

static bool is_zero(const struct yunikorn_amounts *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->at[i].value)
            return false;
    }
    return true;
}

static void add(const struct checker *c, struct yunikorn_amounts *sum,
                const struct yunikorn_amounts *more)
{
    for (uint32_t i = 0; i < more->count; i++) {
        struct yunikorn_amount *to = put(c, sum, more->at[i].name);
        const int64_t x = more->at[i].value;

        to->value = to->value == YUNIKORN_UNSET ? x
                    : to->value > INT64_MAX - x ? INT64_MAX
                                                : to->value + x;
    }
}

/* What is guaranteed in the queue: its own, else the sum below it. */
static struct yunikorn_amounts resources_check(
    const struct checker *c, const struct yunikorn_queue *q,
    const struct yunikorn_amounts *parent)
{
    const struct yunikorn_amounts max = least(c, &q->max, parent);
    struct yunikorn_amounts sum = { 0 };
    const char *name = above(&q->max, &q->guaranteed);

    if (name)
        FAIL(c, q->at, "queue '%.64s' is guaranteed more %.80s than its max",
             q->name, name);
    name = above(parent, &q->max);
    if (name)
        FAIL(c, q->at,
             "the max %.80s of queue '%.64s' is above that of a "
             "queue above it",
             name, q->name);
    for (uint32_t i = 0; i < q->queues; i++) {
        const struct yunikorn_amounts own = resources_check(c, &q->queue[i],
                                                            &max);

        add(c, &sum, &own);
    }
    name = above(&q->guaranteed, &sum);
    if (name)
        FAIL(c, q->at,
             "the queues below '%.64s' are guaranteed more %.80s "
             "than it is",
             q->name, name);
    name = above(&max, &sum);
    if (name)
        FAIL(c, q->at,
             "the queues below '%.64s' are guaranteed more %.80s "
             "than its max",
             q->name, name);
    return is_zero(&q->guaranteed) ? sum : q->guaranteed;
}

/* --- limits ----------------------------------------------------------------- */

struct names {
    const char **at;
    uint32_t count;
};

static bool has(const struct names *n, const char *name)
{
    for (uint32_t i = 0; i < n->count; i++) {
        if (strcmp(n->at[i], name) == 0)
            return true;
    }
    return false;
}

/* Each name once, none behind the wildcard. */
static void names_check(const struct checker *c, const struct yunikorn_limit *l,
                        const struct yunikorn_words *w, struct names *seen,
                        const char *what)
{
    const char **all = gs_arena_alloc(c->arena, seen->count + w->count + 1,
                                      sizeof(*all));

    if (seen->count)
        memcpy(all, seen->at, seen->count * sizeof(*all));
    seen->at = all;
    for (uint32_t i = 0; i < w->count; i++) {
        const char *name = w->at[i];
        const bool is_all = strcmp(name, "*") == 0;

        if (!is_all
            && !(*what == 'u' ? yunikorn_user_ok(name)
                              : yunikorn_group_ok(name)))
            FAIL(c, l->at, "'%.80s' is no name of a %s", name, what);
        if (has(seen, name))
            FAIL(c, l->at, "%s '%.80s' has two limits in one queue", what,
                 name);
        else if (!is_all && has(seen, "*"))
            FAIL(c, l->at,
                 "the limit of %s '%.80s' stands behind that of "
                 "all, '*'",
                 what, name);
        seen->at[seen->count++] = name;
    }
}

static void limit_check(const struct checker *c, const struct yunikorn_queue *q,
                        const struct yunikorn_limit *l, struct names *users,
                        struct names *groups)
{
    if (!l->users.count && !l->groups.count)
        FAIL(c, l->at, "a limit names users or groups");
    names_check(c, l, &l->users, users, "user");
    names_check(c, l, &l->groups, groups, "group");
    if (groups->count == 1 && has(groups, "*"))
        FAIL(c, l->at,
             "a limit of all groups, '*', stands beside one of a "
             "named group only");
    if (l->max.count && is_zero(&l->max))
        FAIL(c, l->at, "'maxresources' of a limit are above 0");
    if (!l->max.count && !l->jobs)
        FAIL(c, l->at, "a limit has 'maxresources' or 'maxapplications'");
    if (q->jobs && q->jobs < l->jobs)
        FAIL(c, l->at,
             "'maxapplications' of a limit is above that of queue "
             "'%.64s'",
             q->name);
    if (strcmp(q->name, "root") != 0 && above(&q->max, &l->max))
        FAIL(c, l->at,
             "'maxresources' of a limit are above the max of queue "
             "'%.64s'",
             q->name);
}

/* The limits that hold for names on the way down. */
struct held {
    const char *name;
    struct yunikorn_amounts max;
    uint64_t jobs;
    bool is_user;
    const struct held *next;
};

static const struct held *held_find(const struct held *h, const char *name,
                                    bool is_user)
{
    while (h && (h->is_user != is_user || strcmp(h->name, name) != 0))
        h = h->next;
    return h;
}

/* The limit of a name against those above: its own, or that of all. */
static void held_check(const struct checker *c, const struct yunikorn_queue *q,
                       const struct yunikorn_limit *l, const char *name,
                       bool is_user, const struct held *above_it,
                       const struct held **here)
{
    const struct held *own = held_find(above_it, name, is_user);
    const struct held *h = own ? own : held_find(above_it, "*", is_user);
    struct held *new = gs_arena_alloc(c->arena, 1, sizeof(*new));

    *new = (struct held){ name, l->max, l->jobs, is_user, *here };
    *here = new;
    if (!h)
        return;
    if (above(&h->max, &l->max))
        FAIL(c, l->at,
             "the limit of '%.80s' in queue '%.64s' is above that of "
             "a queue above it",
             name, q->name);
    if (h->jobs && (h->jobs < l->jobs || l->jobs == 0))
        FAIL(c, l->at,
             "'maxapplications' of '%.80s' in queue '%.64s' is above "
             "that of a queue above it",
             name, q->name);
    if (own)
        new->max = least(c, &l->max, &own->max);
}

static void limits_check(const struct checker *c,
                         const struct yunikorn_queue *q,
                         const struct held *above_it)
{
    const struct held *here = above_it;

    for (uint32_t i = 0; i < q->limits; i++) {
        const struct yunikorn_limit *l = &q->limit[i];

        for (uint32_t u = 0; u < l->users.count; u++)
            held_check(c, q, l, l->users.at[u], true, above_it, &here);
        for (uint32_t g = 0; g < l->groups.count; g++)
            held_check(c, q, l, l->groups.at[g], false, above_it, &here);
    }
    for (uint32_t i = 0; i < q->queues; i++)
        limits_check(c, &q->queue[i], here);
}

/* --- queues ----------------------------------------------------------------- */

static void access_check(const struct checker *c, const struct gs_ynode *n)
{
    const char *s = n ? n->text : "";
    int words = 0;

    while (*s) {
        words += !isspace((unsigned char)*s)
                 && (s == n->text || isspace((unsigned char)s[-1]));
        s++;
    }
    if (words > 2)
        FAIL(c, n, "'%.40s' is 'USERS GROUPS': one blank, commas in each",
             n->key->text);
}

static int name_compare(const void *a, const void *b)
{
    const struct yunikorn_queue *x = *(const struct yunikorn_queue *const *)a;
    const struct yunikorn_queue *y = *(const struct yunikorn_queue *const *)b;
    const int names = strcmp(x->name, y->name);

    return names ? names : (x > y) - (x < y);
}

static void siblings_check(const struct checker *c,
                           const struct yunikorn_queue *q)
{
    const struct yunikorn_queue **at = gs_arena_alloc(c->arena, q->queues + 1,
                                                      sizeof(*at));

    for (uint32_t i = 0; i < q->queues; i++) {
        at[i] = &q->queue[i];
        if (!yunikorn_name_ok(at[i]->name))
            FAIL(c, at[i]->at,
                 "'%.80s' is no name of a queue: 1 to 64 "
                 "letters, digits and _ : # / @ -",
                 at[i]->name);
    }
    qsort(at, q->queues, sizeof(*at), name_compare);
    for (uint32_t i = 1; i < q->queues; i++) {
        if (strcmp(at[i - 1]->name, at[i]->name) == 0)
            FAIL(c, at[i]->at, "there are two queues '%.64s' below '%.64s'",
                 at[i]->name, q->name);
    }
}

static void queue_check(const struct checker *c, const struct yunikorn_queue *q)
{
    struct names users = { 0 }, groups = { 0 };

    access_check(c, q->admin);
    access_check(c, q->submit);
    for (uint32_t i = 0; i < q->limits; i++)
        limit_check(c, q, &q->limit[i], &users, &groups);
    siblings_check(c, q);
    for (uint32_t i = 0; i < q->queues; i++) {
        const struct yunikorn_queue *below = &q->queue[i];

        if (q->jobs && below->jobs > q->jobs)
            FAIL(c, below->at,
                 "'maxapplications' of queue '%.64s' is above "
                 "that of '%.64s'",
                 below->name, q->name);
        if (q->jobs && !below->jobs)
            FAIL(c, below->at,
                 "queue '%.64s' has 'maxapplications', since "
                 "'%.64s' has",
                 below->name, q->name);
        queue_check(c, below);
    }
}

/* --- placement rules --------------------------------------------------------- */

/* Append the names of the fixed rules from the outermost on; false from the
 * first rule on that is another.
 */
static bool fixed_path(const struct checker *c,
                       const struct yunikorn_rule *rule, char *path)
{
    const size_t len = strlen(path);

    if (rule->parent && !fixed_path(c, rule->parent, path))
        return false;
    if (rule->kind != YUNIKORN_FIXED)
        return false;
    if (strncmp(rule->value, "root", 4) == 0) {
        if (rule->parent)
            FAIL(c, rule->at,
                 "a rule fixed with a path from root has no "
                 "parent rule");
        *path = '\0';
    } else if (!rule->parent) {
        strcpy(path, "root.");
    } else {
        strcat(path, ".");
    }
    if (len + strlen(path) + strlen(rule->value) < YUNIKORN_PATH_MAX / 2)
        strcat(path, rule->value);
    return true;
}

static bool is_all_fixed(const struct yunikorn_rule *rule)
{
    return rule->kind == YUNIKORN_FIXED
           && (!rule->parent || is_all_fixed(rule->parent));
}

static void rule_check(const struct checker *c,
                       const struct yunikorn_rule *rule)
{
    if (!yunikorn_filter_ok(&rule->users, true))
        FAIL(c, rule->at,
             "the users of a filter are names, or one regular "
             "expression");
    if (!yunikorn_filter_ok(&rule->groups, false))
        FAIL(c, rule->at,
             "the groups of a filter are names, or one regular "
             "expression");
    if (rule->parent)
        rule_check(c, rule->parent);
}

/* Can the queue that fixed rules name be used? */
static void path_check(const struct checker *c,
                       const struct yunikorn_partition *p,
                       const struct yunikorn_rule *rule)
{
    char path[YUNIKORN_PATH_MAX + 1] = "";
    const struct yunikorn_queue *q, *last;
    const bool is_whole = is_all_fixed(rule);
    uint32_t made = 0;

    (void)fixed_path(c, rule, path);
    if (strncmp(path, "root", 4) != 0)
        return;
    q = yunikorn_find(p, path, &last, &made);
    if (q && is_whole && q->is_parent)
        FAIL(c, rule->at, "the placement rule names '%.200s', which is no leaf",
             path);
    else if (q && !is_whole && !q->is_parent)
        FAIL(c, rule->at,
             "the placement rule needs queues below '%.200s', "
             "which is a leaf",
             path);
    else if (!q && made && !last->is_parent)
        FAIL(c, rule->at,
             "the placement rule names '%.200s', below the leaf "
             "'%.64s'",
             path, last->name);
    else if (!q && !rule->create)
        FAIL(c, rule->at,
             "the placement rule names '%.200s', which is not "
             "there, and does not create it",
             path);
}

void yunikorn_check(const struct yunikorn_partition *p, const char *source,
                    struct gs_arena *arena, struct gs_err *err)
{
    const struct checker c = { source, arena, err };
    const struct yunikorn_amounts none = { 0 };

    assert(p && source && arena && err);
    if (p->root.guaranteed.is_set || p->root.max.is_set)
        FAIL(&c, p->root.at,
             "queue root has no resources: it is as large as "
             "the cluster");
    queue_check(&c, &p->root);
    (void)resources_check(&c, &p->root, &none);
    limits_check(&c, &p->root, NULL);
    for (uint32_t i = 0; i < p->rules; i++) {
        rule_check(&c, &p->rule[i]);
        path_check(&c, p, &p->rule[i]);
    }
}

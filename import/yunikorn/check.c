/* import/yunikorn/check.c - the checks of a partition, as YuniKorn does them
 * when it loads a configuration (configvalidator.go).
 *
 * An amount that one side does not state is no limit.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/yunikorn/yunikorn.h"

struct checker {
    const char *source;
    struct gs_arena *arena;
    struct gs_err *err;
    struct limited *limited;
};

#define FAIL(c, n, ...)                                              \
    gs_fail((c)->err, GS_INPUT,                                      \
            (struct gs_mark){ (c)->source, (n)->line, (n)->column }, \
            __VA_ARGS__)

/* --- amounts -------------------------------------------------------------- */

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
    if ((a->count & (a->count - 1)) == 0) { /* full: 0, 1, 2, 4 ... */
        at = gs_arena_alloc(c->arena, a->count ? 2 * (size_t)a->count : 1,
                            sizeof(*at));
        if (a->count)
            memcpy(at, a->at, a->count * sizeof(*at));
        a->at = at;
    }
    a->at[a->count] = (struct yunikorn_amount){ name, YUNIKORN_UNSET };
    return &a->at[a->count++];
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

/* --- limits --------------------------------------------------------------- */

/* The users, or the groups, that limits name, by string ids. */
struct limited {
    struct gs_strtab *names;
    uint32_t queue; /* number of the one that is checked, from 1 */
    struct holders {
        struct holder {
            uint32_t queue;          /* number of the last one with a limit */
            const struct held *held; /* by the queues above; NULL: none */
        } * at;
        uint32_t cap, count; /* count: in the present queue */
    } users, groups;
};

static struct holder *holder_of(const struct checker *c, struct holders *of,
                                const char *name)
{
    const uint32_t id = gs_strtab_put(c->limited->names, name, strlen(name));

    of->at = gs_array_grow(of->at, &of->cap, id + 1, sizeof(*of->at));
    return &of->at[id];
}

static bool is_named(const struct checker *c, struct holders *of,
                     const char *name)
{
    return holder_of(c, of, name)->queue == c->limited->queue;
}

/* Each name once, none behind the wildcard. */
static void names_check(const struct checker *c, const struct yunikorn_limit *l,
                        const struct yunikorn_words *w, struct holders *of)
{
    const bool is_user = of == &c->limited->users;
    const char *what = is_user ? "user" : "group";

    for (uint32_t i = 0; i < w->count; i++) {
        const char *name = w->at[i];
        const bool is_all = strcmp(name, "*") == 0;

        if (!is_all
            && !(is_user ? yunikorn_user_ok(name) : yunikorn_group_ok(name)))
            FAIL(c, l->at, "'%.80s' is no name of a %s", name, what);
        if (is_named(c, of, name))
            FAIL(c, l->at, "%s '%.80s' has two limits in one queue", what,
                 name);
        else if (!is_all && is_named(c, of, "*"))
            FAIL(c, l->at,
                 "the limit of %s '%.80s' stands behind that of "
                 "all, '*'",
                 what, name);
        holder_of(c, of, name)->queue = c->limited->queue;
        of->count++;
    }
}

static void limit_check(const struct checker *c, const struct yunikorn_queue *q,
                        const struct yunikorn_limit *l)
{
    struct limited *all = c->limited;

    if (!l->users.count && !l->groups.count)
        FAIL(c, l->at, "a limit names users or groups");
    names_check(c, l, &l->users, &all->users);
    names_check(c, l, &l->groups, &all->groups);
    if (all->groups.count == 1 && is_named(c, &all->groups, "*"))
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

/* The limit of a name in a queue. */
struct held {
    const char *name;
    struct holders *of;
    struct yunikorn_amounts max;
    uint64_t jobs;
    const struct held *above; /* of the same name; NULL */
    struct held *next;        /* in the same queue */
};

/* The limit of a name against those above: its own, or that of all. */
static struct held *held_check(const struct checker *c,
                               const struct yunikorn_queue *q,
                               const struct yunikorn_limit *l, const char *name,
                               struct holders *of)
{
    const struct held *own = holder_of(c, of, name)->held;
    const struct held *h = own ? own : holder_of(c, of, "*")->held;
    struct held *new = gs_arena_alloc(c->arena, 1, sizeof(*new));

    *new = (struct held){ name, of, l->max, l->jobs, own, NULL };
    if (!h)
        return new;
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
    return new;
}

static struct held *names_held(const struct checker *c,
                               const struct yunikorn_queue *q,
                               const struct yunikorn_limit *l,
                               const struct yunikorn_words *w,
                               struct holders *of, struct held *here)
{
    for (uint32_t i = 0; i < w->count; i++) {
        struct held *new = held_check(c, q, l, w->at[i], of);

        new->next = here;
        here = new;
    }
    return here;
}

static void limits_check(const struct checker *c,
                         const struct yunikorn_queue *q)
{
    struct held *here = NULL;

    for (uint32_t i = 0; i < q->limits; i++) {
        const struct yunikorn_limit *l = &q->limit[i];

        here = names_held(c, q, l, &l->users, &c->limited->users, here);
        here = names_held(c, q, l, &l->groups, &c->limited->groups, here);
    }
    for (const struct held *h = here; h; h = h->next)
        holder_of(c, h->of, h->name)->held = h;
    for (uint32_t i = 0; i < q->queues; i++)
        limits_check(c, &q->queue[i]);
    for (const struct held *h = here; h; h = h->next)
        holder_of(c, h->of, h->name)->held = h->above;
}

/* --- queues --------------------------------------------------------------- */

static void access_check(const struct checker *c, const struct gs_ynode *n)
{
    int blanks = 0;

    for (const char *s = n ? n->text : ""; *s; s++)
        blanks += isspace((unsigned char)*s) != 0;
    if (blanks > 1)
        FAIL(c, n, "'%.40s' is 'USERS GROUPS': one blank, commas in each",
             n->key->text);
}

static void siblings_check(const struct checker *c,
                           const struct yunikorn_queue *q)
{
    for (uint32_t i = 0; i < q->queues; i++) {
        if (!yunikorn_name_ok(q->queue[i].name))
            FAIL(c, q->queue[i].at,
                 "'%.80s' is no name of a queue: 1 to 64 "
                 "letters, digits and _ : # / @ -",
                 q->queue[i].name);
    }
    for (uint32_t i = 1; i < q->queues; i++) {
        const struct yunikorn_queue *at = q->by_name[i];

        if (strcmp(q->by_name[i - 1]->name, at->name) == 0)
            FAIL(c, at->at, "there are two queues '%.64s' below '%.64s'",
                 at->name, q->name);
    }
}

static void queue_check(const struct checker *c, const struct yunikorn_queue *q)
{
    access_check(c, q->admin);
    access_check(c, q->submit);
    c->limited->queue++;
    c->limited->users.count = c->limited->groups.count = 0;
    for (uint32_t i = 0; i < q->limits; i++)
        limit_check(c, q, &q->limit[i]);
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

/* --- placement rules ------------------------------------------------------ */

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
    if (rule->kind == YUNIKORN_FIXED && !yunikorn_path_ok(rule->value))
        FAIL(c, rule->at, "'%.200s' is no path of a queue", rule->value);
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
    /* queues below one do not make it a parent here: it must say so itself */
    if (q && is_whole && q->is_parent)
        FAIL(c, rule->at, "the placement rule names '%.200s', which is no leaf",
             path);
    else if (q && !is_whole && !q->says_parent)
        FAIL(c, rule->at,
             "the placement rule needs queues below '%.200s', "
             "which does not state 'parent: true'",
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
    struct limited limited = { .names = gs_strtab_create() };
    const struct checker c = { source, arena, err, &limited };
    const struct yunikorn_amounts none = { 0 };

    assert(p && source && arena && err);
    if (p->root.guaranteed.is_set || p->root.max.is_set)
        FAIL(&c, p->root.at,
             "queue root has no resources: it is as large as "
             "the cluster");
    queue_check(&c, &p->root);
    (void)resources_check(&c, &p->root, &none);
    limits_check(&c, &p->root);
    gs_strtab_destroy(limited.names);
    gs_array_free(limited.users.at);
    gs_array_free(limited.groups.at);
    for (uint32_t i = 0; i < p->rules; i++) {
        rule_check(&c, &p->rule[i]);
        path_check(&c, p, &p->rule[i]);
    }
}

/* import/yunikorn/place.c - the queue that placement rules give an application
 * (pkg/scheduler/placement).
 *
 * The first rule that gives a usable queue wins; behind the last one
 * root.default is tried, if it is there.  Without rules the queue is the one
 * that the application names, which must be there.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/yunikorn/yunikorn.h"

#define DEFAULT "root.default"

enum outcome { NO_QUEUE, QUEUE, REJECTED };

const struct yunikorn_queue *yunikorn_below(const struct yunikorn_queue *q,
                                            const char *name, size_t len)
{
    uint32_t low = 0, high = q->queues;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct yunikorn_queue *at = q->by_name[middle];
        int order = strncmp(at->name, name, len);

        if (order == 0 && at->name[len] == '\0')
            return at;
        order = order ? order : 1; /* it is longer */
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

const struct yunikorn_queue *yunikorn_find(const struct yunikorn_partition *p,
                                           const char *path,
                                           const struct yunikorn_queue **last,
                                           uint32_t *made)
{
    const size_t first = strcspn(path, ".");
    const struct yunikorn_queue *found =
        first == 4 && memcmp(path, "root", 4) == 0 ? &p->root : NULL;

    *last = &p->root;
    *made = !found;
    for (path += first; *path == '.';) {
        const size_t len = strcspn(path + 1, ".");

        found = found ? yunikorn_below(found, path + 1, len) : NULL;
        *last = found ? found : *last;
        *made += !found;
        path += len + 1;
    }
    return found;
}

/* --- filters -------------------------------------------------------------- */

static bool is_listed(const struct yunikorn_words *w, const char *name)
{
    bool found = false;

    if (w->count == 1 && yunikorn_is_expression(w->at[0]))
        return yunikorn_expression_matches(w->at[0], name);
    for (uint32_t i = 0; i < w->count && !found; i++)
        found = strcmp(w->at[i], name) == 0;
    return found;
}

static bool is_allowed(const struct yunikorn_rule *r,
                       const struct yunikorn_application *a)
{
    bool found = is_listed(&r->users, a->user);

    if (!r->users.count && !r->groups.count)
        return !r->denies;
    for (uint32_t i = 0; a->groups && i < a->groups->count && !found; i++)
        found = is_listed(&r->groups, a->groups->at[i]);
    return found != r->denies;
}

/* --- rules ---------------------------------------------------------------- */

static bool is_qualified(const char *queue)
{
    return strncmp(queue, "root.", 5) == 0;
}

/* One name of a queue: dots are written otherwise. */
static bool name_put(const char *name, char *to)
{
    size_t n = 0;

    for (; *name && n + 6 < YUNIKORN_PATH_MAX; name++) {
        if (*name == '.')
            n += (size_t)sprintf(to + n, "_dot_");
        else
            to[n++] = *name;
    }
    to[n] = '\0';
    return !*name && yunikorn_name_ok(to);
}

bool yunikorn_path_ok(const char *path)
{
    char name[66];

    if (strlen(path) > YUNIKORN_PATH_MAX)
        return false;
    for (;;) {
        const size_t len = strcspn(path, ".");

        if (len > 64)
            return false;
        memcpy(name, path, len);
        name[len] = '\0';
        if (!yunikorn_name_ok(name))
            return false;
        if (!path[len])
            return true;
        path += len + 1;
    }
}

static const char *stated(const struct yunikorn_rule *r,
                          const struct yunikorn_application *a)
{
    const char *tag = NULL;

    switch (r->kind) {
    case YUNIKORN_PROVIDED:
        return a->queue;
    case YUNIKORN_USER:
        return a->user;
    case YUNIKORN_FIXED:
        return r->value;
    case YUNIKORN_TAG:
        tag = a->tag ? a->tag(a->ctx, r->value) : NULL;
        break;
    }
    return tag ? tag : "";
}

static void lower(char *s)
{
    for (; *s; s++)
        *s = (char)tolower((unsigned char)*s);
}

static enum outcome rule_run(const struct yunikorn_partition *p,
                             const struct yunikorn_rule *r,
                             const struct yunikorn_application *a, char *path);

/* The queue of a parent rule is below root, also the one called root. */
static enum outcome parent_run(const struct yunikorn_partition *p,
                               const struct yunikorn_rule *r,
                               const struct yunikorn_application *a, char *path)
{
    const enum outcome is = rule_run(p, r, a, path);
    const size_t len = strlen(path);

    if (is != QUEUE || is_qualified(path))
        return is;
    if (len + 5 > YUNIKORN_PATH_MAX)
        return REJECTED;
    memmove(path + 5, path, len + 1);
    memcpy(path, "root.", 5);
    return QUEUE;
}

static enum outcome rule_run(const struct yunikorn_partition *p,
                             const struct yunikorn_rule *r,
                             const struct yunikorn_application *a, char *path)
{
    const char *name = stated(r, a);
    const struct yunikorn_queue *q, *last;
    char own[YUNIKORN_PATH_MAX + 1];
    uint32_t made;
    /* a fixed value need only begin with "root", without a dot */
    const bool is_whole = r->kind == YUNIKORN_FIXED
                              ? strncmp(name, "root", 4) == 0
                              : r->kind != YUNIKORN_USER && is_qualified(name);

    if (!*name || !is_allowed(r, a))
        return NO_QUEUE;
    if (is_whole) {
        if (!yunikorn_path_ok(name))
            return REJECTED;
        strcpy(path, name);
    } else {
        enum outcome parent = QUEUE;

        /* a fixed value may have several names */
        if (r->kind == YUNIKORN_FIXED ? !yunikorn_path_ok(name)
                                      : !name_put(name, own))
            return REJECTED;
        if (r->kind == YUNIKORN_FIXED)
            strcpy(own, name);
        strcpy(path, "root");
        if (r->parent)
            parent = parent_run(p, r->parent, a, path);
        if (parent != QUEUE)
            return parent;
        q = yunikorn_find(p, path, &last, &made);
        if (q && !q->is_parent)
            return REJECTED;
        if (strlen(path) + strlen(own) + 1 > YUNIKORN_PATH_MAX)
            return REJECTED;
        strcat(path, ".");
        strcat(path, own);
    }
    lower(path);
    q = yunikorn_find(p, path, &last, &made);
    return q || r->create ? QUEUE : NO_QUEUE;
}

/* --- access --------------------------------------------------------------- */

/* Is the name one of the list, and one that YuniKorn takes there?  Those of
 * users have dots and @, those of groups have neither.
 */
static bool is_in_list(const char *list, size_t len, const char *name,
                       const char *more)
{
    const size_t own = strlen(name);
    const size_t last = own - (own > 1 && name[own - 1] == '$' && *more);

    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (size_t i = 0; i < last; i++) {
        if (!isalnum((unsigned char)name[i]) && !strchr("_-", name[i])
            && !strchr(more, name[i]))
            return false;
    }
    for (size_t at = 0; at < len;) {
        size_t n = 0;

        while (at + n < len && list[at + n] != ',')
            n++;
        if (n == own && memcmp(list + at, name, n) == 0)
            return true;
        at += n + 1;
    }
    return false;
}

/* "USERS GROUPS", lists with commas; "*". */
static bool has_access(const char *acl, const struct yunikorn_application *a)
{
    const size_t users = strcspn(acl, " ");
    const char *groups = acl + users + (acl[users] == ' ');

    if ((users == 1 && *acl == '*') || strcmp(groups, "*") == 0
        || is_in_list(acl, users, a->user, ".@"))
        return true;
    for (uint32_t i = 0; a->groups && i < a->groups->count; i++) {
        if (is_in_list(groups, strlen(groups), a->groups->at[i], ""))
            return true;
    }
    return false;
}

/* May the application's user submit to the queue of that path, by the lists of
 * it or of one above?  A user that is not known may.
 */
static bool may_submit(const struct yunikorn_partition *p, const char *path,
                       const struct yunikorn_application *a)
{
    char above[YUNIKORN_PATH_MAX + 1];

    if (strcmp(a->user, YUNIKORN_NOBODY) == 0)
        return true;
    for (size_t len = strlen(path); len;) {
        const struct yunikorn_queue *q, *last;
        uint32_t made;

        memcpy(above, path, len);
        above[len] = '\0';
        q = yunikorn_find(p, above, &last, &made);
        if (q
            && ((q->submit && has_access(q->submit->text, a))
                || (q->admin && has_access(q->admin->text, a))))
            return true;
        while (len && path[len - 1] != '.')
            len--;
        len -= len > 0;
    }
    return false;
}

/* --- all ------------------------------------------------------------------ */

bool yunikorn_place(const struct yunikorn_partition *p,
                    const struct yunikorn_application *a, char *path)
{
    static const struct yunikorn_rule provided = { .kind = YUNIKORN_PROVIDED,
                                                   .value = "" };
    const struct yunikorn_rule *rule = p->rules ? p->rule : &provided;
    const uint32_t rules = p->rules ? p->rules : 1;
    const struct yunikorn_queue *q, *last;
    uint32_t made;

    for (uint32_t i = 0; i < rules; i++) {
        enum outcome o = rule_run(p, &rule[i], a, path);

        if (o == REJECTED)
            return false;
        if (o == NO_QUEUE)
            continue;
        q = yunikorn_find(p, path, &last, &made);
        if ((q && q->is_parent) || !may_submit(p, path, a))
            continue;
        /* one below a leaf cannot be made, and no other rule is asked */
        return q || (last->is_parent && is_qualified(path));
    }
    strcpy(path, DEFAULT);
    q = yunikorn_find(p, path, &last, &made);
    return q && !q->is_parent && may_submit(p, path, a);
}

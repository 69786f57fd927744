/* sim/study/scheduler_set.c - see scheduler_set.h. */
#include "sim/study/scheduler_set.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "policies/profile/profile.h"
#include "sim/replay/schedulers.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "traces/workload/workload.h"

#define NAME_MAX_BYTES 253
#define SCHEDULERS_MAX 64

static size_t name_span(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789._-");
}

/* Length of the name before '=' in a part of a text; 0: none. */
static size_t name_length(const char *part)
{
    const size_t len = name_span(part);

    return part[len] == '=' ? len : 0;
}

static bool is_name(const char *text)
{
    const size_t len = name_span(text);

    return len > 0 && len <= NAME_MAX_BYTES && text[len] == '\0';
}

bool scheduler_set_is(const char *spec)
{
    for (; spec; spec = strchr(spec, ',')) {
        spec += *spec == ',';
        if (name_length(spec))
            return true;
    }
    return false;
}

static bool has_name(const struct gsched_profile *set, const char *name)
{
    while (set && strcmp(set->scheduler, name) != 0)
        set = set->beside;
    return set != NULL;
}

int scheduler_set_add(struct gsched_profile **first, struct gsched_profile *p,
                      struct gs_mark at, struct gs_err *err)
{
    struct gsched_profile **end = first;
    uint32_t count = 0;

    for (; *end; end = &(*end)->beside)
        count++;
    for (const struct gsched_profile *q = p; q; q = q->beside) {
        if (!is_name(q->scheduler))
            return gs_fail(err, GS_INPUT, at,
                           "'%.80s' is no name of a scheduler: at most %d "
                           "letters, digits, '.', '_' and '-'",
                           q->scheduler, NAME_MAX_BYTES);
        if (has_name(*first, q->scheduler))
            return gs_fail(err, GS_INPUT, at,
                           "scheduler '%.80s' is there twice", q->scheduler);
        if (++count > SCHEDULERS_MAX)
            return gs_fail(err, GS_INPUT, at, "more than %d schedulers",
                           SCHEDULERS_MAX);
    }
    *end = p;
    return 0;
}

/* Add the scheduler called `name`, of the policy `p` (NULL: it was refused). */
static int named_add(struct gsched_profile **first, const char *name,
                     struct gsched_profile *p, struct gs_mark at,
                     struct gs_err *err)
{
    if (!p)
        return -1;
    if (p->scheduler)
        return gs_fail(err, GS_INPUT, at,
                       "'%.80s' is itself several schedulers (%.80s ...): it "
                       "stands without a name",
                       name, p->scheduler);
    p->scheduler = name;
    return scheduler_set_add(first, p, at, err);
}

/* --- a text --------------------------------------------------------------- */

/* Length of the first part: up to a ',' before a name or a file. */
static size_t part_length(struct inputs *in, const char *spec)
{
    size_t len = strcspn(spec, ",");

    while (spec[len] == ',') {
        const char *next = spec + len + 1;
        const size_t n = strcspn(next, ",");

        if (name_length(next)
            || inputs_policy_is_file(gs_arena_strndup(in->arena, next, n)))
            break;
        len += 1 + n;
    }
    return len;
}

/* Add the part of a text: "NAME=POLICY", or a file of several schedulers. */
static int part_add(struct inputs *in, struct gsched_profile **first,
                    const char *part, struct gs_err *err)
{
    const struct gs_mark at = { .source = "--policy" };
    const size_t named = name_length(part);
    const char *policy = named ? part + named + 1 : part;
    struct gsched_profile *p = inputs_policy(in, policy, err);

    if (named)
        return named_add(first, gs_arena_strndup(in->arena, part, named), p, at,
                         err);
    if (!p)
        return -1;
    if (p->scheduler)
        return scheduler_set_add(first, p, at, err);
    return gs_fail(err, GS_USAGE, at,
                   "beside other schedulers '%.80s' needs a name: NAME=%.80s",
                   policy, policy);
}

struct gsched_profile *scheduler_set_of(struct inputs *in, const char *spec,
                                        struct gs_err *err)
{
    struct gsched_profile *first = NULL;

    for (const char *part = spec; part;) {
        const size_t len = part_length(in, part);

        if (part_add(in, &first, gs_arena_strndup(in->arena, part, len), err)
            < 0)
            return NULL;
        part = part[len] ? part + len + 1 : NULL;
    }
    first->name = gs_arena_strndup(in->arena, spec, strlen(spec));
    return first;
}

/* --- a file --------------------------------------------------------------- */

static struct gs_mark mark_of(const char *path, const struct gs_ynode *v)
{
    return (
        struct gs_mark){ .source = path, .line = v->line, .column = v->column };
}

/* A scheduler of the file: a mapping is a profile, a text names a policy. */
static struct gsched_profile *entry_read(struct inputs *in, const char *path,
                                         const struct gs_ynode *v,
                                         struct gs_err *err)
{
    struct gsched_profile *p;

    if (v->kind == GS_YMAP) {
        p = gsched_profile_of(path, v, in->arena, err);
        inputs_profile_keep(in, p);
        return p;
    }
    if (v->kind == GS_YSCALAR) {
        in->is_in_set = true;
        p = inputs_policy_in(in, path,
                             inputs_policy_is_file(v->text)
                                 ? gs_input_beside(in->arena, path, v->text)
                                 : v->text,
                             err);
        in->is_in_set = false;
        return p;
    }
    (void)gs_fail(err, GS_INPUT, mark_of(path, v),
                  "a scheduler must be a profile, or the name of a policy");
    return NULL;
}

static int keys_check(const char *path, const struct gs_ynode *root,
                      struct gs_err *err)
{
    const struct gs_ynode *list = gs_ynode_find(root, "schedulers");

    for (const struct gs_ynode *v = root->child; v; v = v->next) {
        if (v != list
            && (strcmp(v->key->text, "name") != 0 || v->kind != GS_YSCALAR))
            return gs_fail(err, GS_INPUT, mark_of(path, v->key),
                           "'%.80s' may not stand beside 'schedulers', but for "
                           "a 'name': each of them has a profile",
                           v->key->text);
    }
    if (list->kind != GS_YMAP || !list->child)
        return gs_fail(err, GS_INPUT, mark_of(path, list),
                       "'schedulers' must be a mapping of names to profiles");
    return 0;
}

struct gsched_profile *scheduler_set_read(struct inputs *in, const char *path,
                                          const struct gs_ynode *root,
                                          struct gs_err *err)
{
    const struct gs_ynode *list = gs_ynode_find(root, "schedulers");
    const struct gs_ynode *name = gs_ynode_find(root, "name");
    const char *base = strrchr(path, '/');
    struct gsched_profile *first = NULL;

    if (in->is_in_set) {
        (void)gs_fail(err, GS_INPUT, mark_of(path, list),
                      "a scheduler of a policy of several is one");
        return NULL;
    }
    if (keys_check(path, root, err) < 0)
        return NULL;
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (named_add(&first, v->key->text, entry_read(in, path, v, err),
                      mark_of(path, v), err)
            < 0)
            return NULL;
    }
    first->name = name ? name->text : base ? base + 1 : path;
    return first;
}

int scheduler_set_check(const struct inputs *in, const struct gsched_profile *p,
                        struct gs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; p->scheduler && i < in->work->job_count; i++) {
        if (sim_scheduler_find(p, in->work, i) == SIM_NO_SCHEDULER)
            rc = sim_scheduler_missing(p, in->work, i, in->trace_path, err);
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

int scheduler_set_refuse(const struct gsched_profile *p, const char *what,
                         struct gs_err *err)
{
    if (!p->scheduler)
        return 0;
    return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                   "%s takes one scheduler; '%s' has several", what, p->name);
}

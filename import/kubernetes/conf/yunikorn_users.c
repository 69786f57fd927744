/* import/kubernetes/conf/yunikorn_users.c - limits of users and groups in the
 * queues of YuniKorn, and the user and the group of pods, see yunikorn_conf.h.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/workload/task_group.h"
#include "import/yunikorn/yunikorn.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

#define ALL "*"
#define KUBE_YUNIKORN_GANG "yunikorn.apache.org/schedulingPolicyParameters"
#define TIMEOUT_MAX 9000000000 /* s; with longer ones YuniKorn's own holds */

/* --- limits --------------------------------------------------------------- */

static uint32_t *names_put(struct kube *k, const struct yunikorn_words *from,
                           uint32_t *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        *to++ = kube_put(k, from->at[i]);
    return to;
}

static bool limit_take(struct kube *k, const struct yunikorn_limit *from,
                       struct kube_user_limit *to)
{
    uint32_t *name;

    if (from->users.count > TRACE_LIMITED_MAX
        || from->groups.count > TRACE_LIMITED_MAX) {
        import_account_tell(k->account, IMPORT_IGNORED, k->source, from->at,
                            "a limit of more than %d users or groups",
                            TRACE_LIMITED_MAX);
        return false;
    }
    name = gs_arena_alloc(k->arena, from->users.count + from->groups.count,
                          sizeof(*name));
    *to = (struct kube_user_limit){
        .name = name,
        .users = from->users.count,
        .groups = from->groups.count,
        .limit = kube_yunikorn_amounts(k, &from->max),
        .jobs = from->jobs < INT32_MAX ? (int64_t)from->jobs : INT32_MAX,
    };
    (void)names_put(k, &from->groups, names_put(k, &from->users, name));
    return true;
}

void kube_yunikorn_limits(struct kube *k, const struct yunikorn_queue *from,
                          struct kube_queue *to)
{
    struct kube_user_limit *l = gs_arena_alloc(k->arena, from->limits + 1,
                                               sizeof(*l));

    to->user_limit = l;
    k->has_user_limits |= from->limits > 0;
    for (uint32_t i = 0; i < from->limits; i++) {
        if (to->user_limits == TRACE_USER_LIMITS_MAX)
            import_account_tell(
                k->account, IMPORT_IGNORED, k->source, from->limit[i].at,
                "limits of a queue after the first %d", TRACE_USER_LIMITS_MAX);
        else if (limit_take(k, &from->limit[i], &l[to->user_limits]))
            to->user_limits++;
    }
}

/* --- pods ----------------------------------------------------------------- */

/* The text of an annotation of YuniKorn; NULL. */
static const char *annotation(struct kube *k, const struct kube_template *t,
                              const char *key)
{
    const uint32_t text = kube_label_value(&t->annotations, kube_put(k, key));

    return text ? kube_str(k, text) : NULL;
}

bool kube_yunikorn_user_read(struct kube *k, const struct kube_template *t,
                             struct yunikorn_application *a,
                             struct yunikorn_words *groups)
{
    const char *info = annotation(k, t, "yunikorn.apache.org/user.info");
    struct gs_err why = { 0 };
    const struct gs_ynode *root =
        info ? gs_yaml_parse("user.info", info, k->arena, &why) : NULL;
    const char *user = root ? kube_text(root, "user") : NULL;

    if (!info) { /* as before there was the annotation */
        const uint32_t label = kube_label_value(
            &t->labels, kube_put(k, "yunikorn.apache.org/username"));

        user = label ? kube_str(k, label) : NULL;
    }
    a->user = user && *user ? user : YUNIKORN_NOBODY;
    for (const struct gs_ynode *g = root ? kube_list(root, "groups") : NULL; g;
         g = g->next) {
        if (g->kind == GS_YSCALAR && groups->count < KUBE_YUNIKORN_GROUPS)
            groups->at[groups->count++] = g->text;
    }
    return user && *user;
}

static bool has(const struct yunikorn_words *w, const char *word)
{
    bool any = false;

    for (uint32_t i = 0; i < w->count && !any; i++)
        any = strcmp(w->at[i], word) == 0;
    return any;
}

/* The first of the groups that the queue limits, in the order of its limits;
 * where it limits all others the first of the groups; NULL.
 */
static const char *group_in(const struct yunikorn_queue *q,
                            const struct yunikorn_words *groups)
{
    const char *other = NULL;

    for (uint32_t i = 0; i < q->limits; i++) {
        const struct yunikorn_words *of = &q->limit[i].groups;

        for (uint32_t g = 0; g < of->count; g++) {
            if (strcmp(of->at[g], ALL) == 0)
                other = groups->at[0];
            else if (has(groups, of->at[g]))
                return of->at[g];
        }
    }
    return other;
}

/* The same on the rest of a path, from its end up. */
static const char *group_on(const struct yunikorn_queue *q, const char *rest,
                            const struct yunikorn_words *groups)
{
    const size_t len = strcspn(rest, "/");
    const struct yunikorn_queue *below = yunikorn_below(q, rest, len);
    const char *found =
        below ? group_on(below, rest + len + (rest[len] == '/'), groups) : NULL;

    return found ? found : group_in(q, groups);
}

uint32_t kube_yunikorn_gang(struct kube *k,
                            const struct kube_template *const *pods,
                            uint32_t count)
{
    assert(pods || !count);
    return k->no_gangs || !count || !kube_yunikorn_serves(k, pods[0])
               ? 0
               : kube_task_groups_members(k, pods, count);
}

/* "placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard": parts that are
 * malformed are passed over, the last of several counts.
 */
static void gang_read(struct kube *k, const struct kube_template *t,
                      struct trace_job *j)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };
    const char *text = annotation(k, t, KUBE_YUNIKORN_GANG);
    char part[80], value[40], *end;

    for (int n = 0; text && *text && !k->no_gangs;
         text += n + (text[n] == ' ')) {
        n = (int)strcspn(text, " ");
        (void)snprintf(part, sizeof(part), "%.*s", n, text);
        if (sscanf(part, "gangSchedulingStyle=%39[^=]", value) == 1) {
            j->aside->fails_late = strcmp(value, "Hard") == 0;
        } else if (sscanf(part, "placeholderTimeoutInSeconds=%39[^=]", value)
                   == 1) {
            const long long s = strtoll(value, &end, 10);

            j->aside->gang_timeout = !*end && s > 0 && s < TIMEOUT_MAX
                                         ? s * GS_SECOND
                                         : 0;
        } else if (n > 0) {
            import_account_tell(k->account, IMPORT_IGNORED,
                                kube_str(k, t->source), &at,
                                "'%.60s' of " KUBE_YUNIKORN_GANG, part);
        }
    }
}

void kube_yunikorn_user(struct kube *k, const struct kube_template *t,
                        uint32_t queue, struct trace_job *j)
{
    const char *names[KUBE_YUNIKORN_GROUPS];
    struct yunikorn_words groups = { names, 0 };
    struct yunikorn_application a = { .queue = "" };
    const char *path = kube_str(k, queue);
    const char *group;

    gang_read(k, t, j);
    if (!kube_yunikorn_user_read(k, t, &a, &groups) && !k->has_user_limits)
        return;
    j->user = kube_put(k, a.user);
    if (!k->has_user_limits || groups.count == 0)
        return;
    path += strcspn(path, "/");
    group = group_on(&k->yunikorn->root, path + (*path == '/'), &groups);
    j->aside->user_group = group ? kube_put(k, group) : 0;
}

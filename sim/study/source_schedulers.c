/* sim/study/source_schedulers.c - see source_schedulers.h. */
#include "sim/study/source_schedulers.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "policies/profile/profile.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/scheduler_set.h"
#include "traces/workload/workload.h"

/* What schedulers are like that are known by their names. */
static const struct {
    const char *name, *preset;
} known[] = {
    { TRACE_DEFAULT_SCHEDULER, "kube-default" },
    { "volcano", "volcano" },
    { "kai-scheduler", "kai" },
    { "runai-scheduler", "kai" },
    { "yunikorn", "yunikorn" },
    { "scheduler-plugins-scheduler", "kube-default" },
};

static const char *preset_of(const char *name)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].name, name) == 0)
            return known[i].preset;
    }
    return "kube-default";
}

struct policy_making {
    struct inputs *in;
    struct kube_import *x;
    struct import_account *account;
    struct gsched_profile *first;
};

static struct gsched_profile *find(const struct policy_making *m,
                                   const char *name)
{
    struct gsched_profile *p = m->first;

    while (p && strcmp(p->scheduler, name) != 0)
        p = p->beside;
    return p;
}

static void add(struct policy_making *m, const char *name,
                struct gsched_profile *p)
{
    struct gs_err why = { 0 };

    p->scheduler = gs_arena_strndup(m->in->arena, name, strlen(name));
    if (scheduler_set_add(&m->first, p, (struct gs_mark){ 0 }, &why) < 0)
        import_account_tell(m->account, IMPORT_LEFT, NULL, NULL,
                            "scheduler '%.80s': %s", name, why.problem[0].text);
}

/* Scheduler `i` that the source configures. */
static int configured_add(struct policy_making *m, uint32_t i,
                          struct gs_err *err)
{
    const char *name = kube_import_profile_name(m->x, i);
    const uint32_t process = kube_import_profile_process(m->x, i);
    struct gsched_profile *p;

    if (find(m, name)) {
        import_account_tell(
            m->account, IMPORT_LEFT, NULL, NULL,
            "scheduler '%.80s' is configured twice: profile.yaml "
            "has the first",
            name);
        return 0;
    }
    p = kube_import_profile(m->x, i, name, m->in->arena, err);
    if (p && process)
        p->process = gs_arena_printf(m->in->arena, "kube-scheduler-%u",
                                     process);
    if (p)
        add(m, name, p);
    return p ? 0 : -1;
}

/* The scheduler of jobs, unless it is there. */
static int named_add(struct policy_making *m, const char *name,
                     struct gs_err *err)
{
    const char *preset = preset_of(name);
    struct gsched_profile *p;

    if (find(m, name))
        return 0;
    import_account_tell(m->account, IMPORT_ASSUMED, NULL, NULL,
                        "scheduler '%.80s' is like preset %s: the sources do "
                        "not hold its configuration",
                        name, preset);
    p = inputs_policy(m->in, preset, err);
    if (!p)
        return -1;
    p->written = preset;
    add(m, name, p);
    return 0;
}

static const char *scheduler_of(const struct trace_workload *w, uint32_t job)
{
    const uint32_t name = w->job[job].aside->scheduler;

    return name ? gs_strtab_str(w->names, name) : TRACE_DEFAULT_SCHEDULER;
}

static bool are_several(const struct policy_making *m)
{
    const struct trace_workload *w = m->in->work;
    const uint32_t configured = kube_import_profiles(m->x);

    for (uint32_t i = 1; i < w->job_count; i++) {
        if (w->job[i].aside->scheduler != w->job[0].aside->scheduler)
            return true;
    }
    return configured > 1;
}

/* Has it a job of higher priority than one of another scheduler? */
static bool is_above_others(const struct trace_workload *w, const char *name)
{
    int32_t own = INT32_MIN, others = INT32_MAX;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const int32_t value = w->klass[w->job[i].klass].value;

        if (strcmp(scheduler_of(w, i), name) == 0)
            own = value > own ? value : own;
        else
            others = value < others ? value : others;
    }
    return own > others;
}

/* kube-scheduler sees the pods of all schedulers, and may evict any of lower
 * priority; Volcano's victims are tasks of jobs that it knows.
 */
static void evictions_tell(const struct policy_making *m)
{
    for (const struct gsched_profile *p = m->first; p; p = p->beside) {
        bool preempts = false;

        for (uint32_t i = 0; i < p->action_count; i++)
            preempts |= p->action[i] == GSCHED_PREEMPT;
        if (preempts && p->unit == GSCHED_UNIT_POD
            && is_above_others(m->in->work, p->scheduler))
            import_account_tell(
                m->account, IMPORT_IGNORED, NULL, NULL,
                "preemption by scheduler '%.80s' of the pods of other "
                "schedulers: it evicts those that it serves",
                p->scheduler);
    }
}

int source_schedulers(struct inputs *in, struct kube_import *x,
                      struct import_account *account,
                      struct gsched_profile **out, struct gs_err *err)
{
    struct policy_making m = { in, x, account, NULL };

    *out = NULL;
    if (!are_several(&m))
        return 0;
    for (uint32_t i = 0; i < kube_import_profiles(x); i++) {
        if (configured_add(&m, i, err) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < in->work->job_count; i++) {
        if (named_add(&m, scheduler_of(in->work, i), err) < 0)
            return -1;
    }
    if (m.first)
        m.first->name = "schedulers";
    evictions_tell(&m);
    *out = m.first;
    return 0;
}

/* sim/study/notes.c - finding settings without effect, see notes.h. */
#include "sim/study/notes.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/policy.h"
#include "policies/profile/idle.h"
#include "policies/profile/profile.h"
#include "policies/profile/reads.h"
#include "policies/profile/registry.h"
#include "policies/profile/share_nodes.h"
#include "sim/study/input_notes.h"
#include "sim/study/inputs.h"
#include "sim/study/note_line.h"
#include "sim/study/run.h"
#include "sim/study/sources.h"
#include "traces/workload/workload.h"

/* What any of the policy's schedulers reads. */
static int reads_of(struct inputs *in, const struct gsched_profile *p,
                    uint64_t *reads, struct gs_err *err)
{
    *reads = 0;
    for (; p; p = p->beside) {
        uint64_t own = 0;

        if (gsched_profile_reads(p, &in->dims, in->names, in->arena, &own, err)
            < 0)
            return -1;
        *reads |= own;
    }
    return 0;
}

/* The names of the profiles that `is_meant` selects, as a list. */
static void names_list(struct gsched_profile *const *profile, size_t count,
                       const bool *is_meant, char *buf, size_t size)
{
    const char *name[64];
    size_t n = 0;

    for (size_t i = 0; i < count && n < 64; i++) {
        if (is_meant[i])
            name[n++] = profile[i]->name;
    }
    gs_names_join(buf, size, name, n);
}

/* The built-in modules that read an input, as "; module queue does"; nothing
 * when there is none.
 */
static void readers_list(uint64_t input, char *buf, size_t size)
{
    const char *name[32], *const lead = "; modules that do: ";
    char names[120];
    size_t n = 0;

    for (size_t i = 0; gsched_module_at(i) && n < 32; i++) {
        if (gsched_module_reads(gsched_module_at(i)) & input)
            name[n++] = gsched_module_at(i)->name;
    }
    buf[0] = '\0';
    if (n)
        snprintf(buf, size, "%s%s", n == 1 ? "; a module that does: " : lead,
                 gs_names_join(names, sizeof(names), name, n));
}

/* Returns what the workload states: inputs, as in struct gsched_setting. */
static uint64_t settings_note(struct inputs *in,
                              struct gsched_profile *const *profile,
                              size_t count, const uint64_t *reads,
                              struct study_notes *out)
{
    struct gsched_setting setting[GSCHED_SETTINGS_MAX];
    const uint32_t n = gsched_settings(in->work, setting);
    uint64_t stated = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct gsched_setting *s = &setting[i];
        bool is_unread[64];
        bool any = false;
        char names[160], readers[160], at[320];

        stated |= s->input;
        for (size_t k = 0; k < count; k++) {
            is_unread[k] = !(reads[k] & s->input);
            any |= is_unread[k];
        }
        if (!any)
            continue;
        names_list(profile, count, is_unread, names, sizeof(names));
        readers_list(s->input, readers, sizeof(readers));
        study_note(
            in, out,
            "'%s' of %ss has no effect under %s: nothing there reads it (%s)%s",
            s->name, s->of, names, study_note_where(in, s, at, sizeof(at)),
            readers);
    }
    return stated;
}

/* Modules and weights of one scheduler's profile. */
static void profile_note(struct inputs *in, const struct gsched_profile *p,
                         uint64_t stated, struct study_notes *out)
{
    struct gsched_idle idle[GSCHED_MODULES_MAX];
    const uint32_t n = gsched_profile_idle(p, in->work, stated, in->arena,
                                           idle);

    for (uint32_t i = 0; i < n; i++)
        study_note(in, out, "%s%s%smodule '%s' has no effect under %s: %s",
                   idle[i].param ? "'" : "", idle[i].param ? idle[i].param : "",
                   idle[i].param ? "' of " : "", idle[i].use->module->name,
                   p->name, idle[i].why);
}

/* Queues that share nothing: a wrong label, mostly. */
static void shares_note(struct inputs *in, const struct gsched_profile *p,
                        struct study_notes *out)
{
    const struct gs_mark *at = &p->share_at;

    if (in->topo && gsched_shares_none(p, in->topo))
        study_note(
            in, out,
            "%.200s:%d:%d: 'shares_of' leaves queues nothing to share under "
            "%s: no node is %s label '%.80s%s%.80s'",
            at->source ? at->source : "profile", at->line, at->column, p->name,
            p->share_value ? "of" : "without", p->share_label,
            p->share_value ? "=" : "", p->share_value ? p->share_value : "");
}

static bool uses(const struct gsched_profile *p, const char *module)
{
    bool any = false;

    for (uint32_t i = 0; i < p->use_count && !any; i++)
        any = strcmp(p->use[i].module->name, module) == 0;
    return any;
}

/* Flavors of the objects have a Topology, and the profile gives quota alone: a
 * preset, or a configuration that was read without the objects.
 */
static void topologies_note(struct inputs *in, const struct gsched_profile *p,
                            struct study_notes *out)
{
    if (sources_have_topologies(in) && uses(p, "quota")
        && !uses(p, "node-choice"))
        study_note(in, out,
                   "%.200s: Topologies of the flavors have no effect: `gsim "
                   "import kubernetes`, of the objects with their "
                   "Configuration, makes a profile with them",
                   p->source ? p->source : p->name);
}

/* Priority classes of which no job evicts another, by the reason. */
static void classes_note(struct inputs *in,
                         struct gsched_profile *const *profile, size_t count,
                         const uint64_t *reads, struct study_notes *out)
{
    struct gsched_setting s[64];
    const char *why[64];
    char names[160], at[320];

    for (size_t k = 0; k < count; k++)
        why[k] = gsched_classes_idle(profile[k], in->work, reads[k], &s[k]);
    for (size_t k = 0; k < count; k++) {
        const char *reason = why[k];
        bool is_meant[64] = { false };

        for (size_t i = k; reason && i < count; i++) {
            is_meant[i] = why[i] == reason && s[i].count == s[k].count
                          && s[i].first == s[k].first;
            why[i] = is_meant[i] ? NULL : why[i];
        }
        if (!reason)
            continue;
        names_list(profile, count, is_meant, names, sizeof(names));
        study_note(in, out,
                   "jobs of higher priority evict no others under %s: %s (%s)",
                   names, reason, study_note_where(in, &s[k], at, sizeof(at)));
    }
}

/* Jobs name different schedulers, and a policy has but one. */
static void schedulers_note(struct inputs *in,
                            struct gsched_profile *const *profile, size_t count,
                            struct study_notes *out)
{
    const struct trace_workload *w = in->work;
    uint32_t first = 0, jobs = 0;
    bool is_alone[64];
    bool any = false, differ = false;
    char names[160];

    for (size_t k = 0; k < count; k++)
        any |= is_alone[k] = !profile[k]->scheduler;
    for (uint32_t i = w->job_count; any && i-- > 0;) {
        jobs += w->job[i].aside->scheduler != 0;
        first = w->job[i].aside->scheduler ? i : first;
        differ |= w->job[i].aside->scheduler != w->job[0].aside->scheduler;
    }
    if (!differ)
        return;
    names_list(profile, count, is_alone, names, sizeof(names));
    study_note(
        in, out,
        "'scheduler' of jobs has no effect under %s: one scheduler serves all "
        "(%u job%s it, the first is '%.80s')",
        names, jobs, jobs == 1 ? " states" : "s state",
        gs_strtab_str(in->names, w->job[first].name));
}

/* Is the estimate of every job its duration? */
static bool knows_durations(const struct trace_workload *w)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].estimate != w->job[i].duration)
            return false;
    }
    return true;
}

static void estimates_note(struct inputs *in,
                           struct gsched_profile *const *profile, size_t count,
                           const uint64_t *reads, struct study_notes *out)
{
    bool is_meant[64];
    bool any = false;
    char names[160];

    for (size_t k = 0; k < count; k++) {
        is_meant[k] = reads[k] & GSP_READS_ESTIMATE;
        any |= is_meant[k];
    }
    if (!any || in->estimates || !knows_durations(in->work))
        return;
    names_list(profile, count, is_meant, names, sizeof(names));
    study_note(
        in, out,
        "no job has an 'estimate' other than its duration: %s know%s when jobs "
        "end (--estimates gives others)",
        names, strchr(names, ',') ? "" : "s");
}

int study_notes(struct inputs *in, struct gsched_profile *const *policy,
                size_t policies, struct study_notes *out, struct gs_err *err)
{
    uint64_t *reads = gs_arena_alloc(in->arena, policies + 1, sizeof(*reads));
    struct gsched_profile *profile[64];
    size_t count = 0;
    uint64_t stated = 0;

    out->count = 0;
    for (size_t i = 0; i < policies && count < 64; i++) {
        if (!policy[i]->is_recorded) /* it reads no setting */
            profile[count++] = policy[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (reads_of(in, profile[i], &reads[i], err) < 0)
            return -1;
    }
    for (size_t i = 0; i < count; i++) {
        for (const struct gsched_profile *p = profile[i]; p; p = p->beside) {
            if (p->note)
                study_note(in, out, "%s", p->note);
        }
    }
    if (in->lent_path && !in->takes_lent)
        study_note(
            in, out,
            "%s: its queues, or defaultConstraints, have no effect here: "
            "queues are for a trace that states none, spreads for pods of "
            "objects, read with the policy",
            in->lent_path);
    study_topology_note(in, out);
    study_resources_note(in, out);
    if (count)
        stated = settings_note(in, profile, count, reads, out);
    schedulers_note(in, profile, count, out);
    for (size_t i = 0; i < count; i++) {
        for (const struct gsched_profile *p = profile[i]; p; p = p->beside)
            profile_note(in, p, stated, out);
        for (const struct gsched_profile *p = profile[i]; p; p = p->beside)
            shares_note(in, p, out);
        for (const struct gsched_profile *p = profile[i]; p; p = p->beside)
            topologies_note(in, p, out);
    }
    out->idle = out->count;
    study_lent_note(in, out);
    classes_note(in, profile, count, reads, out);
    if (in->homeless)
        study_note(
            in, out,
            "%u job%s stood at time 0 on nodes that --set removes, and begin%s "
            "anew, waiting",
            in->homeless, in->homeless == 1 ? "" : "s",
            in->homeless == 1 ? "s" : "");
    study_dots_note(in, out);
    estimates_note(in, profile, count, reads, out);
    study_speed_note(in, out);
    return 0;
}

void study_notes_add(struct study_notes *n, const char *text)
{
    for (uint32_t i = 0; text && i < n->count; i++) {
        if (strcmp(n->text[i], text) == 0)
            return;
    }
    if (text && n->count < STUDY_NOTES_MAX)
        n->text[n->count++] = text;
}

void study_notes_show(const struct study_notes *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        fprintf(stderr, "gsim: note: %s\n", n->text[i]);
}

const char *study_notes_json(struct inputs *in, const struct study_notes *n)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < n->count; i++)
        json_array_append_new(list, json_string(n->text[i]));
    return study_json_keep(in->arena, list);
}

const char *study_note_of_path(struct inputs *in,
                               const struct gsched_profile *profile,
                               const char *path)
{
    const uint64_t input = gsched_input_of_path(path);
    struct study_notes out = { .count = 0 };
    uint64_t reads = 0;

    if (!input || reads_of(in, profile, &reads, NULL) < 0 || (reads & input))
        return NULL;
    study_note(in, &out,
               "'%.120s' has no effect under %.80s: nothing there reads it",
               path, profile->name);
    return out.text[0];
}

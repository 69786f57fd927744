/* sim/study/notes.c - finding settings without effect, see notes.h. */
#include "sim/study/notes.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/text.h"
#include "import/account.h"
#include "policies/policy.h"
#include "policies/profile/idle.h"
#include "policies/profile/profile.h"
#include "policies/profile/reads.h"
#include "policies/profile/registry.h"
#include "policies/profile/share_nodes.h"
#include "sim/study/inputs.h"
#include "sim/study/run.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define LINE_MAX_BYTES 512

static void note(struct inputs *in, struct study_notes *out, const char *fmt,
                 ...) __attribute__((format(printf, 3, 4)));

static void note(struct inputs *in, struct study_notes *out, const char *fmt,
                 ...)
{
    char text[LINE_MAX_BYTES];
    va_list ap;

    if (out->count == STUDY_NOTES_MAX)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    gs_text_clean(text); /* the cut may have split a character */
    out->text[out->count++] = gs_arena_strndup(in->arena, text, strlen(text));
}

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

/* --- profiles ------------------------------------------------------------------ */

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

/* "3 jobs state it, the first is 'a', t.yaml:7" */
static const char *where(const struct inputs *in,
                         const struct gsched_setting *s, char *buf, size_t size)
{
    char line[16] = "";

    if (s->line)
        snprintf(line, sizeof(line), ":%u", s->line);
    snprintf(buf, size, "%u %s%s %s it%s '%.80s'%s%.120s%s", s->count, s->of,
             s->count > 1 ? "s" : "", s->count > 1 ? "state" : "states",
             s->count > 1 ? ", the first is" : ":",
             gs_strtab_str(in->names, s->first), s->line ? ", " : "",
             s->line ? in->trace_path : "", line);
    return buf;
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
        note(
            in, out,
            "'%s' of %ss has no effect under %s: nothing there reads it (%s)%s",
            s->name, s->of, names, where(in, s, at, sizeof(at)), readers);
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
        note(in, out, "%s%s%smodule '%s' has no effect under %s: %s",
             idle[i].param ? "'" : "", idle[i].param ? idle[i].param : "",
             idle[i].param ? "' of " : "", idle[i].use->module->name, p->name,
             idle[i].why);
}

/* Queues that share nothing: a wrong label, mostly. */
static void shares_note(struct inputs *in, const struct gsched_profile *p,
                        struct study_notes *out)
{
    const struct gs_mark *at = &p->share_at;

    if (in->topo && gsched_shares_none(p, in->topo))
        note(in, out,
             "%.200s:%d:%d: 'shares_of' leaves queues nothing to share under "
             "%s: no node is %s label '%.80s%s%.80s'",
             at->source ? at->source : "profile", at->line, at->column, p->name,
             p->share_value ? "of" : "without", p->share_label,
             p->share_value ? "=" : "", p->share_value ? p->share_value : "");
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
        note(in, out,
             "jobs of higher priority evict no others under %s: %s (%s)", names,
             reason, where(in, &s[k], at, sizeof(at)));
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
    note(in, out,
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
    note(
        in, out,
        "no job has an 'estimate' other than its duration: %s know%s when jobs "
        "end (--estimates gives others)",
        names, strchr(names, ',') ? "" : "s");
}

/* Without a speed model nothing reads what communication costs. */
static void speed_note(struct inputs *in, struct study_notes *out)
{
    struct gsched_setting s = { .name = "communication", .of = "job" };
    const struct trace_workload *w = in->work;
    char at[320];

    for (uint32_t i = w->job_count; !in->speed && i-- > 0;) {
        if (!w->job[i].aside->communication && !w->job[i].aside->gradient)
            continue;
        s.count++;
        s.first = w->job[i].name;
        s.line = w->job[i].line;
    }
    if (s.count)
        note(in, out,
             "'communication' or 'gradient' of jobs has no effect without "
             "--speed (%s)",
             where(in, &s, at, sizeof(at)));
}

/* --- queues -------------------------------------------------------------------- */

/* Another queue with the same name up to the first dot, so that both look like
 * parts of one tree; or NULL.  Queues are sorted by name, so that the two are
 * neighbours. /
 */
static const char *dotted_twin(const struct inputs *in, uint32_t queue)
{
    const struct trace_workload *w = in->work;
    const char *name = gs_strtab_str(in->names, w->queue[queue].name);
    const char *next = queue + 1 < w->queue_count
                           ? gs_strtab_str(in->names, w->queue[queue + 1].name)
                           : "";
    const size_t len = strcspn(name, ".");
    uint32_t id;

    if (!name[len])
        return NULL;
    if (strncmp(name, next, len + 1) == 0)
        return next;
    id = gs_strtab_find(in->names, name, len);
    return id != GS_STRTAB_NONE && trace_queue_find(w, id) != TRACE_NONE
               ? gs_strtab_str(in->names, id)
               : NULL;
}

static void dots_note(struct inputs *in, struct study_notes *out)
{
    const struct trace_workload *w = in->work;

    for (uint32_t i = 0; i < w->queue_count; i++) {
        const char *twin = dotted_twin(in, i);

        if (!twin)
            continue;
        note(
            in, out,
            "queues '%.80s' and '%.80s' are not parts of one tree: '/' makes a "
            "path of names, '.' does not",
            gs_strtab_str(in->names, w->queue[i].name), twin);
        return;
    }
}

/* --- resources ------------------------------------------------------------------ */

/* Does a node have it, or a job ask for it? */
static bool is_counted(const struct inputs *in, uint32_t dim)
{
    const struct trace_workload *w = in->work;

    if (topo_dim_is_model(gs_strtab_str(in->names, in->dims.name[dim])))
        return true;
    for (uint32_t i = 0; in->topo && i < in->topo->class_count; i++) {
        if (in->topo->klass[i].capacity[dim])
            return true;
    }
    for (uint32_t i = 0; i < w->shape_count; i++) {
        if (w->shape[i].amount[dim])
            return true;
    }
    return false;
}

/* Resources that the terms of queues, quotas and limits name in vain: a wrong
 * name, mostly.
 */
static void resources_note(struct inputs *in, struct study_notes *out)
{
    const struct trace_workload *w = in->work;

    for (uint32_t d = TOPO_DIMS_FIXED; in->topo && d < in->dims.count; d++) {
        struct gsched_setting s = { .of = "queue" };
        char at[320] = "";

        if (is_counted(in, d))
            continue;
        for (uint32_t i = w->queue_count; i-- > 0;) {
            const struct trace_queue *q = &w->queue[i];

            const struct trace_queue_amounts *a = q->amounts;

            if (!a
                || (!a->guarantee[d] && !a->deserved[d] && a->limit[d] < 0
                    && a->user_limit[d] < 0))
                continue;
            s.count++;
            s.first = q->name;
            s.line = q->line;
        }
        note(in, out,
             "resource '%.80s' has no effect: no node has it, and no job asks "
             "for it%s%s%s",
             gs_strtab_str(in->names, in->dims.name[d]), s.count ? " (" : "",
             s.count ? where(in, &s, at, sizeof(at)) : "", s.count ? ")" : "");
    }
}

/* --- the topology --------------------------------------------------------------- */

static void topology_note(struct inputs *in, struct study_notes *out)
{
    const struct topo *t = in->topo;

    if (t->below.line)
        note(in, out,
             "%.200s:%d:%d: tier '%.60s' has no effect: tiers below 'node' are "
             "not simulated",
             in->topology_path, t->below.line, t->below.column,
             gs_strtab_str(in->names, t->below.name));
    if (t->numa.line)
        note(in, out,
             "%.200s:%d:%d: 'numa' of node type '%.60s' has no effect: nothing "
             "reads it",
             in->topology_path, t->numa.line, t->numa.column,
             gs_strtab_str(in->names, t->numa.name));
}

/* --- queues of a policy ------------------------------------------------------- */

#define LENT_NOTES 3 /* of each sort */

static void lent_note(struct inputs *in, struct study_notes *out)
{
    for (int kind = 0; in->lent && kind < IMPORT_NOTES; kind++) {
        const enum import_note sort = (enum import_note)kind;
        const uint32_t notes = import_account_notes(in->lent, sort);
        const char *begins = sort == IMPORT_IGNORED ? "no effect: "
                             : sort == IMPORT_LEFT  ? "left out: "
                                                    : "";

        for (uint32_t i = 0; i < notes && i < LENT_NOTES; i++)
            note(in, out, "%s: %s%s", in->lent_path, begins,
                 import_account_note(in->lent, sort, i));
        if (notes > LENT_NOTES)
            note(in, out, "%s: %s%u more", in->lent_path, begins,
                 notes - LENT_NOTES);
    }
}

/* --- all ------------------------------------------------------------------------ */

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
                note(in, out, "%s", p->note);
        }
    }
    if (in->lent_path && !in->takes_lent)
        note(in, out,
             "%s: its queues, or defaultConstraints, have no effect here: "
             "queues are for a trace that states none, spreads for pods of "
             "objects, read with the policy",
             in->lent_path);
    topology_note(in, out);
    resources_note(in, out);
    if (count)
        stated = settings_note(in, profile, count, reads, out);
    schedulers_note(in, profile, count, out);
    for (size_t i = 0; i < count; i++) {
        for (const struct gsched_profile *p = profile[i]; p; p = p->beside)
            profile_note(in, p, stated, out);
        for (const struct gsched_profile *p = profile[i]; p; p = p->beside)
            shares_note(in, p, out);
    }
    out->idle = out->count;
    lent_note(in, out);
    classes_note(in, profile, count, reads, out);
    if (in->homeless)
        note(
            in, out,
            "%u job%s stood at time 0 on nodes that --set removes, and begin%s "
            "anew, waiting",
            in->homeless, in->homeless == 1 ? "" : "s",
            in->homeless == 1 ? "s" : "");
    dots_note(in, out);
    estimates_note(in, profile, count, reads, out);
    speed_note(in, out);
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
    note(in, &out, "'%.120s' has no effect under %.80s: nothing there reads it",
         path, profile->name);
    return out.text[0];
}

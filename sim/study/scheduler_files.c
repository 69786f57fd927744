/* sim/study/scheduler_files.c - see scheduler_files.h. */
#include "sim/study/scheduler_files.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/text.h"
#include "base/yamltop.h"
#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "import/slurm/slurm_import.h"
#include "import/source.h"
#include "policies/profile/profile.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/scheduler_set.h"
#include "traces/workload/workload.h"

#define TOLD 2 /* settings that a note names */
#define SLURM_CONF_KIND "configuration of Slurm"

/* --- kinds ---------------------------------------------------------------- */

static const struct gs_ytop_key *key_of(const struct gs_ytop *top,
                                        const char *name)
{
    for (uint32_t i = 0; i < top->count; i++) {
        if (strcmp(top->key[i].key, name) == 0)
            return &top->key[i];
    }
    return NULL;
}

static bool has_list(const struct gs_ytop *top, const char *name)
{
    const struct gs_ytop_key *k = key_of(top, name);

    return k && k->kind == GS_YSEQ;
}

const char *scheduler_file_kind(const struct gs_ytop *top)
{
    const struct gs_ytop_key *kind = key_of(top, "kind");
    const struct gs_ytop_key *tiers = key_of(top, "tiers");
    const struct gs_ytop_key *actions = key_of(top, "actions");

    if (top->is_list || key_of(top, "modules"))
        return NULL;
    if (kind && strcmp(kind->first, "KubeSchedulerConfiguration") == 0)
        return "configuration of kube-scheduler";
    if ((!kind || strcmp(kind->first, "Policy") == 0)
        && (has_list(top, "predicates") || has_list(top, "priorities")))
        return "configuration of kube-scheduler";
    if (kind && key_of(top, "apiVersion"))
        return "object of Kubernetes";
    if (tiers && tiers->kind == GS_YSEQ
        && (strcmp(tiers->first, "plugins") == 0
            || (actions && actions->kind == GS_YSCALAR)))
        return "configuration of Volcano";
    return NULL;
}

const char *scheduler_file_is(const char *path)
{
    struct gs_err err = { 0 };
    struct gs_input *in = gs_input_open(path, &err);
    const char *kind;
    struct gs_ytop top;

    if (!in)
        return NULL;
    if (slurm_file_is_conf(in)) {
        gs_input_close(in);
        return SLURM_CONF_KIND;
    }
    kind = import_settings_begin(in);
    if (!kind) {
        (void)gs_yaml_top(in, &top, &err); /* the keys that were found tell */
        kind = scheduler_file_kind(&top);
    }
    gs_input_close(in);
    return kind;
}

/* --- reading -------------------------------------------------------------- */

struct reading_of {
    struct import_account *account;
    struct kube_import *x; /* one of both */
    struct slurm_import *slurm;
};

static void reading_end(struct reading_of *r)
{
    kube_import_destroy(r->x);
    slurm_import_destroy(r->slurm);
    import_account_destroy(r->account);
}

static bool is_slurm(const char *path)
{
    const char *kind = scheduler_file_is(path);

    return kind && strcmp(kind, SLURM_CONF_KIND) == 0;
}

/* `in` lends the names. */
static int reading_begin(struct reading_of *r, struct inputs *in,
                         const char *path, struct gs_err *err)
{
    *r = (struct reading_of){ .account = import_account_create() };
    if (is_slurm(path)) {
        const struct slurm_file file = { path, NULL };

        r->slurm = slurm_import_create(in->names, &in->dims, r->account);
        return slurm_import_read(r->slurm, &file, 1, err) < 0
                   ? -1
                   : slurm_import_finish(r->slurm, err);
    }
    r->x = kube_import_create(in->names, &in->dims, r->account);
    return kube_import_read(r->x, path, err) < 0
                   || kube_import_finish(r->x, &kube_options_default, err) < 0
               ? -1
               : kube_import_check(r->x, path, err);
}

/* Scheduler `i` of several. */
static struct gsched_profile *named_make(struct inputs *in,
                                         const struct reading_of *r, uint32_t i,
                                         const char *path, struct gs_err *err)
{
    struct gsched_profile *p = kube_import_profile(r->x, i, path, in->arena,
                                                   err);
    const uint32_t process = kube_import_profile_process(r->x, i);
    const char *base = strrchr(path, '/');

    if (!p)
        return NULL;
    p->scheduler = gs_arena_printf(in->arena, "%s",
                                   kube_import_profile_name(r->x, i));
    if (process)
        p->process = gs_arena_printf(in->arena, "%s-%u", base ? base + 1 : path,
                                     process);
    return p;
}

static struct gsched_profile *profiles_make(struct inputs *in,
                                            const struct reading_of *r,
                                            const char *path,
                                            struct gs_err *err)
{
    const struct gs_mark at = { .source = path };
    const uint32_t count = kube_import_profiles(r->x);
    struct gsched_profile *first = NULL, *p;

    if (count == 1)
        return kube_import_profile(r->x, 0, path, in->arena, err);
    if (count == 0)
        (void)gs_fail(err, GS_INPUT, at,
                      "configures no scheduler: objects of Kubernetes are "
                      "given as TRACE or --topology");
    for (uint32_t i = 0; i < count; i++) {
        p = named_make(in, r, i, path, err);
        if (!p || scheduler_set_add(&first, p, at, err) < 0)
            return NULL;
    }
    return first;
}

/* One line of the settings without effect; NULL when there are none. */
static const char *note_make(struct inputs *in, const struct reading_of *r,
                             const char *path)
{
    static const enum import_note sort[] = { IMPORT_IGNORED, IMPORT_LEFT };
    const char *text = "";
    uint32_t count = 0;

    for (size_t k = 0; k < sizeof(sort) / sizeof(sort[0]); k++) {
        const uint32_t notes = import_account_notes(r->account, sort[k]);

        for (uint32_t i = 0; i < notes && count + i < TOLD; i++)
            text = gs_arena_printf(in->arena, "%s%s %s", text,
                                   count + i ? ";" : "",
                                   import_account_note(r->account, sort[k], i));
        count += notes;
    }
    return count == 0
               ? NULL
               : gs_arena_printf(
                   in->arena,
                   "%s: %u setting%s of the scheduler %s no effect here:%s%s",
                   path, count, count == 1 ? "" : "s",
                   count == 1 ? "has" : "have", text,
                   count > TOLD ? " ... (gsim validate tells all)" : "");
}

/* The trace takes the queues and spreads of one policy. */
static void lend(struct inputs *in, struct gsched_profile *p, const char *path)
{
    if (!in->lent_path)
        in->lent_path = gs_arena_printf(in->arena, "%s", path);
    else if (strcmp(in->lent_path, path) != 0)
        p->note = gs_arena_printf(
            in->arena,
            "%s%s%s: its queues, or defaultConstraints, have no effect: the "
            "trace has those of %s",
            p->note ? p->note : "", p->note ? "; " : "", path, in->lent_path);
}

/* Queues without a configuration: their scheduler's preset. */
static struct gsched_profile *preset_read(struct inputs *in, const char *path,
                                          const char *preset,
                                          struct gs_err *err)
{
    struct gsched_profile *p = inputs_policy(in, preset, err);

    if (p) {
        p->name = gs_arena_strndup(in->arena, path, strlen(path));
        p->note = gs_arena_printf(in->arena,
                                  "%s: holds queues and no configuration: "
                                  "preset %s serves them",
                                  path, preset);
    }
    return p;
}

struct gsched_profile *scheduler_file_read(struct inputs *in, const char *path,
                                           struct gs_err *err)
{
    struct gsched_profile *p = NULL;
    const char *preset = NULL;
    struct reading_of r;

    if (reading_begin(&r, in, path, err) == 0) {
        preset = r.x ? kube_import_queues_preset(r.x) : NULL;
        p = r.slurm  ? slurm_import_profile(r.slurm, path, in->arena, err)
            : preset ? preset_read(in, path, preset, err)
                     : profiles_make(in, &r, path, err);
    }
    if (p && !preset)
        p->note = note_make(in, &r, path);
    if (p && r.x && kube_import_lends(r.x))
        lend(in, p, path);
    reading_end(&r);
    return p;
}

int scheduler_file_lend(struct inputs *in, struct gs_err *err)
{
    struct reading_of r;
    int rc;

    assert(in->work);
    if (!in->lent_path || in->takes_lent || trace_queues_are_stated(in->work))
        return 0;
    rc = reading_begin(&r, in, in->lent_path, err);
    if (rc == 0 && kube_import_has_queues(r.x)) {
        import_account_destroy(in->lent);
        in->lent = import_account_create();
        kube_import_lend_queues(r.x, in->work, in->lent);
        in->takes_lent = true;
    }
    reading_end(&r);
    return rc;
}

int scheduler_file_tell(const char *path, FILE *out, struct gs_err *err)
{
    struct reading_of r;
    struct inputs in;
    int rc;

    inputs_init(&in);
    rc = reading_begin(&r, &in, path, err);
    if (rc == 0 && r.slurm
        && !slurm_import_profile(r.slurm, path, in.arena, err))
        rc = -1;
    if (rc == 0)
        import_account_print(r.account, out);
    reading_end(&r);
    inputs_fini(&in);
    return rc;
}

/* sim/cli/gate_moved.c - see gate_moved.h. */
#include "sim/cli/gate_moved.h"

#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "reports/diff/diff.h"
#include "reports/gate/gate.h"
#include "reports/store/decisions.h"
#include "reports/store/figures.h"
#include "reports/store/store.h"
#include "sim/study/parting.h"

#define RUNS_TOLD 3u

/* The run of the store: the one of that name, or the only one. */
static int run_find(struct report_store *s, const char *name,
                    struct gs_arena *arena, struct report_choice *out)
{
    struct report_choice *choice;
    uint32_t count;

    if (report_choose(&s, 1, &name, 1, arena, &choice, &count, NULL) < 0
        && (report_choose(&s, 1, NULL, 0, arena, &choice, &count, NULL) < 0
            || count != 1))
        return -1;
    *out = choice[0];
    return 0;
}

static void moved_print(const struct report_diff *d, const char *run)
{
    const struct report_diff_job *j = report_diff_job(d);
    char was[REPORT_DIFF_TEXT], is[REPORT_DIFF_TEXT], at[32];

    fprintf(stderr,
            "gsim: run '%s': the first decision that moved is at %s: job %s "
            "(#%u) %s in the baseline, and now %s%s%s ('gsim diff %s:%s %s:%s' "
            "tells why)\n",
            run, gs_instant_format(d->at, at, sizeof(at)), j->name, j->job,
            report_diff_act_text(&d->act[0], was),
            report_diff_act_text(&d->act[1], is),
            d->reason[1].cause && d->reason[1].cause[0] ? ": " : "",
            d->reason[1].cause ? d->reason[1].cause : "",
            report_store_path(d->run[0].store), d->run[0].run.name,
            report_store_path(d->run[1].store), d->run[1].run.name);
}

/* Both are databases. */
static void stored_tell(struct report_store *const store[2], const char *run,
                        struct gs_arena *arena)
{
    struct report_choice a, b;
    struct report_diff d;

    if (run_find(store[0], run, arena, &a) < 0
        || run_find(store[1], run, arena, &b) < 0
        || report_diff(&a, &b, 0, arena, &d, NULL) < 0)
        return;
    if (!d.differs) {
        fprintf(stderr, "gsim: run '%s': no decision moved\n", run);
        return;
    }
    study_parting(&d, arena);
    moved_print(&d, run);
}

/* The baseline has a digest of the run. */
static void digest_tell(const struct report_figures *now, const char *path,
                        const char *digest, struct gs_arena *arena)
{
    struct report_decisions read = { .at = NULL };
    const struct report_decisions *d = now->decided;
    uint32_t from, to;
    char at[32];

    if (!d && path
        && report_decisions_read(path, now->run, arena, &read, NULL) == 0)
        d = &read;
    if (!d)
        return;
    if (!report_decisions_moved(d, digest, &from, &to)) {
        fprintf(stderr, "gsim: run '%s': no placement moved\n", now->run);
        return;
    }
    if (from == d->count) {
        fprintf(
            stderr,
            "gsim: run '%s': its %u placements are as in the baseline, which "
            "has more\n",
            now->run, d->count);
        return;
    }
    gs_instant_format(d->at[from].at, at, sizeof(at));
    if (to - from == 1)
        fprintf(stderr,
                "gsim: run '%s': the first placement that is not as in the "
                "baseline is number %u, at %s: job %s (#%u) on %s\n",
                now->run, to, at, d->at[from].name, d->at[from].job,
                d->at[from].node);
    else
        fprintf(stderr,
                "gsim: run '%s': the first placement that is not as in the "
                "baseline is one of numbers %u to %u, from %s on\n",
                now->run, from + 1, to, at);
}

static const struct report_figures *run_of(const struct report_figure_set *s,
                                           const char *run)
{
    const struct report_figures *f = report_figure_set_find(s, run);

    return f || s->runs != 1 ? f : &s->run[0];
}

void gate_moved_tell(const struct report_gate *g,
                     const struct report_figure_set *now, const char *path,
                     const struct report_figure_set *base, const char *baseline,
                     struct gs_arena *arena)
{
    struct report_store *store[2] = { NULL, NULL };
    const char *last = NULL;
    uint32_t told = 0;

    store[0] = report_store_open_readonly(baseline, NULL);
    store[1] = store[0] && path ? report_store_open_readonly(path, NULL) : NULL;
    for (uint32_t i = 0; i < g->count && told < RUNS_TOLD; i++) {
        const struct report_finding *f = &g->finding[i];
        const struct report_figures *was = run_of(base, f->run);

        if (f->verdict != REPORT_BROKEN || !f->has_base || !was
            || (last && strcmp(last, f->run) == 0))
            continue;
        last = f->run;
        told++;
        if (store[1])
            stored_tell(store, f->run, arena);
        else if (was->decisions)
            digest_tell(run_of(now, f->run), path, was->decisions, arena);
    }
    report_store_close(store[0]);
    report_store_close(store[1]);
}

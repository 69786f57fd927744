/* sim/study/audit_fit.c - see audit_fit.h. */
#include "sim/study/audit_fit.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "traces/workload/records.h"
#include "traces/workload/workload.h"

#define ROUNDS 2 /* over all settings */
#define COARSE 12
#define FINE 5 /* parts of a coarse step */
#define HALF_MINUTE (30 * GS_SECOND)

/* A setting, or several with one value: one of `word`, or a time below `span`.
 */
struct setting {
    const char *path[2]; /* NULL: none */
    const char *const *word;
    int64_t span;       /* us */
    int64_t value, own; /* us, or the index of a word; own: the profile's */
};

static const char *const rounds[] = { "up", "down", NULL };

struct fitting {
    const struct topo *topo;
    const struct trace_workload *work;
    const struct audit_options *options;
    struct gsched_profile *profile;
    struct gs_arena *arena;
    const char *const *kept;
    size_t kepts;
    struct setting setting[3];
    uint32_t settings;
    uint32_t equal, starts, nodes; /* of the best */
};

/* --- what is open --------------------------------------------------------- */

/* The value of a parameter, false: the module is not in the profile. */
static bool value_find(const struct fitting *f, const char *module,
                       const char *param, union gsp_value *out)
{
    const struct gsched_profile *p = f->profile;

    for (uint32_t i = 0; i < p->use_count; i++) {
        const struct gsp_module *m = p->use[i].module;
        union gsp_value value[GSCHED_PARAMS_MAX];
        struct gs_err why = { 0 };

        if (strcmp(m->name, module) != 0
            || gsched_use_values(&p->use[i], p->source, NULL, NULL, f->arena,
                                 value, &why)
                   < 0)
            continue;
        for (uint32_t k = 0; k < m->param_count; k++) {
            if (strcmp(m->param[k].name, param) == 0) {
                *out = value[k];
                return true;
            }
        }
    }
    return false;
}

static bool is_kept(const struct fitting *f, const char *path)
{
    const size_t len = strlen(path);

    for (size_t i = 0; i < f->kepts; i++) {
        if (strncmp(f->kept[i], path, len) == 0 && f->kept[i][len] == '=')
            return true;
    }
    return false;
}

static void setting_add(struct fitting *f, const char *first,
                        const char *second, const char *const *word,
                        int64_t span, int64_t own)
{
    struct setting *s = &f->setting[f->settings];

    *s = (struct setting){
        .word = word, .span = span, .value = own, .own = own
    };
    if (first && !is_kept(f, first))
        s->path[0] = first;
    if (second && !is_kept(f, second))
        s->path[s->path[0] ? 1 : 0] = second;
    f->settings += s->path[0] != NULL;
}

static void settings_find(struct fitting *f)
{
    union gsp_value v, own;
    int64_t span = 0;

    if (value_find(f, "backfill", "mode", &v)
        && v.whole == GSP_BACKFILL_WINDOWED
        && value_find(f, "backfill", "resolution", &v)
        && value_find(f, "backfill", "clock", &own)) {
        setting_add(f, "backfill.clock", NULL, NULL,
                    v.whole > HALF_MINUTE ? v.whole : HALF_MINUTE, own.whole);
        (void)value_find(f, "backfill", "round", &own);
        setting_add(f, "backfill.round", NULL, rounds, 0, own.whole);
    }
    if (value_find(f, "fairshare", "period", &v)
        && value_find(f, "fairshare", "phase", &own))
        span = v.whole;
    if (value_find(f, "multifactor", "period", &v)
        && value_find(f, "multifactor", "phase", &own))
        setting_add(f, "multifactor.phase", span ? "fairshare.phase" : NULL,
                    NULL, v.whole, own.whole);
    else if (span)
        setting_add(f, "fairshare.phase", NULL, NULL, span, own.whole);
}

/* --- when passes come ----------------------------------------------------- */

#define SLOW (10 * GS_SECOND) /* passes that starts tell apart */
#define TIMES 4 /* as many starts at passes as there would be by chance */

/* The whole second of the interval at which, or in the next, most recorded runs
 * start; -1: it is none that stands out.
 */
static int64_t starts_phase(const struct trace_workload *w, int64_t interval)
{
    const uint32_t seconds = (uint32_t)(interval / GS_SECOND);
    uint32_t *count = gs_array_new(seconds, sizeof(*count));
    uint32_t best = 0, most = 0, runs = 0;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];

        for (uint32_t k = 0; k < j->record_count; k++) {
            const int64_t at = j->submit
                               + w->records->record[j->first_record + k].wait;

            if (at < 0)
                continue; /* it ran before the trace began */
            count[at / GS_SECOND % seconds]++;
            runs++;
        }
    }
    for (uint32_t k = 0; k < seconds; k++) {
        const uint32_t n = count[k] + count[(k + 1) % seconds];

        if (n > most) {
            most = n;
            best = k;
        }
    }
    gs_array_free(count);
    return (uint64_t)most * seconds > (uint64_t)runs * 2 * TIMES
               ? best * GS_SECOND
               : -1;
}

/* The phase of passes of windowed backfill, which an audit does not depend on
 * but a replay does.
 */
static int phase_find(struct fitting *f, const char **told, struct gs_err *err)
{
    union gsp_value mode, interval;
    char text[32];
    int64_t phase;

    if (!value_find(f, "backfill", "mode", &mode)
        || mode.whole != GSP_BACKFILL_WINDOWED
        || !value_find(f, "backfill", "interval", &interval)
        || interval.whole < SLOW || interval.whole > 3600 * GS_SECOND
        || is_kept(f, "backfill.phase")
        || (phase = starts_phase(f->work, interval.whole)) <= 0)
        return 0;
    *told = gs_arena_printf(f->arena, "backfill.phase=%s",
                            gs_duration_format(phase, text, sizeof(text)));
    return gsched_profile_set(f->profile, *told, f->arena, err);
}

/* --- the search ----------------------------------------------------------- */

static const char *value_text(const struct setting *s, int64_t value, char *buf,
                              size_t size)
{
    return s->word ? s->word[value] : gs_duration_format(value, buf, size);
}

static int setting_put(struct fitting *f, const struct setting *s,
                       int64_t value, struct gs_err *err)
{
    char text[32];

    for (int i = 0; i < 2 && s->path[i]; i++) {
        const char *set = gs_arena_printf(
            f->arena, "%s=%s", s->path[i],
            value_text(s, value, text, sizeof(text)));

        if (gsched_profile_set(f->profile, set, f->arena, err) < 0)
            return -1;
    }
    return 0;
}

/* Audit the profile as it is; *is_better: than all before. */
static int judge(struct fitting *f, bool *is_better, struct gs_err *err)
{
    struct audit_options o = *f->options;
    struct audit a;
    int rc;

    o.progress = NULL;
    rc = audit_run(f->topo, f->work, f->profile, &o, &a, err);
    *is_better = a.equal != f->equal           ? a.equal > f->equal
                 : a.equal_starts != f->starts ? a.equal_starts > f->starts
                                               : a.equal_nodes > f->nodes;
    if (rc == 0 && *is_better) {
        f->equal = a.equal;
        f->starts = a.equal_starts;
        f->nodes = a.equal_nodes;
    }
    audit_free(&a);
    return rc;
}

static int value_try(struct fitting *f, struct setting *s, int64_t value,
                     struct gs_err *err)
{
    bool is_better;

    if (setting_put(f, s, value, err) < 0 || judge(f, &is_better, err) < 0)
        return -1;
    s->value = is_better ? value : s->value;
    return 0;
}

/* All words; or times in coarse steps, then in finer ones around the best, in
 * whole seconds.
 */
static int setting_fit(struct fitting *f, struct setting *s, struct gs_err *err)
{
    const int64_t step = s->span / COARSE / GS_SECOND > 0
                             ? s->span / COARSE / GS_SECOND * GS_SECOND
                             : GS_SECOND;
    const int64_t fine = step / FINE / GS_SECOND > 0
                             ? step / FINE / GS_SECOND * GS_SECOND
                             : GS_SECOND;
    int64_t best;
    int rc = 0;

    for (int64_t i = 0; s->word && s->word[i] && rc == 0; i++)
        rc = value_try(f, s, i, err);
    for (int64_t at = 0; !s->word && at < s->span && rc == 0; at += step)
        rc = value_try(f, s, at, err);
    best = s->value;
    for (int64_t at = best - step + fine;
         !s->word && at < best + step && rc == 0; at += fine) {
        if (at >= 0 && at < s->span && at != best)
            rc = value_try(f, s, at, err);
    }
    return rc == 0 ? setting_put(f, s, s->value, err) : -1;
}

int audit_fit(const struct topo *t, const struct trace_workload *w,
              struct gsched_profile *p, const struct audit_options *o,
              const char *const *kept, size_t kepts, struct gs_arena *arena,
              const char **told, struct gs_err *err)
{
    struct fitting f = { .topo = t,
                         .work = w,
                         .options = o,
                         .profile = p,
                         .arena = arena,
                         .kept = kept,
                         .kepts = kepts };
    bool is_better;
    char text[32];

    assert(t && w && p && o && arena && told);
    *told = NULL;
    if (phase_find(&f, told, err) < 0)
        return -1;
    settings_find(&f);
    if (f.settings && judge(&f, &is_better, err) < 0)
        return -1;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < f.settings; i++) {
            if (setting_fit(&f, &f.setting[i], err) < 0)
                return -1;
        }
        if (f.settings < 2)
            break;
    }
    for (uint32_t i = 0; i < f.settings; i++) {
        if (f.setting[i].value == f.setting[i].own)
            continue;
        for (int k = 0; k < 2 && f.setting[i].path[k]; k++)
            *told = gs_arena_printf(arena, "%s%s%s=%s", *told ? *told : "",
                                    *told ? ", " : "", f.setting[i].path[k],
                                    value_text(&f.setting[i],
                                               f.setting[i].value, text,
                                               sizeof(text)));
    }
    return 0;
}

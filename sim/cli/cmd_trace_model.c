/* sim/cli/cmd_trace_model.c - gsim trace fit and generate: models from traces,
 * traces from models.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/output.h"
#include "base/quantity.h"
#include "base/text.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/inputs.h"
#include "traces/edit/sample.h"
#include "traces/model/generate.h"
#include "traces/model/model.h"
#include "traces/model/model_fit.h"
#include "traces/workload/workload.h"

#define ROWS_MAX 40
#define PREFIX_MAX 11 /* see trace_number_name */
#define DAY (86400 * GS_SECOND)

struct model_options {
    struct trace_verb verb;
    uint64_t jobs, gpus, seed;
    uint32_t load; /* thousandths; 0: not given */
    int64_t span, stretch;
    bool balanced;
    const char *profile, *kind, *prefix;
    struct cmd_texts queue;
};

#define AT(field) offsetof(struct model_options, field)

static const struct cmd_take fit_take[] = {
    { .id = OPT_OUT, AT(verb.out), "none" },
    { .id = OPT_PROFILE, AT(profile) },
    { .id = OPT_STRETCH, AT(stretch) },
    { .id = OPT_KIND, AT(kind) },
    { .id = OPT_QUEUE, AT(queue), .repeats = true },
    TRACE_VERB_READS,
};

static const struct cmd_take generate_take[] = {
    TRACE_VERB_WRITES,
    { .id = OPT_COUNT, AT(jobs), .alias = "jobs" },
    { .id = OPT_FOR, AT(span) },
    { .id = OPT_BALANCED, AT(balanced) },
    { .id = OPT_PREFIX, AT(prefix) },
    { .id = OPT_GPUS, AT(gpus), "512" },
    { .id = OPT_LOAD, AT(load), "0.9" },
    { .id = OPT_SEED, AT(seed), "42" },
};

/* --- what was fitted ------------------------------------------------------ */

/* Parameters with their names, unless they are too many for a line. */
static void params_print(const struct trace_distribution *d, char *buf,
                         size_t size)
{
    const struct trace_distribution_spec *s = trace_distribution_spec(d->kind);

    if (d->kind == TRACE_QUANTILES) {
        snprintf(buf, size, "%u points", d->knot_count);
        return;
    }
    buf[0] = '\0';
    for (uint32_t i = 0; i < s->count; i++)
        gs_text_add(buf, size, "%s%s%s%.3g", i ? " " : "",
                    s->count > 2 ? "" : s->param[i].name,
                    s->count > 2 ? "" : " ", d->param[i]);
}

static void row_show(const struct trace_fit *fit, const struct trace_fit_row *r,
                     FILE *out)
{
    char what[48], params[80], gpus[32], p[16];

    if (r->what == TRACE_FIT_GAPS)
        snprintf(what, sizeof(what), "gaps");
    else if (r->what == TRACE_FIT_ESTIMATES)
        snprintf(what, sizeof(what), "estimate/duration");
    else if (fit->model.stretch_count > 1)
        snprintf(what, sizeof(what), "%u: %s GPU", r->stretch + 1,
                 gs_quantity_format_milli(r->gpu_milli, gpus, sizeof(gpus)));
    else
        snprintf(what, sizeof(what), "%s GPU",
                 gs_quantity_format_milli(r->gpu_milli, gpus, sizeof(gpus)));
    params_print(r->found, params, sizeof(params));
    /* quantiles at all values are an exact copy: no distance */
    if (r->found->kind == TRACE_QUANTILES && r->found->knot_count == r->jobs) {
        fprintf(out, "%-17s %7u  %-9s %6s %7s  all %u value%s\n", what, r->jobs,
                "quantiles", "", "", r->jobs, r->jobs == 1 ? "" : "s");
        return;
    }
    snprintf(p, sizeof(p), r->p < 0.0001 ? "<0.0001" : "%.4f", r->p);
    fprintf(out, "%-17s %7u  %-9s %6.4f %7s  %s\n", what, r->jobs,
            trace_distribution_spec(r->found->kind)->name, r->distance, p,
            params);
    if (r->refused != TRACE_DISTRIBUTIONS)
        fprintf(out, "%-17s %7s  (%s, the best of the rest, is poor: D %.3f)\n",
                "", "", trace_distribution_spec(r->refused)->name,
                r->refused_distance);
    else if (r->what == TRACE_FIT_GAPS && r->p < TRACE_FIT_P
             && r->distance > TRACE_FIT_DISTANCE)
        fprintf(out, "%-17s %7s  (poor: arrivals are burstier or smoother)\n",
                "", "");
}

static void fit_show(const struct trace_fit *fit, FILE *out)
{
    const struct trace_model *m = &fit->model;
    uint32_t poor = 0;
    char text[32];

    fprintf(out, "%u jobs over %s, %.3g an hour", fit->jobs,
            gs_duration_human(m->span, text, sizeof(text)), m->arrivals.rate);
    if (fit->without)
        fprintf(out, "; left out: %u without GPUs", fit->without);
    if (fit->services)
        fprintf(out, "; left out: %u without an end", fit->services);
    if (fit->begun)
        fprintf(out, "; left out: %u that run when it begins", fit->begun);
    fprintf(out, "\n\n%-17s %7s  %-9s %6s %7s\n", "", "jobs", "fitted", "KS D",
            "p");
    for (uint32_t i = 0; i < fit->row_count; i++) {
        poor += fit->row[i].refused != TRACE_DISTRIBUTIONS;
        if (i < ROWS_MAX)
            row_show(fit, &fit->row[i], out);
    }
    if (fit->row_count > ROWS_MAX)
        fprintf(out, "... and %u more, all in the model\n",
                fit->row_count - ROWS_MAX);
    fprintf(out, "\n");
    if (poor)
        fprintf(out,
                "%u of %u parts fit no distribution well and are tables of "
                "quantiles.\n",
                poor, fit->row_count);
    if (m->correlation > 0)
        fprintf(out,
                "durations in a row of one size: correlation %.2f of normal "
                "scores\n",
                m->correlation);
    fprintf(out,
            "the model holds %u numbers; the trace %u (times, sizes, "
            "durations)\n",
            trace_model_params(m), 3 * fit->jobs);
}

/* --- fit ------------------------------------------------------------------ */

static int fit_options(const struct model_options *o,
                       struct trace_fit_options *f, struct gs_err *err)
{
    static const char *const profiles[] = { "none", "week", "day" };
    const char *profile = o->profile ? o->profile : o->stretch ? "day" : "week";
    const char *kind = o->kind ? o->kind : "best";
    int k = 0;

    while (strcmp(profile, profiles[k]) != 0)
        k++;
    *f = (struct trace_fit_options){ .profile = (enum trace_fit_profile)k,
                                     .stretch = o->stretch,
                                     .only = TRACE_DISTRIBUTIONS };
    if (o->stretch && (o->stretch < DAY || o->stretch % DAY))
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--stretch' must be whole days, such as 7d");
    /* a weekly profile gives all weeks the same number of jobs */
    if (o->stretch && f->profile != TRACE_PROFILE_DAY)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--stretch' needs '--profile day'");
    for (k = 0; k < TRACE_DISTRIBUTIONS; k++) {
        if (strcmp(kind, trace_distribution_spec((unsigned)k)->name) == 0)
            f->only = (enum trace_distribution_kind)k;
    }
    return 0;
}

static int model_save(const struct trace_model *m, const char *path,
                      struct gs_err *err)
{
    struct gs_output *out = gs_output_open(path, err);

    return out ? gs_output_close(
               out, trace_model_write(gs_output_stream(out), m, err), err)
               : -1;
}

static int fit(const struct cmd_call *call, struct gs_err *err)
{
    const struct model_options *o = call->options;
    const struct trace_sample s = { .queue = o->queue.text,
                                    .queue_count = (uint32_t)o->queue.count };
    struct inputs *in = call->in;
    struct trace_fit_options f;
    struct trace_fit found;

    if (fit_options(o, &f, err) < 0
        || trace_verb_read(in, &o->verb, call->operand[0], err) < 0
        || trace_workload_sample(in->work, &s, err) < 0)
        return -1;
    f.epoch = in->facts.epoch;
    if (trace_fit(in->work, &f, in->arena, &found, err) < 0
        || (o->verb.out && model_save(&found.model, o->verb.out, err) < 0))
        return -1;
    /* if the model goes to standard output, nothing else may */
    if (!call->is_quiet)
        fit_show(&found, o->verb.out && strcmp(o->verb.out, "-") == 0 ? stderr
                                                                      : stdout);
    return 0;
}

/* --- generate ------------------------------------------------------------- */

static int generate_plain(struct inputs *in, const struct model_options *o,
                          struct gs_err *err)
{
    const struct trace_generator g = { .jobs = (uint32_t)o->jobs,
                                       .gpus = (uint32_t)o->gpus,
                                       .load_milli = o->load,
                                       .seed = o->seed };

    if (o->jobs < 1 || o->jobs > TRACE_MODEL_JOBS_MAX || o->gpus < 64
        || o->gpus > 10000000)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--count' must be 1 to 10000000, '--gpus' 64 to "
                       "10000000");
    return trace_generate(&g, in->work, err);
}

static int generate_model(struct inputs *in, const struct model_options *o,
                          const char *path, struct gs_err *err)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz"
                               "0123456789_.-";
    const struct trace_model_draw d = { .seed = o->seed,
                                        .prefix = o->prefix,
                                        .jobs = (uint32_t)o->jobs,
                                        .span = o->span,
                                        .balanced = o->balanced };
    const struct trace_model *m;

    if (o->jobs > TRACE_MODEL_JOBS_MAX || o->span > TRACE_MODEL_SPAN_MAX)
        return gs_fail(
            err, GS_USAGE, (struct gs_mark){ 0 },
            "'--count' must be 1 to 10000000, '--for' at most 3660d");
    if (o->prefix
        && (!*o->prefix || strlen(o->prefix) > PREFIX_MAX
            || o->prefix[strspn(o->prefix, safe)]))
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--prefix' must be 1 to %d letters, digits and '_.-' "
                       "(got '%.40s')",
                       PREFIX_MAX, o->prefix);
    m = inputs_read_model(in, path, err);
    return m ? trace_model_generate(m, &d, in->work, err) : -1;
}

/* An option that would have no effect; NULL: there is none. */
static const char *out_of_place(const struct model_options *o, bool model)
{
    if (model)
        return o->gpus != UINT64_MAX ? "gpus" : o->load ? "load" : NULL;
    return o->span       ? "for"
           : o->balanced ? "balanced"
           : o->prefix   ? "prefix"
                         : NULL;
}

static int generate(const struct cmd_call *call, struct gs_err *err)
{
    struct inputs *in = call->in;
    struct model_options *o = call->options;
    const bool has_model = call->count > 0;
    const char *odd = out_of_place(o, has_model);
    int rc;

    if (odd)
        return cmd_usage(call->cmd, "'--%s' goes %s a model", odd,
                         has_model ? "without" : "with");
    if (has_model && o->jobs == 0)
        return cmd_usage(call->cmd, "'--count' must be 1 to 10000000");
    if (o->jobs == UINT64_MAX)
        o->jobs = has_model ? 0 : 1000;
    o->gpus = o->gpus == UINT64_MAX ? 512 : o->gpus;
    o->load = o->load ? o->load : 900;
    in->work = trace_workload_create(in->arena, in->names, &in->dims);
    rc = has_model ? generate_model(in, o, call->operand[0], err)
                   : generate_plain(in, o, err);
    return rc < 0 ? -1 : trace_verb_write(call, err);
}

static const struct model_options fit_defaults = { .verb = TRACE_VERB_NONE };

static const struct model_options generate_defaults = { .jobs = UINT64_MAX,
                                                        .gpus = UINT64_MAX,
                                                        .seed = 42 };

const struct cmd cmd_trace_fit = {
    .name = "trace fit",
    .args = "TRACE [-o MODEL] [OPTION]...",
    .summary = "fit a model to a trace, and show how well it fits",
    .take = fit_take,
    .takes = sizeof(fit_take) / sizeof(fit_take[0]),
    .defaults = &fit_defaults,
    .size = sizeof(fit_defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
    .help = "D is the Kolmogorov-Smirnov distance, p its p-value, which is too "
            "high, since\nthe parameters were fitted to the same jobs.\n\n"
            "Examples:\n"
            "  gsim trace fit philly.csv.gz --queue ee9e8c -o model.yaml\n"
            "  gsim trace fit philly.csv.gz --profile day --stretch 7d "
            "-o model.yaml\n",
    .run = fit,
};

const struct cmd cmd_trace_generate = {
    .name = "trace generate",
    .args = "[MODEL] -o FILE [OPTION]...",
    .summary = "a trace drawn from a model, or a plain one for benchmarks",
    .take = generate_take,
    .takes = sizeof(generate_take) / sizeof(generate_take[0]),
    .defaults = &generate_defaults,
    .size = sizeof(generate_defaults),
    .most = 1,
    .help =
        "Arrivals, sizes, durations, queues and estimates have separate random "
        "streams.\n\n"
        "Examples:\n"
        "  gsim trace generate model.yaml --seed 7 --for 30d -o jobs.yaml\n"
        "  gsim trace generate --count 100000 --gpus 4096 --load 95% "
        "-o load.csv\n",
    .run = generate,
};

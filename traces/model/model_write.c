/* traces/model/model_write.c - writes a model as YAML, and counts its
 * parameters.
 */
#include <assert.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/yamltext.h"
#include "traces/formats/writing.h"
#include "traces/model/model.h"

/* --- numbers -------------------------------------------------------------- */

/* Write the shortest text that reads back to the same number. */
static void put_number(FILE *out, double x)
{
    char text[40];
    double back;

    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, x);
        if (gs_quantity_parse_double(text, strlen(text), &back) == 0
            && back == x)
            break;
    }
    fputs(text, out);
}

/* Write a line "key: number". */
static void put_line(FILE *out, const char *key, double x)
{
    fprintf(out, "%s: ", key);
    put_number(out, x);
    fputc('\n', out);
}

static void put_weights(FILE *out, const char *key,
                        const struct trace_weights *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (i == 0)
            fprintf(out, "  %s: [", key);
        else
            fputs(i % 12 ? ", " : ",\n    ", out);
        put_number(out, w->at[i]);
    }
    fputs(w->count ? "]\n" : "", out);
}

static void put_distribution(FILE *out, const struct trace_distribution *d,
                             const char *indent)
{
    const struct trace_distribution_spec *s = trace_distribution_spec(d->kind);

    fprintf(out, "{%s: %c", s->name, d->kind == TRACE_QUANTILES ? '[' : '{');
    for (uint32_t i = 0; i < s->count; i++) {
        fprintf(out, "%s%s: ", i ? ", " : "", s->param[i].name);
        put_number(out, d->param[i]);
    }
    for (uint32_t i = 0; i < d->knot_count; i++) {
        if (i)
            fprintf(out, i % 4 ? ", " : ",\n%s", indent);
        fputc('[', out);
        put_number(out, d->knot[i].p);
        fputs(", ", out);
        put_number(out, d->knot[i].x);
        fputc(']', out);
    }
    fputc(d->kind == TRACE_QUANTILES ? ']' : '}', out);
    if (d->min > 0) {
        fputs(", min: ", out);
        put_number(out, d->min);
    }
    if (d->max > 0) {
        fputs(", max: ", out);
        put_number(out, d->max);
    }
    fputc('}', out);
}

/* --- parts ---------------------------------------------------------------- */

static void put_arrivals(FILE *out, const struct trace_arrivals *a)
{
    char text[40];

    fprintf(out, "arrivals:\n  process: %s\n",
            a->process == TRACE_POISSON ? "poisson" : "weibull");
    if (a->process == TRACE_RENEWAL)
        put_line(out, "  shape", a->shape);
    fputs("  rate: ", out);
    put_number(out, a->rate);
    fprintf(out, "    # jobs an hour\n  start: %s    # since Monday, 0:00\n",
            gs_duration_format(a->start, text, sizeof(text)));
    put_weights(out, "daily", &a->daily);
    put_weights(out, "weekly", &a->weekly);
    put_weights(out, "days", &a->days);
}

static void put_sizes(FILE *out, const struct trace_model_stretch *s,
                      const char *indent)
{
    for (uint32_t i = 0; i < s->size_count; i++) {
        const struct trace_model_size *size = &s->size[i];
        char text[40];

        fprintf(out, "%s- gpus: %s\n%s  weight: ", indent,
                gs_quantity_format_milli(size->gpu_milli, text, sizeof(text)),
                indent);
        put_number(out, size->weight);
        if (size->run > 1) {
            fprintf(out, "\n%s  run: ", indent);
            put_number(out, size->run);
        }
        fprintf(out, "\n%s  duration: ", indent);
        put_distribution(out, &size->duration,
                         indent[2] ? "          " : "      ");
        fputc('\n', out);
    }
}

static void put_mixes(FILE *out, const struct trace_model *m)
{
    char text[40];

    if (m->stretch_count == 1) {
        fputs("sizes:\n", out);
        put_sizes(out, m->stretch, "  ");
        return;
    }
    fputs("stretches:\n", out);
    for (uint32_t i = 0; i < m->stretch_count; i++) {
        fprintf(out, "  - for: %s\n    sizes:\n",
                gs_duration_format(m->stretch[i].length, text, sizeof(text)));
        put_sizes(out, &m->stretch[i], "      ");
    }
}

static void put_queues(FILE *out, const struct trace_model *m)
{
    if (m->queue_count)
        fputs("queues:\n", out);
    for (uint32_t i = 0; i < m->queue_count; i++) {
        fputs("  - {name: ", out);
        gs_yaml_put_text(out, m->queue[i].name, strlen(m->queue[i].name));
        fputs(", weight: ", out);
        put_number(out, m->queue[i].weight);
        fputs("}\n", out);
    }
}

int trace_model_write(FILE *out, const struct trace_model *m,
                      struct gs_err *err)
{
    char text[40];

    assert(out && m);
    fprintf(out, "span: %s\n", gs_duration_format(m->span, text, sizeof(text)));
    put_arrivals(out, &m->arrivals);
    put_mixes(out, m);
    if (m->correlation > 0)
        put_line(out, "correlation", m->correlation);
    fprintf(out, "task_gpus: %u\n", m->task_gpus);
    if (m->has_estimates) {
        fputs("estimates: ", out);
        put_distribution(out, &m->estimates, "  ");
        fputc('\n', out);
    }
    put_queues(out, m);
    return trace_writing_finish(out, err);
}

/* --- size ----------------------------------------------------------------- */

/* Free parameters of relative weights: one less than their number. */
static uint32_t others(uint32_t weights)
{
    return weights ? weights - 1 : 0;
}

uint32_t trace_model_params(const struct trace_model *m)
{
    const struct trace_arrivals *a = &m->arrivals;
    uint32_t n = 1u + (a->process == TRACE_RENEWAL) + (m->correlation > 0)
                 + others(a->daily.count) + others(a->weekly.count)
                 + others(a->days.count) + others(m->queue_count);

    if (m->has_estimates)
        n += trace_distribution_params(&m->estimates);
    for (uint32_t i = 0; i < m->stretch_count; i++) {
        const struct trace_model_stretch *s = &m->stretch[i];

        n += s->size_count - 1;
        for (uint32_t k = 0; k < s->size_count; k++)
            n += trace_distribution_params(&s->size[k].duration)
                 + (s->size[k].run > 1 && i == 0 ? 1u : 0u);
    }
    return n;
}

/* traces/formats/job_keys.c - job keys with one value, see job_keys.h. */
#include "traces/formats/job_keys.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/duration.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "topology/mig.h"
#include "traces/formats/native_task.h"
#include "traces/formats/writing.h"

#define JOB(member) offsetof(struct trace_whole_job, job.member)
#define AT(member) offsetof(struct trace_whole_job, aside.member)

static const struct trace_job_key keys[] = {
    { "checkpoint", TRACE_KEY_TIME, AT(checkpoint), .low = 1 },
    { "restart", TRACE_KEY_WORD, AT(resumes), .yes = "resume",
      .no = "checkpoint" },
    { "retries", TRACE_KEY_COUNT, JOB(retries), TRACE_NONE,
      .high = TRACE_RETRIES_MAX },
    { "preemptible", TRACE_KEY_FLAG, JOB(fixed), .yes = "false", .no = "true" },
    { "communication", TRACE_KEY_PART, AT(communication), .unset = 0 },
    { "measured_on", TRACE_KEY_NAME, AT(measured_on), .unset = 0 },
    { "gradient", TRACE_KEY_BYTES, AT(gradient), .unset = 0 },
    { "completions", TRACE_KEY_COUNT, AT(completions), .low = 1,
      .high = TRACE_REPLICAS_MAX },
    { "scheduler", TRACE_KEY_NAME, AT(scheduler), .unset = 0 },
    { "max_wait", TRACE_KEY_TIME, AT(max_wait), .low = 1 },
    { "group", TRACE_KEY_NAME, AT(user_group), .unset = 0 },
    { "account", TRACE_KEY_NAME, AT(account), .unset = 0 },
    { "partition", TRACE_KEY_NAME, AT(partition), .unset = 0 },
    { "qos", TRACE_KEY_NAME, AT(qos), .unset = 0 },
    { "nice", TRACE_KEY_WHOLE, AT(nice), .low = INT32_MIN, .high = INT32_MAX },
    { "admitted", TRACE_KEY_FLAG, AT(admitted), .yes = "true", .no = "false" },
    { "gang_style", TRACE_KEY_WORD, AT(fails_late), .yes = "hard",
      .no = "soft" },
    { "gang_timeout", TRACE_KEY_TIME, AT(gang_timeout), .low = 1 },
    { "withdraw", TRACE_KEY_FLAG, AT(withdraws), .yes = "true", .no = "false",
      .yaml_only = true },
    { "reservation", TRACE_KEY_NAME, AT(reservation), .unset = 0,
      .yaml_only = true },
    { "running_since", TRACE_KEY_PAST, AT(since), .yaml_only = true },
    { "queued_since", TRACE_KEY_PAST, AT(queued_since), .yaml_only = true },
    { "admitted_since", TRACE_KEY_PAST, AT(admitted_since), .yaml_only = true },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

const struct trace_job_key *trace_job_key_at(size_t i)
{
    return i < KEYS ? &keys[i] : NULL;
}

/* --- the member ----------------------------------------------------------- */

static size_t size_of(const struct trace_job_key *k)
{
    return k->kind <= TRACE_KEY_BYTES    ? sizeof(int64_t)
           : k->kind <= TRACE_KEY_MODELS ? sizeof(uint32_t)
                                         : sizeof(bool);
}

static int64_t value_of(const struct trace_job_key *k, const void *of)
{
    const char *at = (const char *)of + k->at;
    uint32_t n;
    int64_t wide;
    bool is;

    switch (size_of(k)) {
    case sizeof(wide):
        memcpy(&wide, at, sizeof(wide));
        return wide;
    case sizeof(n):
        memcpy(&n, at, sizeof(n));
        return n;
    default:
        memcpy(&is, at, sizeof(is));
        return is;
    }
}

static void value_set(const struct trace_job_key *k, void *of, int64_t value)
{
    char *at = (char *)of + k->at;
    const uint32_t n = (uint32_t)value;
    const bool is = value != 0;

    switch (size_of(k)) {
    case sizeof(value):
        memcpy(at, &value, sizeof(value));
        break;
    case sizeof(n):
        memcpy(at, &n, sizeof(n));
        break;
    default:
        memcpy(at, &is, sizeof(is));
        break;
    }
}

void trace_key_clear(const struct trace_job_key *k, void *of)
{
    value_set(k, of, k->unset);
}

bool trace_key_stated(const struct trace_job_key *k, const void *of)
{
    return value_of(k, of) != k->unset;
}

/* --- YAML ----------------------------------------------------------------- */

/* "-2h30m", or 0 */
static int read_past(const struct gs_yctx *c, const struct gs_ynode *v,
                     int64_t *out, struct gs_err *err)
{
    const bool is_below = v->kind == GS_YSCALAR && v->text[0] == '-';

    if (v->kind != GS_YSCALAR
        || gs_duration_parse(v->text + is_below, v->len - is_below, out) < 0
        || (!is_below && *out > 0))
        return gs_yread_refuse(c, v, "0 or a time before it, such as -2h30m",
                               err);
    *out = -*out;
    return 0;
}

static int read_value(const struct trace_job_key *k, const struct gs_yctx *c,
                      const struct gs_ynode *v, int64_t *out,
                      struct gs_err *err)
{
    const struct trace_workload *w = c->user;
    const char *const word[] = { k->no, k->yes };
    const char *text = NULL;
    bool is = false;
    uint32_t n = 0;
    int32_t whole;

    switch (k->kind) {
    case TRACE_KEY_TIME:
        if (gs_yread_duration(c, v, out, err) < 0)
            return -1;
        return *out < k->low ? gs_yread_refuse(c, v, "more than 0", err) : 0;
    case TRACE_KEY_COUNT:
        if (gs_yread_whole(c, v, (uint32_t)k->low, (uint32_t)k->high, &n, err)
            < 0)
            return -1;
        *out = n;
        return 0;
    case TRACE_KEY_WHOLE:
        if (gs_yread_i32(c, v, &whole, err) < 0)
            return -1;
        *out = whole;
        return 0;
    case TRACE_KEY_PART:
        if (gs_yread_milli(c, v, out, err) < 0)
            return -1;
        return *out < 0 || *out > 1000
                   ? gs_yread_refuse(c, v, TRACE_PART_ALLOWED, err)
                   : 0;
    case TRACE_KEY_PAST:
        return read_past(c, v, out, err);
    case TRACE_KEY_BYTES:
        return gs_yread_bytes(c, v, out, err);
    case TRACE_KEY_NAME:
        if (gs_yread_text(c, v, &text, err) < 0)
            return -1;
        *out = gs_strtab_put(w->names, text, v->len);
        return 0;
    case TRACE_KEY_WORD:
        *out = gs_yread_word(c, v, word, 2, err);
        return *out < 0 ? -1 : 0;
    case TRACE_KEY_FLAG:
        if (gs_yread_bool(c, v, &is, err) < 0)
            return -1;
        *out = is == (strcmp(k->yes, "true") == 0);
        return 0;
    default: /* kinds of CSV only */
        assert(false);
        return -1;
    }
}

int trace_job_key_yaml(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    size_t i = 0;
    int64_t value = 0;

    assert(c && v && dest);
    while (strcmp(keys[i].name, v->key->text) != 0)
        assert(i + 1 < KEYS), i++;
    if (read_value(&keys[i], c, v, &value, err) < 0)
        return -1;
    value_set(&keys[i], dest, value);
    return 0;
}

/* --- CSV ------------------------------------------------------------------ */

/* Read whole seconds, which most traces have, quickly. */
static int cell_duration(const struct trace_table *t, int i, int64_t *us,
                         struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);
    int64_t v = 0;
    uint32_t n = 0;

    for (; n < f->len && n < 11 && f->text[n] >= '0' && f->text[n] <= '9'; n++)
        v = v * 10 + (f->text[n] - '0');
    if (n == f->len) {
        *us = v * GS_SECOND;
        return 0;
    }
    if (gs_duration_parse(f->text, f->len, us) < 0)
        return trace_cell_bad(t, i, TRACE_TIME_ALLOWED, err);
    return 0;
}

static int cell_word(const struct trace_job_key *k, const struct trace_table *t,
                     int i, int64_t *out, struct gs_err *err)
{
    const char *text = trace_cell(t, i)->text;
    char allowed[40];

    *out = strcmp(text, k->yes) == 0;
    if (*out || strcmp(text, k->no) == 0)
        return 0;
    snprintf(allowed, sizeof(allowed), "one of: %s, %s", k->no, k->yes);
    return trace_cell_bad(t, i, allowed, err);
}

static int cell_name(const struct trace_table *t, int i,
                     struct gs_strtab *names, int64_t *out, struct gs_err *err)
{
    uint32_t id = 0;
    const int rc = trace_cell_text(t, i, names, &id, err);

    *out = id;
    return rc;
}

/* Read an amount with `parse`, from `low` to `high`. */
static int cell_amount(const struct trace_table *t, int i,
                       int (*parse)(const char *, size_t, int64_t *),
                       int64_t low, int64_t high, const char *allowed,
                       int64_t *out, struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);

    return parse(f->text, f->len, out) < 0 || *out < low || *out > high
               ? trace_cell_bad(t, i, allowed, err)
               : 0;
}

static int cell_value(const struct trace_job_key *k,
                      const struct trace_table *t, int i,
                      struct gs_strtab *names, int64_t *out, struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);
    uint32_t model[TRACE_MODELS_MAX], id;

    switch (k->kind) {
    case TRACE_KEY_SPAN:
        if (strcmp(f->text, "forever") == 0) {
            *out = TRACE_FOREVER;
            return 0;
        }
        return cell_duration(t, i, out, err);
    case TRACE_KEY_TIME:
        if (cell_duration(t, i, out, err) < 0)
            return -1;
        return *out < k->low ? trace_cell_bad(t, i, "more than 0", err) : 0;
    case TRACE_KEY_WHOLE:
    case TRACE_KEY_COUNT:
        return trace_cell_whole(t, i, k->low, k->high, out, err);
    case TRACE_KEY_PART:
        return cell_amount(t, i, gs_quantity_parse_milli, 0, 1000,
                           TRACE_PART_ALLOWED, out, err);
    case TRACE_KEY_SHARE:
        return cell_amount(t, i, gs_quantity_parse_milli, 1, TOPO_SHARE_ONE - 1,
                           TRACE_SHARE_ALLOWED, out, err);
    case TRACE_KEY_MILLI:
        return cell_amount(t, i, gs_quantity_parse_milli, 0, INT64_MAX,
                           TRACE_MILLI_ALLOWED, out, err);
    case TRACE_KEY_BYTES:
        return cell_amount(t, i, gs_quantity_parse_bytes, 0, INT64_MAX,
                           TRACE_BYTES_ALLOWED, out, err);
    case TRACE_KEY_MIG:
        *out = topo_mig_kind_find(f->text);
        return *out ? 0 : trace_cell_bad(t, i, TRACE_MIG_ALLOWED, err);
    case TRACE_KEY_QUEUE:
        if (!trace_queue_name_ok(f->text))
            return trace_cell_bad(t, i, TRACE_QUEUE_ALLOWED, err);
        return cell_name(t, i, names, out, err);
    case TRACE_KEY_MODELS:
        if (trace_models_parse(names, f->text, f->len, model) == 0)
            return trace_cell_bad(t, i, TRACE_MODELS_ALLOWED, err);
        return cell_name(t, i, names, out, err);
    case TRACE_KEY_OWN:
        if (trace_cell_own(t, i, names, &id, err) < 0)
            return -1;
        *out = id;
        return 0;
    case TRACE_KEY_NAME:
    case TRACE_KEY_RUNS:
    case TRACE_KEY_AFTER:
        return cell_name(t, i, names, out, err);
    case TRACE_KEY_WORD:
    case TRACE_KEY_FLAG:
        return cell_word(k, t, i, out, err);
    case TRACE_KEY_PAST: /* of YAML only */
        break;
    }
    return -1;
}

int trace_key_cell(const struct trace_job_key *k, const struct trace_table *t,
                   int i, struct gs_strtab *names, void *of, struct gs_err *err)
{
    int64_t value = 0;

    assert(k && !k->yaml_only && trace_cell(t, i));
    if (cell_value(k, t, i, names, &value, err) < 0)
        return -1;
    value_set(k, of, value);
    return 0;
}

/* --- writing -------------------------------------------------------------- */

void trace_key_put(const struct trace_job_key *k, FILE *out,
                   const struct gs_strtab *names, const void *of,
                   void (*text)(FILE *, const char *))
{
    const int64_t value = value_of(k, of);
    char buf[32];

    switch (k->kind) {
    case TRACE_KEY_TIME:
    case TRACE_KEY_SPAN:
        trace_put_time(out, value);
        break;
    case TRACE_KEY_PAST:
        fputs(value < 0 ? "-" : "", out);
        trace_put_time(out, -value);
        break;
    case TRACE_KEY_COUNT:
    case TRACE_KEY_WHOLE:
        fprintf(out, "%" PRId64, value);
        break;
    case TRACE_KEY_PART:
    case TRACE_KEY_SHARE:
    case TRACE_KEY_MILLI:
        fputs(gs_quantity_format_milli(value, buf, sizeof(buf)), out);
        break;
    case TRACE_KEY_BYTES:
        fputs(gs_quantity_format_bytes(value, buf, sizeof(buf)), out);
        break;
    case TRACE_KEY_MIG:
        fputs(topo_mig_kind_name((uint32_t)value), out);
        break;
    case TRACE_KEY_NAME:
    case TRACE_KEY_QUEUE:
    case TRACE_KEY_OWN:
        text(out, gs_strtab_str(names, (uint32_t)value));
        break;
    case TRACE_KEY_WORD:
    case TRACE_KEY_FLAG:
        fputs(value ? k->yes : k->no, out);
        break;
    case TRACE_KEY_RUNS:
    case TRACE_KEY_AFTER:
    case TRACE_KEY_MODELS:
        break;
    }
}

/* sim/study/source_options.c - see source_options.h. */
#include "sim/study/source_options.h"

#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/kubernetes/kubernetes.h"
#include "sim/study/inputs.h"

static bool is_stated(const struct source_options *o)
{
    return o->duration >= 0 || o->span >= 0 || o->at || o->history || o->tiers;
}

int source_options_take(const struct source_options *o, struct inputs *in,
                        struct gs_err *err)
{
    struct kube_options *k;
    int64_t at = INT64_MIN;

    if (!is_stated(o))
        return 0;
    if (o->at && gs_date_parse(o->at, strlen(o->at), &at) < 0)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "--at is a date such as 2026-11-21 07:01:55 (got "
                       "'%.60s')",
                       o->at);
    if (o->at && o->history)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--at' and '--history' exclude each other");
    if (o->duration == 0)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "--duration must be more than 0");
    k = gs_arena_memdup(in->arena, &kube_options_default, sizeof(*k));
    k->duration = o->duration > 0 ? o->duration : k->duration;
    k->span = o->span >= 0 ? o->span : k->span;
    k->at = at;
    k->history = o->history;
    k->tier = gs_arena_memdup(in->arena, o->tier, o->tiers * sizeof(*o->tier));
    k->tiers = (uint32_t)o->tiers;
    in->objects = k;
    return 0;
}

/* --- keys of files -------------------------------------------------------- */

static int tiers_read(const struct gs_yctx *c, const struct gs_ynode *v,
                      void *dest, struct gs_err *err)
{
    struct source_options *o = dest;

    if (v->kind != GS_YSEQ || v->len > SOURCE_TIERS_MAX)
        return gs_yread_refuse(c, v, "a list of LABEL=NAME", err);
    for (v = v->child; v; v = v->next) {
        if (gs_yread_text(c, v, &o->tier[o->tiers++], err) < 0)
            return -1;
    }
    return 0;
}

static int at_read(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    struct source_options *o = dest;
    int64_t us;

    if (v->kind != GS_YSCALAR || gs_date_parse(v->text, v->len, &us) < 0)
        return gs_yread_refuse(c, v, "a date such as 2026-11-21 07:01:55", err);
    o->at = v->text;
    return 0;
}

#define AT(field) offsetof(struct source_options, field)

int source_options_read(const struct gs_yctx *c, const struct gs_ynode *v,
                        void *dest, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "at", at_read, 0, false },
        { "duration", gs_yread_duration, AT(duration), false },
        { "history", gs_yread_bool, AT(history), false },
        { "span", gs_yread_duration, AT(span), false },
        { "tiers", tiers_read, 0, false },
    };

    return gs_ynode_fields(c, v, "'sources'", fields,
                           sizeof(fields) / sizeof(fields[0]), dest, err);
}

json_t *source_options_json(const struct inputs *in)
{
    const struct kube_options *o = in->objects;
    json_t *tiers, *all;

    if (!o)
        return NULL;
    tiers = json_array();
    for (uint32_t i = 0; i < o->tiers; i++)
        json_array_append_new(tiers, json_string(o->tier[i]));
    all = json_pack("{s:I, s:I, s:b, s:o}", "duration", (json_int_t)o->duration,
                    "span", (json_int_t)o->span, "history", o->history, "tiers",
                    tiers);
    if (o->at != INT64_MIN)
        json_object_set_new(all, "at", json_integer(o->at));
    return all;
}

/* traces/formats/native_topology.c - the key `topology` of a job, read and
 * written.
 *
 *   topology: {within: rack, mode: preferred, slices: {size: 4, within: node}}
 *   topology: {within: pod, prefers: rack}
 */
#include <inttypes.h>
#include <string.h>

#include "base/strtab.h"
#include "traces/formats/native.h"
#include "traces/formats/writing.h"
#include "traces/workload/slices.h"

/* The key as it is read; and one layer of its slices. */
struct topology_in {
    const char *within, *prefers;
    const struct gs_ynode *mode, *slices, *together;
};

struct layer_in {
    uint32_t size;
    const char *within;
};

/* --- reading -------------------------------------------------------------- */

static uint32_t id_of(const struct trace_native *l, const char *name)
{
    return name ? gs_strtab_put(l->r->w->names, name, strlen(name)) : 0;
}

static int layer_read(const struct trace_native *l, const struct gs_ynode *v,
                      struct trace_slices *slices, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "size", gs_yread_count, offsetof(struct layer_in, size), true },
        { "within", gs_yread_text, offsetof(struct layer_in, within), true },
    };
    const struct gs_mark at = gs_ynode_mark(&l->c, v);
    struct layer_in in = { 0 };

    if (gs_ynode_fields(&l->c, v, "slices", fields, 2, &in, err) < 0)
        return -1;
    if (slices->layers == TRACE_SLICES_MAX)
        return gs_fail(err, GS_INPUT, at, "'slices' has at most %u layers",
                       TRACE_SLICES_MAX);
    if (slices->layers && slices->layer[slices->layers - 1].size % in.size != 0)
        return gs_fail(err, GS_INPUT, at,
                       "the size of a layer of 'slices' must divide that of "
                       "the one before (%u does not divide %u)",
                       in.size, slices->layer[slices->layers - 1].size);
    slices->layer[slices->layers++] =
        (struct trace_slice){ .size = in.size, .tier = id_of(l, in.within) };
    return 0;
}

/* A layer, or a list of them. */
static int layers_read(const struct trace_native *l, const struct gs_ynode *v,
                       struct trace_slices *slices, struct gs_err *err)
{
    if (v->kind == GS_YMAP)
        return layer_read(l, v, slices, err);
    if (v->kind != GS_YSEQ || !v->child)
        return gs_yread_refuse(
            &l->c, v, "{size: N, within: TIER}, or a list of these", err);
    for (const struct gs_ynode *x = v->child; x; x = x->next) {
        if (layer_read(l, x, slices, err) < 0)
            return -1;
    }
    return 0;
}

/* Groups of at least one slice consist of whole ones, and so does their part of
 * the gang.
 */
static int slices_check(const struct trace_native *l,
                        const struct trace_job *job, const struct gs_ynode *v,
                        struct gs_err *err)
{
    const struct gs_ynode *stated = gs_ynode_find(v, "slices");

    for (uint32_t g = 0; g < job->group_count; g++) {
        const struct trace_group *group = &l->group[g];
        const struct trace_topology t = trace_group_topology(l->r->w, job,
                                                             group);
        const uint32_t size = t.slices
                                  ? l->r->w->slices[t.slices - 1].layer[0].size
                                  : 1;

        if (group->replicas >= size
            && (group->replicas % size || group->min % size))
            return gs_fail(
                err, GS_INPUT, gs_ynode_mark(&l->c, stated ? stated : v),
                "%u tasks are no whole number of slices of %u",
                group->replicas % size ? group->replicas : group->min, size);
    }
    return 0;
}

static int slices_take(const struct trace_native *l, const struct gs_ynode *v,
                       struct trace_topology *to, struct gs_err *err)
{
    struct trace_slices slices = { 0 };

    if (!v)
        return 0;
    if (layers_read(l, v, &slices, err) < 0)
        return -1;
    to->slices = trace_workload_slices(l->r->w, &slices);
    return 0;
}

static int mode_read(const struct trace_native *l, const struct gs_ynode *v,
                     enum trace_within *mode, struct gs_err *err)
{
    static const char *const word[] = { "required", "preferred",
                                        "unconstrained" };
    static const enum trace_within modes[] = { TRACE_REQUIRED, TRACE_PREFERRED,
                                               TRACE_UNCONSTRAINED };
    const int i = v ? gs_yread_word(&l->c, v, word, 3, err) : 0;

    if (i < 0)
        return -1;
    *mode = modes[i];
    return 0;
}

static int name_read(const struct trace_native *l, const struct gs_ynode *v,
                     struct trace_topology *to, struct gs_err *err)
{
    const char *name = NULL;

    if (gs_yread_text(&l->c, v, &name, err) < 0)
        return -1;
    if (to->within == TRACE_ANYWHERE)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'together' needs 'within'");
    to->together = id_of(l, name);
    return 0;
}

static int topology_read(const struct trace_native *l, const struct gs_ynode *v,
                         bool of_group, struct trace_topology *to,
                         struct gs_err *err)
{
    /* the last one is of groups only */
    static const struct gs_yfield fields[] = {
        { "prefers", gs_yread_text, offsetof(struct topology_in, prefers),
          false },
        { "within", gs_yread_text, offsetof(struct topology_in, within),
          false },
        { "mode", gs_yread_node, offsetof(struct topology_in, mode), false },
        { "slices", gs_yread_node, offsetof(struct topology_in, slices),
          false },
        { "together", gs_yread_node, offsetof(struct topology_in, together),
          false },
    };
    struct topology_in in = { 0 };
    enum trace_within mode;

    if (gs_ynode_fields(&l->c, v, "topology", fields, of_group ? 5 : 4, &in,
                        err)
            < 0
        || mode_read(l, in.mode, &mode, err) < 0)
        return -1;
    if (in.within && mode == TRACE_UNCONSTRAINED)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'mode: unconstrained' and 'within' exclude each other");
    if (!in.within && mode != TRACE_UNCONSTRAINED && (in.mode || !in.slices))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "topology needs 'within'");
    if (in.prefers && (!in.within || mode != TRACE_REQUIRED))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'prefers' is a tier inside 'within', which must be "
                       "required");
    to->tier = id_of(l, in.within);
    to->prefers = id_of(l, in.prefers);
    to->within = in.within || mode == TRACE_UNCONSTRAINED ? mode
                                                          : TRACE_ANYWHERE;
    if (in.together && name_read(l, in.together, to, err) < 0)
        return -1;
    return slices_take(l, in.slices, to, err);
}

int trace_read_group_topology(const struct trace_native *l,
                              const struct gs_ynode *v, struct trace_group *g,
                              struct gs_err *err)
{
    struct trace_topology t = { 0 };

    if (!v)
        return 0;
    if (topology_read(l, v, true, &t, err) < 0)
        return -1;
    g->topology = trace_workload_topology(l->r->w, &t);
    return 0;
}

/* Beside groups with a domain of their own one group has that of the job, or
 * one task of one group and another group have it.
 */
static int shared_check(const struct trace_native *l,
                        const struct trace_job *job, const struct gs_ynode *v,
                        struct gs_err *err)
{
    uint32_t shared = 0, single = 0;

    for (uint32_t g = 0; g < job->group_count; g++) {
        shared += !l->group[g].topology;
        single += !l->group[g].topology && l->group[g].replicas == 1;
    }
    return shared == job->group_count || shared < 2 || (shared == 2 && single)
               ? 0
               : gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                         "beside tasks with a topology of their own that of "
                         "the job is for one kind of tasks, or two of which "
                         "one is a single task");
}

/* Kinds of tasks that a name joins are several, of one topology. */
static int together_check(const struct trace_native *l,
                          const struct trace_job *job,
                          const struct gs_ynode *item, struct gs_err *err)
{
    for (uint32_t g = 0; g < job->group_count; g++) {
        const struct trace_topology t = trace_group_topology(l->r->w, job,
                                                             &l->group[g]);
        uint32_t joined = 0, others = 0;

        for (uint32_t k = 0; k < job->group_count && t.together; k++) {
            const struct trace_topology u = trace_group_topology(l->r->w, job,
                                                                 &l->group[k]);

            joined += u.together == t.together;
            others += u.together == t.together
                      && (u.tier != t.tier || u.within != t.within
                          || u.prefers != t.prefers);
        }
        if (t.together && (joined < 2 || others))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, item),
                           "'together: %.80s' must join several kinds of "
                           "tasks, which state one 'within', 'mode' and "
                           "'prefers' (got %u kinds, %u of them others)",
                           gs_strtab_str(l->r->w->names, t.together), joined,
                           others);
    }
    return 0;
}

int trace_read_topology(const struct trace_native *l, const struct gs_ynode *v,
                        const struct gs_ynode *item, struct trace_job *job,
                        bool has_groups, struct gs_err *err)
{
    struct trace_topology t = { 0 };

    if (v && topology_read(l, v, false, &t, err) < 0)
        return -1;
    job->aside->within_tier = t.tier;
    job->aside->within = (uint8_t)t.within;
    job->aside->slices = t.slices;
    job->aside->prefers = t.prefers;
    if (!has_groups)
        return 0;
    return (v && shared_check(l, job, v, err) < 0)
                   || together_check(l, job, item, err) < 0
                   || slices_check(l, job, v ? v : item, err) < 0
               ? -1
               : 0;
}

/* --- writing -------------------------------------------------------------- */

static void put_slices(FILE *out, const struct trace_workload *w,
                       const struct trace_slices *slices)
{
    fputs(slices->layers > 1 ? "slices: [" : "slices: ", out);
    for (uint32_t i = 0; i < slices->layers; i++) {
        fprintf(out, "%s{size: %" PRIu32 ", within: ", i ? ", " : "",
                slices->layer[i].size);
        trace_put_id(out, w, slices->layer[i].tier);
        putc('}', out);
    }
    if (slices->layers > 1)
        putc(']', out);
}

void trace_put_topology(FILE *out, const struct trace_workload *w,
                        const struct trace_topology *t)
{
    const struct trace_slices *slices = t->slices ? &w->slices[t->slices - 1]
                                                  : NULL;

    if (t->within == TRACE_ANYWHERE && !slices)
        return;
    fputs(", topology: {", out);
    if (t->tier) {
        fputs("within: ", out);
        trace_put_id(out, w, t->tier);
        fputs(", ", out);
    }
    if (t->prefers) {
        fputs("prefers: ", out);
        trace_put_id(out, w, t->prefers);
        fputs(", ", out);
    }
    if (t->within != TRACE_ANYWHERE)
        fprintf(out, "mode: %s%s", trace_within_mode(t->within),
                slices ? ", " : "");
    if (slices)
        put_slices(out, w, slices);
    if (t->together) {
        fputs(", together: ", out);
        trace_put_id(out, w, t->together);
    }
    putc('}', out);
}

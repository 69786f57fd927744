/* import/kubernetes/workload/segments.c - see segments.h. */
#include "import/kubernetes/workload/segments.h"

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/workload/within.h"
#include "topology/resources.h"
#include "traces/workload/workload.h"

#define SEGMENTS_MAX 64u /* kinds of tasks are compared with each other */

static const struct gs_ynode *annotation(const struct gs_ynode *object,
                                         const char *key)
{
    const struct gs_ynode *v = kube_key(kube_at(object, "metadata.annotations"),
                                        key);

    return v && v->kind == GS_YSCALAR && v->len ? v : NULL;
}

static uint32_t label_of(struct kube *k, const struct gs_ynode *template,
                         const char *key)
{
    const struct gs_ynode *v = annotation(template, key);

    return v ? kube_put(k, v->text) : 0;
}

struct kube_segments kube_segments_read(struct kube *k,
                                        const struct gs_ynode *template,
                                        const struct gs_ynode *object)
{
    const struct gs_ynode *size = annotation(template,
                                             "kai.scheduler/segment-size");
    const uint32_t must = label_of(
        k, template, "kai.scheduler/segment-topology-required-placement");
    const uint32_t may = label_of(
        k, template, "kai.scheduler/segment-topology-preferred-placement");
    const struct gs_ynode *at = size ? size : template;
    struct kube_segments s = { .size = 0 };
    int64_t pods = 0;

    if (!size)
        size = annotation(object, "kai.scheduler/segment-size");
    if (size
        && (!topo_label_number(size->text, &pods) || pods < 1
            || pods > TRACE_REPLICAS_MAX)) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, size,
                            "kai.scheduler/segment-size that is no number of "
                            "pods");
        pods = 0;
    }
    s.size = (uint32_t)pods;
    if (annotation(template, "kai.scheduler/topology")
        || annotation(object, "kai.scheduler/topology"))
        s.within = (struct kube_within){ .label = must ? must : may,
                                         .prefers = must ? may : 0,
                                         .is_preferred = !must && may,
                                         .line = at ? at->line : 0,
                                         .column = at ? at->column : 0 };
    return s;
}

static uint32_t segment_name(struct kube *k, const struct kube_member *m,
                             uint32_t segment)
{
    return kube_put(k, gs_arena_printf(k->arena, "%.200s-%u",
                                       kube_str(k, m->name), segment));
}

void kube_segments_join(struct kube *k, struct kube_member *m,
                        const struct kube_segments *s, uint32_t segment)
{
    struct kube_within own = s->within;

    if (!kube_within_says(&own))
        return;
    own.group = kube_put(k, gs_arena_printf(k->arena, "segment-%u", segment));
    m->within = gs_arena_memdup(k->arena, &own, sizeof(own));
    m->is_inside = true;
}

void kube_segments_add(struct kube *k, struct kube_workload *w,
                       const struct kube_member *m,
                       const struct kube_segments *s, uint32_t first)
{
    const bool says = kube_within_says(&s->within);
    uint32_t left = m->replicas;

    if (!says || left / s->size >= SEGMENTS_MAX) {
        struct kube_member all = *m;

        all.min = all.replicas;
        all.is_whole = true;
        kube_member_add(k, w, &all);
        if (says)
            import_account_tell(
                k->account, IMPORT_LEFT, kube_str(k, w->source),
                &(struct gs_ynode){ .line = w->line, .column = w->column },
                "segments of a workload of more than %u", SEGMENTS_MAX);
        return;
    }
    for (uint32_t i = 0; left > 0; i++) {
        const uint32_t size = i == 0 && first ? first : s->size;
        struct kube_member part = *m;

        part.name = segment_name(k, m, i);
        part.replicas = part.min = size < left ? size : left;
        left -= part.replicas;
        kube_segments_join(k, &part, s, i);
        kube_member_add(k, w, &part);
    }
}

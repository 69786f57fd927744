/* import/kubernetes/workload/within_said.c - what objects and annotations say
 * of where pods stand together, see within.h.
 */
#include <string.h>

#include "base/err.h"
#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kueue_gates.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/within.h"
#include "traces/workload/slices.h"

bool kube_within_says(const struct kube_within *x)
{
    return x->label || x->level || x->is_unconstrained || x->slices;
}

struct kube_within kube_within_volcano(struct kube *k, const struct gs_ynode *n)
{
    const char *mode = kube_text(n, "mode");
    struct kube_within x = { .label = kube_name(k, n, "highestTierName"),
                             .is_preferred = mode
                                             && strcmp(mode, "soft") == 0 };

    if (!x.label)
        x.level = (uint32_t)kube_number(k, n, "highestTierAllowed", 0, 0,
                                        UINT32_MAX - 1);
    x.line = n ? n->line : 0;
    x.column = n ? n->column : 0;
    return x;
}

/* Prefer a domain of the label: inside the one that is required, if any is. */
static void level_prefer(struct kube_within *x, uint32_t label)
{
    if (x->label) {
        x->prefers = label;
    } else {
        x->label = label;
        x->is_preferred = label != 0;
    }
}

/* The level at key `must` of `n`, and the one that `may` prefers. */
static struct kube_within levels_read(struct kube *k, const struct gs_ynode *n,
                                      const char *must, const char *may)
{
    struct kube_within x = {
        .label = kube_name(k, n, must),
        .line = n ? n->line : 0,
        .column = n ? n->column : 0,
    };

    level_prefer(&x, kube_name(k, n, may));
    return x;
}

struct kube_within kube_within_kai(struct kube *k, const struct gs_ynode *n)
{
    return levels_read(k, n, "requiredTopologyLevel", "preferredTopologyLevel");
}

struct kube_within kube_within_grove(struct kube *k, const struct gs_ynode *n)
{
    return levels_read(k, kube_at(n, "packConstraint"), "required",
                       "preferred");
}

struct kube_within kube_within_kai_annotated(struct kube *k,
                                             const struct gs_ynode *object)
{
    const struct gs_ynode *all = kube_at(object, "metadata.annotations");
    const struct gs_ynode *must = kube_key(
        all, "kai.scheduler/topology-required-placement");
    const struct gs_ynode *may = kube_key(
        all, "kai.scheduler/topology-preferred-placement");
    const struct gs_ynode *at = must ? must : may;
    struct kube_within x = {
        .label = must && must->kind == GS_YSCALAR ? kube_put(k, must->text) : 0,
        .line = at ? at->line : 0,
        .column = at ? at->column : 0,
    };

    if (may && may->kind == GS_YSCALAR)
        level_prefer(&x, kube_put(k, may->text));
    return x;
}

static void slice_add(struct kube_within *x, uint32_t label, int64_t size)
{
    x->lacks_size |= label && size == 0;
    if (label && size > 0 && size <= TRACE_REPLICAS_MAX
        && x->slices < TRACE_SLICES_MAX)
        x->slice[x->slices++] = (struct kube_pod_slice){ label,
                                                         (uint32_t)size };
}

/* Slices in slices, as Kueue lists them. */
static void layers_take(struct kube *k, struct kube_within *x,
                        const struct gs_ynode *list)
{
    x->has_layers = list != NULL;
    for (; list; list = list->next)
        slice_add(x, kube_name(k, list, "topology"),
                  kube_number(k, list, "size", 0, 0, TRACE_REPLICAS_MAX));
}

struct kube_within kube_within_kueue(struct kube *k, const struct gs_ynode *n)
{
    struct kube_within x = {
        .label = kube_name(k, n, "required"),
        .is_unconstrained = kube_flag(n, "unconstrained", false),
        .is_kueue = true,
        .group = kube_name(k, n, "podSetGroupName"),
        .line = n ? n->line : 0,
        .column = n ? n->column : 0,
    };

    level_prefer(&x, kube_name(k, n, "preferred"));
    x.is_unconstrained = x.is_unconstrained && !x.label;
    slice_add(&x, kube_name(k, n, "podSetSliceRequiredTopology"),
              kube_number(k, n, "podSetSliceSize", 0, 0, TRACE_REPLICAS_MAX));
    layers_take(k, &x, kube_list(n, "podsetSliceRequiredTopologyConstraints"));
    return x;
}

static const char *annotation(struct kube *k, const struct kube_template *t,
                              const char *key)
{
    return kube_str(k, kube_label_value(&t->annotations, kube_put(k, key)));
}

/* The list in the text of an annotation of JSON; NULL. */
static const struct gs_ynode *listed(struct kube *k, const char *text)
{
    struct gs_err why = { 0 };
    const struct gs_ynode *root =
        *text ? gs_yaml_parse("annotation", text, k->arena, &why) : NULL;

    return root && root->kind == GS_YSEQ ? root->child : NULL;
}

/* What annotations of Kueue say beside a level. */
static void slices_annotated(struct kube *k, const struct kube_template *t,
                             struct kube_within *x)
{
    int64_t size = 0;

    x->is_unconstrained =
        !x->label
        && kube_go_true(
            annotation(k, t, "kueue.x-k8s.io/podset-unconstrained-topology"));
    (void)topo_label_number(
        annotation(k, t, "kueue.x-k8s.io/podset-slice-size"), &size);
    slice_add(x,
              kube_label_value(&t->annotations,
                               kube_put(k, "kueue.x-k8s.io/"
                                           "podset-slice-required-topology")),
              size);
    if (x->slices == 0 && kube_gate_is_open(k, KUBE_GATE_LAYERS))
        layers_take(k, x,
                    listed(k, annotation(k, t,
                                         "kueue.x-k8s.io/podset-slice-"
                                         "required-topology-constraints")));
}

/* What annotations of the pods say. */
static struct kube_within annotated(struct kube *k,
                                    const struct kube_template *t)
{
    static const struct {
        const char *key;
        bool is_preferred;
    } rows[] = {
        { "kueue.x-k8s.io/podset-required-topology", false },
        { "kueue.x-k8s.io/podset-preferred-topology", true },
        { "kai.scheduler/topology-required-placement", false },
        { "kai.scheduler/topology-preferred-placement", true },
    };
    struct kube_within x = { .line = t->line, .column = t->column };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t label = kube_label_value(&t->annotations,
                                                kube_put(k, rows[i].key));

        if (!x.label)
            x.is_kueue = i < 2;
        if (rows[i].is_preferred && !x.prefers && !x.is_preferred
            && x.is_kueue == (i < 2))
            level_prefer(&x, label);
        else if (!x.label)
            x.label = label;
    }
    slices_annotated(k, t, &x);
    x.is_kueue |= x.is_unconstrained || x.slices;
    x.group = kube_label_value(&t->annotations,
                               kube_put(k, "kueue.x-k8s.io/podset-group-name"));
    return x;
}

/* What is said of Kueue's topologies counts unless a gate is shut. */
static struct kube_within allowed(const struct kube *k, struct kube_within x)
{
    if (x.is_kueue && !kube_gate_is_open(k, KUBE_GATE_TOPOLOGY))
        return (struct kube_within){ 0 };
    if (x.is_kueue && x.has_layers && !kube_gate_is_open(k, KUBE_GATE_LAYERS))
        x.slices = 0;
    return x;
}

struct kube_within kube_within_annotated(struct kube *k,
                                         const struct kube_template *t)
{
    return allowed(k, annotated(k, t));
}

struct kube_within kube_within_of_member(struct kube *k,
                                         const struct kube_member *m)
{
    return m->within ? allowed(k, *m->within)
                     : kube_within_annotated(k, m->pods);
}

/* import/kubernetes/pod/pod_rules.c - where pods must or had better stand:
 * affinity of nodes and pods, topology spread.
 */
#include "import/kubernetes/pod/pod_rules.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "traces/workload/workload.h"

/* Room for one more behind `count` elements at `from`. */
static void *grown(struct kube *k, const void *from, uint32_t count,
                   size_t size)
{
    void *to = gs_arena_alloc(k->arena, count + 1, size);

    if (count)
        memcpy(to, from, count * size);
    return to;
}

static uint32_t length(const struct gs_ynode *list)
{
    uint32_t n = 0;

    for (; list; list = list->next)
        n++;
    return n;
}

static void terms_read(struct kube *k, struct kube_template *t,
                       const struct gs_ynode *list)
{
    t->term = gs_arena_alloc(k->arena, length(list), sizeof(*t->term));
    for (; list; list = list->next) {
        struct kube_conditions *c = &t->term[t->terms];

        kube_conditions_add(k, c, NULL, kube_at(list, "matchExpressions"));
        kube_conditions_add(k, c, NULL, kube_at(list, "matchFields"));
        t->terms += c->count > 0; /* an empty term matches nothing */
    }
}

static uint32_t weight_of(struct kube *k, const struct gs_ynode *term)
{
    return (uint32_t)kube_number(k, term, "weight", 1, 1, TOPO_WEIGHT_MAX);
}

/* Preferred terms {weight, preference}; an empty one matches nothing. */
static void prefers_read(struct kube *k, struct kube_template *t,
                         const struct gs_ynode *list)
{
    t->prefer = gs_arena_alloc(k->arena, length(list), sizeof(*t->prefer));
    for (; list; list = list->next) {
        struct kube_preference *p = &t->prefer[t->prefers];

        kube_conditions_add(k, &p->nodes, NULL,
                            kube_at(list, "preference.matchExpressions"));
        kube_conditions_add(k, &p->nodes, NULL,
                            kube_at(list, "preference.matchFields"));
        p->weight = weight_of(k, list);
        t->prefers += p->nodes.count > 0;
    }
}

/* Append the namespace, behind a ','. */
static void space_join(char *joined, size_t size, const struct gs_ynode *n)
{
    const size_t at = strlen(joined);

    if (n->kind == GS_YSCALAR && at + n->len + 2 < size)
        (void)snprintf(joined + at, size - at, ",%s", n->text);
}

static struct kube_selection spaces_read(struct kube *k,
                                         const struct gs_ynode *term)
{
    const struct gs_ynode *by = kube_at(term, "namespaceSelector");
    struct kube_selection s = { .picks = by && by->len > 0 };
    char joined[1024] = "";

    if (by && !by->len) { /* an empty one selects all */
        s.spaces = kube_put(k, "*");
        return s;
    }
    for (const struct gs_ynode *n = kube_list(term, "namespaces"); n;
         n = n->next)
        space_join(joined, sizeof(joined), n);
    s.spaces = joined[0] ? kube_put(k, joined + 1) : 0;
    kube_conditions_add(k, &s.named, kube_at(by, "matchLabels"),
                        kube_at(by, "matchExpressions"));
    return s;
}

/* The pods that the labelSelector of a term selects, and which have the values
 * of `t` in the labels of matchLabelKeys, others in those of mismatchLabelKeys.
 */
static void pods_read(struct kube *k, const struct kube_template *t,
                      const struct gs_ynode *term, struct kube_conditions *c)
{
    static const char *const lists[] = { "matchLabelKeys",
                                         "mismatchLabelKeys" };

    kube_conditions_add(k, c, kube_at(term, "labelSelector.matchLabels"),
                        kube_at(term, "labelSelector.matchExpressions"));
    for (int i = 0; i < 2; i++) {
        for (const struct gs_ynode *n = kube_list(term, lists[i]); n;
             n = n->next) {
            const uint32_t key = n->kind == GS_YSCALAR ? kube_put(k, n->text)
                                                       : 0;

            if (!key || !kube_label_has(&t->labels, key))
                continue;
            kube_conditions_require(k, c, key,
                                    kube_label_value(&t->labels, key));
            if (i == 1)
                c->at[c->count - 1].op = TOPO_NOT_IN;
        }
    }
}

static void near_read(struct kube *k, struct kube_template *t,
                      const struct gs_ynode *term, bool is_anti,
                      uint32_t weight)
{
    struct kube_near x = {
        .is_anti = is_anti,
        .topology_key = kube_name(k, term, "topologyKey"),
        .of = spaces_read(k, term),
        .weight = weight,
    };

    if (!kube_at(term, "labelSelector"))
        return; /* it selects no pods */
    pods_read(k, t, term, &x.of.pods);
    t->near = grown(k, t->near, t->nears, sizeof(x));
    t->near[t->nears++] = x;
}

/* Required terms, or preferred ones {weight, podAffinityTerm}. */
static void nears_read(struct kube *k, struct kube_template *t,
                       const struct gs_ynode *list, bool is_anti, bool is_soft)
{
    for (; list; list = list->next) {
        const struct gs_ynode *term = is_soft ? kube_at(list, "podAffinityTerm")
                                              : list;

        if (term)
            near_read(k, t, term, is_anti, is_soft ? weight_of(k, list) : 0);
    }
}

/* True when the text at `path` is `word`. */
static bool is_word(const struct gs_ynode *n, const char *path,
                    const char *word)
{
    const char *text = kube_text(n, path);

    return text && strcmp(text, word) == 0;
}

struct kube_spread kube_spread_read(struct kube *k, const struct gs_ynode *n)
{
    return (struct kube_spread){
        .topology_key = kube_name(k, n, "topologyKey"),
        .max_skew = (uint32_t)kube_number(k, n, "maxSkew", 1, 1,
                                          TRACE_REPLICAS_MAX),
        .min_domains = (uint32_t)kube_number(k, n, "minDomains", 1, 1,
                                             TRACE_REPLICAS_MAX),
        .counts =
            (is_word(n, "nodeAffinityPolicy", "Ignore") ? TRACE_SPREAD_ANY : 0)
            | (is_word(n, "nodeTaintsPolicy", "Honor") ? TRACE_SPREAD_TOLERATED
                                                       : 0),
        .weight = is_word(n, "whenUnsatisfiable", "ScheduleAnyway"),
    };
}

static void spreads_read(struct kube *k, struct kube_template *t,
                         const struct gs_ynode *list)
{
    for (; list; list = list->next) {
        struct kube_spread x = kube_spread_read(k, list);

        if (!kube_at(list, "labelSelector")) {
            import_account_tell(k->account, IMPORT_LEFT, k->source, list,
                                "topology spread without a labelSelector: it "
                                "counts no pods");
            continue;
        }
        pods_read(k, t, list, &x.of.pods);
        t->spread = grown(k, t->spread, t->spreads, sizeof(x));
        t->spread[t->spreads++] = x;
    }
}

/* The ports of the node that containers take; with the node's network all of
 * theirs.  Addresses do not count: most pods state none.
 */
static void ports_read(struct kube *k, struct kube_template *t,
                       const struct gs_ynode *container, bool is_network)
{
    for (const struct gs_ynode *p = kube_list(container, "ports"); p;
         p = p->next) {
        const char *path = is_network && !kube_at(p, "hostPort")
                               ? "containerPort"
                               : "hostPort";
        const int64_t port = kube_number(k, p, path, 0, 0, 65535);
        const char *protocol = kube_text(p, "protocol");
        uint32_t label;
        bool is_there = false;

        if (port == 0)
            continue;
        label = kube_put(
            k, gs_arena_printf(k->arena, "host-port-%s-%d=taken",
                               !protocol || !strcmp(protocol, "TCP") ? "tcp"
                               : !strcmp(protocol, "UDP")            ? "udp"
                                                                     : "sctp",
                               (int)port));
        for (uint32_t i = 0; i < t->ports; i++)
            is_there = is_there || t->port[i] == label;
        if (is_there)
            continue;
        t->port = grown(k, t->port, t->ports, sizeof(label));
        t->port[t->ports++] = label;
    }
}

void kube_rules_read(struct kube *k, struct kube_template *t,
                     const struct gs_ynode *spec)
{
    static const char required[] = "requiredDuringSchedulingIgnoredDuring"
                                   "Execution";
    static const char preferred[] = "preferredDuringSchedulingIgnoredDuring"
                                    "Execution";
    const struct gs_ynode *node = kube_at(spec, "affinity.nodeAffinity");
    const struct gs_ynode *near = kube_at(spec, "affinity.podAffinity");
    const struct gs_ynode *apart = kube_at(spec, "affinity.podAntiAffinity");

    terms_read(k, t, kube_list(kube_at(node, required), "nodeSelectorTerms"));
    prefers_read(k, t, kube_list(node, preferred));
    nears_read(k, t, kube_list(near, required), false, false);
    nears_read(k, t, kube_list(apart, required), true, false);
    nears_read(k, t, kube_list(near, preferred), false, true);
    nears_read(k, t, kube_list(apart, preferred), true, true);
    spreads_read(k, t, kube_list(spec, "topologySpreadConstraints"));
    for (const struct gs_ynode *c = kube_list(spec, "containers"); c;
         c = c->next)
        ports_read(k, t, c, kube_flag(spec, "hostNetwork", false));
}

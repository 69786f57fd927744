/* topology/show.c - a topology for people, see show.h. */
#include "topology/show.h"

#include <assert.h>
#include <stdbool.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "topology/topology.h"

static const char *str(const struct topo *t, uint32_t id)
{
    return gs_strtab_str(t->names, id);
}

static uint32_t gpus_below(const struct topo *t, const struct topo_domain *d)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < d->node_count; i++)
        n += t->klass[t->node_class[d->first_node + i]].gpus;
    return n;
}

/* --- runs of nodes and domains -------------------------------------------- */

static bool same_nodes(const struct topo *t, const struct topo_domain *a,
                       const struct topo_domain *b)
{
    if (a->node_count != b->node_count)
        return false;
    for (uint32_t i = 0; i < a->node_count; i++) {
        if (t->node_class[a->first_node + i]
            != t->node_class[b->first_node + i])
            return false;
    }
    return true;
}

/* Domain `b` comes after `a` on its level, and each before what it holds. */
static bool same_inside(const struct topo *t, uint32_t a, uint32_t b)
{
    const struct topo_domain *dom = t->domain;

    if (!same_nodes(t, &dom[a], &dom[b]))
        return false;
    for (uint32_t k = 1; dom[a + k].level > dom[a].level; k++) {
        if (b + k == t->domain_count || dom[a + k].level != dom[b + k].level
            || dom[a + k].node_count != dom[b + k].node_count)
            return false;
    }
    return true;
}

static void class_text(const struct topo *t, uint32_t klass, FILE *out)
{
    const struct topo_class *k = &t->klass[klass];

    fprintf(out, "%s", str(t, k->type));
    if (k->gpus)
        fprintf(out, ", %u GPUs", k->gpus);
}

static void nodes_show(const struct topo *t, uint32_t from, uint32_t count,
                       uint32_t depth, FILE *out)
{
    for (uint32_t i = 0; i < count;) {
        const uint32_t klass = t->node_class[from + i];
        uint32_t n = 1;

        while (i + n < count && t->node_class[from + i + n] == klass)
            n++;
        fprintf(out, "%*s%s", (int)(2 * depth), "",
                str(t, t->node_name[from + i]));
        if (n > 1)
            fprintf(out, " .. %s", str(t, t->node_name[from + i + n - 1]));
        fprintf(out, ": %u x (", n);
        class_text(t, klass, out);
        fputs(")\n", out);
        i += n;
    }
}

/* The next domain on the level of `d` below the same parent; 0: none. */
static uint32_t sibling(const struct topo *t, uint32_t d)
{
    for (uint32_t k = d + 1; k < t->domain_count; k++) {
        if (t->domain[k].level < t->domain[d].level)
            return 0;
        if (t->domain[k].level == t->domain[d].level)
            return k;
    }
    return 0;
}

static void domain_show(const struct topo *t, uint32_t d, uint32_t depth,
                        FILE *out);

static void children_show(const struct topo *t, uint32_t d, uint32_t depth,
                          FILE *out)
{
    const struct topo_domain *dom = &t->domain[d];
    const bool is_leaf = dom->level == t->tier_count;

    if (is_leaf)
        nodes_show(t, dom->first_node, dom->node_count, depth, out);
    else
        domain_show(t, d + 1, depth, out);
}

/* Print domain `d` and its siblings, runs of equal ones on one line. */
static void domain_show(const struct topo *t, uint32_t d, uint32_t depth,
                        FILE *out)
{
    while (d) {
        const uint32_t first = d;
        uint32_t last = d, n = 1, next = sibling(t, d);

        while (next && same_inside(t, first, next)) {
            last = next;
            n++;
            next = sibling(t, next);
        }
        fprintf(out, "%*s%s %s", (int)(2 * depth), "",
                topo_level_name(t, t->domain[d].level),
                str(t, t->domain[first].name));
        if (n > 1)
            fprintf(out, " .. %s", str(t, t->domain[last].name));
        fprintf(out, ": %s%u nodes, %u GPUs\n", n > 1 ? "each " : "",
                t->domain[first].node_count, gpus_below(t, &t->domain[first]));
        children_show(t, first, depth + 1, out);
        d = next;
    }
}

/* --- tables --------------------------------------------------------------- */

static void tiers_show(const struct topo *t, FILE *out)
{
    char rate[32], latency[32];

    for (uint32_t l = 1; l <= t->tier_count + 1; l++) {
        const struct topo_tier *tier = l <= t->tier_count ? &t->tier[l - 1]
                                                          : &t->node_tier;

        if (tier->bandwidth == 0 && tier->latency == 0)
            continue;
        fprintf(out, "within a %s: %s", topo_level_name(t, l),
                topo_fabric_names[tier->fabric]);
        if (tier->bandwidth)
            fprintf(out, ", %s GB/s",
                    gs_quantity_format_milli(tier->bandwidth / 1000000, rate,
                                             sizeof(rate)));
        if (tier->latency)
            fprintf(
                out, ", %s",
                gs_duration_format(tier->latency, latency, sizeof(latency)));
        fputc('\n', out);
    }
}

/* Print a text in `width` columns, cut when it is too long. */
static void cell_show(const char *s, size_t width, FILE *out)
{
    const size_t length = gs_text_length(s);
    const size_t kept = length < width ? length : width;

    fwrite(s, 1, gs_text_bytes(s, kept), out);
    fprintf(out, "%*s", (int)(width - kept), "");
}

static void class_show(const struct topo *t, uint32_t klass, uint32_t nodes,
                       size_t width, FILE *out)
{
    const struct topo_class *k = &t->klass[klass];
    char amount[32], model[256];

    cell_show(str(t, k->type), width, out);
    fprintf(out, " %7u %5u  ", nodes, k->gpus);
    snprintf(model, sizeof(model), "%s%s", k->gpus ? str(t, k->model) : "",
             k->mig ? " (MIG)" : "");
    cell_show(model, width, out);
    fprintf(out, " %8s",
            k->capacity[TOPO_CPU] ? gs_quantity_format_milli(
                k->capacity[TOPO_CPU], amount, sizeof(amount))
                                  : "-");
    fprintf(out, " %9s\n",
            k->capacity[TOPO_MEMORY] ? gs_quantity_format_bytes(
                k->capacity[TOPO_MEMORY], amount, sizeof(amount))
                                     : "-");
}

static void classes_show(const struct topo *t, FILE *out)
{
    uint32_t *nodes = gs_array_new(t->class_count, sizeof(*nodes));
    size_t width = 16; /* of a name, so that a line has 80 columns */

    for (uint32_t k = 0; k < t->class_count; k++) {
        const size_t type = gs_text_length(str(t, t->klass[k].type));
        const size_t model = gs_text_length(str(t, t->klass[k].model));

        width = type > width ? type : width;
        width = model > width ? model : width;
    }
    width = width < 22 ? width : 22;
    for (uint32_t n = 0; n < t->node_count; n++)
        nodes[t->node_class[n]]++;
    fprintf(out, "%-*s %7s %5s  %-*s %8s %9s\n", (int)width, "type", "nodes",
            "GPUs", (int)width, "model", "cpu", "memory");
    for (uint32_t k = 0; k < t->class_count; k++)
        class_show(t, k, nodes[k], width, out);
    gs_array_free(nodes);
}

void topo_show(const struct topo *t, FILE *out)
{
    assert(t && !t->build && out);
    fprintf(out, "%s: %u nodes, %u GPUs\n", str(t, t->cluster), t->node_count,
            t->gpu_count);
    children_show(t, 0, 1, out);
    fputc('\n', out);
    tiers_show(t, out);
    classes_show(t, out);
}

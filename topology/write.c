/* topology/write.c - a topology as a native file, see write.h. */
#include "topology/write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/yamltext.h"
#include "topology/topology.h"

/* The labels and taints that all nodes of a type have: those of its first
 * class, except those that another class lacks.
 */
struct type {
    const struct topo_class *first; /* NULL: no class is of this type */
    bool *label, *taint;            /* [label or taint of `first`] true: all
                                       classes have it */
};

static void put(FILE *out, const struct topo *t, uint32_t id)
{
    const char *s = gs_strtab_str(t->names, id);

    gs_yaml_put_text(out, s, strlen(s));
}

static void put_inside(FILE *out, const struct topo *t, uint32_t id)
{
    const char *s = gs_strtab_str(t->names, id);

    gs_yaml_put_escaped(out, s, strlen(s));
}

static bool has_label(const struct topo_class *c, const struct topo_label *l)
{
    for (uint32_t i = 0; i < c->label_count; i++) {
        if (c->label[i].key == l->key)
            return c->label[i].value == l->value;
    }
    return false;
}

static bool has_taint(const struct topo_class *c, const struct topo_taint *x)
{
    for (uint32_t i = 0; i < c->taint_count; i++) {
        if (c->taint[i].key == x->key && c->taint[i].value == x->value
            && c->taint[i].effect == x->effect)
            return true;
    }
    return false;
}

/* Begin the type with its first class, or remove what class `c` lacks. */
static void type_add(struct type *type, const struct topo_class *c)
{
    if (!type->first) {
        type->first = c;
        type->label = gs_array_new(c->label_count, sizeof(bool));
        type->taint = gs_array_new(c->taint_count, sizeof(bool));
        memset(type->label, true, c->label_count * sizeof(bool));
        memset(type->taint, true, c->taint_count * sizeof(bool));
        return;
    }
    for (uint32_t i = 0; i < type->first->label_count; i++)
        type->label[i] = type->label[i] && has_label(c, &type->first->label[i]);
    for (uint32_t i = 0; i < type->first->taint_count; i++)
        type->taint[i] = type->taint[i] && has_taint(c, &type->first->taint[i]);
}

static bool is_of_type(const struct type *type, const struct topo_label *l)
{
    for (uint32_t i = 0; i < type->first->label_count; i++) {
        if (type->first->label[i].key == l->key)
            return type->label[i];
    }
    return false;
}

static bool is_taint_of_type(const struct type *type,
                             const struct topo_taint *x)
{
    for (uint32_t i = 0; i < type->first->taint_count; i++) {
        const struct topo_taint *y = &type->first->taint[i];

        if (y->key == x->key && y->value == x->value && y->effect == x->effect)
            return type->taint[i];
    }
    return false;
}

/* --- parts ---------------------------------------------------------------- */

/* ", labels: {...}, taints: [...]" of class `c`: those that are (`of_type`) or
 * are not the type's.
 */
static void put_marks(FILE *out, const struct topo *t, const struct type *type,
                      const struct topo_class *c, bool of_type)
{
    bool any = false;

    for (uint32_t i = 0; i < c->label_count; i++) {
        if (is_of_type(type, &c->label[i]) != of_type)
            continue;
        fputs(any ? ", " : ", labels: {", out);
        put(out, t, c->label[i].key);
        fputs(": ", out);
        put(out, t, c->label[i].value);
        any = true;
    }
    fputs(any ? "}" : "", out);
    any = false;
    for (uint32_t i = 0; i < c->taint_count; i++) {
        if (is_taint_of_type(type, &c->taint[i]) != of_type)
            continue;
        fputs(any ? ", \"" : ", taints: [\"", out);
        put_inside(out, t, c->taint[i].key);
        if (c->taint[i].value)
            putc('=', out);
        put_inside(out, t, c->taint[i].value);
        fprintf(out, ":%s\"", topo_effect_names[c->taint[i].effect]);
        any = true;
    }
    fputs(any ? "]" : "", out);
}

static void put_milli(FILE *out, const char *key, int64_t milli)
{
    char buf[32];

    fprintf(out, ", %s: %s", key,
            gs_quantity_format_milli(milli, buf, sizeof(buf)));
}

static void put_bytes(FILE *out, const char *key, int64_t bytes)
{
    char buf[32];

    fprintf(out, ", %s: %s", key,
            gs_quantity_format_bytes(bytes, buf, sizeof(buf)));
}

static void put_mig(FILE *out, const struct topo_class *c)
{
    char buf[32];

    if (c->mig)
        fprintf(out, ", mig: {repartition: %s, delay: %s}",
                c->mig_only ? "false" : "true",
                gs_duration_format(c->mig_delay, buf, sizeof(buf)));
}

static void put_resources(FILE *out, const struct topo *t,
                          const struct topo_class *c)
{
    bool any = false;

    for (uint32_t d = TOPO_DIMS_FIXED; d < t->dims->count; d++) {
        char buf[32];

        if (c->capacity[d] == 0 || t->model_dims >> d & 1)
            continue;
        fputs(any ? ", " : ", resources: {", out);
        put(out, t, t->dims->name[d]);
        fprintf(out, ": %s",
                gs_quantity_format_milli(c->capacity[d], buf, sizeof(buf)));
        any = true;
    }
    fputs(any ? "}" : "", out);
}

static void put_gpus(FILE *out, const struct topo *t,
                     const struct topo_class *c)
{
    if (c->model_count < 2)
        fprintf(out, "gpus: %u", c->gpus);
    for (uint32_t i = 0; c->model_count > 1 && i < c->model_count; i++) {
        fputs(i ? ", " : "gpus: {", out);
        put(out, t, c->models[i].name);
        fprintf(out, ": %u%s", c->models[i].gpus,
                i + 1 == c->model_count ? "}" : "");
    }
    if (c->model && c->model_count < 2) {
        fputs(", model: ", out);
        put(out, t, c->model);
    }
}

static void put_type(FILE *out, const struct topo *t, const struct type *type)
{
    const struct topo_class *c = type->first;

    fputs("  ", out);
    put(out, t, c->type);
    fputs(": {", out);
    put_gpus(out, t, c);
    if (c->gpu_memory)
        put_bytes(out, "gpu_memory", c->gpu_memory);
    if (c->gpu_tasks)
        fprintf(out, ", tasks_per_gpu: %u", c->gpu_tasks);
    put_mig(out, c);
    put_milli(out, "cpu", c->capacity[TOPO_CPU]);
    put_bytes(out, "memory", c->capacity[TOPO_MEMORY]);
    if (c->capacity[TOPO_RDMA])
        put_milli(out, "rdma", c->capacity[TOPO_RDMA]);
    if (c->capacity[TOPO_PODS] < TOPO_PODS_UNLIMITED)
        fprintf(out, ", pods: %" PRId64, c->capacity[TOPO_PODS]);
    put_resources(out, t, c);
    put_marks(out, t, type, c, true);
    fputs("}\n", out);
}

/* ", load: {cpu: 40%, memory: 60%}" as far as it is stated. */
static void put_load(FILE *out, const struct topo_class *c)
{
    static const char *const name[TOPO_LOADS] = { "cpu", "memory" };
    const char *between = ", load: {";

    for (uint32_t d = 0; d < TOPO_LOADS; d++) {
        const unsigned milli = c->load[d] - 1u;

        if (c->load[d] == 0)
            continue;
        fprintf(out, "%s%s: %u.%u%%", between, name[d], milli / 10, milli % 10);
        between = ", ";
    }
    fputs(c->load[TOPO_CPU] || c->load[TOPO_MEMORY] ? "}" : "", out);
}

static void put_node(FILE *out, const struct topo *t, const struct type *type,
                     uint32_t node)
{
    const struct topo_class *c = &t->klass[t->node_class[node]];

    fputs("  - {name: ", out);
    put(out, t, t->node_name[node]);
    fputs(", type: ", out);
    put(out, t, c->type);
    for (uint32_t i = 0; i < t->tier_count; i++) {
        fputs(", ", out);
        put(out, t, t->tier[i].name);
        fputs(": ", out);
        put(out, t, t->domain[topo_domain_of(t, node, i + 1)].name);
    }
    put_marks(out, t, type, c, false);
    put_load(out, c);
    fputs("}\n", out);
}

static void put_tiers(FILE *out, const struct topo *t)
{
    for (uint32_t i = 0; i < t->tier_count; i++) {
        fputs(i ? ", {name: " : "tiers: [{name: ", out);
        put(out, t, t->tier[i].name);
        putc('}', out);
    }
    fputs(t->tier_count ? "]\n" : "", out);
}

void topo_write(FILE *out, const struct topo *t)
{
    struct type *type = gs_array_new(gs_strtab_count(t->names), sizeof(*type));

    assert(out && !t->build);
    for (uint32_t k = 0; k < t->class_count; k++)
        type_add(&type[t->klass[k].type], &t->klass[k]);
    fputs("cluster: ", out);
    put(out, t, t->cluster);
    putc('\n', out);
    put_tiers(out, t);
    fputs("node_types:\n", out);
    for (uint32_t k = 0; k < t->class_count; k++) {
        const struct topo_class *c = &t->klass[k];

        if (type[c->type].first == c)
            put_type(out, t, &type[c->type]);
    }
    fputs("nodes:\n", out);
    for (uint32_t n = 0; n < t->node_count; n++)
        put_node(out, t, &type[t->klass[t->node_class[n]].type], n);
    for (uint32_t k = 0; k < t->class_count; k++) {
        struct type *x = &type[t->klass[k].type];

        gs_array_free(x->label);
        gs_array_free(x->taint);
        x->label = x->taint = NULL;
    }
    gs_array_free(type);
}

/* policies/profile/profile_text.c - prints a profile as its YAML file. */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "policies/profile/extension_points.h"
#include "policies/profile/profile.h"

/* A text that grows in an arena. */
struct text {
    struct gs_arena *arena;
    char *at;
    size_t len, cap;
};

static void put(struct text *t, const char *s)
{
    const size_t n = strlen(s);

    if (t->len + n + 1 > t->cap) {
        const size_t cap = (t->len + n + 1) * 2;
        char *bigger = gs_arena_alloc(t->arena, cap, 1);

        if (t->len)
            memcpy(bigger, t->at, t->len);
        t->at = bigger;
        t->cap = cap;
    }
    memcpy(t->at + t->len, s, n + 1);
    t->len += n;
}

static bool is_plain(const char *s)
{
    return *s
           && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_./-")
                  == strlen(s)
           && *s != '-';
}

/* Append a scalar, in double quotes with escapes unless it is plain. */
static void put_scalar(struct text *t, const char *s)
{
    static const char hex[] = "0123456789abcdef";

    if (is_plain(s)) {
        put(t, s);
        return;
    }
    put(t, "\"");
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        char out[5] = { *s };

        if (c == '"' || c == '\\')
            memcpy(out, (char[]){ '\\', *s, '\0' }, 3);
        else if (c < 0x20 || c == 0x7f)
            memcpy(out, (char[]){ '\\', 'x', hex[c >> 4], hex[c & 15], '\0' },
                   5);
        put(t, out);
    }
    put(t, "\"");
}

static void put_node(struct text *t, const struct gs_ynode *n)
{
    if (n->kind == GS_YSCALAR) {
        put_scalar(t, n->text);
        return;
    }
    put(t, n->kind == GS_YMAP ? "{" : "[");
    for (const struct gs_ynode *k = n->child; k; k = k->next) {
        put(t, k == n->child ? "" : ", ");
        if (n->kind == GS_YMAP) {
            put_scalar(t, k->key->text);
            put(t, ": ");
        }
        put_node(t, k);
    }
    put(t, n->kind == GS_YMAP ? "}" : "]");
}

static void put_use(struct text *t, const struct gsched_use *u,
                    const char *indent)
{
    const struct gsp_module *m = u->module;
    const char *between = "";
    uint32_t at = 0;

    put(t, indent);
    put(t, "- ");
    put_scalar(t, u->path ? u->path : m->name);
    for (uint32_t i = 0; i < m->param_count; i++) {
        put(t, i == 0 ? ": {" : ", ");
        put(t, m->param[i].name);
        put(t, ": ");
        if (u->value[i])
            put_node(t, u->value[i]);
        else
            put(t, m->param[i].fallback);
    }
    if (u->only) {
        put(t, m->param_count ? ", only: [" : ": {only: [");
        for (const char *name; (name = gsched_points_name(u->only, &at));) {
            put(t, between);
            put(t, name);
            between = ", ";
        }
        put(t, "]");
    }
    put(t, m->param_count || u->only ? "}" : "");
    if (u->path) {
        put(t, " # ");
        put(t, m->name);
    }
    put(t, "\n");
}

static void put_modules(struct text *t, const struct gsched_profile *p)
{
    uint32_t tiers = 0;

    for (uint32_t i = 0; i < p->use_count; i++)
        tiers = p->use[i].tier > tiers ? p->use[i].tier : tiers;
    put(t, "modules:\n");
    for (uint32_t i = 0; i < p->use_count; i++) {
        if (tiers && (i == 0 || p->use[i].tier != p->use[i - 1].tier))
            put(t, "  -\n");
        put_use(t, &p->use[i], tiers ? "    " : "  ");
    }
}

static void put_part(struct text *t, const char *key,
                     const struct gsched_part *part)
{
    put(t, gs_arena_printf(t->arena, "%s: {percentage: ", key));
    put(t, part->percentage == GSCHED_ADAPTIVE
               ? "adaptive"
               : gs_arena_printf(t->arena, "%d", part->percentage));
    put(t, gs_arena_printf(t->arena, ", minimum: %d", part->minimum));
}

static bool is_part(const struct gsched_part *part, int32_t percentage)
{
    return part->percentage != percentage || part->minimum != 100;
}

static void put_depths(struct text *t, const struct gsched_profile *p)
{
    const char *between = "queue_depth: {";

    for (uint32_t i = 0; i < p->action_count; i++) {
        const uint32_t most = p->queue_depth[p->action[i]];

        if (most == 0)
            continue;
        put(t, gs_arena_printf(t->arena, "%s%s: %u", between,
                               gsched_action_names[p->action[i]], most));
        between = ", ";
    }
    put(t, *between == ',' ? "}\n" : "");
}

/* The parts of the nodes that are searched and examined, if they are stated. */
static void put_parts(struct text *t, const struct gsched_profile *p)
{
    if (is_part(&p->sample, 100)) {
        put_part(t, "sample", &p->sample);
        put(t, "}\n");
    }
    if (p->domains != GSCHED_DOMAINS || p->keeps_gangs)
        put(t, gs_arena_printf(t->arena, "bundles: {domains: %u, whole: %s}\n",
                               p->domains, p->keeps_gangs ? "no" : "yes"));
    put_depths(t, p);
    if (!is_part(&p->candidates, 10) && p->start == GSCHED_START_VICTIMS)
        return;
    put_part(t, "candidates", &p->candidates);
    put(t, ", start: ");
    put(t, p->start == GSCHED_START_VICTIMS ? "victims"
           : p->start == GSCHED_START_RANDOM
               ? "random"
               : gs_arena_printf(t->arena, "%u", p->start_node));
    put(t, "}\n");
}

static void put_latency(struct text *t, const char *key, int64_t us)
{
    char span[32];

    if (us == 0)
        return;
    put(t, gs_arena_printf(t->arena, "%s: %s\n", key,
                           gs_duration_format(us, span, sizeof(span))));
}

static const char *one_text(const struct gsched_profile *p,
                            struct gs_arena *arena)
{
    struct text t = { .arena = arena };
    char span[32];

    put(&t, "name: ");
    put_scalar(&t, p->name);
    put(&t, "\nactions: [");
    for (uint32_t i = 0; i < p->action_count; i++) {
        put(&t, i ? ", " : "");
        put(&t, gsched_action_names[p->action[i]]);
    }
    put(&t, "]\nhead: ");
    put(&t, p->head_blocks ? "block" : "skip");
    put(&t, "\nunit: ");
    put(&t, p->unit == GSCHED_UNIT_GANG ? "gang" : "pod");
    put(&t, "\nrequeue: ");
    put(&t, gsched_requeues_last(p) ? "last" : "submitted");
    put(&t, "\ntrigger: ");
    if (p->period) {
        put(&t, "{period: ");
        put(&t, gs_duration_format(p->period, span, sizeof(span)));
        put(&t, "}");
    } else {
        put(&t, "event");
    }
    put(&t, "\ndecision_cost: ");
    put(&t, gs_duration_format(p->decision_cost, span, sizeof(span)));
    put(&t, "\n");
    put_latency(&t, "start_latency", p->start_latency);
    put_latency(&t, "end_latency", p->end_latency);
    put(&t, p->is_recorded ? "decisions: recorded\n" : "");
    put_parts(&t, p);
    if (p->share_label) {
        put(&t, "shares_of: ");
        put_scalar(&t,
                   gs_arena_printf(arena, "%s%s%s%s", p->share_value ? "" : "!",
                                   p->share_label, p->share_value ? "=" : "",
                                   p->share_value ? p->share_value : ""));
        put(&t, "\n");
    }
    put_modules(&t, p);
    return t.at;
}

/* Append the lines of `text`, but the first, which is the name, four columns
 * further right.
 */
static void put_indented(struct text *t, const char *text)
{
    const char *line = strchr(text, '\n') + 1;

    while (*line) {
        const size_t len = strcspn(line, "\n") + 1;

        put(t, "    ");
        put(t, gs_arena_strndup(t->arena, line, len));
        line += len;
    }
}

const char *gsched_profile_text(const struct gsched_profile *p,
                                struct gs_arena *arena)
{
    struct text t = { .arena = arena };

    if (!p->scheduler)
        return one_text(p, arena);
    put(&t, "name: ");
    put_scalar(&t, p->name);
    put(&t, "\nschedulers:\n");
    for (; p; p = p->beside) {
        put(&t, "  ");
        put_scalar(&t, p->scheduler);
        if (p->written) {
            put(&t, ": ");
            put_scalar(&t, p->written);
            put(&t, "\n");
            continue;
        }
        put(&t, ":\n");
        if (p->process) {
            put(&t, "    process: ");
            put_scalar(&t, p->process);
            put(&t, "\n");
        }
        put_indented(&t, one_text(p, arena));
    }
    return t.at;
}

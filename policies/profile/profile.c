/* policies/profile/profile.c - profiles from presets, names and files. */
#include "policies/profile/profile.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "base/yamlplain.h"
#include "policies/profile/extension_points.h"
#include "policies/profile/params_use.h"
#include "policies/profile/plugin.h"
#include "policies/profile/profile_fields.h"
#include "policies/profile/registry.h"

/* Number of modules in `list`, including those in tiers. */
static uint32_t modules_listed(const struct gs_ynode *list)
{
    uint32_t n = 0;

    for (list = list ? list->child : NULL; list; list = list->next)
        n += list->kind == GS_YSEQ ? list->len : 1;
    return n;
}

/* Report the other mistakes of a profile that has some: parameter values, which
 * are not read later.
 */
static void profile_tell(const struct gsched_profile *p,
                         const struct gs_ynode *root, struct gs_err *err)
{
    for (uint32_t i = 0; i < p->use_count && gs_err_wants_more(err); i++) {
        union gsp_value value[GSCHED_PARAMS_MAX];

        gsched_use_values(&p->use[i], p->source, NULL, NULL, p->arena, value,
                          err);
    }
    /* a misspelt module may be 'gang' */
    if (p->unit_at.line
        && modules_listed(gs_ynode_find(root, "modules")) == p->use_count)
        gsched_profile_check(p, err);
}

static int profile_fill(struct gsched_profile *p, const struct gs_ynode *root,
                        struct gs_err *err)
{
    const struct gs_yctx c = { .source = p->source };

    if (gsched_profile_fields(&c, root, p, err) < 0) {
        if (gs_err_wants_more(err))
            profile_tell(p, root, err);
        return -1;
    }
    if (!gs_ynode_find(root, "unit") && !gsched_use_find(p, "gang"))
        p->unit = GSCHED_UNIT_POD;
    if (gsched_profile_check(p, err) == 0)
        return 0;
    if (gs_err_wants_more(err)) {
        p->unit_at.line = 0; /* reported */
        profile_tell(p, root, err);
    }
    return -1;
}

/* --- making --------------------------------------------------------------- */

static struct gsched_profile *profile_create(struct gs_arena *arena,
                                             const char *name,
                                             const char *source)
{
    struct gsched_profile *p = gs_arena_alloc(arena, 1, sizeof(*p));

    p->name = gs_arena_strndup(arena, name, strlen(name));
    p->source = gs_arena_strndup(arena, source, strlen(source));
    p->arena = arena;
    p->sample = (struct gsched_part){ 100, 100 };
    p->candidates = (struct gsched_part){ 10, 100 };
    p->domains = GSCHED_DOMAINS;
    return p;
}

void gsched_profile_close(struct gsched_profile *p)
{
    if (p)
        gsched_plugins_close(&p->plugins);
}

/* Length of the first name in `spec`. */
static size_t name_length(const char *spec)
{
    return strcspn(spec, ",+");
}

bool gsched_profile_names_plugin(const char *spec)
{
    for (size_t len = 0;; spec += len + 1) {
        len = name_length(spec);
        if (gsched_plugin_is_path(spec, len))
            return true;
        if (spec[len] == '\0')
            return false;
    }
}

/* Convert "a,./b.so+c" to the text of a profile; paths are quoted. */
static char *names_text(const char *spec, struct gs_arena *arena)
{
    static const char head[] = "actions: [enqueue, allocate]\nmodules: [";
    char *text = gs_arena_alloc(arena, strlen(spec) * 4 + sizeof(head) + 8, 1);
    char *to = text + sizeof(head) - 1;

    memcpy(text, head, sizeof(head) - 1);
    while (*spec) {
        const size_t len = name_length(spec);
        const bool quoted = gsched_plugin_is_path(spec, len);

        if (quoted)
            *to++ = '\'';
        for (size_t i = 0; i < len; i++) {
            *to++ = spec[i];
            if (spec[i] == '\'')
                *to++ = '\'';
        }
        if (quoted)
            *to++ = '\'';
        spec += len;
        if (*spec) {
            memcpy(to, ", ", 2);
            to += 2;
            spec++;
        }
    }
    memcpy(to, "]\n", 3);
    return text;
}

/* The same without folders: a profile file is named after its last part. */
static const char *names_short(const char *spec, struct gs_arena *arena)
{
    char *text = gs_arena_alloc(arena, strlen(spec) + 1, 1), *to = text;

    while (*spec) {
        const size_t len = name_length(spec);
        size_t from = len;

        while (from > 0 && spec[from - 1] != '/')
            from--;
        memcpy(to, spec + from, len - from + 1);
        to += len - from + 1;
        spec += len + (spec[len] != '\0');
    }
    return text;
}

static int unknown_policy(const char *spec, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const char *known[128];
    const char *near;
    size_t n = 0;

    for (size_t i = 0; n < 64 && gsched_preset_at(i); i++)
        known[n++] = gsched_preset_at(i)->name;
    for (size_t i = 0; n < 128 && gsched_module_at(i); i++)
        known[n++] = gsched_module_at(i)->name;
    near = gs_nearest(spec, known, n);
    return gs_fail(err, GS_USAGE, nowhere,
                   near ? "no policy is called '%s' (did you mean '%s'?)"
                        : "no policy is called '%s' (see 'gsim policies')",
                   spec, near);
}

/* Check that every name in `spec` is a module or a path. */
static int names_check(const char *spec, struct gs_arena *arena,
                       struct gs_err *err)
{
    while (*spec) {
        const size_t len = name_length(spec);
        const char *name = gs_arena_strndup(arena, spec, len);

        const bool is_path = gsched_plugin_is_path(name, len);

        if (is_path && !gs_text_is_clean(name, len))
            return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                           "'%s' must be printable UTF-8", name);
        if (!is_path && !gsched_module_find(name))
            return gsched_preset_find(name)
                       ? gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                                 "'%s' is a preset: only modules can be joined "
                                 "('gsim policies %s' shows its modules)",
                                 name, name)
                       : unknown_policy(name, err);
        spec += len + (spec[len] != '\0');
    }
    return 0;
}

/* Fill `p` from `root`; NULL, with everything closed, on failure. */
static struct gsched_profile *profile_filled(struct gsched_profile *p,
                                             const struct gs_ynode *root,
                                             struct gs_err *err)
{
    if (profile_fill(p, root, err) == 0)
        return p;
    gsched_profile_close(p);
    return NULL;
}

struct gsched_profile *gsched_profile_named(const char *spec,
                                            struct gs_arena *arena,
                                            struct gs_err *err)
{
    const struct share_preset *preset = gsched_preset_find(spec);
    struct gsched_profile *p = profile_create(arena, names_short(spec, arena),
                                              spec);
    const struct gs_ynode *root;

    if (*spec == '\0') {
        (void)unknown_policy(spec, err);
        return NULL;
    }
    if (!preset && names_check(spec, arena, err) < 0)
        return NULL;
    root = gs_yaml_plain(spec, preset ? preset->text : names_text(spec, arena),
                         arena, err);
    return root ? profile_filled(p, root, err) : NULL;
}

struct gsched_profile *gsched_profile_of(const char *path,
                                         const struct gs_ynode *root,
                                         struct gs_arena *arena,
                                         struct gs_err *err)
{
    const char *base = strrchr(path, '/');
    struct gsched_profile *p = profile_create(arena, base ? base + 1 : path,
                                              path);

    p->folder = base ? gs_arena_strndup(arena, path, (size_t)(base - path) + 1)
                     : "";
    return profile_filled(p, root, err);
}

struct gsched_profile *gsched_profile_parse(const char *name, const char *text,
                                            struct gs_arena *arena,
                                            struct gs_err *err)
{
    const struct gs_ynode *root = gs_yaml_plain(name, text, arena, err);

    return root ? gsched_profile_of(name, root, arena, err) : NULL;
}

/* --- changing ------------------------------------------------------------- */

static int set_param(struct gsched_profile *p, const char *module,
                     const char *param, const struct gs_ynode *v,
                     struct gs_err *err)
{
    const struct gs_yctx c = { .source = "--set" };
    const struct gs_mark at = { .source = "--set" };
    struct gsched_use *u = gsched_use_find(p, module);
    const char *known[GSCHED_PARAMS_MAX];
    const char *near;

    if (!u)
        u = gsched_use_add(&c, p, module, v, 0, err);
    if (!u)
        return -1;
    if (strcmp(param, "only") == 0)
        return gsched_points_read(&c, v, u->module, &u->only, err);
    for (uint32_t i = 0; i < u->module->param_count; i++) {
        known[i] = u->module->param[i].name;
        if (strcmp(known[i], param) == 0) {
            u->value[i] = v;
            return 0;
        }
    }
    near = gs_nearest(param, known, u->module->param_count);
    return gs_fail(err, GS_USAGE, at,
                   near ? "module '%s' has no parameter '%s' (did you mean "
                          "'%s'?)"
                        : "module '%s' has no parameter '%s' (see 'gsim "
                          "policies')",
                   module, param, near);
}

/* The YAML text of a setting, "unit: pod" or "trigger: {period: 1s}". */
static const char *setting_yaml(const char *path, size_t len, const char *value,
                                struct gs_arena *arena)
{
    static const char *const maps[] = { "trigger.", "sample.", "candidates.",
                                        "bundles.", "queue_depth." };

    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        const size_t key = strlen(maps[i]);

        if (len > key && memcmp(path, maps[i], key) == 0)
            return gs_arena_printf(arena, "%.*s: {%.*s: %s}", (int)key - 1,
                                   path, (int)(len - key), path + key, value);
    }
    return gs_arena_printf(arena, "%.*s: %s", (int)len, path, value);
}

/* The scheduler of the set that "NAME:PATH=VALUE" names; *setting is the rest.
 */
static struct gsched_profile *named_in(struct gsched_profile *set,
                                       const char **setting,
                                       struct gs_arena *arena,
                                       struct gs_err *err)
{
    const size_t len = strcspn(*setting, ":=");
    const char *names = set->scheduler;

    for (struct gsched_profile *p = set; p; p = p->beside) {
        if ((*setting)[len] == ':' && strlen(p->scheduler) == len
            && memcmp(p->scheduler, *setting, len) == 0) {
            *setting += len + 1;
            return p;
        }
        if (p != set)
            names = gs_arena_printf(arena, "%s, %s", names, p->scheduler);
    }
    (void)gs_fail(err, GS_USAGE, (struct gs_mark){ .source = "--set" },
                  "names no scheduler of %s: say SCHEDULER:PATH=VALUE, as in "
                  "%s:decision_cost=5ms (schedulers: %s)",
                  set->name, set->scheduler, names);
    return NULL;
}

int gsched_profile_set(struct gsched_profile *p, const char *setting,
                       struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_yctx c = { .source = "--set" };
    const struct gs_mark at = { .source = "--set" };
    const struct gs_ynode *root, *v;
    const struct gs_yfield *field;
    const char *dot, *equals;

    if (p->scheduler)
        p = named_in(p, &setting, arena, err);
    if (!p)
        return -1;
    equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return gs_fail(err, GS_USAGE, at,
                       "must be PATH=VALUE, as in binpack.weight=5 (got '%s')",
                       setting);
    root = gs_yaml_plain(
        "--set",
        setting_yaml(setting, (size_t)(equals - setting), equals + 1, arena),
        arena, err);
    if (!root)
        return -1;
    v = root->kind == GS_YMAP ? root->child : NULL;
    if (!v || v->next)
        return gs_fail(err, GS_USAGE, at, "'%s' is not PATH=VALUE", setting);
    field = gsched_profile_field(v->key->text);
    if (strcmp(v->key->text, "decisions") == 0)
        return gs_fail(err, GS_USAGE, at,
                       "'decisions' is no setting of a policy: '--policy "
                       "recorded' follows the record");
    if (field)
        return field->read(&c, v, p, err);
    dot = strchr(v->key->text, '.');
    if (!dot)
        return gs_fail(err, GS_USAGE, at,
                       "no setting is called '%s' (known: unit, head, "
                       "requeue, actions, trigger.period, decision_cost, "
                       "start_latency, end_latency, sample.*, candidates.*, "
                       "bundles.*, queue_depth.*, shares_of, MODULE.PARAMETER)",
                       v->key->text);
    return set_param(
        p, gs_arena_strndup(arena, v->key->text, (size_t)(dot - v->key->text)),
        dot + 1, v, err);
}

/* Action admit replaces enqueue, and comes before what it admits is placed. */
static int actions_check(const struct gsched_profile *p, struct gs_err *err)
{
    const struct gs_mark at = { .source = p->source };
    unsigned before = 0;

    for (uint32_t i = 0; i < p->action_count; i++) {
        const unsigned others = before & ~(1u << GSCHED_SHUFFLE);

        if (p->action[i] == GSCHED_ADMIT && others)
            return gs_fail(err, GS_INPUT, at,
                           "action 'admit' must be the first of 'actions'");
        if (p->action[i] == GSCHED_ENQUEUE && before >> GSCHED_ADMIT & 1)
            return gs_fail(err, GS_INPUT, at,
                           "action 'admit' takes the place of 'enqueue': name "
                           "one of them");
        before |= 1u << p->action[i];
    }
    return 0;
}

/* A depth is of an action that the profile has. */
static int depths_check(const struct gsched_profile *p, struct gs_err *err)
{
    for (uint32_t a = 0; a < GSCHED_ACTIONS; a++) {
        bool has = p->queue_depth[a] == 0;

        for (uint32_t i = 0; i < p->action_count; i++)
            has |= p->action[i] == (enum gsched_action)a;
        if (!has)
            return gs_fail(err, GS_INPUT, p->depth_at,
                           "'queue_depth' states action '%s', which 'actions' "
                           "does not name",
                           gsched_action_names[a]);
    }
    return 0;
}

static int one_check(const struct gsched_profile *p, struct gs_err *err)
{
    bool can = p->unit != GSCHED_UNIT_GANG;

    if (actions_check(p, err) < 0 || depths_check(p, err) < 0)
        return -1;
    for (uint32_t i = 0; i < p->use_count && !can; i++)
        can = p->use[i].module->gang_ready != NULL;
    return can ? 0
               : gs_fail(err, GS_INPUT, p->unit_at,
                         "'unit: gang' needs the module 'gang'");
}

int gsched_profile_check(const struct gsched_profile *p, struct gs_err *err)
{
    for (; p; p = p->beside) {
        if (one_check(p, err) < 0)
            return -1;
    }
    return 0;
}

/* policies/profile/plugin_abi.c - checks the description of a module.
 *
 * Built-in modules are checked by tests; modules in shared objects are checked
 * here, since their texts are printed to terminals, YAML and the database.
 */
#include <string.h>

#include "base/text.h"
#include "policies/policy.h"
#include "policies/profile/plugin.h"
#include "policies/profile/profile.h"

#define SUMMARY_MAX 200 /* bytes */
#define FALLBACK_MAX 200
#define CHOICES_MAX 32

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

struct checking {
    const char *path;
    struct gs_mark at;
    struct gs_arena *arena;
    struct gs_err *err;
};

/* The length of `s`; above `max` when it is longer, or NULL. */
static size_t length(const char *s, size_t max)
{
    const char *end = gsched_plugin_owns(s) ? memchr(s, '\0', max + 1) : NULL;

    return end ? (size_t)(end - s) : max + 1;
}

static bool is_text(const char *s, size_t max)
{
    const size_t len = length(s, max);

    return len > 0 && len <= max && gs_text_is_clean(s, len);
}

static bool is_name(const char *s)
{
    const size_t len = length(s, GSCHED_NAME_MAX);

    return len > 0 && len <= GSCHED_NAME_MAX && s[0] >= 'a' && s[0] <= 'z'
           && strspn(s, LOWER DIGITS "_-") == len;
}

/* The name as shown in a message that refuses it. */
static const char *name_shown(const char *s)
{
    return gsched_plugin_owns(s) ? s : "";
}

static int name_refuse(const struct checking *c, const char *what,
                       const char *name)
{
    return gs_fail(c->err, GS_INPUT, c->at,
                   "'%s': %s must be a letter, then letters, digits, '-' or "
                   "'_', all lower case, at most %d (got '%.*s')",
                   c->path, what, GSCHED_NAME_MAX, GSCHED_NAME_MAX + 1,
                   name_shown(name));
}

/* --- parameters ----------------------------------------------------------- */

static int choices_check(const struct checking *c, const struct gsp_param *p)
{
    size_t n = 0;

    if (gsched_plugin_owns(p->choices)) {
        while (n < CHOICES_MAX && p->choices[n] && is_name(p->choices[n]))
            n++;
    }
    if (n > 0 && n < CHOICES_MAX && !p->choices[n])
        return 0;
    return gs_fail(c->err, GS_INPUT, c->at,
                   "'%s': parameter '%s' must have 1 to %d choices that are "
                   "names, and NULL behind them",
                   c->path, p->name, CHOICES_MAX - 1);
}

static int param_check(const struct checking *c, const struct gsp_module *m,
                       uint32_t i)
{
    const struct gsp_param *p = &m->param[i];

    if (!is_name(p->name))
        return name_refuse(c, "a parameter's name", p->name);
    for (uint32_t k = 0; k < i; k++) {
        if (strcmp(m->param[k].name, p->name) == 0)
            return gs_fail(c->err, GS_INPUT, c->at,
                           "'%s' has two parameters '%s'", c->path, p->name);
    }
    if ((unsigned)p->type > GSP_CHOICE)
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s': parameter '%s' has the unknown type %u", c->path,
                       p->name, (unsigned)p->type);
    if (!is_text(p->summary, SUMMARY_MAX)
        || !is_text(p->fallback, FALLBACK_MAX))
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s': parameter '%s' must have a default and a "
                       "summary: a line of text, at most %d bytes",
                       c->path, p->name, SUMMARY_MAX);
    if (p->min > p->max)
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s': parameter '%s' must have min <= max", c->path,
                       p->name);
    if (p->type == GSP_CHOICE && choices_check(c, p) < 0)
        return -1;
    if (gsched_param_check(p, c->arena) < 0)
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s': parameter '%s' has a default that it would "
                       "refuse ('%s')",
                       c->path, p->name, p->fallback);
    return 0;
}

static int params_check(const struct checking *c, const struct gsp_module *m)
{
    if (m->param_count == 0)
        return 0;
    if (m->param_count > GSCHED_PARAMS_MAX)
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s' has %u parameters, more than %d", c->path,
                       m->param_count, GSCHED_PARAMS_MAX);
    if (!gsched_plugin_owns(m->param)
        || !gsched_plugin_owns(m->param + m->param_count - 1))
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s' says it has %u parameters, but has no table",
                       c->path, m->param_count);
    for (uint32_t i = 0; i < m->param_count; i++) {
        if (param_check(c, m, i) < 0)
            return -1;
    }
    return 0;
}

/* --- functions ------------------------------------------------------------ */

/* All fields from `open` on but `terms` are pointers to functions. */
static int functions_check(const struct checking *c, const struct gsp_module *m)
{
    bool answers = m->promises & GSP_WHOLE_GANGS;
    const void *f;

    for (size_t at = offsetof(struct gsp_module, open); at < sizeof(*m);
         at += sizeof(f)) {
        if (at == offsetof(struct gsp_module, terms))
            continue;
        memcpy(&f, (const char *)m + at, sizeof(f));
        if (f && !gsched_plugin_owns(f))
            return gs_fail(c->err, GS_INPUT, c->at,
                           "'%s' is no module: a function of its "
                           "struct gsp_module is nowhere",
                           c->path);
        answers = answers
                  || (f && at >= offsetof(struct gsp_module, job_order));
    }
    if (!answers)
        return gs_fail(c->err, GS_INPUT, c->at,
                       "'%s' has no extension point: it would do nothing",
                       c->path);
    return 0;
}

int gsched_plugin_check(const struct gsp_module *m, const char *path,
                        struct gs_mark at, struct gs_arena *arena,
                        struct gs_err *err)
{
    const struct checking c = { path, at, arena, err };

    if (!is_name(m->name))
        return name_refuse(&c, "its name", m->name);
    if (!is_text(m->summary, SUMMARY_MAX))
        return gs_fail(err, GS_INPUT, at,
                       "'%s' must have a summary: a line of text, at most %d "
                       "bytes",
                       path, SUMMARY_MAX);
    if (params_check(&c, m) < 0)
        return -1;
    return functions_check(&c, m);
}

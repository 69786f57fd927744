/* sim/study/inputs_policy.c - see inputs_policy.h. */
#include "sim/study/inputs_policy.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "import/source.h"
#include "policies/profile/profile.h"
#include "sim/study/inputs.h"
#include "sim/study/misplaced.h"
#include "sim/study/scheduler_files.h"
#include "sim/study/scheduler_set.h"

/* A profile to be closed: it may have opened shared objects. */
struct inputs_profile {
    struct gsched_profile *profile;
    struct inputs_profile *next;
};

struct gsched_profile *inputs_policy_in(struct inputs *in, const char *from,
                                        const char *spec, struct gs_err *err)
{
    const struct gs_mark at = { .source = from };
    struct gs_err own = { 0 };
    struct gsched_profile *p;

    if (inputs_policy_is_file(spec))
        return inputs_policy(in, spec, err);
    p = inputs_policy(in, spec, &own);
    if (!p)
        gs_fail(err, own.code == GS_USAGE ? GS_INPUT : own.code, at, "%s",
                own.problem[0].text);
    return p;
}

static bool ends(const char *s, const char *with)
{
    const size_t len = strlen(s), n = strlen(with);

    return len > n && strcmp(s + len - n, with) == 0;
}

bool inputs_policy_is_file(const char *spec)
{
    return ends(spec, ".yaml") || ends(spec, ".yml") || ends(spec, ".json")
           || ends(spec, ".conf")
           || (strchr(spec, '/') && !gsched_profile_names_plugin(spec));
}

static struct gsched_profile *profile_of(struct inputs *in, const char *path,
                                         const struct gs_ynode *root,
                                         struct gs_err *err)
{
    struct gsched_profile *p;

    if (gs_ynode_find(root, "schedulers"))
        return scheduler_set_read(in, path, root, err);
    p = gsched_profile_of(path, root, in->arena, err);
    inputs_profile_keep(in, p);
    if (!p || !p->process)
        return p;
    (void)gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                  "'process' is of schedulers that stand in one file, under "
                  "'schedulers'");
    return NULL;
}

static struct gsched_profile *profile_read(struct inputs *in, const char *path,
                                           struct gs_err *err)
{
    struct gs_input *file;
    const struct gs_ynode *root;

    if (scheduler_file_is(path))
        return scheduler_file_read(in, path, err);
    file = gs_input_open(path, err);
    if (!file)
        return NULL;
    root = import_foreign_check(file, err) == 0
               ? gs_yaml_read(file, in->arena, NULL, err)
               : NULL;
    gs_input_close(file);
    return root ? profile_of(in, path, root, err) : NULL;
}

void inputs_profile_keep(struct inputs *in, struct gsched_profile *p)
{
    struct inputs_profile *kept = gs_arena_alloc(in->arena, 1, sizeof(*kept));

    *kept = (struct inputs_profile){ p, in->profiles };
    in->profiles = kept;
}

struct gsched_profile *inputs_policy(struct inputs *in, const char *spec,
                                     struct gs_err *err)
{
    const unsigned had = err ? err->count : 0;
    struct gsched_profile *p;

    if (scheduler_set_is(spec))
        return scheduler_set_of(in, spec, err);
    if (inputs_policy_is_file(spec)) {
        p = profile_read(in, spec, err);
    } else {
        p = gsched_profile_named(spec, in->arena, err);
        inputs_profile_keep(in, p);
    }
    if (!p)
        (void)misplaced_tell(spec, PLACE_POLICY, had, err);
    return p;
}

void inputs_profiles_close(struct inputs *in)
{
    for (struct inputs_profile *p = in->profiles; p; p = p->next)
        gsched_profile_close(p->profile);
    in->profiles = NULL;
}

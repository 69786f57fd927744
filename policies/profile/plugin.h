/* policies/profile/plugin.h - modules that live in shared objects.
 *
 * A shared object exports one const struct, `gsp_module`: data and no
 * function, so that nothing of it is called before it is known to be built
 * for this ABI.  Objects are opened while a profile is made and stay open
 * until the profile is closed.
 */
#ifndef POLICIES_PROFILE_PLUGIN_H
#define POLICIES_PROFILE_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct gs_arena;
struct gsp_module;

#define GSCHED_NAME_MAX 31 /* bytes in a name of a module or a parameter */

/* An open shared object, in a list. */
struct gsched_plugin {
    void *handle;
    const char *path; /* that it was opened by */
    struct gsched_plugin *next;
};

/* Do the `len` bytes at `name` mean a shared object, not a built-in module? */
bool gsched_plugin_is_path(const char *name, size_t len);

/* The checked module of the object at `path`, seen from `folder` ("", or with
 * its slash).  The object goes on `list`, what is not in it into `arena`.
 * `at` is where the user named it.  NULL on failure.
 */
const struct gsp_module *gsched_plugin_open(struct gsched_plugin **list,
                                            const char *folder,
                                            const char *path, struct gs_mark at,
                                            struct gs_arena *arena,
                                            struct gs_err *err);

/* Close all; no pointer to a module or to what it names may be used then. */
void gsched_plugins_close(struct gsched_plugin **list);

/* What a module says of itself: names, texts, parameters, functions.  `path`
 * begins the messages.  The ABI must have been checked.
 */
int gsched_plugin_check(const struct gsp_module *m, const char *path,
                        struct gs_mark at, struct gs_arena *arena,
                        struct gs_err *err);

/* Is `p` within a loaded object (ours included)? */
bool gsched_plugin_owns(const void *p);

#endif /* POLICIES_PROFILE_PLUGIN_H */

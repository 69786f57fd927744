/* policies/profile/plugin.h - modules that live in shared objects.
 *
 * A shared object exports one const struct, `gsp_module`: data, not a function,
 * so that no code of it runs before its ABI version is checked.  Objects are
 * opened while a profile is made and stay open until the profile is closed.
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
    const char *path; /* path by which it was opened */
    struct gsched_plugin *next;
};

/* True when the `len` bytes at `name` are the path of a shared object, not the
 * name of a built-in module.
 */
bool gsched_plugin_is_path(const char *name, size_t len);

/* Open the shared object at `path`, relative to `folder` ("", or with a
 * trailing slash), and check its module.  The object is added to `list`; other
 * memory is in `arena`.  `at` is the place where the user named it.  NULL on
 * failure.
 */
const struct gsp_module *gsched_plugin_open(struct gsched_plugin **list,
                                            const char *folder,
                                            const char *path, struct gs_mark at,
                                            struct gs_arena *arena,
                                            struct gs_err *err);

/* Close all objects; pointers to their modules and strings become invalid. */
void gsched_plugins_close(struct gsched_plugin **list);

/* Check the description of a module: names, texts, parameters, functions.
 * `path` begins the messages.  The ABI version must have been checked before.
 */
int gsched_plugin_check(const struct gsp_module *m, const char *path,
                        struct gs_mark at, struct gs_arena *arena,
                        struct gs_err *err);

/* True when `p` is in a loaded object (the program itself included). */
bool gsched_plugin_owns(const void *p);

#endif /* POLICIES_PROFILE_PLUGIN_H */

/* base/yamlplain.h - short YAML texts, read without libyaml.
 *
 * The subset of YAML for presets, parameters and settings: maps and lists, by
 * indentation or in braces and brackets, plain and quoted texts of one line,
 * comments.  The tree is the same as that of gs_yaml_parse.  All other YAML
 * (tags, anchors, texts of several lines, several documents) is an error.
 */
#ifndef GS_YAMLPLAIN_H
#define GS_YAMLPLAIN_H

#include "base/yamldoc.h"

/* Returns the root of the tree, in `arena`; NULL on failure.  `name` names the
 * text in messages.
 */
const struct gs_ynode *gs_yaml_plain(const char *name, const char *text,
                                     struct gs_arena *arena,
                                     struct gs_err *err);

#endif /* GS_YAMLPLAIN_H */

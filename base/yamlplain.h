/* base/yamlplain.h - short YAML texts, read without libyaml.
 *
 * The part of YAML that presets, parameters and settings are written in: maps
 * and lists, by indentation or in braces and brackets, plain and quoted texts
 * of one line, comments.  The tree is the one that gs_yaml_parse makes of such
 * a text; everything else (tags, anchors, texts of several lines, several
 * documents) is refused.
 */
#ifndef GS_YAMLPLAIN_H
#define GS_YAMLPLAIN_H

#include "base/yamldoc.h"

/* The root of the tree, in `arena`; NULL on failure.  `name` stands for the
 * text in messages.
 */
const struct gs_ynode *gs_yaml_plain(const char *name, const char *text,
                                     struct gs_arena *arena,
                                     struct gs_err *err);

#endif /* GS_YAMLPLAIN_H */

/* sim/study/misplaced.h - files that are given where others belong. */
#ifndef STUDY_MISPLACED_H
#define STUDY_MISPLACED_H

#include <stdbool.h>

#include "sim/study/sources.h"

struct gs_err;

enum place { PLACE_TRACE, PLACE_TOPOLOGY, PLACE_POLICY };

/* Reading `path` as what belongs in `place` failed, and added problems to
 * `err`, which had `had` before.  When the file is of another kind, where it
 * belongs is the problem in place of these: true.
 */
bool misplaced_tell(const char *path, enum place place, unsigned had,
                    struct gs_err *err);

/* The same of a source for `gsim import SYSTEM` that is of another system. */
bool misplaced_import_tell(const char *path, enum source_system system,
                           unsigned had, struct gs_err *err);

#endif /* STUDY_MISPLACED_H */

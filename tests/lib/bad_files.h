/* tests/lib/bad_files.h - a folder of malformed files: each must fail with the
 * message in FILE.expect.
 */
#ifndef TEST_BAD_FILES_H
#define TEST_BAD_FILES_H

#include <stdbool.h>

#include "base/err.h"

/* Check every file of the folder, at least `least` of them.  `read` puts the
 * mistakes of a file into `err` and returns true when it has none.  The first
 * mistake must not depend on how many are collected.
 */
void bad_files_check(const char *folder, int least,
                     bool (*read)(const char *path, struct gs_err *err));

#endif /* TEST_BAD_FILES_H */

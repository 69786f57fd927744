/* tests/lib/bad_files.h - a folder of malformed files: each fails with the line
 * that stands beside it, in FILE.expect.
 */
#ifndef TEST_BAD_FILES_H
#define TEST_BAD_FILES_H

#include <stdbool.h>

#include "base/err.h"

/* Hold every file of the folder, which are at least so many, against `read`,
 * which puts the mistakes of a file into `err` and returns whether it has none.  The first mistake is the same however many are asked for.
 */
void bad_files_check(const char *folder, int least,
                     bool (*read)(const char *path, struct gs_err *err));

#endif /* TEST_BAD_FILES_H */

/* sim/cli/file_kind.h - the kinds of files that gsim reads. */
#ifndef CLI_FILE_KIND_H
#define CLI_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct gs_err;
struct inputs;

struct file_kind {
    const char *name;
    /* Top-level keys that no other kind has, the most telling one first; NULL
     * past the end.
     */
    const char *key[6];
    /* Read `path` and tell all that is wrong.  `in` is empty, but for the
     * topology that --topology names (topo NULL: none).
     */
    int (*check)(struct inputs *in, const char *path, struct gs_err *err);
    const char *unchecked; /* without a topology; NULL: nothing */
    bool is_trace;
    /* Print what became of what a file of another system states; NULL. */
    int (*tell)(const char *path, FILE *out, struct gs_err *err);
    bool is_objects; /* of which an account tells what became */
};

/* What a trace's check does, in two steps, so that the changes of --set may
 * come between them: the trace and, where one is known, its topology,
 * together; and then whether there are jobs that a replay would reject.
 */
int file_trace_read(struct inputs *in, const char *path, struct gs_err *err);
int file_trace_check(struct inputs *in, struct gs_err *err);

/* What the file is, told by its content; NULL on failure, also when nothing
 * tells.
 */
const struct file_kind *file_kind_of(const char *path, struct gs_err *err);

#endif /* CLI_FILE_KIND_H */

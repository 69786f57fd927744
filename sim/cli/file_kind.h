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
    /* Top-level keys that no other kind has, the most specific first; NULL past
     * the end.
     */
    const char *key[6];
    /* Read `path` and report all its mistakes.  `in` is empty except for the
     * topology of --topology (topo NULL: none).
     */
    int (*check)(struct inputs *in, const char *path, struct gs_err *err);
    const char *unchecked; /* what is not checked without a topology; NULL:
                              nothing */
    bool is_trace;
    /* Print what became of what a file of another system states; NULL. */
    int (*tell)(const char *path, FILE *out, struct gs_err *err);
    bool is_objects; /* of which an account tells what became */
};

/* The check of a trace in two steps, with the changes of --set between them:
 * read the trace and, if known, its topology, and check both together; then
 * check for jobs that a replay would reject.
 */
int file_trace_read(struct inputs *in, const char *path, struct gs_err *err);
int file_trace_check(struct inputs *in, struct gs_err *err);

/* The kind of a file by its content; NULL on failure, also when the kind is
 * unknown.
 */
const struct file_kind *file_kind_of(const char *path, struct gs_err *err);

#endif /* CLI_FILE_KIND_H */

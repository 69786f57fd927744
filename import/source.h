/* import/source.h - the objects that files of other systems hold. */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/yamldoc.h"

struct gs_err;
struct gs_input;

/* The text of a value that is left out of a JSON object, with blanks around. */
struct import_cut {
    uint32_t unread; /* which path of the taker's */
    const char *text;
    size_t len;
};

struct import_object {
    /* Its file, for messages: "dump.tar:nodes.json", "standard input". */
    const char *source;
    /* As it states them, "" when it does not.  An item of a list that states
     * none has those that the list tells: in a NodeList it is a Node.
     */
    const char *api_version, *kind;
    const struct gs_ynode *root;  /* a mapping */
    const struct import_cut *cut; /* of JSON only, in the order of the file */
    uint32_t cuts;
};

struct import_taker {
    /* Takes an object, valid during the call only.  -1 stops the reading,
     * unless gs_err_wants_more(err).
     */
    int (*take)(void *ctx, const struct import_object *o, struct gs_err *err);
    /* Takes the reason why a file, or a part of one, holds no objects: one
     * problem.  NULL: that is an error.
     */
    void (*skip)(void *ctx, const struct gs_err *why);
    /* Takes a key that its mapping in `source` states again: the later value
     * counts.  NULL: that is an error.
     */
    void (*replaced)(void *ctx, const char *source, const struct gs_ynode *key);
    void *ctx;
    /* Values that are left out, by their keys from the root of an object or of
     * an item: large ones that are never needed cost little then.
     */
    const struct gs_ypath *unread;
    size_t unread_count;
    /* Takes the hash of all files that are read, one after another (of one
     * file: gs_input_hash); begins with 0.  NULL: it is not wanted.
     */
    uint64_t *hash;
};

/* Hand over all objects of `path`: a file, a folder (all files below it, in
 * the order of their names, without hidden ones), a tar archive of files, or
 * "-"; each may be packed by gzip, xz or zstd.  JSON, YAML and tar are told by
 * their content: JSON objects, one or several, lists and bare arrays of them;
 * YAML documents.  Items of lists are handed over one by one, and so are the
 * series of an answer of Prometheus ("data.result").
 * 0; -1 when `path` is not there or cannot be read, or was stopped.
 */
int import_source_read(const char *path, const struct import_taker *t,
                       struct gs_err *err);

/* Likewise of an input, which stays the caller's. */
int import_source_read_input(struct gs_input *in, const struct import_taker *t,
                             struct gs_err *err);

/* Fail for a file that gsim does not read, told by its first bytes: what
 * kubectl or promtool printed for people, templates, values of Helm ...; the
 * message says what to read instead.  0 when it is none.  Nothing of `in` is
 * taken.
 */
int import_foreign_check(struct gs_input *in, struct gs_err *err);

/* The kind of the file, if it begins like a configuration of a scheduler that
 * is no object: queues of YuniKorn, values of a chart; NULL.  Nothing of `in`
 * is taken.
 */
const char *import_settings_begin(struct gs_input *in);

/* Open what may be a source: *in is the file, the caller's to close; NULL for a
 * folder, and on failure.  1 when it is a folder, an archive, or begins with
 * apiVersion and kind of an object or of a list; 0 when it is another file; -1
 * when it cannot be opened and read.  Nothing of *in is taken.
 */
int import_source_open(const char *path, struct gs_input **in,
                       struct gs_err *err);

#endif /* IMPORT_SOURCE_H */

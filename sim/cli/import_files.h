/* sim/cli/import_files.h - the files that gsim import writes. */
#ifndef CLI_IMPORT_FILES_H
#define CLI_IMPORT_FILES_H

#include <stdio.h>

struct cmd;
struct gs_err;
struct gsched_profile;
struct import_account;
struct inputs;

/* What a file is written from. */
struct import_content {
    const struct inputs *in;
    const struct import_account *account;
    const struct gsched_profile *profile;
};

int import_topology_put(FILE *out, const struct import_content *c,
                        struct gs_err *err);
int import_trace_put(FILE *out, const struct import_content *c,
                     struct gs_err *err);
int import_profile_put(FILE *out, const struct import_content *c,
                       struct gs_err *err);
int import_account_put(FILE *out, const struct import_content *c,
                       struct gs_err *err);

/* The account on standard output. */
void import_account_show(const struct import_account *a);

/* Write DIR/NAME by `put`, whole or not at all. */
int import_file_write(const char *dir, const char *name,
                      int (*put)(FILE *, const struct import_content *,
                                 struct gs_err *),
                      const struct import_content *c, struct gs_err *err);
/* Make the folder, unless it is there. */
int import_dir_make(const char *dir, struct gs_err *err);

extern const struct cmd cmd_import_slurm;

#endif /* CLI_IMPORT_FILES_H */

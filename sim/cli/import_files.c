/* sim/cli/import_files.c - see import_files.h. */
#define _XOPEN_SOURCE 700 /* mkdir */

#include "sim/cli/import_files.h"
#include "sim/cli/terminal.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/output.h"
#include "import/account.h"
#include "policies/profile/profile.h"
#include "sim/study/inputs.h"
#include "topology/write.h"
#include "traces/formats/writer.h"

int import_topology_put(FILE *out, const struct import_content *c,
                        struct gs_err *err)
{
    (void)err;
    topo_write(out, c->in->topo);
    return 0;
}

int import_trace_put(FILE *out, const struct import_content *c,
                     struct gs_err *err)
{
    return trace_write_yaml(out, c->in->work, &c->in->facts, NULL, err);
}

int import_profile_put(FILE *out, const struct import_content *c,
                       struct gs_err *err)
{
    (void)err;
    fputs(gsched_profile_text(c->profile, c->in->arena), out);
    return 0;
}

int import_account_put(FILE *out, const struct import_content *c,
                       struct gs_err *err)
{
    (void)err;
    import_account_print(c->account, out);
    return 0;
}

void import_account_show(const struct import_account *a)
{
    struct terminal_wrap w;

    terminal_wrap_begin(&w);
    import_account_print(a, w.out);
    terminal_wrap_end(&w);
}

int import_file_write(const char *dir, const char *name,
                      int (*put)(FILE *, const struct import_content *,
                                 struct gs_err *),
                      const struct import_content *c, struct gs_err *err)
{
    char path[4096];
    struct gs_output *out;

    (void)snprintf(path, sizeof(path), "%.4000s/%s", dir, name);
    out = gs_output_open(path, err);
    return out ? gs_output_close(out, put(gs_output_stream(out), c, err), err)
               : -1;
}

int import_dir_make(const char *dir, struct gs_err *err)
{
    if (mkdir(dir, 0777) == 0 || errno == EEXIST)
        return 0;
    return gs_fail(err, GS_IO, (struct gs_mark){ .source = dir },
                   "cannot be made: %s", strerror(errno));
}

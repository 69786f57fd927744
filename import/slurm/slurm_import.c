/* import/slurm/slurm_import.c - see slurm_import.h. */
#define _XOPEN_SOURCE 700 /* scandir */
#include "import/slurm/slurm_import.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/timezone.h"
#include "import/account.h"
#include "import/slurm/nodes_now.h"
#include "import/slurm/recording.h"
#include "import/slurm/sacct.h"
#include "import/slurm/sacctmgr.h"
#include "import/slurm/settings.h"
#include "import/slurm/slurm_cluster.h"
#include "import/slurm/slurm_conf.h"
#include "import/slurm/slurm_kinds.h"
#include "import/slurm/slurm_reservations.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_trace.h"
#include "import/slurm/switches.h"
#include "policies/profile/profile.h"
#include "topology/topology.h"

/* A file, whatever path leads to it. */
struct conf_file {
    dev_t device;
    ino_t number;
};

struct slurm_import {
    struct slurm s;
    struct slurm_marks marks;
    struct gs_zone *zone;
    struct conf_file *conf; /* slurm.conf's that were read */
    uint32_t confs, conf_cap;
    bool jobs_only;
};

/* --- what a file is ------------------------------------------------------- */

static enum slurm_kind kind_of(struct gs_input *in)
{
    struct gs_err why = { 0 };
    size_t size;
    const char *head = gs_input_head(in, &size, &why);

    return head ? slurm_kind_of(head, size) : SLURM_KINDS;
}

const char *slurm_file_is(struct gs_input *in)
{
    const enum slurm_kind k = kind_of(in);

    return k == SLURM_NOTHING ? NULL : slurm_kind_name(k);
}

bool slurm_file_is_conf(struct gs_input *in)
{
    return kind_of(in) == SLURM_CONF;
}

bool slurm_file_is_jobs(struct gs_input *in)
{
    const enum slurm_kind k = kind_of(in);

    return k == SLURM_SACCT || k == SLURM_RECORDING
           || (k == SLURM_JSON && slurm_json_has_jobs(in));
}

static bool is_folder(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && stat(path, &st) == 0
           && S_ISDIR(st.st_mode);
}

bool slurm_folder_has_conf(const char *path)
{
    char conf[4096];
    struct stat st;

    (void)snprintf(conf, sizeof(conf), "%.4000s/slurm.conf", path);
    return is_folder(path) && stat(conf, &st) == 0 && S_ISREG(st.st_mode);
}

bool slurm_folder_is(const char *path)
{
    struct gs_arena *arena;
    const char *const *name;
    uint32_t names;

    if (slurm_folder_has_conf(path))
        return true;
    arena = gs_arena_create(1 << 12);
    names = slurm_recordings_list(path, arena, &name);
    gs_arena_destroy(arena);
    return names > 0;
}

/* --- life ----------------------------------------------------------------- */

struct slurm_import *slurm_import_create(struct gs_strtab *names,
                                         struct topo_dims *dims,
                                         struct import_account *account)
{
    struct slurm_import *x = gs_array_new(1, sizeof(*x));

    x->s.arena = gs_arena_create(1 << 16);
    x->s.names = names;
    x->s.dims = dims;
    x->s.account = account;
    return x;
}

void slurm_import_destroy(struct slurm_import *x)
{
    if (!x)
        return;
    gs_array_free(x->conf);
    gs_array_free(x->s.included);
    gs_array_free(x->s.option);
    gs_array_free(x->s.hardware);
    gs_array_free(x->s.node);
    gs_array_free(x->s.node_of);
    gs_array_free(x->s.gres_record);
    gs_array_free(x->s.partition);
    gs_array_free(x->s.partition_of);
    gs_array_free(x->s.set);
    gs_array_free(x->s.tree);
    gs_array_free(x->s.qos);
    gs_array_free(x->s.user_account);
    gs_array_free(x->s.job);
    gs_array_free(x->s.tres);
    gs_array_free(x->s.reservation);
    gs_array_free(x->s.job_of);
    gs_array_free(x->s.part_of);
    gs_array_free(x->s.queue_of);
    gs_array_free(x->marks.at);
    gs_zone_close(x->zone);
    gs_arena_destroy(x->s.arena);
    gs_array_free(x);
}

int slurm_import_options(struct slurm_import *x, const struct slurm_options *o,
                         struct gs_err *err)
{
    assert(x && o);
    x->s.columns = o->columns;
    x->jobs_only = o->jobs_only;
    if (!o->timezone)
        return 0;
    x->zone = gs_zone_open(o->timezone, err);
    x->s.zone = x->zone;
    return x->zone ? 0 : -1;
}

/* --- reading -------------------------------------------------------------- */

struct open_file {
    const char *path;
    struct gs_input *in;
    enum slurm_kind kind;
    uint32_t at;    /* among all */
    bool is_own;    /* to be closed here */
    bool is_second; /* beside the slurm.conf of its folder */
};

struct open_files {
    struct open_file *at;
    uint32_t count, cap;
};

static int file_read(struct slurm_import *x, struct open_file *f,
                     struct gs_err *err)
{
    struct slurm *s = &x->s;

    s->source = slurm_copy(s, gs_input_name(f->in));
    if (f->is_second) {
        if (!slurm_conf_was_included(s, s->source))
            import_account_count(s->account, "slurm.conf beside another",
                                 IMPORT_NOTHING);
        return 0;
    }
    switch (f->kind) {
    case SLURM_CONF:
        return slurm_conf_read(s, f->in, err);
    case SLURM_GRES_CONF:
        return slurm_gres_conf_read(s, f->in, err);
    case SLURM_TOPOLOGY_CONF:
        return slurm_topology_conf_read(s, f->in, err);
    case SLURM_TOPOLOGY_YAML:
        return slurm_topology_yaml_read(s, f->in, err);
    case SLURM_SCONTROL:
        return slurm_scontrol_read(s, f->in, err);
    case SLURM_RESERVATIONS:
        return slurm_reservations_read(s, f->in, err);
    case SLURM_ASSOC:
        return sacctmgr_assoc_read(s, f->in, err);
    case SLURM_QOS:
        return sacctmgr_qos_read(s, f->in, err);
    case SLURM_RECORDING:
        return slurm_recording_read(s, f->in, err);
    case SLURM_SACCT:
        return sacct_text_read(s, f->in, err);
    case SLURM_JSON:
        return slurm_json_read(s, f->in, err);
    case SLURM_NOTHING:
        import_account_count(s->account, "cgroup.conf", IMPORT_NOTHING);
        return 0;
    default:
        return gs_fail(
            err, GS_INPUT, (struct gs_mark){ gs_input_name(f->in), 0, 0 },
            "is no file of Slurm that gsim reads: slurm.conf, "
            "gres.conf, topology.conf, topology.yaml, exports of "
            "sacct -P and sacctmgr -P, scontrol show node or reservation, --json");
    }
}

static void file_put(struct open_files *all, const char *path,
                     struct gs_input *in, bool is_own, enum slurm_kind kind)
{
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count] = (struct open_file){
        .path = path, .in = in, .kind = kind, .at = all->count, .is_own = is_own
    };
    all->count++;
}

/* With columns a file that tells nothing itself is an export. */
static enum slurm_kind kind_in(const struct slurm_import *x,
                               struct gs_input *in)
{
    const enum slurm_kind k = kind_of(in);

    return k == SLURM_KINDS && x->s.columns ? SLURM_SACCT : k;
}

static int file_open(struct slurm_import *x, struct open_files *all,
                     const char *path, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);

    if (!in)
        return -1;
    file_put(all, path, in, true, kind_in(x, in));
    return 0;
}

/* A file that is read with slurm.conf. */
static bool is_beside(const char *name)
{
    static const char *const beside[] = { "gres.conf", "topology.conf",
                                          "topology.yaml" };

    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
        if (strcmp(name, beside[i]) == 0)
            return true;
    }
    return false;
}

/* slurm.conf, which reads those beside it, and what is told by its content. */
static int folder_open(struct slurm_import *x, struct open_files *all,
                       const char *path, struct gs_err *err)
{
    const bool has_conf = slurm_folder_has_conf(path);
    const char *const *name_of;
    const uint32_t recordings =
        has_conf ? 0 : slurm_recordings_list(path, x->s.arena, &name_of);
    struct dirent **list = NULL;
    const int count = recordings ? 0 : scandir(path, &list, NULL, alphasort);
    int rc = recordings
                 ? gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                           "holds recordings: give one, such as "
                           "%.200s/%.200s.starts.csv, or all to 'gsim audit'",
                           path, name_of[0])
             : count < 0
                 ? gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                           "cannot open: %s", strerror(errno))
                 : 0;

    for (int i = 0; i < count; i++) {
        const char *name = list[i]->d_name;
        const char *file = gs_arena_printf(x->s.arena, "%s/%s", path, name);
        struct stat st;

        if (rc == 0 && name[0] != '.' && stat(file, &st) == 0
            && S_ISREG(st.st_mode) && !(has_conf && is_beside(name)))
            rc = file_open(x, all, file, err);
        if (rc == 0 && all->count && all->at[all->count - 1].path == file) {
            struct open_file *f = &all->at[all->count - 1];

            f->is_second = has_conf && f->kind == SLURM_CONF
                           && strcmp(name, "slurm.conf") != 0;
            if (f->kind == SLURM_KINDS) {
                import_account_count(x->s.account, "file", IMPORT_UNKNOWN);
                gs_input_close(f->in);
                all->count--;
            }
        }
        free(list[i]);
    }
    free(list);
    return rc;
}

/* Was it a slurm.conf that was read, in a folder or by name?  It is from now
 * on.
 */
static bool conf_comes_again(struct slurm_import *x, const struct open_file *f)
{
    struct stat st;

    if (f->kind != SLURM_CONF || stat(f->path, &st) != 0
        || !S_ISREG(st.st_mode))
        return false;
    for (uint32_t i = 0; i < x->confs; i++) {
        if (x->conf[i].device == st.st_dev && x->conf[i].number == st.st_ino)
            return true;
    }
    x->conf = gs_array_grow(x->conf, &x->conf_cap, x->confs + 1,
                            sizeof(*x->conf));
    x->conf[x->confs++] = (struct conf_file){ st.st_dev, st.st_ino };
    return false;
}

static int by_kind(const void *a, const void *b)
{
    const struct open_file *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->is_second != y->is_second)
        return x->is_second ? 1 : -1;
    return x->at < y->at ? -1 : x->at > y->at;
}

int slurm_import_read(struct slurm_import *x, const struct slurm_file *file,
                      uint32_t count, struct gs_err *err)
{
    struct open_files all = { 0 };
    uint32_t before;
    int rc = 0;

    assert(x && (file || count == 0));
    x->s.hash = 0;
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        if (file[i].in)
            file_put(&all, file[i].path, file[i].in, false,
                     kind_in(x, file[i].in));
        else if (is_folder(file[i].path))
            rc = folder_open(x, &all, file[i].path, err);
        else
            rc = file_open(x, &all, file[i].path, err);
    }
    if (all.count)
        qsort(all.at, all.count, sizeof(*all.at), by_kind);
    before = x->s.jobs;
    x->s.steps = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        if (rc == 0 && !conf_comes_again(x, &all.at[i])) {
            rc = file_read(x, &all.at[i], err);
            slurm_hash_add(&x->s, all.at[i].in);
        }
        if (all.at[i].is_own)
            gs_input_close(all.at[i].in);
    }
    gs_array_free(all.at);
    if (x->s.jobs > before)
        import_account_add(x->s.account, "job", IMPORT_USED,
                           x->s.jobs - before);
    if (x->s.steps)
        import_account_add(x->s.account, "step", IMPORT_NOTHING, x->s.steps);
    return rc < 0 ? -1 : 0;
}

uint64_t slurm_import_hash(const struct slurm_import *x)
{
    return x->s.hash;
}

/* --- what was read -------------------------------------------------------- */

int slurm_import_finish(struct slurm_import *x, struct gs_err *err)
{
    struct slurm *s = &x->s;

    assert(x);
    if (s->nodes > TOPO_NODES_MAX)
        return gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                       "more than %u nodes", TOPO_NODES_MAX);
    if (x->jobs_only)
        s->nodes = s->partitions = s->hardwares = s->gres_records = 0;
    if (slurm_gres_resolve(s, err) < 0 || slurm_partitions_resolve(s, err) < 0)
        return -1;
    slurm_cluster_resources(s);
    slurm_tree_use(s);
    return 0;
}

bool slurm_import_has_nodes(const struct slurm_import *x)
{
    return x->s.nodes > 0;
}

bool slurm_import_has_jobs(const struct slurm_import *x)
{
    return x->s.jobs > 0;
}

bool slurm_import_has_conf(const struct slurm_import *x)
{
    return x->s.has_conf;
}

int slurm_import_trace(struct slurm_import *x, struct trace_workload *w,
                       int64_t *epoch, struct gs_err *err)
{
    return slurm_trace_make(&x->s, w, &x->marks, epoch, err);
}

int slurm_import_topology(struct slurm_import *x, struct topo *t,
                          struct gs_err *err)
{
    return slurm_cluster_make(&x->s, x->marks.at, x->marks.count, t, err);
}

struct gsched_profile *slurm_import_profile(struct slurm_import *x,
                                            const char *name,
                                            struct gs_arena *arena,
                                            struct gs_err *err)
{
    const char *text = slurm_profile_text(&x->s, arena);

    return gsched_profile_parse(name, text, arena, err);
}

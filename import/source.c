/* import/source.c - files, folders and archives of objects, see source.h.
 *
 * import_source_read() goes through a folder by folder_read(); file_read()
 * opens a file, and input_read() finds its format by its first bytes.  A member
 * of an archive comes to input_read() again.
 */
#include "import/source.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "import/formats.h"
#include "import/objects.h"

#define FOLDERS_DEEP 64 /* folders within folders */

struct reading {
    const struct import_taker *taker;
    struct gs_err *err;
    bool is_member; /* of an archive */
};

/* --- one file ------------------------------------------------------------- */

/* A file that could not be read to its end; -1 when the reading is to stop. */
static int file_failed(struct import_objects *o, const struct gs_err *why)
{
    if (why->count == 0)
        return -1; /* the taker has said so */
    if (why->code != GS_IO)
        return import_objects_refuse(o, why);
    gs_err_append(o->err, why);
    return -1;
}

static int input_read(void *ctx, struct gs_input *in, struct gs_err *err);

static int archive_read(struct reading *g, struct gs_input *in,
                        struct gs_err *why)
{
    struct reading members = *g;

    members.is_member = true;
    return import_tar_read(in, input_read, &members, why);
}

/* All of one input.  `err` stays as it is: g->err gets the problems. */
static int input_read(void *ctx, struct gs_input *in, struct gs_err *err)
{
    struct reading *g = ctx;
    struct import_objects o = { g->taker, g->err, gs_input_name(in), 0 };
    struct gs_err why = { 0 };
    size_t size;
    const char *head = gs_input_head(in, &size, &why);
    bool is_archive;
    int rc;

    (void)err;
    if (!head)
        return file_failed(&o, &why);
    is_archive = import_tar_is(head, size);
    if (is_archive && g->is_member)
        return import_objects_refuse_at(&o, 0, 0,
                                        "is an archive within an archive");
    rc = is_archive                   ? archive_read(g, in, &why)
         : import_json_is(head, size) ? import_json_read(&o, in, &why)
                                      : import_yaml_read(&o, in, &why);
    if (rc < 0)
        return file_failed(&o, &why);
    if (o.found == 0 && !is_archive)
        return import_objects_refuse_at(&o, 0, 0,
                                        size ? "holds no objects" : "is empty");
    return 0;
}

static void hash_add(const struct reading *g, const struct gs_input *in)
{
    const uint64_t prime = UINT64_C(0x100000001b3); /* of FNV-1a 64 */
    uint64_t *hash = g->taker->hash;

    if (hash)
        *hash = *hash ? (*hash ^ gs_input_hash(in)) * prime : gs_input_hash(in);
}

static int file_read(struct reading *g, const char *path)
{
    struct import_objects o = { g->taker, g->err, path, 0 };
    struct gs_err why = { 0 };
    struct gs_input *in = gs_input_open(path, &why);
    int rc;

    if (!in)
        return file_failed(&o, &why);
    rc = input_read(g, in, NULL);
    hash_add(g, in);
    gs_input_close(in);
    return rc;
}

/* --- folders -------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *path_join(const char *folder, const char *name)
{
    const size_t len = strlen(folder);
    const size_t size = len + strlen(name) + 2;
    char *path = gs_array_new(size, 1);

    snprintf(path, size, "%s%s%s", folder,
             len && folder[len - 1] == '/' ? "" : "/", name);
    return path;
}

/* The paths of what is in a folder, but for what is hidden, in order. */
static int folder_list(const char *path, char ***list, uint32_t *count,
                       struct gs_err *err)
{
    DIR *dir = opendir(path);
    uint32_t cap = 0;

    *list = NULL;
    *count = 0;
    if (!dir)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ path, 0, 0 },
                       "cannot open: %s", strerror(errno));
    for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (e->d_name[0] == '.')
            continue;
        *list = gs_array_grow(*list, &cap, *count + 1, sizeof(**list));
        (*list)[(*count)++] = path_join(path, e->d_name);
    }
    (void)closedir(dir); /* nothing was written */
    if (*count)
        qsort(*list, *count, sizeof(**list), by_name);
    return 0;
}

static int folder_read(struct reading *g, const char *path, int depth);

/* A link to a folder could lead back to it, and a pipe never end. */
static int entry_read(struct reading *g, const char *path, int depth)
{
    struct import_objects o = { g->taker, g->err, path, 0 };
    struct stat link, target;

    if (lstat(path, &link) < 0 || stat(path, &target) < 0)
        return import_objects_refuse_at(&o, 0, 0, "cannot open: %s",
                                        strerror(errno));
    if (S_ISREG(target.st_mode))
        return file_read(g, path);
    if (!S_ISDIR(target.st_mode))
        return import_objects_refuse_at(&o, 0, 0, "is no file");
    if (S_ISLNK(link.st_mode))
        return import_objects_refuse_at(
            &o, 0, 0, "is a link to a folder, which is not followed");
    return folder_read(g, path, depth + 1);
}

static int folder_read(struct reading *g, const char *path, int depth)
{
    struct import_objects o = { g->taker, g->err, path, 0 };
    struct gs_err why = { 0 };
    char **list;
    uint32_t count;
    int rc = 0;

    if (depth > FOLDERS_DEEP)
        return import_objects_refuse_at(
            &o, 0, 0, "is more than %d folders deep", FOLDERS_DEEP);
    if (folder_list(path, &list, &count, &why) < 0) {
        if (depth > 0)
            return import_objects_refuse(&o, &why);
        gs_err_append(g->err, &why);
        return -1;
    }
    if (count == 0)
        rc = import_objects_refuse_at(&o, 0, 0, "is an empty folder");
    for (uint32_t i = 0; i < count; i++) {
        rc = rc < 0 ? -1 : entry_read(g, list[i], depth);
        gs_array_free(list[i]);
    }
    gs_array_free(list);
    return rc;
}

/* --- the door ------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && stat(path, &st) == 0
           && S_ISDIR(st.st_mode);
}

int import_source_read(const char *path, const struct import_taker *t,
                       struct gs_err *err)
{
    struct reading g = { .taker = t, .err = err };
    struct gs_input *in;
    int rc;

    assert(path && t && t->take);
    if (is_folder(path))
        return folder_read(&g, path, 0);
    in = gs_input_open(path, err);
    if (!in)
        return -1;
    rc = import_source_read_input(in, t, err);
    gs_input_close(in);
    return rc;
}

int import_source_read_input(struct gs_input *in, const struct import_taker *t,
                             struct gs_err *err)
{
    struct reading g = { .taker = t, .err = err };

    int rc;

    assert(in && t && t->take);
    rc = input_read(&g, in, NULL);
    hash_add(&g, in);
    return rc;
}

int import_source_open(const char *path, struct gs_input **in,
                       struct gs_err *err)
{
    int rc;

    assert(path && in);
    *in = NULL;
    if (is_folder(path))
        return 1;
    *in = gs_input_open(path, err);
    rc = *in ? import_objects_begin(*in, err) : -1;
    if (rc < 0) {
        gs_input_close(*in);
        *in = NULL;
    }
    return rc;
}

/* base/output.c - whole files or none, see output.h.
 *
 * The new file is made with O_TMPFILE: it has no name until it is linked, so a
 * process that is killed leaves nothing.  On a file system without O_TMPFILE
 * the bytes are written to a temporary file and copied at the end.  Signals are
 * blocked while the file gets its name, so that none leaves an extra file.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"

#define LINKS_MAX 40 /* as many links as Linux follows */
#define TRIES 100    /* random names */
#define COPY_SIZE (1u << 16)

enum how {
    AS_IT_IS, /* standard output, a device, a FIFO */
    WHOLE,    /* replaced at the end */
    APPENDED
};

struct gs_output {
    enum how how;
    FILE *file;
    char *path;   /* as given, for messages */
    char *target; /* where links lead */
    char *folder; /* folder of the target, with a final '/', or "./" */
    bool has_old; /* a file with that name exists */
    struct stat old;
};

static int fail(const struct gs_output *o, int error, struct gs_err *err)
{
    return gs_fail(err, GS_IO, (struct gs_mark){ .source = o->path },
                   "cannot write: %s", strerror(error));
}

/* "a/b/" of "a/b/c", "./" of "c". */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? gs_text_make("%.*s", (int)(slash - path) + 1, path)
                 : gs_text_make("./");
}

/* --- where links lead ----------------------------------------------------- */

/* The number of the descriptor of this process that `path` names, as
 * /proc/self/fd/1 does, or -1.
 */
static int descriptor_of(const char *path, const char *folder)
{
    char here[PATH_MAX], own[PATH_MAX], *end;
    const char *name = strrchr(path, '/');
    long n;

    if (!name || !realpath(folder, here) || !realpath("/proc/self/fd", own)
        || strcmp(here, own) != 0)
        return -1;
    n = strtol(name + 1, &end, 10);
    return end == name + 1 || *end || n < 0 || n > INT_MAX ? -1 : (int)n;
}

/* Follow the symbolic links of o->target.  Returns the descriptor that it
 * names, or -1 for a path; -2 on failure, with errno.
 */
static int links_follow(struct gs_output *o)
{
    for (int i = 0; i < LINKS_MAX; i++) {
        char to[PATH_MAX];
        struct stat st;
        ssize_t n;
        int fd;

        gs_array_free(o->folder);
        o->folder = folder_of(o->target);
        if (lstat(o->target, &st) < 0 || !S_ISLNK(st.st_mode))
            return -1;
        fd = descriptor_of(o->target, o->folder);
        if (fd >= 0)
            return fd;
        n = readlink(o->target, to, sizeof(to) - 1);
        if (n < 0)
            return -2;
        to[n] = '\0';
        gs_array_free(o->target);
        o->target = gs_text_make("%s%s", to[0] == '/' ? "" : o->folder, to);
    }
    errno = ELOOP;
    return -2;
}

/* --- opening -------------------------------------------------------------- */

static int stream_open(struct gs_output *o, int fd)
{
    o->how = AS_IT_IS;
    o->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!o->file && fd >= 0)
        (void)close(fd); /* nothing was written */
    return o->file ? 0 : -1;
}

/* A file without a name in the folder of the target. */
static int unnamed_open(struct gs_output *o)
{
    const int fd = open(o->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

    assert(o->folder && o->target && !o->file);
    if (fd < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
        return -1;
    if (fd < 0 && access(o->folder, W_OK | X_OK) < 0)
        return -1;
    o->file = fd < 0 ? tmpfile() : fdopen(fd, "w+");
    if (!o->file && fd >= 0)
        (void)close(fd); /* nothing was written */
    return o->file ? 0 : -1;
}

static int target_open(struct gs_output *o)
{
    const int fd = links_follow(o);
    const size_t len = strlen(o->target);

    if (fd == -2)
        return -1;
    if (fd >= 0)
        return stream_open(o, fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (len == 0 || o->target[len - 1] == '/') {
        errno = len ? EISDIR : ENOENT;
        return -1;
    }
    o->has_old = stat(o->target, &o->old) == 0;
    if (o->has_old && S_ISDIR(o->old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (o->has_old && !S_ISREG(o->old.st_mode))
        return stream_open(o, open(o->target, O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (o->has_old && access(o->target, W_OK) < 0)
        return -1;
    return unnamed_open(o);
}

static struct gs_output *output_open(const char *path, enum how how,
                                     struct gs_err *err)
{
    const bool is_stdout = !path || strcmp(path, "-") == 0;
    struct gs_output *o = gs_array_new(1, sizeof(*o));

    if (is_stdout)
        path = "standard output";
    o->how = is_stdout ? AS_IT_IS : how;
    o->path = gs_text_make("%s", path);
    o->target = gs_text_make("%s", path);
    o->file = is_stdout ? stdout : NULL;
    if (is_stdout || target_open(o) == 0)
        return o;
    (void)fail(o, errno, err);
    (void)gs_output_close(o, -1, NULL);
    return NULL;
}

struct gs_output *gs_output_open(const char *path, struct gs_err *err)
{
    return output_open(path, WHOLE, err);
}

struct gs_output *gs_output_open_append(const char *path, struct gs_err *err)
{
    return output_open(path, APPENDED, err);
}

FILE *gs_output_stream(const struct gs_output *o)
{
    assert(o && o->file);
    return o->file;
}

/* --- closing -------------------------------------------------------------- */

static int all_write(int fd, const char *from, size_t size)
{
    assert(fd >= 0);
    while (size > 0) {
        const ssize_t n = write(fd, from, size);

        if (n < 0 && errno != EINTR)
            return -1;
        from += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Copy all bytes of descriptor `from` to descriptor `to`. */
static int bytes_copy(int from, int to)
{
    char *buf = gs_array_new(COPY_SIZE, 1);
    off_t at = 0;
    ssize_t n;
    int rc = 0;

    do {
        n = pread(from, buf, COPY_SIZE, at);
        if (n > 0) {
            rc = all_write(to, buf, (size_t)n);
            at += n;
        } else if (n < 0 && errno != EINTR)
            rc = -1;
    } while (rc == 0 && n != 0);
    gs_array_free(buf);
    return rc;
}

/* A random path in the folder. */
static char *name_make(const struct gs_output *o)
{
    uint64_t chance = 0;

    if (getrandom(&chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
        chance = (uint64_t)getpid(); /* O_EXCL still refuses an existing file */
    return gs_text_make("%s.gsim-%016llx", o->folder,
                        (unsigned long long)chance);
}

/* Give the unnamed file the name `path`, which must be free. */
static int unnamed_link(const struct gs_output *o, const char *path)
{
    char self[40];

    assert(o->file && path && *path);
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fileno(o->file));
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

static int mode_keep(const struct gs_output *o, int fd)
{
    if (!o->has_old)
        return 0;
    /* only root may change the owner: otherwise the file belongs to this user
     * and loses its set-id bits, which were for the old owner
     */
    if (fchown(fd, o->old.st_uid, o->old.st_gid) < 0)
        return fchmod(fd, o->old.st_mode & 0777);
    return fchmod(fd, o->old.st_mode & 07777);
}

/* Without O_TMPFILE: copy to a file with a name. */
static int copy_link(const struct gs_output *o, const char *path)
{
    const int fd = open(
        path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    int rc;

    if (fd < 0)
        return -1;
    rc = bytes_copy(fileno(o->file), fd) < 0 || mode_keep(o, fd) < 0
                 || fsync(fd) < 0
             ? -1
             : 0;
    if (close(fd) < 0)
        rc = -1;
    if (rc < 0) {
        const int error = errno;

        (void)unlink(path); /* the first failure is the one to tell */
        errno = error;
    }
    return rc;
}

/* Link the file under a temporary name, which the caller frees.  NULL on
 * failure, with errno.
 */
static char *beside_make(const struct gs_output *o)
{
    for (int i = 0; i < TRIES; i++) {
        char *path = name_make(o);
        int rc = unnamed_link(o, path);

        if (rc < 0 && errno != EEXIST) /* the folder is on another file
                                          system */
            rc = copy_link(o, path);
        if (rc == 0)
            return path;
        gs_array_free(path);
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static int name_give(const struct gs_output *o)
{
    char *beside;
    int rc, error;

    if (!o->has_old && unnamed_link(o, o->target) == 0)
        return 0;
    beside = beside_make(o);
    if (!beside)
        return -1;
    rc = rename(beside, o->target);
    error = errno;
    if (rc < 0)
        (void)unlink(beside); /* the first failure is the one to tell */
    gs_array_free(beside);
    errno = error;
    return rc;
}

/* Sync the folder, so that the name survives a loss of power. */
static void folder_sync(const struct gs_output *o)
{
    const int fd = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return;      /* the folder may not be readable */
    (void)fsync(fd); /* some file systems cannot */
    (void)close(fd);
}

static int replace(const struct gs_output *o)
{
    if (mode_keep(o, fileno(o->file)) < 0 || fsync(fileno(o->file)) < 0
        || name_give(o) < 0)
        return -1;
    folder_sync(o);
    return 0;
}

static int append(const struct gs_output *o)
{
    const int fd = open(o->target, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
                        0666);
    struct stat st;
    int rc, error;

    if (fd < 0)
        return -1;
    rc = fstat(fd, &st);
    if (rc == 0 && bytes_copy(fileno(o->file), fd) < 0) {
        error = errno;
        rc = ftruncate(fd, st.st_size); /* the first failure is reported */
        errno = error;
        rc = -1;
    }
    return close(fd) < 0 ? -1 : rc;
}

/* Give the file its name, with the signals that end a process blocked. */
static int finish(const struct gs_output *o)
{
    sigset_t waiting, before;
    int rc, error;

    sigemptyset(&waiting);
    sigaddset(&waiting, SIGINT);
    sigaddset(&waiting, SIGTERM);
    sigaddset(&waiting, SIGHUP);
    sigaddset(&waiting, SIGQUIT);
    pthread_sigmask(SIG_BLOCK, &waiting, &before);
    assert(o->how != AS_IT_IS);
    rc = o->how == WHOLE ? replace(o) : append(o);
    error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return rc;
}

/* A write failed and its errno is lost: find out by writing more to the file,
 * which is discarded anyway.  Returns -1 with errno.
 */
static int probe(FILE *file)
{
    static const char more[4096];

    for (int i = 0; i < 16; i++) {
        if (fwrite(more, 1, sizeof(more), file) < sizeof(more))
            return -1;
    }
    return fflush(file) != 0 ? -1 : 0;
}

static int all_flush(const struct gs_output *o, struct gs_err *err)
{
    if (fflush(o->file) != 0)
        return fail(o, errno, err);
    if (!ferror(o->file))
        return 0;
    if (o->how != AS_IT_IS && probe(o->file) < 0)
        return fail(o, errno, err);
    return gs_fail(err, GS_IO, (struct gs_mark){ .source = o->path },
                   "cannot write all of it");
}

int gs_output_close(struct gs_output *o, int rc, struct gs_err *err)
{
    assert(rc == 0 || rc == -1);
    if (!o)
        return rc;
    if (rc == 0)
        rc = all_flush(o, err);
    if (rc == 0 && o->how != AS_IT_IS && finish(o) < 0)
        rc = fail(o, errno, err);
    if (o->file && o->file != stdout && fclose(o->file) != 0 && rc == 0
        && o->how == AS_IT_IS)
        rc = fail(o, errno, err);
    gs_array_free(o->path);
    gs_array_free(o->target);
    gs_array_free(o->folder);
    gs_array_free(o);
    return rc < 0 ? -1 : 0;
}

/* --- the rest ------------------------------------------------------------- */

FILE *gs_output_scratch(struct gs_err *err)
{
    FILE *file = tmpfile();

    if (!file)
        (void)gs_fail(err, GS_IO, (struct gs_mark){ 0 },
                      "cannot make a temporary file: %s", strerror(errno));
    return file;
}

char *gs_output_scratch_folder(struct gs_err *err)
{
    static const char name[] = "/gsim-XXXXXX";
    const char *tmp = getenv("TMPDIR");
    size_t size;
    char *path;

    tmp = tmp && *tmp ? tmp : "/tmp";
    size = strlen(tmp) + sizeof(name);
    path = gs_array_new(size, 1);
    snprintf(path, size, "%s%s", tmp, name);
    if (mkdtemp(path))
        return path;
    (void)gs_fail(err, GS_IO, (struct gs_mark){ .source = tmp },
                  "cannot make a temporary folder: %s", strerror(errno));
    gs_array_free(path);
    return NULL;
}

int gs_output_copy(FILE *from, FILE *to)
{
    assert(from && to && from != to);
    return fflush(from) != 0 || fflush(to) != 0
                   || bytes_copy(fileno(from), fileno(to)) < 0
               ? -1
               : 0;
}

bool gs_output_is_same(const char *a, const char *b)
{
    struct stat x, y;

    assert(a && b);
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && stat(a, &x) == 0
           && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino
           && S_ISREG(x.st_mode);
}

/* base/far.c - arrays in files, see far.h. */
#include "base/far.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/text.h"

#define STATUS 4 /* exit status: the operating system failed */

struct far_array {
    void *at;
    size_t bytes; /* whole pages */
    int fd;
};

struct gs_far {
    char *folder;
    size_t least, page;
    pthread_mutex_t mutex; /* of what follows */
    struct far_array *array;
    uint32_t count, cap;
};

static _Noreturn void no_space(const struct gs_far *far, int number)
{
    char text[400];
    const int n = snprintf(text, sizeof(text), "gsim: %.200s: %s\n",
                           far->folder, strerror(number));

    while (n > 0 && write(STDERR_FILENO, text, (size_t)n) < 0 && errno == EINTR)
        ;
    _exit(STATUS);
}

/* A file without a name; -1 on failure. */
static int file_make(const struct gs_far *far)
{
    char *path = gs_text_make("%s/gsim-XXXXXX", far->folder);
    const int fd = mkstemp(path);

    if (fd >= 0)
        (void)unlink(path); /* it is there until it is closed */
    gs_array_free(path);
    return fd;
}

struct gs_far *gs_far_open(const char *folder, size_t least, struct gs_err *err)
{
    struct gs_far *far = gs_array_new(1, sizeof(*far));
    int fd;

    assert(folder && least > 0);
    far->folder = gs_text_make("%s", folder);
    far->least = least;
    far->page = (size_t)sysconf(_SC_PAGESIZE);
    pthread_mutex_init(&far->mutex, NULL);
    fd = file_make(far);
    if (fd >= 0) {
        (void)close(fd); /* nothing was written */
        return far;
    }
    gs_fail(err, GS_INPUT, (struct gs_mark){ .source = folder },
            "cannot make a file in this folder: %s", strerror(errno));
    gs_far_close(far);
    return NULL;
}

static void array_release(const struct far_array *a)
{
    (void)munmap(a->at, a->bytes);
    (void)close(a->fd); /* it has no name: what it holds is gone */
}

void gs_far_close(struct gs_far *far)
{
    if (!far)
        return;
    for (uint32_t i = 0; i < far->count; i++)
        array_release(&far->array[i]);
    pthread_mutex_destroy(&far->mutex);
    gs_array_free(far->array);
    gs_array_free(far->folder);
    gs_array_free(far);
}

/* Map the file at `where`, NULL: anywhere. */
static void array_map(const struct gs_far *far, struct far_array *a,
                      void *where)
{
    a->at = mmap(where, a->bytes, PROT_READ | PROT_WRITE,
                 MAP_SHARED | (where ? MAP_FIXED : 0), a->fd, 0);
    if (a->at == MAP_FAILED)
        no_space(far, errno);
}

/* Make the file `bytes` long, zero behind its present end. */
static void array_stretch(const struct gs_far *far, struct far_array *a,
                          size_t bytes)
{
    const size_t whole = (bytes + far->page - 1) / far->page * far->page;
    int rc;

    if (whole <= a->bytes)
        return;
    do
        rc = posix_fallocate(a->fd, (off_t)a->bytes, (off_t)(whole - a->bytes));
    while (rc == EINTR);
    if (rc != 0)
        no_space(far, rc);
    if (a->at)
        (void)munmap(a->at, a->bytes);
    a->bytes = whole;
    array_map(far, a, NULL);
}

static struct far_array *array_of(const struct gs_far *far, const void *p)
{
    for (uint32_t i = far->count; i-- > 0;) {
        if (far->array[i].at == p)
            return &far->array[i];
    }
    return NULL;
}

/* A new array of zeros. */
static void *array_add(struct gs_far *far, size_t bytes)
{
    struct far_array a = { .fd = file_make(far) };

    if (a.fd < 0)
        no_space(far, errno);
    array_stretch(far, &a, bytes);
    far->array = gs_array_grow(far->array, &far->cap, far->count + 1,
                               sizeof(*far->array));
    far->array[far->count++] = a;
    return a.at;
}

void *gs_far_new(struct gs_far *far, size_t count, size_t size)
{
    void *p;

    assert(size > 0);
    if (!far || count > SIZE_MAX / 2 / size || count * size < far->least)
        return gs_array_new(count, size);
    pthread_mutex_lock(&far->mutex);
    p = array_add(far, count * size);
    pthread_mutex_unlock(&far->mutex);
    return p;
}

void gs_far_free(struct gs_far *far, void *p)
{
    struct far_array *a = NULL;

    if (far && p) {
        pthread_mutex_lock(&far->mutex);
        a = array_of(far, p);
        if (a) {
            array_release(a);
            *a = far->array[--far->count];
        }
        pthread_mutex_unlock(&far->mutex);
    }
    if (!a)
        gs_array_free(p);
}

/* The array with room for `bytes`; it had room for `had`. */
static void *array_more(struct gs_far *far, void *p, size_t had, size_t bytes)
{
    struct far_array *a = p ? array_of(far, p) : NULL;
    void *grown;

    if (a) {
        array_stretch(far, a, bytes);
        return a->at;
    }
    grown = array_add(far, bytes);
    if (had)
        memcpy(grown, p, had);
    gs_array_free(p);
    return grown;
}

void *gs_far_more(struct gs_far *far, void *p, uint32_t *cap, uint32_t need,
                  size_t size)
{
    uint64_t more = (uint64_t)*cap + *cap / 8;

    assert(cap && size > 0 && need > *cap);
    if (!far || (uint64_t)need * size < far->least)
        return gs_array_more(p, cap, need, size);
    more = more < need ? need : more;
    more = more > UINT32_MAX ? UINT32_MAX : more;
    pthread_mutex_lock(&far->mutex);
    p = array_more(far, p, *cap * size, (size_t)more * size);
    pthread_mutex_unlock(&far->mutex);
    *cap = (uint32_t)more;
    return p;
}

void *gs_far_trim(struct gs_far *far, void *p, uint32_t *cap, uint32_t count,
                  size_t size)
{
    bool is_far = false;

    if (far && p) {
        pthread_mutex_lock(&far->mutex);
        is_far = array_of(far, p) != NULL;
        pthread_mutex_unlock(&far->mutex);
    }
    return is_far ? p : gs_array_trim(p, cap, count, size);
}

/* A mapping that takes the place of another one begins with nothing in memory;
 * what was written stays in the file.
 */
void gs_far_leave(struct gs_far *far)
{
    assert(far);
    pthread_mutex_lock(&far->mutex);
    for (uint32_t i = 0; i < far->count; i++)
        array_map(far, &far->array[i], far->array[i].at);
    pthread_mutex_unlock(&far->mutex);
}

uint64_t gs_far_size(struct gs_far *far)
{
    uint64_t sum = 0;

    assert(far);
    pthread_mutex_lock(&far->mutex);
    for (uint32_t i = 0; i < far->count; i++)
        sum += far->array[i].bytes;
    pthread_mutex_unlock(&far->mutex);
    return sum;
}

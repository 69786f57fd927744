/* base/filehead.c - the first bytes of a file. */
#include "base/filehead.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

int gs_file_head(const char *path, char *buf, size_t size, size_t *got,
                 struct gs_err *err)
{
    const struct gs_mark at = { .source = path };
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 0;

    assert(path && buf && got);
    *got = 0;
    if (fd < 0)
        return gs_fail(err, GS_INPUT, at, "cannot open: %s", strerror(errno));
    while (*got < size
           && ((n = read(fd, buf + *got, size - *got)) > 0
               || (n < 0 && errno == EINTR)))
        *got += n > 0 ? (size_t)n : 0;
    if (n < 0)
        gs_fail(err, GS_IO, at, "cannot read: %s", strerror(errno));
    (void)close(fd); /* nothing was written */
    return n < 0 ? -1 : 0;
}

/* sim/cli/process.c - prepares the process, see process.h. */
#include "sim/cli/process.h"

#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/array.h"
#include "sim/cli/cmd.h"

static void *memory_of(size_t size)
{
    return gs_array_new(size, 1);
}

static void gsl_failed(const char *reason, const char *file, int line,
                       int number)
{
    if (number == GSL_ENOMEM)
        gs_no_memory();
    fprintf(stderr, "gsim: %s:%d: %s\n", file, line, reason);
    _exit(CMD_FAILED);
}

/* Open the standard streams that the caller closed; a write to them fails. */
static void streams_fill(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        /* open() returns the lowest free number, which is this one */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            _exit(CMD_FAILED);
    }
}

/* Keep memory that was freed for what is made next: the C library would give it
 * back to the kernel and fault its pages in again, a page at a time.  Arrays of
 * 8 MiB and more still have pages of their own, which grow without a copy.
 */
static void memory_keep(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 8 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
    (void)mallopt(M_TOP_PAD, 4 << 20);
#endif
}

void process_prepare(void)
{
    struct sigaction ignored = { .sa_handler = SIG_IGN };

    memory_keep();
    streams_fill();
    sigaction(SIGXFSZ, &ignored, NULL);
    json_set_alloc_funcs(memory_of, gs_array_free);
    gsl_set_error_handler(gsl_failed);
}

/* sim/study/pool.c - processes for points, see pool.h.
 *
 * The caller waits for signals instead of handling them, so that no variable
 * has to be global.  A point writes its answer into the record of its slot, in
 * a temporary file. /
 */
#include "sim/study/pool.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"

#define TICK_NS 200000000
#define FAILED 1    /* exit status of a process whose point failed */
#define NO_MEMORY 4 /* ... as gs_no_memory ends it */
/* Offset of the answer in a record: behind the error, aligned for any type. */
#define ANSWER_AT                                        \
    ((sizeof(struct gs_err) + _Alignof(max_align_t) - 1) \
     / _Alignof(max_align_t) * _Alignof(max_align_t))

#define NONE UINT32_MAX

struct slot {
    pid_t pid; /* 0: free */
    uint32_t point;
};

struct crew {
    struct study_pool *pool;
    struct slot *slot; /* [jobs] */
    uint32_t begun, working;
    uint32_t failed; /* the lowest needed point that failed; or NONE */
    struct gs_err why;
    FILE *file; /* answers and errors: a record for each slot */
    size_t record;
    char *buffer; /* one record */
    sigset_t waited, before;
};

static const struct gs_mark nowhere = { 0 };

/* A record is the error, then the answer. */
static struct gs_err *record_err(const struct crew *c)
{
    return (struct gs_err *)(void *)c->buffer;
}

static void *record_answer(const struct crew *c)
{
    return c->buffer + ANSWER_AT;
}

static int record_write(const struct crew *c, uint32_t slot)
{
    return pwrite(fileno(c->file), c->buffer, c->record,
                  (off_t)(slot * c->record))
                   == (ssize_t)c->record
               ? 0
               : -1;
}

/* --- in the process of a point -------------------------------------------- */

static _Noreturn void point_run(const struct crew *c, uint32_t slot,
                                pid_t parent)
{
    const struct study_pool *p = c->pool;
    int rc;

    /* The answer of an orphan would never be read. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
        _exit(FAILED);
    /* Signals stay blocked: a terminal sends them to all processes, and only
     * the caller acts on them. /
     */
    memset(c->buffer, 0, c->record);
    rc = p->point(p->ctx, c->slot[slot].point, record_answer(c), record_err(c));
    if (record_write(c, slot) < 0)
        _exit(FAILED);
    _exit(rc < 0 ? FAILED : 0);
}

/* --- in the caller's ------------------------------------------------------ */

static int point_begin(struct crew *c, uint32_t slot, struct gs_err *err)
{
    const pid_t parent = getpid();
    struct slot *s = &c->slot[slot];
    pid_t pid;

    if (c->pool->begin && c->pool->begin(c->pool->ctx, c->begun, err) < 0)
        return -1;
    s->point = c->begun;
    memset(c->buffer, 0, c->record);
    if (record_write(c, slot) < 0)
        return gs_fail(err, GS_IO, nowhere, "cannot write a temporary file: %s",
                       strerror(errno));
    pid = fork();
    if (pid < 0)
        return gs_fail(err, GS_IO, nowhere, "cannot start a process: %s",
                       strerror(errno));
    if (pid == 0)
        point_run(c, slot, parent);
    s->pid = pid;
    c->begun++;
    c->working++;
    return 0;
}

static bool may_begin(const struct crew *c)
{
    const struct study_pool *p = c->pool;

    return c->begun < p->count && c->failed == NONE
           && (!p->may_begin || p->may_begin(p->ctx, c->begun));
}

static int points_begin(struct crew *c, struct gs_err *err)
{
    for (uint32_t i = 0; i < c->pool->jobs && may_begin(c); i++) {
        if (c->slot[i].pid == 0 && point_begin(c, i, err) < 0)
            return -1;
    }
    return 0;
}

/* The failure of a process that ended with `status`; NULL: it succeeded. */
static const struct gs_err *failure_of(const struct crew *c, int status)
{
    struct gs_err *e = record_err(c);

    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == FAILED && e->count > 0)
        return e;
    memset(e, 0, sizeof(*e));
    if (WIFSIGNALED(status))
        gs_fail(e, GS_IO, nowhere, "its process was ended by signal %d (%s)",
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == NO_MEMORY)
        gs_fail(e, GS_IO, nowhere, "out of memory");
    else
        gs_fail(e, GS_IO, nowhere, "its process ended with status %d",
                WEXITSTATUS(status));
    return e;
}

static int slot_over(struct crew *c, uint32_t slot, int status,
                     struct gs_err *err)
{
    const struct study_pool *p = c->pool;
    const uint32_t point = c->slot[slot].point;
    const struct gs_err *failure;

    c->slot[slot].pid = 0;
    c->working--;
    if (pread(fileno(c->file), c->buffer, c->record, (off_t)(slot * c->record))
        != (ssize_t)c->record)
        return gs_fail(err, GS_IO, nowhere, "cannot read a temporary file: %s",
                       strerror(errno));
    failure = failure_of(c, status);
    if (!failure || !p->needs_all)
        return p->over(p->ctx, point, record_answer(c), failure, err);
    if (point < c->failed) {
        c->failed = point;
        c->why = *failure;
    }
    return 0;
}

/* Take the answers of all processes that have ended. */
static int points_reap(struct crew *c, struct gs_err *err)
{
    for (uint32_t i = 0; i < c->pool->jobs; i++) {
        int status = 0;
        pid_t got;

        if (c->slot[i].pid == 0)
            continue;
        got = waitpid(c->slot[i].pid, &status, WNOHANG);
        if (got == 0)
            continue;
        if (slot_over(c, i, got > 0 ? status : FAILED << 8, err) < 0)
            return -1;
    }
    return 0;
}

static void points_end(struct crew *c)
{
    for (uint32_t i = 0; i < c->pool->jobs; i++) {
        if (c->slot[i].pid == 0)
            continue;
        kill(c->slot[i].pid, SIGKILL);
        waitpid(c->slot[i].pid, NULL, 0);
    }
}

/* Is there a point to wait for? After a failure those before the failed point.
 */
static bool is_busy(const struct crew *c)
{
    if (c->failed == NONE)
        return c->begun < c->pool->count || c->working;
    for (uint32_t i = 0; i < c->pool->jobs; i++) {
        if (c->slot[i].pid && c->slot[i].point < c->failed)
            return true;
    }
    return false;
}

static int crew_work(struct crew *c, struct gs_err *err)
{
    const struct timespec tick = { 0, TICK_NS };
    struct study_pool *p = c->pool;

    while (is_busy(c)) {
        int got;

        if (points_begin(c, err) < 0)
            return -1;
        got = sigtimedwait(&c->waited, NULL, &tick);
        if (got > 0 && got != SIGCHLD) {
            p->signal = got;
            return gs_fail(err, GS_IO, nowhere, "ended by signal %d (%s)", got,
                           strsignal(got));
        }
        if (points_reap(c, err) < 0)
            return -1;
        if (p->tick)
            p->tick(p->ctx);
    }
    if (c->failed == NONE)
        return 0;
    gs_err_append(err, &c->why);
    return -1;
}

void study_signals_heeded(sigset_t *set)
{
    static const int ending[] = { SIGINT, SIGTERM, SIGHUP };

    sigemptyset(set);
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
        struct sigaction now;

        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, ending[i]);
    }
}

static void signals_choose(sigset_t *set)
{
    study_signals_heeded(set);
    sigaddset(set, SIGCHLD);
}

int study_pool_run(struct study_pool *p, struct gs_err *err)
{
    struct crew c = { .pool = p,
                      .failed = NONE,
                      .record = ANSWER_AT + p->answer,
                      .file = tmpfile() };
    struct sigaction plain = { .sa_handler = SIG_DFL }, children;
    int rc;

    if (!c.file)
        return gs_fail(err, GS_IO, nowhere, "cannot make a temporary file: %s",
                       strerror(errno));
    p->signal = 0;
    c.slot = gs_array_new(p->jobs, sizeof(*c.slot));
    c.buffer = gs_array_new(c.record, 1);
    signals_choose(&c.waited);
    /* the parent may have asked to ignore them */
    sigaction(SIGCHLD, &plain, &children);
    sigprocmask(SIG_BLOCK, &c.waited, &c.before);
    rc = crew_work(&c, err);
    points_end(&c);
    sigprocmask(SIG_SETMASK, &c.before, NULL);
    sigaction(SIGCHLD, &children, NULL);
    gs_array_free(c.buffer);
    gs_array_free(c.slot);
    fclose(c.file);
    return rc;
}

uint32_t study_pool_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores < 1                      ? 1
           : cores > (long)STUDY_JOBS_MAX ? STUDY_JOBS_MAX
                                          : (uint32_t)cores;
}

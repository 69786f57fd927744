/* sim/study/batch.c - sweeps through Slurm, see batch.h. */
#include "sim/study/batch.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/output.h"
#include "reports/store/store.h"
#include "sim/study/command.h"
#include "sim/study/pool.h"
#include "sim/study/sweep.h"

#define PACKAGE "slurm-client"
#define TASKS 100      /* of a submission, unless chunks are given */
#define TASKS_MAX 1000 /* Slurm's MaxArraySize is 1001 unless configured */
#define QUIET_POLLS 2  /* polls in a row without a task: none is left */
#define DEAF_POLLS 60  /* polls in a row without an answer: give up */
#define OPTIONS_MAX 80

struct batch {
    struct sweep *s;
    const struct batch_options *o;
    uint32_t submission;
    const char *job;    /* number of the array; "": unknown, NULL: no array */
    const char *folder; /* of the submission */
    uint32_t tasks;
    struct gs_arena *scratch; /* names of files until the next parts_merge */
};

static const struct gs_mark nowhere = { 0 };

/* --- texts ---------------------------------------------------------------- */

/* Copy `from`, with `instead` for every byte that is one of `which`. */
static const char *escape(struct sweep *s, const char *from, const char *which,
                          const char *instead)
{
    const size_t each = strlen(instead);
    char *out = gs_arena_alloc(s->arena, strlen(from) * each + 1, 1);
    char *to = out;

    for (; *from; from++) {
        if (strchr(which, *from)) {
            memcpy(to, instead, each);
            to += each;
        } else
            *to++ = *from;
    }
    return out;
}

static const char *folder_of(const struct batch *b, uint32_t submission)
{
    return gs_arena_printf(b->s->arena, "%s.slurm/%" PRIu32, b->s->db,
                           submission);
}

/* The text lives until the next parts_merge. */
static const char *file_of(const struct batch *b, uint32_t task,
                           const char *end)
{
    return gs_arena_printf(b->scratch, "%s/%" PRIu32 ".%s", b->folder, task,
                           end);
}

/* A unique name of the submission: finds its array when the number was lost. */
static const char *job_name(const struct batch *b)
{
    return gs_arena_printf(
        b->s->arena, "gsim-%016" PRIx64 "-%" PRId64 "-%" PRIu32,
        b->s->file.hash, b->s->place.first_run, b->submission);
}

/* --- the database --------------------------------------------------------- */

static int job_read(struct batch *b, struct gs_err *err)
{
    struct report_store *to = report_store_open(b->s->db, err);
    int rc;

    if (!to)
        return -1;
    rc = report_store_sweep_job(to, &b->s->place, b->s->arena, &b->job,
                                &b->submission, err);
    report_store_close(to);
    return rc;
}

static int job_note(struct batch *b, const char *job, struct gs_err *err)
{
    struct report_store *to = report_store_open(b->s->db, err);
    int rc;

    if (!to)
        return -1;
    rc = report_store_sweep_submitted(to, &b->s->place, b->submission, job,
                                      err);
    report_store_close(to);
    b->job = job;
    return rc;
}

/* --- merging -------------------------------------------------------------- */

static void database_remove(const struct batch *b, const char *path)
{
    (void)unlink(
        gs_arena_printf(b->scratch, "%s-wal", path)); /* it seldom exists */
    (void)unlink(gs_arena_printf(b->scratch, "%s-shm", path));
    (void)unlink(path);
}

/* Merge the database at `path`, if it exists, into the result database *to,
 * which is opened for the first one. /
 */
static int part_merge(struct batch *b, struct report_store **to,
                      const char *path, struct gs_err *err)
{
    struct sweep *s = b->s;

    if (access(path, F_OK) != 0)
        return 0;
    if (!*to)
        *to = report_store_open(s->db, err);
    if (!*to
        || report_store_sweep_merge(*to, &s->about, &s->place, path, s->state,
                                    err)
               < 0)
        return -1;
    database_remove(b, path);
    return 0;
}

/* Merge the databases of finished tasks; with `all` also those of unfinished
 * tasks, which is only allowed when no task works any more. /
 */
static int parts_merge(struct batch *b, bool all, struct gs_err *err)
{
    struct report_store *to = NULL;
    int rc = 0;

    gs_arena_rewind(b->scratch);
    for (uint32_t k = 0; rc == 0 && k < b->tasks; k++) {
        rc = part_merge(b, &to, file_of(b, k, "db"), err);
        if (rc == 0 && all)
            rc = part_merge(b, &to, file_of(b, k, "part"), err);
    }
    report_store_close(to);
    sweep_count(b->s);
    return rc;
}

/* --- submitting ----------------------------------------------------------- */

static int folder_make(struct batch *b, struct gs_err *err)
{
    const char *above = gs_arena_printf(b->s->arena, "%s.slurm", b->s->db);

    if ((mkdir(above, 0777) < 0 && errno != EEXIST)
        || (mkdir(b->folder, 0777) < 0 && errno != EEXIST))
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = b->folder },
                       "cannot be written: %s", strerror(errno));
    return 0;
}

static int points_write(const struct batch *b, uint32_t task, uint32_t first,
                        uint32_t count, struct gs_err *err)
{
    struct gs_output *out = gs_output_open(file_of(b, task, "points"), err);
    const struct sweep *s = b->s;
    FILE *f;

    if (!out)
        return -1;
    f = gs_output_stream(out);
    fprintf(f, "%" PRId64 "\n", s->place.first_run);
    for (uint32_t i = first; i < first + count; i++)
        fprintf(f, "%" PRIu32 "\n", s->about.point[s->todo[i]].point);
    return gs_output_close(out, 0, err);
}

/* Divide the pending points into tasks. */
static int tasks_write(struct batch *b, struct gs_err *err)
{
    struct sweep *s = b->s;
    const uint32_t count = sweep_pending(s);
    uint32_t chunk;

    chunk = b->o->chunk ? b->o->chunk : (count + TASKS - 1) / TASKS;
    if ((count + chunk - 1) / chunk > TASKS_MAX)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--chunk' must be at least %u for %u runs: an array "
                       "has at most %u tasks",
                       (count + TASKS_MAX - 1) / TASKS_MAX, count, TASKS_MAX);
    b->tasks = 0;
    for (uint32_t i = 0; i < count; i += chunk) {
        const uint32_t left = count - i;

        if (points_write(b, b->tasks++, i, left < chunk ? left : chunk, err)
            < 0)
            return -1;
    }
    return 0;
}

static int script_write(const struct batch *b, const char *path,
                        struct gs_err *err)
{
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    struct gs_output *out = gs_output_open(path, err);

    if (!out)
        return -1;
    self[n < 0 ? 0 : n] = '\0';
    fprintf(gs_output_stream(out),
            "#!/bin/sh\n"
            "# tasks of gsim sweep --engine slurm\n"
            "exec '%s' sweep '%s' --task '%s'/\"$SLURM_ARRAY_TASK_ID\" \\\n"
            "    --jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n",
            escape(b->s, self, "'", "'\\''"),
            escape(b->s, b->s->file.path, "'", "'\\''"),
            escape(b->s, b->folder, "'", "'\\''"));
    return gs_output_close(out, 0, err);
}

static int sbatch(struct batch *b, const char *script, struct gs_err *err)
{
    struct sweep *s = b->s;
    const char *argv[OPTIONS_MAX + 8] = { "sbatch", "--parsable" };
    struct command_answer answer;
    size_t n = 2;

    for (size_t i = 0; i < b->o->option_count && i < OPTIONS_MAX; i++)
        argv[n++] = b->o->option[i];
    argv[n++] = gs_arena_printf(s->arena, "--job-name=%s", job_name(b));
    argv[n++] = "--requeue";
    argv[n++] = gs_arena_printf(s->arena, "--output=%s/%%a.out",
                                escape(s, b->folder, "%", "%%"));
    argv[n++] = b->o->jobs
                    ? gs_arena_printf(s->arena, "--array=0-%u%%%u",
                                      b->tasks - 1, b->o->jobs)
                    : gs_arena_printf(s->arena, "--array=0-%u", b->tasks - 1);
    argv[n++] = script;
    if (command_run(argv, PACKAGE, &answer, err) < 0)
        return -1;
    if (answer.status != 0)
        return gs_fail(err, GS_IO, nowhere, "sbatch refused: %s", answer.err);
    answer.out[strcspn(answer.out, ";\n")] = '\0'; /* a cluster may follow */
    return job_note(b, gs_arena_printf(s->arena, "%s", answer.out), err);
}

static void folder_remove(struct batch *b)
{
    for (uint32_t n = 1; n <= b->submission; n++) {
        b->folder = folder_of(b, n);
        for (uint32_t k = 0; k < TASKS_MAX; k++) {
            (void)unlink(file_of(b, k, "points")); /* there may be fewer */
            (void)unlink(file_of(b, k, "out"));
            database_remove(b, file_of(b, k, "part"));
        }
        (void)unlink(gs_arena_printf(b->s->arena, "%s/tasks.sh", b->folder));
        (void)rmdir(b->folder); /* fails if it holds a file of the user */
    }
    (void)rmdir(gs_arena_printf(b->s->arena, "%s.slurm", b->s->db));
}

static int submit(struct batch *b, struct gs_err *err)
{
    const char *script;

    b->submission++;
    b->folder = folder_of(b, b->submission);
    script = gs_arena_printf(b->s->arena, "%s/tasks.sh", b->folder);
    if (folder_make(b, err) < 0 || tasks_write(b, err) < 0
        || script_write(b, script, err) < 0)
        return -1;
    /* noted before the submission: after an interruption it is found by name */
    if (job_note(b, "", err) < 0)
        return -1;
    if (sbatch(b, script, err) == 0)
        return 0;
    folder_remove(b); /* `err` has the failure of sbatch */
    (void)job_note(b, NULL, NULL);
    return -1;
}

/* --- waiting -------------------------------------------------------------- */

/* 1: Slurm still has tasks of the array; 0: none; -1: it does not answer,
 * perhaps for a while; -2: squeue cannot be run, see `err`. /
 */
static int tasks_left(const struct batch *b, struct command_answer *answer,
                      struct gs_err *err)
{
    const char *const argv[] = {
        "squeue", "-h", "-o", "%F", "-j", b->job, NULL
    };

    if (command_run(argv, PACKAGE, answer, err) < 0)
        return -2;
    if (answer->status == 0)
        return answer->out[0] != '\0';
    return strstr(answer->err, "Invalid job id") ? 0 : -1;
}

/* Find the number of an array that was submitted and not noted, and note it.
 * b->job stays "" when there is none.
 */
static int job_find(struct batch *b, struct gs_err *err)
{
    const char *const argv[] = { "squeue", "-h",        "-o", "%F",
                                 "-n",     job_name(b), NULL };
    struct command_answer answer;

    if (command_run(argv, PACKAGE, &answer, err) < 0)
        return -1;
    if (answer.status != 0)
        return gs_fail(err, GS_IO, nowhere, "squeue failed: %s", answer.err);
    answer.out[strcspn(answer.out, "\n")] = '\0';
    return answer.out[0] ? job_note(
               b, gs_arena_printf(b->s->arena, "%s", answer.out), err)
                         : 0;
}

/* Wait one second, later up to ten.  -1 on a signal. */
static int nap(struct batch *b, uint32_t polls, const sigset_t *waited,
               struct gs_err *err)
{
    const struct timespec time = { polls < 90 ? 1 + polls / 10 : 10, 0 };
    const int got = sigtimedwait(waited, NULL, &time);

    if (got <= 0)
        return 0;
    b->s->signal = got;
    return gs_fail(err, GS_IO, nowhere,
                   "ended by signal %d (%s); array %s goes on (to end it: "
                   "scancel %s)",
                   got, strsignal(got), b->job, b->job);
}

static int array_wait(struct batch *b, const sigset_t *waited,
                      struct gs_err *err)
{
    struct command_answer answer = { 0 };
    uint32_t quiet = 0, deaf = 0;

    for (uint32_t polls = 0; quiet < QUIET_POLLS; polls++) {
        const int left = tasks_left(b, &answer, err);

        if (left == -2 || parts_merge(b, false, err) < 0)
            return -1;
        if (b->s->progress)
            b->s->progress(b->s->progress_ctx, b->s);
        quiet = left == 0 ? quiet + 1 : 0;
        deaf = left < 0 ? deaf + 1 : 0;
        if (deaf == DEAF_POLLS)
            return gs_fail(err, GS_IO, nowhere, "squeue failed: %s",
                           answer.err);
        if (b->s->done + b->s->failed == b->s->about.points)
            return 0;
        if (quiet < QUIET_POLLS && nap(b, polls, waited, err) < 0)
            return -1;
    }
    return 0;
}

/* --- all of it ------------------------------------------------------------ */

/* The array of an earlier command, if there is one. */
static int array_resume(struct batch *b, const sigset_t *waited,
                        struct gs_err *err)
{
    if (job_read(b, err) < 0)
        return -1;
    if (!b->job)
        return 0;
    b->folder = folder_of(b, b->submission);
    b->tasks = 0;
    while (access(file_of(b, b->tasks, "points"), F_OK) == 0)
        b->tasks++;
    if ((!b->job[0] && job_find(b, err) < 0)
        || (b->job[0] && array_wait(b, waited, err) < 0))
        return -1;
    return parts_merge(b, true, err);
}

static int work(struct batch *b, const sigset_t *waited, struct gs_err *err)
{
    struct sweep *s = b->s;

    if (array_resume(b, waited, err) < 0)
        return -1;
    while (s->done + s->failed < s->about.points) {
        const uint32_t before = s->done + s->failed;

        if (submit(b, err) < 0 || array_wait(b, waited, err) < 0
            || parts_merge(b, true, err) < 0)
            return -1;
        if (s->done + s->failed == before)
            return gs_fail(err, GS_IO, nowhere,
                           "Slurm's array %s ended without a single run: see "
                           "%s/*.out",
                           b->job, b->folder);
    }
    folder_remove(b);
    return job_note(b, NULL, err);
}

int batch_run(struct sweep *s, const struct batch_options *o,
              struct gs_err *err)
{
    struct batch b = { .s = s, .o = o, .scratch = gs_arena_create(1 << 16) };
    sigset_t waited, before;
    int rc;

    study_signals_heeded(&waited);
    sigprocmask(SIG_BLOCK, &waited, &before);
    rc = work(&b, &waited, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    gs_arena_destroy(b.scratch);
    return rc;
}

int batch_check_none(struct sweep *s, struct gs_err *err)
{
    struct batch b = { .s = s };

    if (job_read(&b, err) < 0)
        return -1;
    if (!b.job)
        return 0;
    return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = s->db },
                   "Slurm's array %s works on this sweep: continue with "
                   "'--engine slurm', which finds it (scancel ends it)",
                   b.job[0] ? b.job : "(of unknown number)");
}

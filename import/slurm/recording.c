/* import/slurm/recording.c - see recording.h. */
#define _XOPEN_SOURCE 700 /* scandir */
#include "import/slurm/recording.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/duration.h"
#include "base/input.h"
#include "base/quantity.h"
#include "import/slurm/recording_setup.h"
#include "import/slurm/sacct.h"
#include "import/slurm/sacctmgr.h"
#include "import/slurm/slurm_conf.h"
#include "import/slurm/slurm_import.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "import/slurm/switches.h"

#define STARTS ".starts.csv"
#define EPOCH INT64_C(1767225600) /* 2026-01-01, of second 0 */
#define SECONDS_MOST UINT64_C(1000000000)
#define TASKS_MOST UINT64_C(1000000)
#define JOBS_MOST 1000000u
#define DATE 64 /* bytes */
#define CPUS 64
#define GPUS 8

/* A job of the workload; 0: not stated. */
struct recorded_job {
    uint32_t nodes, gpus, limit;
    const char *account, *qos, *partition, *user;
};

struct recording {
    struct slurm *s;
    const char *path;         /* up to the name's end: DIR/NAME */
    struct recorded_job *job; /* [number] */
    uint32_t jobs, job_cap;
    struct recording_run *run;
    uint32_t runs, run_cap;
    bool has_partitions, has_nodes; /* NAME.conf states them */
    const char *nodes;              /* names of NAME.topology; NULL */
};

bool slurm_recording_is(const char *head, size_t size)
{
    static const char begin[] = "job,submit,start,end,nodes_used,state";
    const size_t len = sizeof(begin) - 1;

    return size >= len && memcmp(head, begin, len) == 0;
}

static bool is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* DIR/NAME.END; NULL: there is no such file. */
static const char *beside(const struct recording *r, const char *end)
{
    const char *path = gs_arena_printf(r->s->arena, "%s%s", r->path, end);

    return is_file(path) ? path : NULL;
}

uint32_t slurm_recordings_list(const char *path, struct gs_arena *arena,
                               const char *const **name)
{
    struct dirent **list = NULL;
    const int count = strcmp(path, "-") == 0
                          ? -1
                          : scandir(path, &list, NULL, alphasort);
    const char **out = gs_arena_alloc(arena, count > 0 ? (size_t)count : 1,
                                      sizeof(*out));
    uint32_t n = 0;

    for (int i = 0; i < count; i++) {
        const char *file = list[i]->d_name;
        const size_t len = strlen(file), end = sizeof(STARTS) - 1;
        const char *conf = len > end
                               ? gs_arena_printf(arena, "%s/%.*s.conf", path,
                                                 (int)(len - end), file)
                               : NULL;

        if (conf && strcmp(file + len - end, STARTS) == 0 && is_file(conf))
            out[n++] = gs_arena_strndup(arena, file, len - end);
        free(list[i]);
    }
    free(list);
    *name = out;
    return n;
}

/* --- cells ---------------------------------------------------------------- */

/* A whole number up to `most` in column `c`; -1: it is none. */
static int number_read(const struct gs_csv *csv, int c, uint64_t most,
                       uint32_t *out, struct gs_err *err)
{
    const struct gs_csv_field *f = &csv->field[c];
    uint64_t v;

    if (gs_quantity_parse_u64(f->text, f->len, &v) < 0 || v > most)
        return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)c),
                       "'%s' must be a whole number up to %llu (got '%.40s')",
                       csv->name[c], (unsigned long long)most, f->text);
    *out = (uint32_t)v;
    return 0;
}

/* The text of column `c` (-1: there is none), "" without one. */
static const char *text_read(struct slurm *s, const struct gs_csv *csv, int c)
{
    const char *text = c >= 0 ? csv->field[c].text : "";

    return strpbrk(text, "|\t") ? "" : slurm_str(s, slurm_put_text(s, text));
}

static int column_needed(const struct gs_csv *csv, const char *name,
                         struct gs_err *err)
{
    const int c = gs_csv_column(csv, name);

    if (c < 0)
        (void)gs_fail(err, GS_INPUT,
                      (struct gs_mark){ gs_input_name(csv->in), 1, 0 },
                      "has no column '%s'", name);
    return c;
}

static int columns_find(const struct gs_csv *csv, const char *const *name,
                        int count, int *column, struct gs_err *err)
{
    for (int i = 0; i < count; i++) {
        column[i] = column_needed(csv, name[i], err);
        if (column[i] < 0)
            return -1;
    }
    return 0;
}

/* --- the workload --------------------------------------------------------- */

static int jobs_read(struct recording *r, struct gs_csv *csv,
                     struct gs_err *err)
{
    static const char *const names[] = { "job", "nodes", "gpus", "limit" };
    static const uint64_t most[] = { JOBS_MOST, TASKS_MOST, TASKS_MOST,
                                     TASKS_MOST };
    const int account = gs_csv_column(csv, "account");
    const int qos = gs_csv_column(csv, "qos");
    const int partition = gs_csv_column(csv, "partition");
    const int user = gs_csv_column(csv, "user");
    uint32_t v[4];
    int at[4], rc;

    if (columns_find(csv, names, 4, at, err) < 0)
        return -1;
    while ((rc = gs_csv_next(csv, err)) > 0) {
        for (int i = 0; i < 4; i++) {
            if (number_read(csv, at[i], most[i], &v[i], err) < 0)
                return -1;
        }
        r->job = gs_array_grow(r->job, &r->job_cap, v[0] + 1, sizeof(*r->job));
        r->jobs = v[0] >= r->jobs ? v[0] + 1 : r->jobs;
        r->job[v[0]] = (struct recorded_job){
            .nodes = v[1] ? v[1] : 1,
            .gpus = v[2],
            .limit = v[3],
            .account = text_read(r->s, csv, account),
            .qos = text_read(r->s, csv, qos),
            .partition = text_read(r->s, csv, partition),
            .user = text_read(r->s, csv, user),
        };
    }
    return rc;
}

static int csv_read(struct recording *r, struct gs_input *in,
                    int (*read)(struct recording *, struct gs_csv *,
                                struct gs_err *),
                    struct gs_err *err)
{
    struct gs_csv csv;
    int rc;

    if (gs_csv_open(&csv, in, err) < 0)
        return -1;
    rc = read(r, &csv, err);
    gs_csv_close(&csv);
    return rc;
}

static int workload_read(struct recording *r, struct gs_err *err)
{
    const char *path = beside(r, ".workload.csv"), *slash;
    struct gs_input *in;
    int rc;

    if (!path) {
        slash = strrchr(r->path, '/');
        path = gs_arena_printf(r->s->arena, "%.*sworkload.csv",
                               slash ? (int)(slash - r->path) + 1 : 0, r->path);
    }
    in = gs_input_open(path, err);
    if (!in)
        return -1;
    rc = csv_read(r, in, jobs_read, err);
    if (rc == 0)
        slurm_hash_add(r->s, in);
    gs_input_close(in);
    return rc;
}

/* --- what ran ------------------------------------------------------------- */

static int runs_read(struct recording *r, struct gs_csv *csv,
                     struct gs_err *err)
{
    static const char *const names[] = { "job", "submit",     "start",
                                         "end", "nodes_used", "state" };
    uint32_t v[4];
    int at[6], rc;

    if (columns_find(csv, names, 6, at, err) < 0)
        return -1;
    while ((rc = gs_csv_next(csv, err)) > 0) {
        for (int i = 0; i < 4; i++) {
            if (number_read(csv, at[i], SECONDS_MOST, &v[i], err) < 0)
                return -1;
        }
        if (v[0] >= r->jobs || r->job[v[0]].nodes == 0)
            return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)at[0]),
                           "job %u is not in the workload", v[0]);
        if (v[2] < v[1] || v[3] < v[2])
            return gs_fail(err, GS_INPUT, gs_csv_mark(csv, (uint32_t)at[2]),
                           "job %u must be submitted, start and end in this "
                           "order",
                           v[0]);
        r->run = gs_array_grow(r->run, &r->run_cap, r->runs + 1,
                               sizeof(*r->run));
        r->run[r->runs++] = (struct recording_run){
            .job = v[0],
            .submit = v[1],
            .start = v[2],
            .end = v[3],
            .nodes = text_read(r->s, csv, at[4]),
            .state = text_read(r->s, csv, at[5]),
            .gpus = (uint64_t)r->job[v[0]].nodes * r->job[v[0]].gpus,
            .qos = r->job[v[0]].qos,
            .user = r->job[v[0]].user,
        };
    }
    return rc;
}

/* As sacct writes a time, in a buffer of DATE bytes. */
static const char *date_of(uint32_t second, char *buf)
{
    const int64_t at = EPOCH + second;
    const int day = (int)(at % 86400);
    int y, m, d;

    gs_date_civil(at / 86400, &y, &m, &d);
    (void)snprintf(buf, DATE, "%04d-%02d-%02dT%02d:%02d:%02d", y, m, d,
                   day / 3600, day / 60 % 60, day % 60);
    return buf;
}

/* The list of nodes, whose commas a cell does not hold. */
static const char *nodes_of(struct slurm *s, const char *used)
{
    char *text = gs_arena_strndup(s->arena, used, strlen(used));

    for (char *p = text; *p; p++)
        *p = *p == '+' ? ',' : *p;
    return text;
}

static void accounting_put(const struct recording *r, struct recording_text *t)
{
    recording_text_add(t, "JobID|Submit|Start|End|State|Timelimit|NNodes|NCPUS|"
                          "ReqTRES|NodeList|Partition|Account|QOS|User\n");
    for (uint32_t i = 0; i < r->runs; i++) {
        const struct recording_run *run = &r->run[i];
        const struct recorded_job *j = &r->job[run->job];
        char submit[DATE], start[DATE], end[DATE];

        recording_text_add(
            t,
            "%u|%s|%s|%s|%s|%u|%u|%u|cpu=%u,mem=%lluM,node=%u,gres/gpu=%llu|%s|"
            "%s|%s|%s|%s\n",
            run->job, date_of(run->submit, submit), date_of(run->start, start),
            date_of(run->end, end), run->state, j->limit, j->nodes, j->nodes,
            j->nodes, 100ULL * j->nodes, j->nodes,
            (unsigned long long)run->gpus, nodes_of(r->s, run->nodes),
            r->has_partitions ? j->partition : "all", j->account, j->qos,
            *j->user ? j->user : RECORDING_USER);
    }
}

/* --- the cluster ---------------------------------------------------------- */

/* Hand a text over as a file of `end` beside the recording. */
static int text_take(struct recording *r, const struct recording_text *t,
                     const char *end,
                     int (*read)(struct slurm *, struct gs_input *,
                                 struct gs_err *),
                     struct gs_err *err)
{
    struct slurm *s = r->s;
    struct gs_input *in = gs_input_open_memory(
        gs_arena_printf(s->arena, "%s%s", r->path, end), t->at, t->len);
    int rc;

    s->source = slurm_copy(s, gs_input_name(in));
    rc = read(s, in, err);
    gs_input_close(in);
    return rc;
}

static int file_take(struct recording *r, const char *path,
                     int (*read)(struct slurm *, struct gs_input *,
                                 struct gs_err *),
                     struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    int rc;

    if (!in)
        return -1;
    r->s->source = path;
    rc = read(r->s, in, err);
    slurm_hash_add(r->s, in);
    gs_input_close(in);
    return rc;
}

/* The names of all nodes that hang on a switch, as one list. */
static void nodes_gather(struct recording *r)
{
    const struct slurm *s = r->s;

    for (uint32_t i = 0; i < s->trees; i++) {
        for (uint32_t k = 0; k < s->tree[i].count; k++) {
            const char *list = s->tree[i].at_switch[k].nodes;

            if (list)
                r->nodes = gs_arena_printf(s->arena, "%s%s%s",
                                           r->nodes ? r->nodes : "",
                                           r->nodes ? "," : "", list);
        }
    }
}

/* What is common to all recordings, beside what NAME.conf states. */
static int basics_take(struct recording *r, struct gs_err *err)
{
    struct recording_text t = { 0 };
    int rc;

    recording_text_add(&t, "ClusterName=recorded\n"
                           "SelectType=select/cons_tres\n"
                           "SelectTypeParameters=CR_CPU\n"
                           "GresTypes=gpu\n");
    if (!r->has_nodes)
        recording_text_add(
            &t, "NodeName=%s CPUs=%d RealMemory=1000000 Gres=gpu:%d\n",
            r->nodes ? r->nodes : "n[1-4]", CPUS, GPUS);
    if (!r->has_partitions)
        recording_text_add(
            &t, "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n");
    rc = text_take(r, &t, ".conf (basics)", slurm_conf_read, err);
    recording_text_free(&t);
    return rc;
}

static int cluster_read(struct recording *r, struct gs_err *err)
{
    const char *topology = beside(r, ".topology"), *conf = beside(r, ".conf");
    struct slurm *s = r->s;

    if (topology && file_take(r, topology, slurm_topology_conf_read, err) < 0)
        return -1;
    nodes_gather(r);
    if (conf && file_take(r, conf, slurm_conf_read, err) < 0)
        return -1;
    r->has_nodes = s->nodes > 0;
    r->has_partitions = s->partitions > 0;
    return basics_take(r, err);
}

static int accounts_read(struct recording *r, struct gs_err *err)
{
    const char *path = beside(r, ".setup");
    struct recording_text assoc = { 0 }, qos = { 0 };
    struct gs_input *in;
    int rc;

    if (!path)
        return 0;
    in = gs_input_open(path, err);
    if (!in)
        return -1;
    r->s->source = path;
    rc = recording_setup_read(r->s, in, r->run, r->runs, &assoc, &qos, err);
    slurm_hash_add(r->s, in);
    gs_input_close(in);
    if (rc == 0)
        rc = text_take(r, &assoc, ".setup (assoc)", sacctmgr_assoc_read, err);
    if (rc == 0)
        rc = text_take(r, &qos, ".setup (qos)", sacctmgr_qos_read, err);
    recording_text_free(&assoc);
    recording_text_free(&qos);
    return rc;
}

int slurm_recording_read(struct slurm *s, struct gs_input *in,
                         struct gs_err *err)
{
    const char *name = gs_input_name(in);
    const size_t len = strlen(name), end = sizeof(STARTS) - 1;
    struct recording r = { .s = s };
    struct recording_text jobs = { 0 };
    int rc;

    if (len <= end || strcmp(name + len - end, STARTS) != 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = name },
                       "is a recording of slurmctld: it must be a file "
                       "NAME%s beside NAME.conf",
                       STARTS);
    r.path = gs_arena_strndup(s->arena, name, len - end);
    rc = workload_read(&r, err);
    if (rc == 0)
        rc = csv_read(&r, in, runs_read, err);
    if (rc == 0)
        rc = cluster_read(&r, err);
    if (rc == 0)
        rc = accounts_read(&r, err);
    if (rc == 0) {
        accounting_put(&r, &jobs);
        rc = text_take(&r, &jobs, STARTS, sacct_text_read, err);
    }
    recording_text_free(&jobs);
    gs_array_free(r.job);
    gs_array_free(r.run);
    return rc;
}

/* reports/store/store_fills.c - allocation experiments in the database. */
#include "base/err.h"
#include "reports/store/fill_runs.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"

static const char what[] = "cannot store the experiments";

/* --- tables --------------------------------------------------------------- */

/* One experiment. */
struct experiment {
    const char *version, *list, *list_path, *policy, *profile, *topology;
    uint64_t list_hash, topology_hash, seed;
    uint32_t load, tasks;
    int64_t gpu_milli;
    const struct report_fill_point *point;
};

static const struct store_column fills[] = {
    { "id", "INTEGER PRIMARY KEY", "number of the experiment",
      .kind = STORE_OWNER },
    { "version", "TEXT NOT NULL", "of gsim",
      STORE_FIELD(STORE_TEXT, struct experiment, version) },
    { "list", "TEXT NOT NULL", "of tasks: its file's name without endings",
      STORE_FIELD(STORE_TEXT, struct experiment, list) },
    { "list_path", "TEXT NOT NULL", "as given",
      STORE_FIELD(STORE_TEXT, struct experiment, list_path) },
    { "list_hash", "TEXT NOT NULL", "FNV-1a 64 of the unpacked bytes",
      STORE_FIELD(STORE_HASH, struct experiment, list_hash) },
    { "policy", "TEXT NOT NULL", "as it was asked for",
      STORE_FIELD(STORE_TEXT, struct experiment, policy) },
    { "profile", "TEXT NOT NULL", "in full, as YAML",
      STORE_FIELD(STORE_TEXT, struct experiment, profile) },
    { "topology", "TEXT NOT NULL", "path as given",
      STORE_FIELD(STORE_TEXT, struct experiment, topology) },
    { "topology_hash", "TEXT NOT NULL", "FNV-1a 64 of the unpacked bytes",
      STORE_FIELD(STORE_HASH, struct experiment, topology_hash) },
    { "seed", "INTEGER NOT NULL", "of the order in which tasks come",
      STORE_FIELD(STORE_NUMBER, struct experiment, seed) },
    { "load_milli", "INTEGER NOT NULL",
      "of the cluster's GPUs that all tasks ask for",
      STORE_FIELD(STORE_NUMBER, struct experiment, load) },
    { "tasks", "INTEGER NOT NULL", "in the list",
      STORE_FIELD(STORE_NUMBER, struct experiment, tasks) },
    { "gpu_milli", "INTEGER NOT NULL", "of the nodes that have GPUs",
      STORE_FIELD(STORE_NUMBER, struct experiment, gpu_milli) },
};

const struct store_table store_table_fills = {
    "fills", STORE_COLUMNS(fills),
    ", UNIQUE (list_hash, topology_hash, seed, load_milli, profile)) STRICT",
    false
};

static void percent_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_int64(out, r->number + 1);
}

static const struct store_column points[] = {
    { "fill_id", STORE_OWNED_BY("fills"), "number of the experiment",
      .kind = STORE_OWNER },
    { "percent", "INTEGER NOT NULL", "of the cluster's GPUs asked for so far",
      STORE_BY(percent_put) },
    { "allocated_milli", "INTEGER NOT NULL", "given out by then",
      STORE_FIELD(STORE_NUMBER, struct report_fill_point, allocated) },
    { "fragmented_milli", "REAL NOT NULL",
      "of those free: of no use to the mean task of the list",
      STORE_FIELD(STORE_REAL, struct report_fill_point, fragmented) },
};

const struct store_table store_table_fill_points = {
    "fill_points", STORE_COLUMNS(points), STORE_KEY("fill_id, percent"), false
};

/* --- experiments ---------------------------------------------------------- */

static uint32_t experiments(const struct report_fills *f)
{
    return f->lists * f->policies * f->seeds;
}

static struct experiment experiment_at(const struct report_fills *f, uint32_t i)
{
    const uint32_t seed = i % f->seeds, policy = i / f->seeds % f->policies;
    const uint32_t list = i / f->seeds / f->policies;
    const struct report_fill_list *l = &f->list[list];

    return (struct experiment){
        .version = f->version,
        .list = l->name,
        .list_path = l->path,
        .list_hash = l->hash,
        .policy = f->policy[policy].name,
        .profile = f->policy[policy].profile,
        .topology = f->topology,
        .topology_hash = f->topology_hash,
        .seed = f->first_seed + seed,
        .load = f->load,
        .tasks = l->tasks,
        .gpu_milli = f->gpu_milli,
        .point = f->point ? report_fill_run(f, list, policy, seed) : NULL,
    };
}

/* 1 when it is stored, 0, or -1 on failure. */
static int is_there(struct report_store *s, const struct experiment *e)
{
    int64_t count = 0;
    char *sql = sqlite3_mprintf(
        "SELECT count(*) FROM fills WHERE list_hash = '%016llx'"
        " AND topology_hash = '%016llx' AND seed = %lld AND load_milli = %u"
        " AND profile = %Q",
        (unsigned long long)e->list_hash, (unsigned long long)e->topology_hash,
        (long long)e->seed, e->load, e->profile);
    const int rc = sql ? store_number(s, sql, &count) : -1;

    sqlite3_free(sql);
    return rc < 0 ? -1 : count > 0;
}

int report_store_check_fills(struct report_store *s,
                             const struct report_fills *f, struct gs_err *err)
{
    if (store_is_empty(s) > 0)
        return 0;
    for (uint32_t i = 0; i < experiments(f); i++) {
        const struct experiment e = experiment_at(f, i);
        const int there = is_there(s, &e);

        if (there < 0)
            return store_fail(s, "cannot read the experiments", err);
        if (there)
            return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = s->path },
                           "has an experiment with list '%.60s', policy "
                           "'%.60s', seed %llu and this load already: give "
                           "another --db, or other --seeds",
                           e.list, e.policy, (unsigned long long)e.seed);
    }
    return 0;
}

static int experiment_insert(struct report_store *s, const struct experiment *e,
                             uint32_t points_of)
{
    const struct store_rows fill = { &store_table_fills, 0,   1, e,
                                     sizeof(*e),         NULL };

    if (store_rows_insert(s->db, &fill) < 0)
        return -1;
    return store_rows_insert(
        s->db, &(struct store_rows){
                   &store_table_fill_points, sqlite3_last_insert_rowid(s->db),
                   points_of, e->point, sizeof(*e->point), NULL });
}

int report_store_write_fills(struct report_store *s,
                             const struct report_fills *f, struct gs_err *err)
{
    int rc;

    if (store_begin(s, what, err) < 0)
        return -1;
    /* another process may have been faster */
    rc = report_store_check_fills(s, f, err);
    for (uint32_t i = 0; rc == 0 && i < experiments(f); i++) {
        const struct experiment e = experiment_at(f, i);

        if (experiment_insert(s, &e, f->points) < 0)
            rc = store_fail(s, what, err);
    }
    return store_end(s, rc, what, err);
}

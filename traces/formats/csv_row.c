/* traces/formats/csv_row.c - the columns of native CSV, see csv_row.h. */
#include "traces/formats/csv_row.h"

#define JOB(member) offsetof(struct trace_csv_row, own.job.member)
#define KEY(member) offsetof(struct trace_csv_row, key.member)
#define ROW(member) offsetof(struct trace_csv_row, member)

static const struct trace_job_key columns[] = {
    [TRACE_CSV_NAME] = { "name", TRACE_KEY_OWN, JOB(name), .always = true },
    [TRACE_CSV_SUBMIT] = { "submit", TRACE_KEY_TIME, JOB(submit),
                           .always = true },
    [TRACE_CSV_DURATION] = { "duration", TRACE_KEY_SPAN, JOB(duration),
                             .always = true },
    { "estimate", TRACE_KEY_TIME, JOB(estimate), .unset = -1 },
    { "queue", TRACE_KEY_QUEUE, ROW(queue), .unset = 0 },
    { "priority", TRACE_KEY_WHOLE, ROW(priority), .low = INT32_MIN,
      .high = INT32_MAX },
    { "user", TRACE_KEY_NAME, JOB(user), .unset = 0 },
    { "gang", TRACE_KEY_COUNT, ROW(gang), .low = 1,
      .high = TRACE_REPLICAS_MAX },
    { "replicas", TRACE_KEY_COUNT, ROW(replicas), .unset = 1, .low = 1,
      .high = TRACE_REPLICAS_MAX, .always = true },
    { "gpus", TRACE_KEY_COUNT, KEY(gpus), .high = TOPO_DEVICES_MAX,
      .always = true },
    { "gpu_share", TRACE_KEY_SHARE, KEY(share), .unset = 0 },
    { "mig", TRACE_KEY_MIG, KEY(mig), .unset = 0 },
    { "gpu_memory", TRACE_KEY_BYTES, KEY(gpu_memory), .unset = 0 },
    { "cpu", TRACE_KEY_MILLI, KEY(cpu), .unset = 0 },
    { "memory", TRACE_KEY_BYTES, KEY(memory), .unset = 0 },
    { "rdma", TRACE_KEY_MILLI, KEY(rdma), .unset = 0 },
    { "model", TRACE_KEY_MODELS, KEY(model), .unset = 0 },
    { "task_interval", TRACE_KEY_TIME, ROW(own.aside.task_interval),
      .unset = 0 },
    { "within", TRACE_KEY_NAME, ROW(within), .unset = 0 },
    [TRACE_CSV_MODE] = { "mode", TRACE_KEY_WORD, ROW(is_preferred),
                         .yes = "preferred", .no = "required" },
    { "min_replicas", TRACE_KEY_COUNT, ROW(least), .low = 1,
      .high = TRACE_REPLICAS_MAX },
    { "recorded_start", TRACE_KEY_RUNS, ROW(record[TRACE_CSV_STARTS]),
      .unset = 0 },
    { "recorded_end", TRACE_KEY_RUNS, ROW(record[TRACE_CSV_ENDS]), .unset = 0 },
    { "recorded_nodes", TRACE_KEY_RUNS, ROW(record[TRACE_CSV_NODES]),
      .unset = 0 },
    { "after", TRACE_KEY_AFTER, ROW(after), .unset = 0 },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

const struct trace_job_key *trace_csv_column(size_t i)
{
    const struct trace_job_key *k = i < COLUMNS ? &columns[i]
                                                : trace_job_key_at(i - COLUMNS);

    return k && !k->yaml_only ? k : NULL;
}

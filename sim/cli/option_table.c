/* sim/cli/option_table.c - every option of every command, sorted by name.
 *
 * A row is the only place of an option's name, the form of its argument and its
 * meaning.  Defaults, and words that only one command allows, stand with the
 * command (struct cmd_take).
 */
#include <assert.h>

#include "sim/cli/options.h"
#include "sim/study/change.h"

#define POLICY_HELP "preset, modules a,b,./c.so or profile file"

static const struct cmd_option table[OPT_NONE] = {
    [OPT_ANONYMIZE] = { "anonymize", CMD_FLAG, NULL,
                        "replace names of jobs, users, queues and nodes, and "
                        "values of labels" },
    [OPT_ARRIVALS_ONLY] = { "arrivals-only", CMD_FLAG, NULL,
                            "openb: tasks arrive and never leave" },
    [OPT_AT] = { "at", CMD_TEXT, "T",
                 "of objects: date of time 0, when pods run (the latest that "
                 "one states); for explain and probe: a time of the run, 2h "
                 "or a date" },
    [OPT_AT_LEAST] = { "at-least", CMD_FACTOR, "X",
                       "exit with status 1 when fewer decisions are equal, such "
                       "as 0.97 or 97%" },
    [OPT_BALANCED] = { "balanced", CMD_FLAG, NULL,
                       "from a model: each day, size and part of a "
                       "distribution comes as often as expected" },
    [OPT_BASELINE] = { "baseline", CMD_TEXT, "FILE",
                       "compare with this baseline (JSON) or database",
                       .takes_file = true },
    [OPT_BY] = { "by", CMD_TEXT, "WHAT",
                 "runs that make one column, their mean with its interval: "
                 "seed (runs that differ in nothing else), policy (runs of any "
                 "trace) or run (each by itself)",
                 .words = "seed policy run" },
    [OPT_CHUNK] = { "chunk", CMD_COUNT, "N",
                    "slurm: runs in one task (1; more from 100 runs on)" },
    [OPT_COLS] = { "cols", CMD_TEXT, "AXIS",
                   "with --rows: columns by the values of this axis (the "
                   "metrics)" },
    [OPT_COLUMNS] = { "columns", CMD_TEXT, "LIST",
                      "columns of an export of sacct without a header, such as "
                      "JobID,Submit,Start,End,State,AllocTRES" },
    [OPT_COST] = { "cost", CMD_TEXT, "TYPE=PRICE",
                   "price of a GPU of a node type for an hour (*: of any other "
                   "type), for the cheapest answer" },
    [OPT_COUNT] = { "count", CMD_COUNT, "N",
                    "number of jobs (the model's; without a model 1000)" },
    [OPT_DB] = { "db", CMD_TEXT, "FILE", "database that takes the results",
                 .takes_file = true },
    [OPT_DURATION] = { "duration", CMD_SPAN, "T",
                       "run time of jobs that state none" },
    [OPT_DURATIONS] = { "durations", CMD_FACTOR, "X",
                        "multiply durations and estimates by X, such as 2 or "
                        "150%" },
    [OPT_ENGINE] = { "engine", CMD_TEXT, "E",
                     "local: processes on this machine; slurm: one job array, "
                     "--jobs of its tasks at once",
                     .words = "local slurm" },
    [OPT_ESTIMATES] = { "estimates", CMD_TEXT, "MODEL",
                        "estimates of run times, drawn from the durations: "
                        "exact, factor:X, uniform:A..B or classes[:T,T,...]" },
    [OPT_EVENTS] = { "events", CMD_FLAG, NULL, "store every event too" },
    [OPT_EXPLAIN] = { "explain", CMD_FLAG, NULL,
                      "print the definitions of all metrics and marks, or of "
                      "the metrics that GLOB matches" },
    [OPT_FIT] = { "fit", CMD_FLAG, NULL,
                  "choose what the record does not tell for the most equal "
                  "decisions: when periods began, the clock of backfill" },
    [OPT_FOR] = { "for", CMD_SPAN, "T",
                  "from a model: length of the trace (the model's)" },
    [OPT_FORMAT] = { "format", CMD_TEXT, "F", "format of the output" },
    [OPT_FRACTION] = { "fraction", CMD_FACTOR, "X",
                       "part of the jobs to keep, such as 0.1 or 10% (all)" },
    [OPT_FROM] = { "from", CMD_SPAN, "T", "from this time of the trace on" },
    [OPT_FROM_FORMAT] = { "from-format", CMD_TEXT, "F", "format of the trace",
                          .words = "yaml csv swf openb philly itp muri",
                          .fallback = "by its content" },
    [OPT_FULL] = { "full", CMD_FLAG, NULL,
                   "replay every value instead of searching" },
    [OPT_GPUS] = { "gpus", CMD_COUNT, "N",
                   "without a model: GPUs of the cluster" },
    [OPT_HELP] = { "help", CMD_FLAG, NULL, "print this help", .letter = 'h' },
    [OPT_HISTORY] = { "history", CMD_FLAG, NULL,
                      "begin with the first submission, and keep what is over" },
    [OPT_JOBS] = { "jobs", CMD_COUNT, "N",
                   "runs made at once (number of cores)" },
    [OPT_JUNIT] = { "junit", CMD_TEXT, "FILE",
                    "write the verdicts as JUnit XML too", .takes_file = true,
                    .is_written = true },
    [OPT_KIND] = { "kind", CMD_TEXT, "K", "distribution of durations",
                   .words = "best lognormal weibull pareto mixture quantiles",
                   .fallback = "best" },
    [OPT_LARGE] = { "large", CMD_COUNT, "N", "GPUs from which a job is large" },
    [OPT_LATENCY] = { "latency", CMD_SPAN, "T",
                      "time that the recorded scheduler took to start or end a "
                      "job: decisions so far apart are equal" },
    [OPT_LIMIT] = { "limit", CMD_COUNT, "N", "only the first N jobs (all)" },
    [OPT_LIST] = { "list", CMD_COUNT, "N", "differences to print" },
    [OPT_LOAD] = { "load", CMD_LOAD, "L",
                   "GPUs asked for, as a part of the cluster's: 0.9 or 90%" },
    [OPT_METRIC] = { "metric", CMD_TEXT, "M",
                     "metric to show: wait.p95, 'wait.*', '*', "
                     "'wait.mean[queue=a]' (the headline ones)" },
    [OPT_METRICS_ONLY] = { "metrics-only", CMD_FLAG, NULL,
                           "store the metrics and time series of runs, no "
                           "rows of their jobs" },
    [OPT_MIX] = { "mix", CMD_TEXT, "FILE",
                  "kinds of tasks with weights for frag.demand, or window:T, "
                  "the tasks submitted in the last T (the trace's own tasks)",
                  .takes_file = true },
    [OPT_NODE_POOL] = { "node-pool", CMD_TEXT, "VALUE",
                        "of KAI Scheduler: read nodes, queues and jobs of this "
                        "pool" },
    [OPT_NO_DB] = { "no-db", CMD_FLAG, NULL,
                    "print the results without storing them" },
    [OPT_OUT] = { "out", CMD_TEXT, "FILE", "file that takes the output",
                  .letter = 'o', .takes_file = true, .is_written = true },
    [OPT_OUT_DIR] = { "out-dir", CMD_TEXT, "DIR",
                      "folder that takes the files, made when it is not there",
                      .letter = 'o' },
    [OPT_PLOT] = { "plot", CMD_TEXT, "FILE",
                   "draw the answer into FILE (.svg, .png or .pdf); needs "
                   "gnuplot",
                   .takes_file = true, .is_written = true },
    [OPT_PLOT_FORMAT] = { "plot-format", CMD_WORDS, "F,...",
                          "formats of --plots", .words = "png svg pdf" },
    [OPT_PLOTS] = { "plots", CMD_TEXT, "DIR",
                    "write the pictures into DIR; needs gnuplot",
                    .takes_file = true },
    [OPT_POLICY] = { "policy", CMD_TEXT, "P", POLICY_HELP },
    [OPT_PREFIX] = { "prefix", CMD_TEXT, "P",
                     "from a model: start of the jobs' names, so that traces "
                     "can be merged (job-)" },
    [OPT_PROCESSORS] = { "processors", CMD_TEXT, "KIND",
                         "SWF: a processor is a cpu or a gpu (cpu)",
                         .words = "cpu gpu" },
    [OPT_PROFILE] = { "profile", CMD_TEXT, "P",
                      "rate of arrivals: none, week (hours of the day, days of "
                      "the week) or day (hours of the day, each day on its "
                      "own) (week; with --stretch day)",
                      .words = "none week day" },
    [OPT_PROGRESS] = { "progress", CMD_FLAG, NULL,
                       "has no effect: a terminal shows progress",
                       .is_old = true },
    [OPT_QUEUE] = { "queue", CMD_TEXT, "Q",
                    "only jobs of this queue or below it (all)" },
    [OPT_QUIET] = { "quiet", CMD_FLAG, NULL,
                    "print errors and the requested output only: no progress, "
                    "notices or summary",
                    .letter = 'q' },
    [OPT_RATE] = { "rate", CMD_FACTOR, "X",
                   "multiply the rate of submissions by X, 0.001 to 1000, such "
                   "as 1.5 or 150%" },
    [OPT_REFERENCE] = { "reference", CMD_TEXT, "CSV",
                        "published figures to print below: workload, policy, "
                        "arrived_load_pct, alloc_ratio_mean, frag_ratio_mean",
                        .takes_file = true },
    [OPT_REPLACE] = { "replace", CMD_FLAG, NULL,
                      "replace stored runs of the same names" },
    [OPT_REPLAY] = { "replay", CMD_FLAG, NULL,
                     "replay each policy too: mean wait and order of starts "
                     "beside the record" },
    [OPT_RETRY] = { "retry", CMD_FLAG, NULL, "make failed runs again" },
    [OPT_ROWS] = { "rows", CMD_TEXT, "AXIS",
                   "a table of each metric with a row for each value of the "
                   "axis: policy, trace, topology, seed, run, an axis of a "
                   "sweep or a path of --set" },
    [OPT_RULES] = { "rules", CMD_TEXT, "FILE", "rules that must hold (YAML)",
                    .takes_file = true },
    [OPT_RUN] = { "run", CMD_TEXT, "NAME", "name of a run" },
    [OPT_SCENARIO] = { "scenario", CMD_TEXT, "FILE",
                       "node events: drains, failures, spot reclaims, "
                       "autoscaling",
                       .takes_file = true },
    [OPT_SCRATCH] = { "scratch", CMD_TEXT, "DIR",
                      "keep what is known of each job in files without names "
                      "in DIR, so that memory does not grow with the jobs; "
                      "for one run",
                      .takes_file = true },
    [OPT_SEED] = { "seed", CMD_COUNT, "N", "seed of the random numbers" },
    [OPT_SEEDS] = { "seeds", CMD_SEEDS, "N",
                    "a run for each of N seeds from --seed on, or for the "
                    "seeds A..B; runs of several seeds are compared by their "
                    "means" },
    [OPT_SET] = { "set", CMD_TEXT, "PATH=VALUE",
                  "change the input: " STUDY_CHANGE_HELP },
    [OPT_SLURM_OPTION] = { "slurm-option", CMD_TEXT, "OPTION",
                           "slurm: option for sbatch, as --partition=gpu" },
    [OPT_SPAN] = { "span", CMD_SPAN, "T",
                   "period for which CronJobs make jobs, from time 0 on" },
    [OPT_SPEED] = { "speed", CMD_TEXT, "MODEL",
                    "effect of placement and replicas on a job's speed: none, "
                    "all-reduce or a file (none)",
                    .takes_file = true },
    [OPT_STATS] = { "stats", CMD_FLAG, NULL,
                    "print the cost of cycles on standard error" },
    [OPT_STRETCH] = { "stretch", CMD_SPAN, "T",
                      "a separate mix of sizes and durations for each T, whole "
                      "days such as 7d (one mix for all)" },
    [OPT_STRICT] = { "strict", CMD_FLAG, NULL,
                     "fail on a job that could never run, and on settings that "
                     "nothing reads" },
    [OPT_SUITE] = { "suite", CMD_FLAG, NULL,
                    "replay a folder's suite.yaml and gate the result "
                    "(tests/gate)" },
    [OPT_SUMMARY] = { "summary", CMD_TEXT, "FILE",
                      "append a Markdown table, as to "
                      "\"$GITHUB_STEP_SUMMARY\"",
                      .takes_file = true, .is_written = true },
    [OPT_TARGET] = { "target", CMD_TEXT, "T",
                     "condition to meet: wait.p95<=10m or gpu.busy>=80%" },
    [OPT_TASK] = { "task", CMD_TEXT, "BASE",
                   "make the points of BASE.points into BASE.db, as a task of "
                   "the array does",
                   .takes_file = true },
    [OPT_TASK_SIZE] = { "task-size", CMD_COUNT, "N",
                        "GPUs (SWF: processors) in one task, for formats that "
                        "do not say (8, SWF 1)" },
    [OPT_TIER] = { "tier", CMD_TEXT, "LABEL=NAME",
                   "label of nodes that is a tier, outermost first (those of "
                   "known systems)" },
    [OPT_TIMEZONE] = { "timezone", CMD_TEXT, "TZ",
                       "time zone of the times of sacct, such as "
                       "Europe/Berlin or +01:00 (UTC)" },
    [OPT_TO] = { "to", CMD_SPAN, "T",
                 "end of the window of the metrics (the run's end)" },
    [OPT_TOLERANCE] = { "tolerance", CMD_FACTOR, "X",
                        "without --rules: largest allowed difference of a "
                        "metric from the baseline's, such as 0.01 or 1%" },
    [OPT_TOPOLOGY] = { "topology", CMD_TEXT, "FILE",
                       "the cluster (the one that the trace names)",
                       .takes_file = true },
    [OPT_UNTIL] = { "until", CMD_SPAN, "T",
                    "up to this time of the trace (its end)" },
    [OPT_UPDATE] = { "update", CMD_FLAG, NULL,
                     "accept: write the metrics that rules name (without rules: "
                     "all) into the baseline" },
    [OPT_VARY] = { "vary", CMD_TEXT, "PATH=VALUES",
                   "values to try: from, to and step, nodes.h100=8..64:8, or a "
                   "list, load=1,1.2,1.5; at most two axes" },
    [OPT_VERSION] = { "version", CMD_FLAG, NULL, "print the version",
                      .letter = 'V' },
    [OPT_WARMUP] = { "warmup", CMD_SPAN, "D",
                     "time at the begin of the window that metrics leave out, "
                     "with the jobs submitted in it" },
    [OPT_WHAT] = { "what", CMD_TEXT, "W",
                   "table to write; columns: the meaning of all columns" },
    [OPT_WHERE] = { "where", CMD_TEXT, "AXIS=VALUE",
                    "with --rows: only runs with this value" },
};

const struct cmd_option *cmd_option(enum cmd_option_id id)
{
    assert(id < OPT_NONE && table[id].name);
    return &table[id];
}

const char *cmd_take_words(const struct cmd_take *t)
{
    return t->words ? t->words : cmd_option(t->id)->words;
}

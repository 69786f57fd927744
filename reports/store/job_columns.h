/* reports/store/job_columns.h - the columns of table jobs, in order.
 *
 * X(name, type): store_jobs.c has the function job_NAME that gives the value.
 * A new column is a line at the end of REPORT_JOB_COLUMNS_LATER and its
 * function; a line of v_jobs in share/sql/views.sql shows it.
 */
#ifndef REPORTS_STORE_JOB_COLUMNS_H
#define REPORTS_STORE_JOB_COLUMNS_H

/* Those of the oldest version.  `job` counts by submit time, from 0; gpu_milli
 * is of all tasks; start_us is the first start (NULL: never); cause is that of
 * most of the waiting, or why the job was rejected; tier is the smallest that
 * held the job at its start; preemptions are those of the evictions while it
 * ran; lost_gpu_us is work to be repeated.
 */
#define REPORT_JOB_COLUMNS(X)          \
    X(job, "INTEGER NOT NULL")         \
    X(name, "TEXT NOT NULL")           \
    X(queue, "TEXT NOT NULL")          \
    X(user, "TEXT NOT NULL")           \
    X(priority, "TEXT NOT NULL")       \
    X(tasks, "INTEGER NOT NULL")       \
    X(gang, "INTEGER NOT NULL")        \
    X(gpu_milli, "INTEGER NOT NULL")   \
    X(submit_us, "INTEGER NOT NULL")   \
    X(start_us, "INTEGER")             \
    X(end_us, "INTEGER")               \
    X(state, "TEXT NOT NULL")          \
    X(cause, "TEXT NOT NULL")          \
    X(evictions, "INTEGER NOT NULL")   \
    X(tier, "TEXT")                    \
    X(preemptions, "INTEGER NOT NULL") \
    X(reason, "TEXT")                  \
    X(lost_gpu_us, "INTEGER NOT NULL")

/* Those that came later, NULL in older rows.  ran_us is the time in which the
 * job ran, work_us that of it which was not repeated; completions is NULL when
 * its tasks end together.
 */
#define REPORT_JOB_COLUMNS_LATER(X) \
    X(ran_us, "INTEGER")            \
    X(work_us, "INTEGER")           \
    X(completions, "INTEGER")

#endif /* REPORTS_STORE_JOB_COLUMNS_H */

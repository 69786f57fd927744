/* reports/page/page_pictures.c - the one table of pictures.
 *
 * A script finds: runs, name[i], nametic[i] (the same as the label of a tic),
 * gpus[i] (i from 1), $d1, $d2 ... with the rows of each run, labels,
 * labeltic[i], unit (seconds of an hour, a day ...), unitname,
 * end (the last run's, in units), m1 ... m6 (largest value of each column).
 * Series have at most 600 points: averages over equal spans.
 *
 * All is of the window of the run's metrics, and times count from its begin: ?2
 * and ?3 are its begin and its end, in us; ?4 is a JSON array of the causes.
 */
#include "reports/page/page_private.h"
#include "share/share.h"

static const struct page_picture pictures[] = {
    {
        .name = "waiting",
        .title = "Jobs that wait",
        .caption = "Averages over equal spans of time.",
        .columns = "time s,jobs waiting",
        .sql = share_sql_waiting,
        .none = "No run has samples.",
        .parts = { share_gnuplot_legend_gp },
        .script = share_gnuplot_over_time_gp,
        .axis = "jobs",
        .height = 240,
        .has_names = true,
        .is_over_time = true,
    },
    {
        .name = "wait-by-cause",
        .title = "What jobs wait for",
        .caption = "The time that all jobs of a run waited, added up, by what "
                   "kept them.",
        .columns = "cause,number,from s,to s",
        .sql = share_sql_wait_by_cause,
        .none = "No run says what its jobs waited for.",
        .parts = { share_gnuplot_legend_gp },
        .script = share_gnuplot_wait_by_cause_gp,
        .legend_columns = 4,
        .legend_rows = 2,
        .height = 130,
        .per_run = 36,
        .has_labels = true,
    },
    {
        .name = "wait-cdf",
        .title = "How long jobs wait",
        .caption = "Share of the started jobs that waited no longer than so "
                   "long; a curve further up and to the left is better. Waits "
                   "under a second stand at 1 s.",
        .columns = "wait s,jobs %",
        .sql = share_sql_wait_cdf,
        .none = "No job started.",
        .parts = { share_gnuplot_legend_gp, share_gnuplot_time_tics_gp },
        .script = share_gnuplot_wait_cdf_gp,
        .height = 380,
        .has_names = true,
    },
    {
        .name = "wait-by-size",
        .title = "Waits by size of job",
        .caption = "The dot is the mean wait of jobs that ask for so many "
                   "GPUs, the end of its line the wait that 95 % of them do "
                   "not exceed. Waits under a second stand at 1 s.",
        .columns = "GPUs,mean wait s,p95 wait s",
        .sql = share_sql_wait_by_size,
        .none = "No run has waits by size.",
        .parts = { share_gnuplot_legend_gp, share_gnuplot_by_label_gp,
                   share_gnuplot_time_tics_gp },
        .script = share_gnuplot_wait_by_size_gp,
        .height = 90,
        .per_label = 52,
        .has_labels = true,
        .has_names = true,
    },
    {
        .name = "busy",
        .title = "GPUs in use",
        .caption = "GPUs of running jobs; averages over equal spans of time.",
        .columns = "time s,GPUs running,GPUs hoarded",
        .sql = share_sql_occupancy,
        .none = "No run has samples.",
        .parts = { share_gnuplot_legend_gp },
        .script = share_gnuplot_over_time_gp,
        .axis = "GPUs",
        .height = 240,
        .has_names = true,
        .is_over_time = true,
    },
    {
        .name = "occupancy",
        .title = "GPUs held, each run by itself",
        .caption = "GPUs of running jobs (blue), and on top of them those that "
                   "partly placed jobs hoard (red); the grey line is the "
                   "cluster. Averages over equal spans of time.",
        .columns = "time s,GPUs running,GPUs hoarded",
        .sql = share_sql_occupancy,
        .none = "No run has samples.",
        .parts = { share_gnuplot_panels_gp },
        .script = share_gnuplot_occupancy_gp,
        .height = 100,
        .per_run = 110,
        .is_folded = true,
    },
    {
        .name = "scattered",
        .title = "Scattered free GPUs",
        .caption =
            "Free GPUs on partly used nodes as a share of all GPUs. Lower is better, unless others are hoarded.",
        .columns = "time s,scattered GPUs %,partly used nodes %",
        .sql = share_sql_fragmentation,
        .none = "No run has samples.",
        .parts = { share_gnuplot_legend_gp },
        .script = share_gnuplot_over_time_gp,
        .axis = "% of all GPUs",
        .height = 240,
        .has_names = true,
        .is_over_time = true,
    },
    {
        .name = "fragmentation",
        .title = "Fragmentation, each run by itself",
        .caption = "Free GPUs on partly used nodes as a share of all GPUs "
                   "(red), and partly used nodes as a share of all nodes "
                   "(blue). Lower is better.",
        .columns = "time s,scattered GPUs %,partly used nodes %",
        .sql = share_sql_fragmentation,
        .none = "No run has samples.",
        .parts = { share_gnuplot_panels_gp },
        .script = share_gnuplot_fragmentation_gp,
        .height = 100,
        .per_run = 110,
        .is_folded = true,
    },
    {
        .name = "demand",
        .title = "What the free GPUs are good for",
        .caption = "Of the free GPUs: the part that the mean task of the mix "
                   "could not use (red, frag.demand; lower is better), and the "
                   "part that tasks of whole nodes of 8 GPUs could be given at "
                   "once (blue, frag.largest_gang; higher is better).",
        .columns = "time s,of no use %,for whole nodes %",
        .sql = share_sql_demand,
        .none = "No run has samples.",
        .parts = { share_gnuplot_panels_gp },
        .script = share_gnuplot_demand_gp,
        .height = 100,
        .per_run = 110,
    },
    {
        .name = "queue-shares",
        .title = "What queues got and deserved",
        .caption = "The dot is the share of the cluster that a queue held on "
                   "average, the bar what it deserved of what it asked for; "
                   "the line between is the gap. The largest queues.",
        .columns = "queue,held %,deserved %",
        .sql = share_sql_queue_shares,
        .none = "Fewer than two queues asked for anything.",
        .parts = { share_gnuplot_legend_gp, share_gnuplot_by_label_gp },
        .script = share_gnuplot_queue_shares_gp,
        .height = 90,
        .per_label = 40,
        .has_labels = true,
        .has_names = true,
    },
    {
        .name = "episodes",
        .title = "Hoarding and deadlocks",
        .caption = "When GPUs were held by partly placed jobs that did not run "
                   "(orange), and when a set of them could never have "
                   "completed (red), to the right edge if "
                   "it lasted for ever.",
        .columns = "deadlock,from s,to s (-1: for ever),GPUs hoarded or jobs",
        .sql = share_sql_episodes,
        .none = "No GPU was hoarded and nothing was deadlocked in any run.",
        .parts = { share_gnuplot_legend_gp },
        .script = share_gnuplot_episodes_gp,
        .legend_columns = 2,
        .legend_rows = 1,
        .height = 120,
        .per_run = 44,
    },
    {
        .name = "preemptions",
        .title = "Evictions over time",
        .caption = "How often jobs lost what they held: to a higher priority, "
                   "to a queue that deserved more, because their gang did "
                   "not complete in time, or with a node or GPU that failed "
                   "or went. In 120 equal spans.",
        .columns = "from s,preempted,reclaimed,timed out,lost",
        .sql = share_sql_preemptions,
        .none = "No job was evicted in any run.",
        .parts = { share_gnuplot_panels_gp },
        .script = share_gnuplot_preemptions_gp,
        .height = 100,
        .per_run = 110,
    },
    {
        .name = "outages",
        .title = "Nodes down over time",
        .caption = "GPUs out of service: failed, by themselves or with their "
                   "nodes (red), on top of them those of drained nodes "
                   "(orange) and of nodes that are not there (grey). The most "
                   "in each of 600 equal spans.",
        .columns = "time s,GPUs failed,GPUs drained,GPUs not there",
        .sql = share_sql_outages,
        .none = "Nothing happened to nodes in any run.",
        .parts = { share_gnuplot_panels_gp },
        .script = share_gnuplot_outages_gp,
        .height = 100,
        .per_run = 110,
    },
};

/* The script finds $map (rows of nodes, -1 where GPUs are hoarded), nodes,
 * instants, from and to in units, gpus: a node's most.
 */
const struct page_picture page_map_picture = {
    .name = "gpu-map",
    .title = "Map of free GPUs",
    .caption = "Each row is a node, each column an instant: the brighter, the "
               "more of its GPUs are free; dark is full, and red are nodes "
               "with GPUs that a partly placed job holds without running.",
    .script = share_gnuplot_gpu_map_gp,
    .height = 420,
};

_Static_assert(sizeof(pictures) / sizeof(pictures[0]) <= PAGE_PICTURES,
               "room for all pictures");

const struct page_picture *page_picture_at(size_t i)
{
    return i < sizeof(pictures) / sizeof(pictures[0]) ? &pictures[i] : NULL;
}

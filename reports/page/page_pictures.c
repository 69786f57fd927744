/* reports/page/page_pictures.c - the one table of pictures.
 *
 * A script finds: runs, name[i], nametic[i] (the same as the label of a tic),
 * gpus[i] (i from 1), $d1, $d2 ... with the rows of each run, labels,
 * labeltic[i], unit (seconds of an hour, a day ...), unitname,
 * end (the last run's, in units), m1 ... m6 (largest value of each column).
 * Series have at most 600 points: averages over equal spans.
 *
 * All is of the window of the run's metrics, and times count from its begin: ?2
 * and ?3 are its begin and its end, in us.
 */
#include "reports/page/page_private.h"

#define SAMPLES                                                   \
    " FROM samples WHERE run_id = ?1 AND at_us BETWEEN ?2 AND ?3" \
    " GROUP BY (at_us - ?2) / (1 + (?3 - ?2) / 600)"

/* GPUs out of service, from the first and from the last change in each of 600
 * equal spans: after the first the most that were in the span.  A GPU that broke
 * by itself counts with its node while that is closed.  What was so when the
 * window began is at its begin.
 */
#define OUTAGE_ROWS                                                          \
    "WITH e AS (SELECT seq, at_us, node, iif(device IS NULL, state, NULL)"   \
    " AS s, CASE WHEN device IS NULL THEN 0 WHEN state = 'failed' THEN 1"    \
    " ELSE -1 END AS d FROM outages WHERE run_id = ?1),"                     \
    " g AS (SELECT *, count(s) OVER w AS k, sum(d) OVER w AS b FROM e"       \
    "  WINDOW w AS (PARTITION BY node ORDER BY seq)),"                       \
    " f AS (SELECT *, coalesce(max(s) OVER (PARTITION BY node, k), 'open')"  \
    "  AS now FROM g),"                                                      \
    " c AS (SELECT f.seq, f.at_us, f.node, CASE now WHEN 'failed' THEN gpus" \
    "  WHEN 'open' THEN b ELSE 0 END AS failed,"                             \
    "  iif(now = 'drained', gpus, 0) AS drained,"                            \
    "  iif(now = 'absent', gpus, 0) AS absent"                               \
    "  FROM f JOIN nodes n ON n.run_id = ?1 AND n.node = f.node),"           \
    " d AS (SELECT at_us, failed - lag(failed, 1, 0) OVER w AS failed,"      \
    "  drained - lag(drained, 1, 0) OVER w AS drained,"                      \
    "  absent - lag(absent, 1, 0) OVER w AS absent FROM c"                   \
    "  WINDOW w AS (PARTITION BY node ORDER BY seq)),"                       \
    " t AS (SELECT at_us, sum(sum(failed)) OVER w AS failed,"                \
    "  sum(sum(drained)) OVER w AS drained, sum(sum(absent)) OVER w"         \
    "  AS absent FROM d GROUP BY at_us WINDOW w AS (ORDER BY at_us)),"       \
    " u AS (SELECT max(at_us, ?2) - ?2 AS at_us, failed, drained, absent"    \
    "  FROM t, runs WHERE id = ?1 AND runs.gpus > 0 AND at_us <= ?3"         \
    "  AND at_us >= coalesce((SELECT max(at_us) FROM t WHERE at_us <= ?2),"  \
    "  ?2)),"                                                                \
    " b AS (SELECT *, at_us / (1 + (?3 - ?2) / 600) AS part FROM u),"        \
    " r AS (SELECT min(at_us) AS at, 0 AS n, max(failed) AS failed,"         \
    "  max(drained) AS drained, max(absent) AS absent FROM b GROUP BY part"  \
    "  HAVING count(*) > 1"                                                  \
    "  UNION ALL SELECT max(at_us), 1, failed, drained, absent FROM b"       \
    "  GROUP BY part"                                                        \
    "  UNION ALL SELECT ?3 - ?2, 2, failed, drained, absent FROM b"          \
    "  WHERE at_us = (SELECT max(at_us) FROM b))"                            \
    " SELECT at / 1e6, failed, drained, absent FROM r ORDER BY at, n"

#define CAUSE_NAMES                                                         \
    "(0, 'quota'), (1, 'capacity'), (2, 'fragmentation'), (3, 'topology')," \
    " (4, 'constraint'), (5, 'hoarding'), (6, 'order'), (7, 'latency')"

/* A panel for each run, one below the other, with one time axis. */
#define PANELS                                                           \
    "set multiplot\n"                                                    \
    "top = 1.0 - 34.0 / height\n"                                        \
    "each = (top - 62.0 / height) / runs\n"                              \
    "set lmargin at screen 0.09\n"                                       \
    "set rmargin at screen 0.97\n"                                       \
    "set xrange [0:end]\n"                                               \
    "set format x ''\n"                                                  \
    "do for [i=1:runs] {\n"                                              \
    "  set tmargin at screen top - (i - 1) * each - 24.0 / height\n"     \
    "  set bmargin at screen top - i * each + 6.0 / height\n"            \
    "  set label 1 name[i] at graph 0, 1 offset 0, 0.7 left\n"           \
    "  if (i == runs) { set format x '%g'\n"                             \
    "    set xlabel 'time, '.unitname }\n"                               \
    "  if (i == 1) { set key at screen 0.97, 1 - 4.0 / height right top" \
    " horizontal Left reverse samplen 2 } else { unset key }\n"

/* Above the picture, in so many columns and rows. */
#define LEGEND(columns, rows)                                           \
    "set key at screen 0.02, screen 1 - 6 / height left top horizontal" \
    " Left reverse samplen 2 maxcols " columns "\n"                     \
    "set tmargin at screen 1 - (18 + keyline * " rows ") / height\n"

/* A row of the vertical axis for each label, runs side by side within it. */
#define BY_LABEL                                                         \
    LEGEND("keycolumns", "keyrows")                                      \
    "set yrange [labels + 0.5:0.5]\n"                                    \
    "set ytics ()\n"                                                     \
    "do for [k=1:labels] { set ytics add (labeltic[k] k) }\n"            \
    "set grid noytics\n"                                                 \
    "do for [k=1:labels-1] { set arrow from graph 0, first k + 0.5"      \
    " to graph 1, first k + 0.5 nohead lc rgb '#808080' dt 3 lw 0.5 }\n" \
    "y(k, i) = k + (i - (runs + 1) / 2.0) * 0.8 / runs\n"

#define TIME_TICS                                                \
    "('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600, '1 h' 3600," \
    " '10 h' 36000, '1 d' 86400, '10 d' 864000, '100 d' 8640000)\n"

static const struct page_picture pictures[] = {
    {
        .name = "occupancy",
        .title = "GPUs held over time",
        .caption = "GPUs of running jobs (blue), and on top of them those that "
                   "partly placed jobs hoard (red); the grey line is the "
                   "cluster. Averages over equal spans of time.",
        .columns = "time s,GPUs running,GPUs hoarded",
        .sql = "SELECT (min(at_us) - ?2) / 1e6, avg(gpus_busy),"
               " avg(gpus_hoarded)" SAMPLES " ORDER BY 1",
        .none = "No run has samples.",
        .script = PANELS
        "  set yrange [0:gpus[i] * 1.08]\n"
        "  set ytics gpus[i] / 2\n"
        "  set ylabel 'GPUs'\n"
        "  plot '$d'.i using ($1/unit):($2+$3) with filledcurves y=0"
        " lc rgb red"
        " title 'hoarded',"
        " '$d'.i using ($1/unit):2 with filledcurves y=0"
        " lc rgb blue"
        " title 'running',"
        " gpus[i] with lines lc rgb grey lw 1 title 'cluster'\n"
        "}\n",
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
        .sql = OUTAGE_ROWS,
        .none = "Nothing happened to nodes in any run.",
        .script = PANELS
        "  most = m2 + m3 + m4 > 0 ? m2 + m3 + m4 : 1\n"
        "  set yrange [0:most * 1.08]\n"
        "  set ytics ceil(most / 2.0)\n"
        "  set ylabel 'GPUs'\n"
        "  plot '$d'.i using ($1/unit):($2+$3+$4) with fillsteps"
        " lc rgb grey title 'not there',"
        " '$d'.i using ($1/unit):($2+$3) with fillsteps lc rgb orange"
        " title 'drained',"
        " '$d'.i using ($1/unit):2 with fillsteps lc rgb red"
        " title 'failed'\n"
        "}\n",
        .height = 100,
        .per_run = 110,
    },
    {
        .name = "fragmentation",
        .title = "Fragmentation over time",
        .caption = "Free GPUs on partly used nodes as a share of all GPUs "
                   "(red), and partly used nodes as a share of all nodes "
                   "(blue). Lower is better.",
        .columns = "time s,scattered GPUs %,partly used nodes %",
        .sql = "SELECT (min(at_us) - ?2) / 1e6, 100 * avg(frag_capacity_share),"
               " 100 * avg(frag_node_share)" SAMPLES " ORDER BY 1",
        .none = "No run has samples.",
        .script = PANELS
        "  top_y = m2 > m3 ? m2 : m3\n"
        "  set yrange [0:top_y > 0 ? top_y * 1.08 : 1]\n"
        "  set ytics autofreq\n"
        "  set ytics top_y > 60 ? 50 : top_y > 25 ? 20 : top_y > 10 ? 10 : 5\n"
        "  set ylabel '%'\n"
        "  plot '$d'.i using ($1/unit):3 with steps lc rgb blue lw 1"
        " title 'partly used nodes',"
        " '$d'.i using ($1/unit):2 with steps lc rgb red lw 1.5"
        " title 'scattered free GPUs'\n"
        "}\n",
        .height = 100,
        .per_run = 110,
    },
    {
        .name = "demand",
        .title = "What the free GPUs are good for",
        .caption = "Of the free GPUs: the part that the mean task of the mix "
                   "could not use (red, frag.demand; lower is better), and the "
                   "part that tasks of whole nodes of 8 GPUs could be given at "
                   "once (blue, frag.largest_gang; higher is better).",
        .columns = "time s,of no use %,for whole nodes %",
        .sql = "SELECT (min(at_us) - ?2) / 1e6, 100 * avg(frag_demand),"
               " 100 * avg(frag_largest_gang)" SAMPLES " ORDER BY 1",
        .none = "No run has samples.",
        .script = PANELS
        "  set yrange [0:108]\n"
        "  set ytics 50\n"
        "  set ylabel '%'\n"
        "  plot '$d'.i using ($1/unit):3 with steps lc rgb blue lw 1"
        " title 'for whole nodes',"
        " '$d'.i using ($1/unit):2 with steps lc rgb red lw 1.5"
        " title 'of no use to the mean task'\n"
        "}\n",
        .height = 100,
        .per_run = 110,
    },
    {
        .name = "wait-cdf",
        .title = "How long jobs wait",
        .caption = "Share of the started jobs that waited no longer than so "
                   "long; a curve further up and to the left is better. Waits "
                   "under a second stand at 1 s.",
        .columns = "wait s,jobs %",
        .sql = "WITH w AS (SELECT start_us - submit_us AS us, row_number() OVER"
               " (ORDER BY start_us - submit_us) AS i FROM jobs"
               " WHERE run_id = ?1 AND start_us IS NOT NULL"
               " AND submit_us BETWEEN ?2 AND ?3),"
               " n AS (SELECT count(*) AS n FROM w)"
               " SELECT max(1.0, us / 1e6), 100.0 * i / n FROM w, n"
               " WHERE i = n OR i = 1 OR i * 400 / n != (i - 1) * 400 / n"
               " ORDER BY i",
        .none = "No job started.",
        .script = LEGEND(
            "keycolumns",
            "keyrows") "set logscale x\n"
                       "set xrange [1:m1 > 10 ? m1 * 1.2 : 12]\n"
                       "set yrange [0:100]\n"
                       "set xtics " TIME_TICS
                       "set xlabel 'wait from submit to first start'\n"
                       "set ylabel 'jobs, %'\n"
                       "plot for [i=1:runs] '$d'.i using 1:2 with steps lw 2.2"
                       " lc rgb colour[i] dt dash[i] title name[i]\n",
        .height = 380,
        .has_names = true,
    },
    {
        .name = "wait-by-cause",
        .title = "What jobs wait for",
        .caption = "The time that all jobs of a run waited, added up, by what "
                   "kept them.",
        .columns = "cause,number,from s,to s",
        .sql = "WITH c(n, cause) AS (VALUES " CAUSE_NAMES "),"
               " w AS (SELECT n, cause, value AS h FROM c"
               " JOIN metrics ON run_id = ?1 AND scope = 'cluster'"
               " AND name = 'wait.by_cause.' || cause)"
               " SELECT cause, n, sum(h) OVER (ORDER BY n) - h,"
               " sum(h) OVER (ORDER BY n) FROM w ORDER BY n",
        .none = "No run says what its jobs waited for.",
        .script =
            "array causes[8] = ['quota', 'capacity', 'fragmentation',"
            " 'topology', 'constraint', 'hoarding', 'order', 'latency']\n"
            "array tint[8] = ['#CC79A7', '#0072B2', '#E69F00', '#009E73',"
            " '#F0E442', '#D55E00', '#56B4E9', '#808080']\n" LEGEND(
                "4",
                "2") "set yrange [runs + 0.6:0.4]\n"
                     "set ytics ()\n"
                     "do for [i=1:runs] { set ytics add (nametic[i] i) }\n"
                     "set grid noytics\n"
                     "by = m4 > 7200 ? 3600.0 : 1.0\n"
                     "set xrange [0:m4 > 0 ? m4 / by * 1.03 : 1]\n"
                     "set xlabel by > 1 ? 'hours waited by all jobs together' :"
                     " 'seconds waited by all jobs together'\n"
                     "plot for [c=0:7] for [i=1:runs] '$d'.i using"
                     " ($2 == c && $4 > $3 ? $3/by : NaN):(i):($3/by):($4/by):(i - 0.36):(i + 0.36)"
                     " with boxxyerror fs solid 1 noborder lc rgb tint[c+1]"
                     " title (i == 1 ? causes[c+1] : '')\n",
        .height = 130,
        .per_run = 36,
        .has_labels = true,
    },
    {
        .name = "wait-by-size",
        .title = "Waits by size of job",
        .caption = "The dot is the mean wait of jobs that ask for so many "
                   "GPUs, the end of its line the wait that 95 % of them do "
                   "not exceed. Waits under a second stand at 1 s.",
        .columns = "GPUs,mean wait s,p95 wait s",
        .sql = "SELECT label, max(value) FILTER (WHERE name = 'wait.mean'),"
               " max(value) FILTER (WHERE name = 'wait.p95') FROM metrics"
               " WHERE run_id = ?1 AND scope = 'size'"
               " AND name IN ('wait.mean', 'wait.p95') GROUP BY label"
               " ORDER BY CAST(label AS INTEGER), label",
        .none = "No run has waits by size.",
        .script = BY_LABEL
        "big = m2 > m3 ? m2 : m3\n"
        "s(v) = v < 1 ? 1 : v\n"
        "set logscale x\n"
        "set xrange [0.8:big > 10 ? big * 1.3 : 12]\n"
        "set xtics " TIME_TICS "set xlabel 'wait from submit to first start'\n"
        "set ylabel 'GPUs asked for'\n"
        "plot for [i=1:runs] '$d'.i using (s($2)):(y($1, i)):"
        "(s($3) - s($2)):(0) with vectors nohead lw 2 lc rgb colour[i]"
        " notitle, for [i=1:runs] '$d'.i using (s($2)):(y($1, i))"
        " with points pt 7 ps 0.8 lc rgb colour[i] title name[i]\n",
        .height = 90,
        .per_label = 52,
        .has_labels = true,
        .has_names = true,
    },
    {
        .name = "queue-shares",
        .title = "What queues got and deserved",
        .caption = "The dot is the share of the cluster that a queue held on "
                   "average, the bar what it deserved of what it asked for; "
                   "the line between is the gap. The largest queues.",
        .columns = "queue,held %,deserved %",
        .sql = "SELECT label,"
               " 100 * max(value) FILTER (WHERE name = 'queue.share'),"
               " 100 * max(value) FILTER (WHERE name = 'queue.deserved')"
               " FROM metrics WHERE run_id = ?1 AND scope = 'queue'"
               " AND name IN ('queue.share', 'queue.deserved')"
               " GROUP BY label ORDER BY 3 DESC, 1 LIMIT 16",
        .none = "Fewer than two queues asked for anything.",
        .script = BY_LABEL
        "big = m2 > m3 ? m2 : m3\n"
        "set xrange [0:big > 0 ? big * 1.08 : 1]\n"
        "set xlabel 'share of the cluster, %'\n"
        "plot for [i=1:runs] '$d'.i using 3:(y($1, i)):($2 - $3):(0)"
        " with vectors nohead lw 1 lc rgb colour[i] notitle,"
        " for [i=1:runs] '$d'.i using 3:(y($1, i) - 0.36 / runs):(0):"
        "(0.72 / runs) with vectors nohead lw 2.5 lc rgb colour[i] notitle,"
        " for [i=1:runs] '$d'.i using 2:(y($1, i)) with points pt 7 ps 0.55"
        " lc rgb colour[i] title name[i]\n",
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
        .sql =
            "WITH s AS (SELECT min(at_us) AS at, avg(gpus_hoarded) AS g" SAMPLES
            "), h AS (SELECT at, coalesce(lead(at) OVER (ORDER BY at), ?3)"
            " AS until, g FROM s)"
            " SELECT 0, (at - ?2) / 1e6, (until - ?2) / 1e6, g FROM h"
            " WHERE g > 0"
            " UNION ALL SELECT * FROM (SELECT 1,"
            " (max(min(start_us), ?2) - ?2) / 1e6,"
            " CASE WHEN count(end_us) = count(*)"
            " THEN (max(end_us) - ?2) / 1e6 ELSE -1 END, count(*)"
            " FROM deadlocks WHERE run_id = ?1 GROUP BY episode"
            " HAVING min(start_us) <= ?3 AND (count(end_us) < count(*)"
            " OR max(end_us) > ?2)"
            " ORDER BY max(coalesce(end_us, 1 << 60)) - min(start_us) DESC"
            " LIMIT 600)",
        .none = "No GPU was hoarded and nothing was deadlocked in any run.",
        .script = LEGEND(
            "2",
            "1") "set yrange [runs + 0.6:0.4]\n"
                 "set ytics ()\n"
                 "do for [i=1:runs] { set ytics add (nametic[i] i) }\n"
                 "set grid noytics\n"
                 "set xrange [0:end]\n"
                 "set xlabel 'time, '.unitname\n"
                 "kind(v, k) = v == k ? 1 : NaN\n"
                 "till(v) = v < 0 ? end : v / unit\n"
                 "plot for [i=1:runs] '$d'.i using ($2/unit*kind($1, 0)):(i):"
                 "($2/unit):($3/unit):(i - 0.38):(i - 0.02) with boxxyerror"
                 " fs solid 1 lc rgb orange title (i == 1 ? 'hoarding' : ''),"
                 " for [i=1:runs] '$d'.i using ($2/unit*kind($1, 1)):(i):"
                 "($2/unit):(till($3)):(i + 0.02):(i + 0.38) with boxxyerror"
                 " fs solid 1 lc rgb red title (i == 1 ? 'deadlock' : '')\n",
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
        .sql = "WITH b AS (SELECT 1 + (?3 - ?2) / 120 AS us)"
               " SELECT (at_us - ?2) / us * us / 1e6,"
               " count(*) FILTER (WHERE kind = 'preempt'),"
               " count(*) FILTER (WHERE kind = 'reclaim'),"
               " count(*) FILTER (WHERE kind = 'timeout'),"
               " count(*) FILTER (WHERE kind = 'lost')"
               " FROM evictions, b WHERE run_id = ?1"
               " AND at_us BETWEEN ?2 AND ?3 GROUP BY (at_us - ?2) / us"
               " ORDER BY 1",
        .none = "No job was evicted in any run.",
        .script = PANELS
        "  all = m2 + m3 + m4 + m5\n"
        "  set yrange [0:all * 1.08]\n"
        "  if (all <= 5) { set ytics 1 } else { set ytics autofreq }\n"
        "  set ylabel 'evictions'\n"
        "  w = end / 120.0\n"
        "  plot '$d'.i using ($1/unit + w/2):(($2+$3+$4+$5)/2.0):"
        "($1/unit):($1/unit + w):(0):($2+$3+$4+$5)"
        " with boxxyerror fs solid 1 noborder lc rgb red title 'lost',"
        " '$d'.i using ($1/unit + w/2):(($2+$3+$4)/2.0):"
        "($1/unit):($1/unit + w):(0):($2+$3+$4)"
        " with boxxyerror fs solid 1 noborder lc rgb sky title 'timed out',"
        " '$d'.i using ($1/unit + w/2):(($2+$3)/2.0):"
        "($1/unit):($1/unit + w):(0):($2+$3)"
        " with boxxyerror fs solid 1 noborder lc rgb orange"
        " title 'reclaimed',"
        " '$d'.i using ($1/unit + w/2):($2/2.0):"
        "($1/unit):($1/unit + w):(0):2"
        " with boxxyerror fs solid 1 noborder lc rgb blue"
        " title 'preempted'\n"
        "}\n",
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
    .script =
        "unset key\n"
        "set rmargin at screen 0.82\n"
        "set xlabel 'time, '.unitname\n"
        "set ylabel 'nodes'\n"
        "set cblabel 'free GPUs of the node' offset 1\n"
        "set palette maxcolors gpus + 2\n"
        "h = 1.0 / (gpus + 2)\n"
        "set palette defined (0 '#D55E00', h '#D55E00', h '#00204D',"
        " h + (1-h) * 0.3 '#414D6B', h + (1-h) * 0.5 '#7C7B78',"
        " h + (1-h) * 0.75 '#BCAF6F', 1 '#FFEA46')\n"
        "set cbrange [-1.5:gpus + 0.5]\n"
        "set cbtics ('hoarded' -1, '0' 0)\n"
        "do for [g=1:gpus] { if (gpus <= 16 || g % 8 == 0)"
        " { set cbtics add (sprintf('%d', g) g) } }\n"
        "set xrange [from:to]\n"
        "set yrange [nodes - 0.5:-0.5]\n"
        "if (nodes <= 12) { set ytics 1 }\n"
        "unset grid\n"
        "plot $map matrix using (from + ($1 + 0.5) * (to - from) / instants):"
        "2:3 with image notitle\n",
    .height = 420,
};

const struct page_picture *page_picture_at(size_t i)
{
    return i < sizeof(pictures) / sizeof(pictures[0]) ? &pictures[i] : NULL;
}

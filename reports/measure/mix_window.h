/* reports/measure/mix_window.h - a task mix that follows what is submitted.
 *
 * It is of the tasks submitted in the last so many microseconds.  A new one is
 * made at most once in an hour of the run, and only when others are in the
 * window than before; while it is empty the last mix stays.
 */
#ifndef REPORTS_MEASURE_MIX_WINDOW_H
#define REPORTS_MEASURE_MIX_WINDOW_H

#include <stdint.h>

struct topo;
struct topo_mix;
struct trace_workload;

#define REPORT_MIX_HOUR (INT64_C(3600) * 1000000)

struct report_mix_window {
    const struct topo *topo;
    const struct trace_workload *work;
    int64_t span, due;
    uint32_t first, end; /* jobs in the window then */
    struct topo_mix *mix;
};

/* Starts with a mix of nothing. */
void report_mix_window_init(struct report_mix_window *m, const struct topo *t,
                            const struct trace_workload *w, int64_t span);
void report_mix_window_fini(struct report_mix_window *m);

/* Look again; the mix that was there before when there is a new one, to be
 * destroyed when it is no longer used, else NULL.
 */
struct topo_mix *report_mix_window_move(struct report_mix_window *m,
                                        int64_t now);

#endif /* REPORTS_MEASURE_MIX_WINDOW_H */

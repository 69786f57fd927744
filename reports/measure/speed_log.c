/* reports/measure/speed_log.c - metrics of how fast jobs ran, under a speed model. */
#include "reports/measure/log.h"
#include "reports/measure/metrics_private.h"

void report_speed_put(struct report_metrics *m, const struct report_log *log,
                      const struct report_window *w)
{
    report_wide gpus = 0, gpu_work = 0, us = 0, work = 0;

    for (uint32_t i = 0; i < log->segment_count; i++) {
        const struct report_run_segment *l = &log->segment[i];
        const uint64_t in = (uint64_t)report_window_overlap(w, l->start,
                                                            l->start + l->us);
        const report_wide held = (report_wide)(uint64_t)l->gpu_milli * in;

        gpus += held;
        gpu_work += held * l->speed;
        us += in;
        work += (report_wide)in * l->speed;
    }
    if (gpus)
        report_metrics_put_cluster(m, "speed.mean",
                                   (double)gpu_work / 1e6 / (double)gpus);
    if (us)
        report_metrics_put_cluster(m, "speed.stretch",
                                   (double)us * 1e6 / (double)work);
}

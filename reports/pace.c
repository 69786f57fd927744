/* reports/pace.c - metrics of how fast jobs ran, under a speed model. */
#include "reports/log.h"
#include "reports/metrics_private.h"

void report_pace_put(struct report_metrics *m, const struct report_log *log)
{
    report_wide gpus = 0, gpu_work = 0, us = 0, work = 0;

    for (uint32_t i = 0; i < log->leg_count; i++) {
        const struct report_leg *l = &log->leg[i];
        const report_wide held = (report_wide)(uint64_t)l->gpu_milli
                                 * (uint64_t)l->us;

        gpus += held;
        gpu_work += held * l->speed;
        us += (uint64_t)l->us;
        work += (report_wide)(uint64_t)l->us * l->speed;
    }
    if (gpus)
        report_metrics_put_cluster(m, "speed.mean",
                                   (double)gpu_work / 1e6 / (double)gpus);
    if (us)
        report_metrics_put_cluster(m, "speed.stretch",
                                   (double)us * 1e6 / (double)work);
}

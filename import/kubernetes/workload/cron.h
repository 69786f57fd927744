/* import/kubernetes/workload/cron.h - the schedules of CronJobs.
 *
 * Source: the format of k8s.io CronJob, that of robfig/cron: five fields of
 * lists of "*", "?", N, N-M, each with "/step", names of months and days; or
 * @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually,
 * "@every 90m".  Where both days are restricted, one of them must hold.
 */
#ifndef KUBE_CRON_H
#define KUBE_CRON_H

#include <stdbool.h>
#include <stdint.h>

struct kube_schedule {
    uint64_t minute;           /* bits 0..59 */
    uint32_t hour, day, month; /* bits 0..23, 1..31, 1..12 */
    uint32_t weekday;          /* bits 0..6, 0 is Sunday */
    bool is_any_day, is_any_weekday;
    int64_t every; /* us from run to run; 0: by the fields */
    int64_t zone;  /* us that the schedule's clock is ahead */
};

/* -1 for what is no schedule. */
int kube_schedule_parse(const char *s, struct kube_schedule *x);

/* The first run after `us` (since 1970, UTC); INT64_MAX when none comes within
 * 8 years.
 */
int64_t kube_schedule_next(const struct kube_schedule *x, int64_t us);

#endif /* KUBE_CRON_H */

/* import/kubernetes/workload/cron_job.c - kind CronJob, of group batch and of
 * Volcano, and ScheduledSparkApplication: a job each time the schedule says.
 */
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/workload/cron.h"
#include "import/kubernetes/workload/job_specs.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"

/* "UTC", "Etc/GMT+5": those that need no table of time zones. */
static int zone_read(const char *s, int64_t *us)
{
    static const char *const zero[] = { "UTC", "Etc/UTC", "GMT", "Etc/GMT" };
    int hours = 0;

    *us = 0;
    for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++) {
        if (strcmp(s, zero[i]) == 0)
            return 0;
    }
    if (strncmp(s, "Etc/GMT", 7) != 0 || (s[7] != '+' && s[7] != '-'))
        return -1;
    for (const char *d = s + 8; *d; d++) {
        if (*d < '0' || *d > '9' || d > s + 9)
            return -1;
        hours = hours * 10 + *d - '0';
    }
    if (hours > 14)
        return -1;
    *us = (s[7] == '-' ? hours : -hours) * 3600 * GS_SECOND; /* as POSIX */
    return 0;
}

static const struct kube_schedule *schedule_read(struct kube *k,
                                                 const struct gs_ynode *spec)
{
    const char *text = kube_text(spec, "schedule");
    const char *zone = kube_text(spec, "timeZone");
    struct kube_schedule x;

    if (!text || kube_schedule_parse(text, &x) < 0) {
        import_account_tell(
            k->account, IMPORT_LEFT, k->source, kube_at(spec, "schedule"),
            "CronJobs without a schedule ('%.60s')", text ? text : "");
        return NULL;
    }
    if (zone && zone_read(zone, &x.zone) < 0)
        import_account_tell(k->account, IMPORT_IGNORED, k->source,
                            kube_at(spec, "timeZone"),
                            "timeZone of CronJobs: schedules are in UTC");
    return gs_arena_memdup(k->arena, &x, sizeof(x));
}

/* `job` has what `fill` reads under `path`. */
static int read_as(struct kube *k, const struct import_object *o,
                   const struct gs_ynode *job, const char *path,
                   void (*fill)(struct kube *, struct kube_workload *,
                                const struct gs_ynode *))
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const char *policy = kube_text(spec, "concurrencyPolicy");

    w.schedule = schedule_read(k, spec);
    if (!w.schedule)
        return -1;
    w.uid = 0; /* jobs that it has made stand for themselves */
    w.submit = KUBE_UNKNOWN;
    kube_workload_refine(k, &w, job);
    fill(k, &w, kube_at(job, path));
    if (policy && strcmp(policy, "Allow") != 0) {
        w.overlap = strcmp(policy, "Replace") == 0 ? KUBE_REPLACES
                                                   : KUBE_FORBIDDEN;
        import_account_tell(
            k->account, IMPORT_ASSUMED, k->source,
            kube_at(spec, "concurrencyPolicy"),
            "concurrencyPolicy of CronJobs holds as if each run "
            "started when it is due");
    }
    return kube_workload_add(k, &w);
}

int kube_cron_job_read(struct kube *k, const struct import_object *o)
{
    return read_as(k, o, kube_at(o->root, "spec.jobTemplate"), "spec",
                   kube_job_fill);
}

int kube_volcano_cron_job_read(struct kube *k, const struct import_object *o)
{
    return read_as(k, o, kube_at(o->root, "spec.jobTemplate"), "spec",
                   kube_volcano_job_fill);
}

int kube_spark_cron_read(struct kube *k, const struct import_object *o)
{
    return read_as(k, o, kube_at(o->root, "spec.template"), "",
                   kube_spark_fill);
}

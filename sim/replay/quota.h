/* sim/replay/quota.h - quotas: tasks are created while their quotas have room.
 *
 * sim_quota_take() says how many of a job's tasks may be created now; a job
 * with tasks that may not is short of them.  sim_quota_give() takes back what
 * tasks that are gone counted; sim_quotas_retry() then creates tasks of jobs
 * that are short, those that were submitted first before others.
 */
#ifndef SIM_REPLAY_QUOTA_H
#define SIM_REPLAY_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

struct gs_hash;
struct sim;
struct sim_quota;
struct sim_quota_class;
struct sim_quota_job;

struct sim_quotas {
    struct sim_quota *quota; /* [quota]; NULL: the trace has none */
    struct sim_quota_job *job;
    struct sim_quota_class *klass; /* jobs that are short of the same */
    struct gs_hash *index;         /* of klass[] */
    uint32_t klasses, klass_cap;
    uint32_t uncreated; /* submitted jobs of which no task exists yet */
    int64_t lack[2];    /* GPU thousandths of the gangs that are short of tasks:
                           of jobs of which no task exists, of the others */
    bool is_freed;      /* some quota has more room since the last retry */
    char name[400];     /* of the last module named */
};

void sim_quotas_open(struct sim *s);
void sim_quotas_free(struct sim *s);

/* How many of the job's tasks that are due, above those that exist, are created
 * now; they count from now on.
 */
uint32_t sim_quota_take(struct sim *s, uint32_t job);
/* The job has `created` tasks left, of those that it had, or is over. */
void sim_quota_give(struct sim *s, uint32_t job, uint32_t created);
void sim_quota_over(struct sim *s, uint32_t job);
/* Create tasks of jobs that are short where there is room again. */
void sim_quotas_retry(struct sim *s);

/* us for which the job waited since its gang was short of tasks. */
int64_t sim_quota_waited(const struct sim *s, uint32_t job);
/* True while its gang is short of tasks. */
bool sim_quota_waits(const struct sim *s, uint32_t job);
/* The quota that it waited for last, as the name of a module; valid until the
 * next call.
 */
const char *sim_quota_module(struct sim *s, uint32_t job);

#endif /* SIM_REPLAY_QUOTA_H */

/* policies/backfill.c */
#include "policies/scheduler_private.h"
void gsched_backfill(struct gsched *s)
{
    (void)s;
}
void gsched_future_started(struct gsched *s, uint32_t job)
{
    (void)s;
    (void)job;
}
void gsched_future_ended(struct gsched *s, uint32_t job)
{
    (void)s;
    (void)job;
}
void gsched_future_grew(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g)
{
    (void)s;
    (void)job;
    (void)group;
    (void)g;
}
void gsched_future_free(struct gsched *s)
{
    (void)s;
}
int64_t gsched_reservation(const struct gsched *s, uint32_t *job)
{
    (void)s;
    (void)job;
    return GSCHED_NEVER;
}

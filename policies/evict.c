#include "policies/scheduler_private.h"
void gsched_preempt(struct gsched *s)
{
    (void)s;
}
void gsched_reclaim(struct gsched *s)
{
    (void)s;
}
void gsched_rank_add(struct gsched *s, uint32_t job)
{
    (void)s;
    (void)job;
}
void gsched_rank_drop(struct gsched *s, uint32_t job)
{
    (void)s;
    (void)job;
}
void gsched_evict_open(struct gsched *s)
{
    (void)s;
}
void gsched_evict_free(struct gsched *s)
{
    (void)s;
}

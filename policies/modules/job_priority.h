/* policies/modules/job_priority.h - the number by which a job is ordered, for
 * multifactor.c: a weighted sum of factors, each from 0 to 1.
 */
#ifndef GSP_JOB_PRIORITY_H
#define GSP_JOB_PRIORITY_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define JOB_PRIORITY_MOST UINT32_MAX

/* What the factor of size depends on. */
struct job_size {
    double nodes, cpus;                 /* of the job */
    double cluster_nodes, cluster_cpus; /* cpus 0: none are counted */
    double minutes;                     /* its time limit */
    bool favors_small, per_minute;
};

static inline double job_factor_limited(double x)
{
    return x > 1 ? 1 : x > 0 ? x : 0;
}

/* The part of the cluster that the job asks for: the mean of the parts of the
 * nodes and of the CPUs; per minute of its time limit the larger of the two;
 * or 1 less that.
 */
static inline double job_size_factor(const struct job_size *s)
{
    const bool has_cpus = s->cpus > 0 && s->cluster_cpus > 0;
    double part = s->nodes / s->cluster_nodes;

    assert(s->cluster_nodes > 0);
    if (s->per_minute) {
        if (has_cpus && s->cpus / s->cluster_cpus > part)
            part = s->cpus / s->cluster_cpus;
        part /= s->minutes > 1 ? s->minutes : 1;
        return job_factor_limited(s->favors_small ? 1 - part : part);
    }
    if (s->favors_small)
        part = part < 1 ? 1 - part : 0;
    if (has_cpus)
        part = (part
                + (s->favors_small ? 1 - s->cpus / s->cluster_cpus
                                   : s->cpus / s->cluster_cpus))
               / 2;
    return job_factor_limited(part);
}

/* A factor and its weight. */
struct job_term {
    double weight, factor;
};

/* The number: the sum of the weighted factors, less nice, truncated; from 1 to
 * JOB_PRIORITY_MOST.
 */
static inline uint32_t job_priority_number(const struct job_term *term,
                                           uint32_t terms, double nice)
{
    double sum = 0;

    for (uint32_t i = 0; i < terms; i++)
        sum += term[i].weight * term[i].factor;
    sum -= nice;
    return !(sum >= 1)                        ? 1
           : sum >= (double)JOB_PRIORITY_MOST ? JOB_PRIORITY_MOST
                                              : (uint32_t)sum;
}

#endif /* GSP_JOB_PRIORITY_H */

/* tests/host/drive.h - a random cluster and random jobs for the live host, in
 * virtual time: its users submit, its pods run for as long as they do.
 */
#ifndef TEST_DRIVE_H
#define TEST_DRIVE_H

#include "tests/lib/live_host.h"

struct drive_options {
    const char *preset, *setting;
    uint64_t seed;
    uint32_t jobs;
    bool singles;      /* no gangs: pods placed one by one could deadlock */
    bool alike;        /* all pods ask for the same */
    bool one_group;    /* the pods of a job do: spread out first, others of its
                         pods might never fit */
    uint32_t instants; /* stop after so many; 0: when nothing more happens */
    uint32_t limit;    /* decisions in a cycle; 0: any number */
    uint32_t refuse;   /* every so many cycles a placement fails; 0: never */
    bool forget;       /* jobs that are over */
    bool takes_over;   /* a restart: another scheduler takes over */
    uint32_t restart;  /* every so many instants; 0: never */
};

struct drive_result {
    uint64_t decisions; /* a hash of them all */
    uint32_t count;     /* of decisions */
    uint32_t numbers;   /* of jobs, in the workload */
    uint32_t restarts, left, evictions, refused;
    unsigned faults;
};

struct drive_result drive(const struct drive_options *o);

#endif /* TEST_DRIVE_H */

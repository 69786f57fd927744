/* tests/host/drive.h - a random cluster and random jobs for the live host, in
 * virtual time.
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
    bool one_group;    /* the pods of a job have equal requests: otherwise
                          some might never fit */
    uint32_t instants; /* stop after this number of instants; 0: when nothing
                          more happens */
    uint32_t limit;    /* decisions in a cycle; 0: any number */
    uint32_t refuse;   /* a placement fails in every n-th cycle; 0: never */
    bool forget;       /* jobs that are over */
    bool takes_over;   /* a restart: another scheduler takes over */
    uint32_t restart;  /* instants between restarts; 0: never */
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

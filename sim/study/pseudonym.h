/* sim/study/pseudonym.h - new names in the place of old ones.
 *
 * Names are collected by sort (names of one sort are compared with each other);
 * pseudonyms_number() gives new names, and the same walk that collected puts
 * them in the place of the old ones.
 */
#ifndef STUDY_PSEUDONYM_H
#define STUDY_PSEUDONYM_H

#include <stdbool.h>
#include <stdint.h>

struct gs_strtab;

enum pseudonym_sort {
    OF_PLACES, /* nodes, domains, types, values of nodes' labels and taints */
    OF_KEYS,   /* of labels and taints */
    OF_LABELS, /* of jobs, "key=value" */
    OF_QUEUES, /* a name of a path */
    OF_USERS,
    OF_JOBS,
    OF_CLASSES,
    OF_TASKS,
    OF_BUDGETS,
    OF_QUOTAS,
    OF_POOLS,
    OF_RESERVATIONS,
    OF_ACCOUNTS,
    OF_QOS,
    OF_PARTITIONS,
    OF_FLAVORS,
    OF_GROUPS, /* of users */
    PSEUDONYM_SORTS
};

struct named;

struct pseudonyms {
    struct gs_strtab *texts;
    bool is_numbered; /* all are collected: names are replaced */
    struct named *at[PSEUDONYM_SORTS];
    uint32_t count[PSEUDONYM_SORTS], cap[PSEUDONYM_SORTS];
    uint32_t
        *to[PSEUDONYM_SORTS]; /* [string id] 1: collected; then the new id */
    uint32_t to_cap[PSEUDONYM_SORTS];
};

/* The new name of string `id` of sort `m`; while names are collected, `id`.
 * The new one is `prefix` and a number; the name stays if `prefix` is NULL.
 */
uint32_t pseudonym(struct pseudonyms *n, enum pseudonym_sort m, uint32_t id,
                   const char *prefix);

/* Give all collected names their new ones, in the order of the old ones. */
void pseudonyms_number(struct pseudonyms *n);

void pseudonyms_free(struct pseudonyms *n);

#endif /* STUDY_PSEUDONYM_H */

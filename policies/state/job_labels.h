/* policies/state/job_labels.h - the labels of jobs that rules between jobs name. */
#ifndef POLICIES_STATE_JOB_LABELS_H
#define POLICIES_STATE_JOB_LABELS_H

#include "policies/state/state.h"

/* A job label; see job_labels.c. */
struct label_state {
    uint32_t number; /* + 1; 0: no rule names it */
    uint32_t seen;   /* + 1, of the last job with it before one did; 0 */
};

struct label_seen {
    uint32_t job, life; /* stale once the number has another life */
    uint32_t next;      /* + 1, of the same label; 0 */
};

/* The labels that rules name. */
struct gsched_labels {
    bool has_rules;                  /* may_refuse, and jobs have rules */
    struct label_state *label;       /* [string id of a job label] */
    uint32_t label_cap, label_count; /* label_count: named by rules */
    struct label_seen *seen;
    uint32_t seen_count, seen_cap, seen_stale;
};

/* The labels of the job, by string id of "key=value". */
const uint32_t *gsched_labels_of(const struct gsched *s, uint32_t job);
bool gsched_has_label(const struct gsched *s, uint32_t job, uint32_t label);
/* What is kept of a label; it grows the table, so pointers before it end. */
struct label_state *gsched_label_at(struct gsched *s, uint32_t label);
void gsched_rules_free(struct gsched *s);
/* The number of a label (string id of "key=value"); NONE: no rule names it. */
uint32_t gsched_label_number(const struct gsched *s, uint32_t label);
/* Do rules about other jobs matter to where its tasks stand, be they its own or
 * about a label of its?
 */
bool gsched_has_rules(const struct gsched *s, uint32_t job);
bool gsched_has_own_rules(const struct gsched *s, uint32_t job);
/* Of the labels that rules name; have two jobs the same ones? */
uint64_t gsched_labels_hash(const struct gsched *s, uint32_t job);
bool gsched_labels_same(const struct gsched *s, uint32_t a, uint32_t b);

#endif /* POLICIES_STATE_JOB_LABELS_H */

/* policies/state/job_labels.h - job labels that rules about other jobs name. */
#ifndef POLICIES_STATE_JOB_LABELS_H
#define POLICIES_STATE_JOB_LABELS_H

#include "policies/state/state.h"

/* A job label; see job_labels.c. */
struct label_state {
    uint32_t number; /* number + 1; 0: no rule names it */
    uint32_t seen;   /* list of jobs that had it before a rule named it:
                        index + 1; 0 */
    uint64_t moves;  /* placements and releases of tasks with it, or of tasks
                        that keep it away */
};

struct label_seen {
    uint32_t job, life; /* stale when the number of the job is reused */
    uint32_t next;      /* next of the same label: index + 1; 0 */
};

/* The labels that rules name. */
struct gsched_labels {
    bool has_rules;                  /* a module refuses nodes, and jobs have
                                        rules */
    struct label_state *label;       /* [string id of a job label] */
    uint32_t label_cap, label_count; /* label_count: named by rules */
    struct label_seen *seen;
    uint32_t seen_count, seen_cap, seen_stale;
};

/* The labels of tasks of the group, [0, count), as string ids of "key=value":
 * those of the job, then the group's.
 */
uint32_t gsched_label_count(const struct gsched *s, uint32_t job,
                            uint32_t group);
uint32_t gsched_label_of(const struct gsched *s, uint32_t job, uint32_t group,
                         uint32_t i);
/* True when a group of the job has the label. */
bool gsched_has_label(const struct gsched *s, uint32_t job, uint32_t label);
/* The state of a label.  May move the table: pointers into it become invalid.
 */
struct label_state *gsched_label_at(struct gsched *s, uint32_t label);
void gsched_rules_free(struct gsched *s);
/* The number of a label (string id of "key=value"); NONE: no rule names it. */
uint32_t gsched_label_number(const struct gsched *s, uint32_t label);
/* Number of placements and releases that concern the label since a rule names
 * it.
 */
uint64_t gsched_label_moves(const struct gsched *s, uint32_t label);
/* Tasks of the group were placed or released. */
void gsched_labels_moved(struct gsched *s, uint32_t job, uint32_t group);
/* True when rules about other jobs affect its placement: its own rules, or
 * rules that name one of its labels.  The second: its own rules only.
 */
bool gsched_has_label_rules(const struct gsched *s, uint32_t job);
bool gsched_has_own_rules(const struct gsched *s, uint32_t job);
/* The same, or nodes must be asked one by one for all jobs: some are kept for
 * others (booked_nodes.h, grace.h).
 */
bool gsched_has_rules(const struct gsched *s, uint32_t job);
/* True when the job has preferred rules and a module acts on them. */
bool gsched_has_soft_rules(const struct gsched *s, uint32_t job);
/* Hash of the labels of tasks of a group that rules name; and whether two
 * groups have the same ones.
 */
uint64_t gsched_labels_hash(const struct gsched *s, uint32_t job,
                            uint32_t group);
bool gsched_labels_same(const struct gsched *s, uint32_t a, uint32_t a_group,
                        uint32_t b, uint32_t b_group);

#endif /* POLICIES_STATE_JOB_LABELS_H */

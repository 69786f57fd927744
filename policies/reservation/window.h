/* policies/reservation/window.h - reservations on whole nodes and a grid of
 * time, made anew in each pass (actions/windowed.c; Slurm's backfill).
 *
 * The *map* is a list of records: from when to when which nodes are free of
 * reservations.  Jobs that run are not in it: when a job could start on nodes
 * that the map leaves to it is found by releasing running jobs one after
 * another, by their estimated ends (gsched_window_start()).  Ends that are
 * close to each other are released as one.
 */
#ifndef POLICIES_RESERVATION_WINDOW_H
#define POLICIES_RESERVATION_WINDOW_H

#include "base/numbers.h"
#include "policies/placement/class_set.h"
#include "policies/reservation/reservation.h"
#include "policies/state/state.h"

struct window_record {
    int64_t begin, end;
    uint32_t next; /* in time; 0: none */
};

/* A running job. */
struct window_end {
    int64_t at; /* its estimated end */
    uint32_t job;
    uint32_t node; /* that it holds; NONE: several */
};

/* The earliest time of which it is not known that no job with this request and
 * this limit or a longer one starts then.
 */
struct start_bound {
    int64_t limit, at;
    uint64_t pass;
};

#define WINDOW_LIMITS 64u /* bounds of one request class, by the limit */

/* What the tasks of one group of the job ask for. */
struct group_want {
    struct class_set suits; /* classes of nodes that suit them */
    const int64_t *amount;  /* [dim] of one task */
    uint32_t gang, most;    /* tasks in the gang; on one node */
    uint32_t dims;          /* those of which they ask for something */
    uint8_t dim[TOPO_DIMS_MAX];
};

#define WINDOW_VIEWS 32u

/* What is known of nodes for jobs of one request class, until a job starts. */
struct window_view {
    uint32_t rclass;
    uint64_t version;        /* of the window, at which it was made; 0: never */
    uint64_t *usable;        /* nodes that suit */
    uint64_t *open;          /* those on which tasks fit now */
    int64_t *opens;          /* [node] when tasks fit, as running jobs end */
    uint32_t *fits;          /* [node][group] tasks that fit */
    uint64_t *sum;           /* [domain][group] on given nodes */
    struct scope *domain;    /* one of these must hold the gang */
    uint32_t *domain_of;     /* [node] NONE: in none */
    struct group_want *want; /* [group] */
    uint32_t fits_cap, sum_cap, domain_cap, want_cap;
    uint32_t domains, groups;
    bool is_tried; /* a job that evicts found no victims: */
    uint32_t tried_class;
    int64_t tried_limit;
    uint32_t least; /* nodes that a job needs at least */
};

struct gsched_window {
    struct ends running;       /* jobs */
    int64_t resolution, clock; /* us; of the grid, see gsp_backfill */
    int64_t limit;             /* of the pass: no start after this */

    struct window_record *record;
    uint64_t *bits; /* [record][word] nodes free of reservations */
    uint32_t records, record_cap, bits_cap, words;
    uint32_t at_record; /* of the job: the first that ends after `from` */

    struct start_bound *bound; /* [request class][limit's logarithm] */
    uint32_t bound_cap;
    uint64_t pass;

    struct window_end *end; /* running jobs by their ends */
    uint32_t ends, end_cap;
    int64_t *free;             /* [node][dim] now */
    int64_t *later;            /* the same with jobs released */
    struct gs_numbers touched; /* nodes whose `later` differs */

    struct window_view view[WINDOW_VIEWS]; /* by request class */
    struct window_view *of;                /* of the job in question */
    uint64_t version;  /* increases with each start, and each pass */
    uint64_t *given;   /* usable nodes that the map leaves to the job */
    uint64_t *fitting; /* those on which tasks fit later */
    uint64_t *picked;  /* those that it would use */
    uint64_t *ending;  /* [block of ends][word] nodes that they hold */
    uint64_t *busy;    /* nodes that they hold */
    uint32_t ending_cap, block;
    uint64_t noted;           /* version of `ending` */
    struct reservation taken; /* the slots behind `picked` */
};

static inline int64_t *gsched_window_later(const struct gsched *s,
                                           uint32_t node)
{
    return s->window->later + (size_t)node * s->dims;
}

static inline bool gsched_bit(const uint64_t *bits, uint32_t node)
{
    return bits[node / 64] >> node % 64 & 1;
}

/* Events; see gsched_reservations_started(). */
void gsched_window_started(struct gsched *s, uint32_t job);
void gsched_window_ended(struct gsched *s, uint32_t job);
void gsched_window_free(struct gsched *s);

/* --- the map: window_map.c ------------------------------------------------ */

/* Begin a pass: a map without reservations, the ends of running jobs, and what
 * is free now.
 */
struct gsched_window *gsched_window_begin(struct gsched *s);
/* Jobs were evicted: count anew what is free, and which jobs run. */
void gsched_window_renew(struct gsched *s);
/* The job started in this pass, by the decisions from `first` on. */
void gsched_window_took(struct gsched *s, uint32_t job, uint32_t first);
/* Set `given` to the usable nodes without reservations from `from` to `end`,
 * both included.  Returns the first end of a record after which other nodes
 * are free, or GSCHED_NEVER.  For one job `from` rises from call to call.
 */
int64_t gsched_window_give(struct gsched_window *w, int64_t from, int64_t end);
/* True when picked nodes are reserved from `begin` to before `end`; not before
 * the last `from`.
 */
bool gsched_window_overlaps(const struct gsched_window *w, int64_t begin,
                            int64_t end);
/* The time on the grid of a reservation from `start` on for `time`: it begins
 * at or before its start, and ends at or after its end, or with `down` at or
 * before that.
 */
void gsched_window_slot(const struct gsched_window *w, int64_t start,
                        int64_t time, bool down, int64_t *begin, int64_t *end);
/* Reserve the picked nodes, for a step of the grid at least. */
void gsched_window_reserve(struct gsched_window *w, int64_t begin, int64_t end);

/* --- the nodes for a job: window_view.c ----------------------------------- */

/* The job in question, and its request class: set the view of it. */
void gsched_window_job(struct gsched *s, uint32_t job, uint32_t rclass);
/* Number of tasks of the group that fit on the node, with what is free later.
 */
uint32_t gsched_window_fit(const struct gsched *s, uint32_t group,
                           uint32_t node);
/* Release an allocation of a running job. */
struct allocation;
void gsched_window_release(struct gsched *s, uint32_t job,
                           const struct allocation *a);
/* Undo all releases. */
void gsched_window_restore(struct gsched *s);
void gsched_window_views_free(struct gsched_window *w);

/* --- when a job could start: window_start.c ------------------------------- */

/* True when the given nodes are as many as the job needs at least. */
bool gsched_window_has_nodes(const struct gsched *s);
/* True when by their sums the given nodes have room for the gang now. */
bool gsched_window_has_room(struct gsched *s);
/* The time, at most `latest`, at which the gang fits on the given nodes as
 * running jobs end, with the nodes in `picked`; GSCHED_NEVER.
 */
int64_t gsched_window_start(struct gsched *s, uint32_t job, int64_t latest);

/* Within a pass the map only fills: a job starts no earlier than one before it
 * with the same request and no longer limit.  The time from which on to search
 * for the job; note that it does not start before `at`.
 */
int64_t gsched_window_bound(const struct gsched *s, uint32_t rclass,
                            int64_t limit);
void gsched_window_note(struct gsched *s, uint32_t rclass, int64_t limit,
                        int64_t at);

#endif /* POLICIES_RESERVATION_WINDOW_H */

/* policies/state/queue_keys.h - the order of queues with one parent.
 *
 * Modules say by numbers where a queue stands (queue_key of struct gsp_module).
 * They are kept until the amounts of the queue change, or until the module says
 * that they may differ, so that a comparison asks no module.  Where they follow
 * from a change of the queue (gsp_host.queue_change), each that states changes
 * of its own keeps a set of its own.
 */
#ifndef POLICIES_STATE_QUEUE_KEYS_H
#define POLICIES_STATE_QUEUE_KEYS_H

#include "base/numbers.h"
#include "policies/state/state.h"

struct queue_key {
    uint64_t version; /* > 0, another one once its numbers may differ */
    bool has_change;  /* as of a change that is kept, too */
    bool is_listed;   /* among `forgotten` */
    bool is_held;     /* because it holds another amount */
};

struct queue_key_set {
    double *number;    /* [queue * per + i] */
    uint64_t *version; /* [queue] of which these are; 0: none are known */
};

struct gsched_queue_keys {
    struct queue_key *of;      /* [queue] */
    struct queue_key_set own;  /* of the changes of service */
    int64_t *change;           /* [queue * dims + dim] for which these are */
    struct queue_key_set *now; /* of the changes that are stated at present */
    uint32_t per;              /* numbers of a queue */
    bool by_change;            /* they follow from gsp_host.queue_change() */
    uint64_t followed; /* changes of amounts, and of what waits, that modules
 know of */
    bool is_followed;  /* a reader notes those that may differ: */
    struct gs_numbers forgotten; /* queues, until it has noted them */
};

/* Once the modules are known. */
void gsched_queue_keys_open(struct gsched *s);
void gsched_queue_keys_free(struct gsched *s);
/* Open a set for one that states changes of queues.  NULL: numbers do not
 * follow from changes.
 */
struct queue_key_set *gsched_queue_key_set(struct gsched *s);
/* Let modules say which numbers differ because of the amounts of others. */
void gsched_queue_keys_follow(const struct gsched *s);
/* < 0: queue `a` is served first; 0: no module orders them. */
int gsched_modules_compare_queues(const struct gsched *s, uint32_t a,
                                  uint32_t b);

/* Set key[] to all numbers of the queue, for the change that is stated. */
void gsched_queue_key_make(const struct gsched *s, uint32_t queue, double *key);
/* As gsched_modules_compare_queues(), of queues with these numbers; NULL: there
 * are none.
 */
int gsched_queue_keys_compare(const struct gsched *s, uint32_t a,
                              const double *x, uint32_t b, const double *y);

/* The numbers of the queue may differ from now on.  `is_held`: as it holds
 * another amount.
 */
static inline void gsched_queue_key_forget(struct gsched *s, uint32_t queue,
                                           bool is_held)
{
    struct gsched_queue_keys *k = s->queue_keys;

    if (!k)
        return;
    k->of[queue].version++;
    if (!k->is_followed)
        return;
    k->of[queue].is_held |= is_held;
    if (k->of[queue].is_listed)
        return;
    k->of[queue].is_listed = true;
    (void)gs_numbers_add(&k->forgotten, queue);
}

/* Are queues noted of which the numbers may differ? */
static inline void gsched_queue_keys_listen(struct gsched *s, bool listens)
{
    if (s->queue_keys)
        s->queue_keys->is_followed = listens;
}

/* The changes of that set are stated from now on; NULL: those of service. */
static inline void gsched_queue_keys_use(struct gsched *s,
                                         struct queue_key_set *set)
{
    if (s->queue_keys)
        s->queue_keys->now = set ? set : &s->queue_keys->own;
}

/* The change of the queue that the set is of is another one. */
static inline void gsched_queue_key_changes(struct queue_key_set *set,
                                            uint32_t queue)
{
    if (set)
        set->version[queue] = 0;
}

#endif /* POLICIES_STATE_QUEUE_KEYS_H */

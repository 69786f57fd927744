/* topology/mig.h - instances of a GPU: profiles, and where they may stand.
 *
 * A GPU that can be cut has 7 compute slices and 8 memory slices.  An instance
 * takes a run of memory slices that may begin at certain slices only; which
 * slices of a device are taken is a mask of 8 bits.  Every placement takes at
 * least as many of the memory slices 0 to 6 as it has compute slices, so that
 * what does not overlap never has more than 7 of these: the mask says it all.
 *
 * Profiles of one name on several models are one *kind*; a kind takes other
 * slices on other models (1g.10gb is two memory slices of an A100-40 and one of
 * an A100-80).
 */
#ifndef TOPO_MIG_H
#define TOPO_MIG_H

#include <stdint.h>

#pragma GCC visibility push(default)

#define TOPO_MIG_PROFILES 6 /* of each model */
#define TOPO_MIG_COMPUTE 7  /* compute slices of a GPU */
#define TOPO_MIG_MEMORY 8   /* memory slices of a GPU */

struct topo_mig_profile {
    uint8_t kind;    /* 1 .. topo_mig_kinds() */
    uint8_t compute; /* compute slices */
    uint8_t memory;  /* memory slices, one after the other */
    uint8_t starts;  /* bit i: may begin at memory slice i */
};

struct topo_mig_model {
    const char *name;
    struct topo_mig_profile profile[TOPO_MIG_PROFILES];
};

/* The table called `model`, in any case and with or without "GB" behind; NULL
 * when there is none.
 */
const struct topo_mig_model *topo_mig_model_find(const char *model);
/* The i-th table; NULL behind the last. */
const struct topo_mig_model *topo_mig_model_at(uint32_t i);
/* "A100-40, A100-80, ...", for messages. */
const char *topo_mig_models(void);

/* The kind called `name`; 0 when there is none. */
uint32_t topo_mig_kind_find(const char *name);
const char *topo_mig_kind_name(uint32_t kind);
uint32_t topo_mig_kinds(void);
/* Thousandths of a device for sums, quotas and queues: its share of the compute
 * slices, rounded down so that what fits never adds up to more than a device.
 */
uint32_t topo_mig_kind_milli(uint32_t kind);

/* The model's profile of that kind; NULL when it lacks it. */
const struct topo_mig_profile *topo_mig_profile(const struct topo_mig_model *m,
                                                uint32_t kind);

/* Memory slices of an instance that begins at `start`. */
uint8_t topo_mig_slices(const struct topo_mig_profile *p, uint32_t start);
/* Bit i: an instance may begin at slice i of a device whose slices `taken` are
 * taken.  So many fit at once: no two places of one profile overlap.
 */
uint8_t topo_mig_starts(const struct topo_mig_profile *p, uint8_t taken);
/* How many placements, of all profiles, are possible on such a device. */
uint32_t topo_mig_choices(const struct topo_mig_model *m, uint8_t taken);
/* Of the possible starts the one that leaves the most choices, then the
 * highest; there must be one.
 */
uint32_t topo_mig_start(const struct topo_mig_model *m,
                        const struct topo_mig_profile *p, uint8_t taken);
/* Of `count` devices whose slices taken[] are taken, the one on which the best
 * start loses the fewest choices, then the one with the fewest, then with the
 * lowest mask (so that the state of a node says what becomes of it), then the
 * lowest; `count` when none has room.
 */
uint32_t topo_mig_tightest(const struct topo_mig_model *m,
                           const struct topo_mig_profile *p,
                           const uint8_t *taken, uint32_t count);

#pragma GCC visibility pop

#endif /* TOPO_MIG_H */

/* topology/mig.h - instances of a GPU (MIG): profiles and placements.
 *
 * A GPU that can be cut has 7 compute slices and 8 memory slices.  An instance
 * takes consecutive memory slices and may begin at certain slices only; which
 * slices of a device are taken is a mask of 8 bits.  Each placement takes at
 * least as many of the memory slices 0 to 6 as it has compute slices, so
 * instances that do not overlap never have more than 7 compute slices: the mask
 * is the whole state.
 *
 * Profiles of one name on several models are one *kind*; its slices differ by
 * model (1g.10gb is two memory slices of an A100-40 and one of an A100-80).
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

/* The table called `model`, whatever the case and with or without a trailing
 * "GB"; NULL when there is none.
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
/* Thousandths of a device that count in sums, quotas and queues: the share of
 * the compute slices, rounded down so that instances that fit never add up to
 * more than a device.
 */
uint32_t topo_mig_kind_milli(uint32_t kind);

/* The model's profile of that kind; NULL when it lacks it. */
const struct topo_mig_profile *topo_mig_profile(const struct topo_mig_model *m,
                                                uint32_t kind);

/* Memory slices of an instance that begins at `start`. */
uint8_t topo_mig_slices(const struct topo_mig_profile *p, uint32_t start);
/* Bit i: an instance may begin at slice i of a device whose slices `taken` are
 * taken.  The number of bits is how many fit at once: placements of one profile
 * never overlap.
 */
uint8_t topo_mig_starts(const struct topo_mig_profile *p, uint8_t taken);
/* The number of placements, of all profiles, that such a device still allows.
 */
uint32_t topo_mig_choices(const struct topo_mig_model *m, uint8_t taken);
/* The best possible start: the one that leaves the most placements, the highest
 * of equals.  At least one must be possible.
 */
uint32_t topo_mig_start(const struct topo_mig_model *m,
                        const struct topo_mig_profile *p, uint8_t taken);
/* The best of `count` devices whose slices taken[] are taken: the one that
 * loses the fewest placements with its best start, then the one with the fewest
 * placements, then with the lowest mask (so that the state of a node determines
 * the result), then the lowest.  `count` when none has room.
 */
uint32_t topo_mig_tightest(const struct topo_mig_model *m,
                           const struct topo_mig_profile *p,
                           const uint8_t *taken, uint32_t count);

#pragma GCC visibility pop

#endif /* TOPO_MIG_H */

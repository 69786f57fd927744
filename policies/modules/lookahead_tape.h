/* policies/modules/lookahead_tape.h - the tasks with which lookahead fills
 * every node, drawn from the mix.
 */
#ifndef GSP_LOOKAHEAD_TAPE_H
#define GSP_LOOKAHEAD_TAPE_H

#include "policies/modules/lookahead_node.h"

#define TAPE 16384u /* tasks drawn from the mix */
#define BLOCK 1024u /* each block has nearly the exact shares of the mix */

__extension__ typedef unsigned __int128 wide;

struct mix_kind {
    const struct gsp_task *task;
    int64_t weight;
    int64_t scarcity; /* hundredths: all GPUs / GPUs that it can use */
    uint32_t gpus, share;
    int64_t amount[LIMITS]; /* that it asks for */
};

/* A number below n from a private stream: the tape is the same for every seed.
 */
static inline uint32_t draw(uint64_t *state, uint32_t n)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((scramble(*state) >> 32) * n >> 32);
}

/* Weight of a kind: how often it occurs, how few nodes suit it and, since large
 * tasks determine the use of a node, twice its GPUs.
 */
static inline uint64_t pull(const struct mix_kind *k)
{
    const uint64_t gpus = k->share ? 1 : k->gpus;

    return (uint64_t)k->weight * (gpus ? 2 * gpus : 1) * (uint64_t)k->scarcity;
}

/* Make one block: tasks in the proportions of the mix, then shuffled. */
static inline void block_make(const struct mix_kind *kind, uint16_t *block,
                              uint64_t all, uint64_t *state)
{
    const uint64_t offset = draw(state, 1u << 20);
    uint64_t sum = pull(&kind[0]);
    uint32_t k = 0;

    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint64_t at = (uint64_t)((((wide)i << 20) + offset) * all
                                       / ((wide)BLOCK << 20));

        while (sum <= at)
            sum += pull(&kind[++k]);
        block[i] = (uint16_t)k;
    }
    for (uint32_t i = BLOCK - 1; i > 0; i--) {
        const uint32_t j = draw(state, i + 1);
        const uint16_t swap = block[i];

        block[i] = block[j];
        block[j] = swap;
    }
}

static inline void tape_make(uint16_t *tape, const struct mix_kind *kind,
                             uint32_t kinds)
{
    uint64_t all = 0, state = 1;

    for (uint32_t i = 0; i < kinds; i++)
        all += pull(&kind[i]);
    for (uint32_t b = 0; b < TAPE && all; b += BLOCK)
        block_make(kind, tape + b, all, &state);
}

#endif /* GSP_LOOKAHEAD_TAPE_H */

/* base/hash.c - open addressing over places, see hash.h. */
#include "base/hash.h"

#include <assert.h>
#include <string.h>

#include "base/far.h"

#define SLOTS_MIN 64u

static void slot_put(struct gs_hash *h, struct gs_hash_slot new)
{
    uint32_t i = new.hash &(h->slots - 1);

    while (h->slot[i].at)
        i = (i + 1) & (h->slots - 1);
    h->slot[i] = new;
}

void gs_hash_put(struct gs_hash *h, uint64_t hash, uint32_t at)
{
    assert(at < GS_HASH_NONE);
    if (h->count * 2 >= h->slots) {
        struct gs_hash old = *h;

        h->slots = old.slots ? old.slots * 2 : SLOTS_MIN;
        h->slot = gs_far_new(h->far, h->slots, sizeof(*h->slot));
        for (uint32_t i = 0; i < old.slots; i++) {
            if (old.slot[i].at)
                slot_put(h, old.slot[i]);
        }
        gs_hash_free(&old);
    }
    slot_put(h, (struct gs_hash_slot){ at + 1, (uint32_t)hash });
    h->count++;
}

void gs_hash_clear(struct gs_hash *h)
{
    if (h->slots)
        memset(h->slot, 0, h->slots * sizeof(*h->slot));
    h->count = 0;
}

void gs_hash_free(struct gs_hash *h)
{
    gs_far_free(h->far, h->slot);
    *h = (struct gs_hash){ .far = h->far };
}

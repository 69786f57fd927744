/* topology/mix_suits.c - see mix_suits.h. */
#include "topology/mix_suits.h"

#include <assert.h>

#include "base/array.h"
#include "topology/cluster.h"
#include "topology/labels.h"
#include "topology/task_mix.h"
#include "topology/topology.h"

struct topo_mix_suits topo_mix_suits(const struct topo *t,
                                     const struct topo_mix_kind *kind,
                                     uint32_t kinds)
{
    struct topo_mix_suits s = { .words = kinds / 64 + 1, .kinds = kinds };

    s.bits = gs_array_new((size_t)t->class_count * s.words, sizeof(*s.bits));
    for (uint32_t i = 0; i < kinds; i++) {
        struct topo_class_walk w = topo_classes_walk(t, &kind[i].request);

        for (uint32_t k; topo_classes_next(&w, &k);) {
            if (topo_class_misfit(t, k, &kind[i].request) == TOPO_FITS)
                s.bits[(size_t)k * s.words + i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    return s;
}

uint32_t topo_mix_suits_next(const struct topo_mix_suits *s, uint32_t klass,
                             uint32_t kind)
{
    const uint64_t *bits = s->bits + (size_t)klass * s->words;
    uint32_t at = kind / 64;
    uint64_t word = bits[at] & UINT64_MAX << kind % 64;

    assert(kind <= s->kinds);
    while (word == 0 && ++at < s->words)
        word = bits[at];
    return word ? at * 64 + (uint32_t)__builtin_ctzll(word) : s->kinds;
}

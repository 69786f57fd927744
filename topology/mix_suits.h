/* topology/mix_suits.h - which kinds of tasks suit a node class: a bit a pair.
 */
#ifndef TOPO_MIX_SUITS_H
#define TOPO_MIX_SUITS_H

#include <stdint.h>

struct topo;
struct topo_mix_kind;

/* Zeroed it is empty; free it with gs_array_free(bits). */
struct topo_mix_suits {
    uint64_t *bits; /* [class][words] */
    uint32_t words, kinds;
};

struct topo_mix_suits topo_mix_suits(const struct topo *t,
                                     const struct topo_mix_kind *kind,
                                     uint32_t kinds);
/* The first kind from `kind` on that suits the class; the number of kinds when
 * there is none.
 */
uint32_t topo_mix_suits_next(const struct topo_mix_suits *s, uint32_t klass,
                             uint32_t kind);

#endif /* TOPO_MIX_SUITS_H */

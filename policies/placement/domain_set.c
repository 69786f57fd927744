/* policies/placement/domain_set.c - see domain_set.h.
 *
 * After each domain a state says: so many domains hold so many tasks, with the
 * leader or without.  States are bits; the first way to each is noted.
 */
#include "policies/placement/domain_set.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"

#define ABOVE_MOST 65536u
#define WORD 64u
#define WORDS_MOST (UINT64_C(1) << 24)
#define WAYS_MOST (1u << 22)

/* The first way to a state: the domain, added to a state without it. */
struct way {
    uint32_t tasks, item, used;
    bool led;        /* of the state: the leader has its place */
    bool takes_lead; /* by this domain */
};

struct domain_sets {
    struct domain_item *item;
    uint64_t *bits;  /* [used * 2 + led][word] tasks that can be held so */
    uint64_t *most;  /* [n] tasks that the n largest hold */
    struct way *way; /* as they were found */
    uint32_t item_cap, most_cap, way_cap, bits_cap, ways;
    uint32_t words;
    uint64_t need;
};

/* One step: states of `used - 1` domains become those of `used`. */
struct step {
    uint32_t item, used;
    bool from_led, takes_lead;
};

struct domain_sets *domain_sets_new(void)
{
    return gs_array_new(1, sizeof(struct domain_sets));
}

void domain_sets_free(struct domain_sets *d)
{
    if (!d)
        return;
    gs_array_free(d->item);
    gs_array_free(d->bits);
    gs_array_free(d->most);
    gs_array_free(d->way);
    gs_array_free(d);
}

struct domain_item *domain_sets_items(struct domain_sets *d, uint32_t count)
{
    d->item = gs_array_grow(d->item, &d->item_cap, count, sizeof(*d->item));
    return d->item;
}

/* --- the largest ---------------------------------------------------------- */

static bool more(const void *of, uint32_t a, uint32_t b)
{
    const uint64_t *tasks = of;

    return tasks[a] > tasks[b];
}

GS_HEAP_SWAP(swap, uint64_t)

/* Set most[n] for n up to `used`. */
static void most_set(struct domain_sets *d, uint32_t count, uint32_t used)
{
    static const struct gs_heap largest = { more, swap };
    const uint64_t limit = d->need + ABOVE_MOST;
    uint64_t *heap;
    uint64_t sum = 0;

    d->most = gs_array_grow(d->most, &d->most_cap, used + 1 + count,
                            sizeof(*d->most));
    heap = d->most + used + 1;
    for (uint32_t i = 0; i < count; i++) {
        struct domain_item *x = &d->item[i];

        x->tasks = x->tasks < limit ? x->tasks : limit;
        x->led = x->led < x->tasks ? x->led : x->tasks;
        heap[i] = x->tasks;
    }
    gs_heap_build(&largest, heap, count);
    d->most[0] = 0;
    for (uint32_t n = 1; n <= used; n++) {
        sum += heap[0];
        heap[0] = heap[--count];
        (void)gs_heap_sink(&largest, heap, count, 0);
        d->most[n] = sum;
    }
}

/* --- states --------------------------------------------------------------- */

static uint64_t *bits_of(const struct domain_sets *d, uint32_t used, bool led)
{
    return d->bits + ((size_t)used * 2 + led) * d->words;
}

static void way_note(struct domain_sets *d, const struct step *s, bool led,
                     uint32_t tasks)
{
    d->way = gs_array_grow(d->way, &d->way_cap, d->ways + 1, sizeof(*d->way));
    d->way[d->ways++] = (struct way){ .tasks = tasks,
                                      .item = s->item,
                                      .used = s->used,
                                      .led = led,
                                      .takes_lead = s->takes_lead };
}

/* The word of the states without the domain, as it is with `by` tasks more.
 * States that need nothing more are not among them.
 */
static uint64_t word_shifted(const struct domain_sets *d, const struct step *s,
                             uint64_t by, uint32_t word, uint64_t below)
{
    const uint64_t *from = bits_of(d, s->used - 1, s->from_led);
    const uint32_t words = (uint32_t)(by / WORD), bit = (uint32_t)(by % WORD);
    uint64_t got[2] = { 0, 0 };

    for (uint32_t i = 0; i < 2; i++) {
        uint32_t at;

        if (word < words + i)
            continue;
        at = word - words - i;
        got[i] = from[at];
        if (below / WORD == at)
            got[i] &= (UINT64_C(1) << below % WORD) - 1;
        else if (below / WORD < at)
            got[i] = 0;
    }
    return bit ? got[0] << bit | got[1] >> (WORD - bit) : got[0];
}

/* Note the states that the step reaches first, of which a set can still become
 * enough with the `rest` of the domains.
 */
static void step_take(struct domain_sets *d, const struct step *s, uint64_t by,
                      uint64_t rest)
{
    const bool led = s->from_led || s->takes_lead;
    const uint64_t least = d->need > rest ? d->need - rest : 0;
    const uint64_t below = s->from_led ? d->need : UINT64_MAX;
    uint64_t *to = bits_of(d, s->used, led);

    for (uint32_t w = (uint32_t)(least / WORD); w < d->words; w++) {
        uint64_t new = word_shifted(d, s, by, w, below) & ~to[w];

        if (w == least / WORD)
            new &= ~((UINT64_C(1) << least % WORD) - 1);
        to[w] |= new;
        for (; new; new &= new - 1)
            way_note(d, s, led, w * WORD + (uint32_t)__builtin_ctzll(new));
    }
}

static bool has_bit(const struct domain_sets *d, uint32_t used, uint64_t tasks)
{
    return bits_of(d, used, true)[tasks / WORD] >> tasks % WORD & 1;
}

/* Add the domain to all states, those of most domains first. */
static void item_add(struct domain_sets *d, uint32_t item, uint32_t used)
{
    const struct domain_item *x = &d->item[item];

    for (uint32_t n = used; n > 0; n--) {
        struct step s = { .item = item, .used = n, .from_led = true };
        const uint64_t rest = d->most[used - n];

        if (x->holds)
            step_take(d, &s, x->tasks, rest);
        s.from_led = false;
        s.takes_lead = true;
        if (x->leads)
            step_take(d, &s, x->led, rest);
        s.takes_lead = false;
        if (x->holds)
            step_take(d, &s, x->tasks, rest);
    }
}

/* --- the set -------------------------------------------------------------- */

static void way_follow(const struct domain_sets *d, uint32_t used,
                       uint64_t tasks, uint32_t *place)
{
    bool led = true;

    for (uint32_t i = d->ways; used > 0;) {
        const struct way *w = &d->way[--i];
        const struct domain_item *x = &d->item[w->item];

        if (w->used != used || w->led != led || w->tasks != tasks)
            continue;
        place[--used] = w->item;
        tasks -= w->takes_lead ? x->led : x->tasks;
        led = led && !w->takes_lead;
    }
    assert(tasks == 0);
}

bool domain_sets_choose(struct domain_sets *d, uint32_t count, uint32_t used,
                        uint64_t need, bool leads, uint32_t *place)
{
    uint64_t tasks = need;

    assert(used > 0 && used <= count);
    d->need = need;
    d->ways = 0;
    most_set(d, count, used);
    if (d->most[used] < need
        || (d->most[used] / WORD + 1) * 2 * (used + 1) > WORDS_MOST)
        return false;
    d->words = (uint32_t)(d->most[used] / WORD + 1);
    d->bits = gs_array_grow(d->bits, &d->bits_cap, (used + 1) * 2 * d->words,
                            sizeof(*d->bits));
    memset(d->bits, 0, (size_t)(used + 1) * 2 * d->words * sizeof(*d->bits));
    bits_of(d, 0, !leads)[0] = 1;
    for (uint32_t i = 0; i < count && !has_bit(d, used, need); i++) {
        item_add(d, i, used);
        if (d->ways > WAYS_MOST)
            return false;
    }
    while (tasks <= d->most[used] && !has_bit(d, used, tasks))
        tasks++;
    if (tasks > d->most[used])
        return false;
    way_follow(d, used, tasks, place);
    return true;
}

/* topology/mig.c - profiles of each model, and their placements.
 *
 * Source: NVIDIA, "NVIDIA Multi-Instance GPU User Guide", supported profiles
 * and placements of each GPU, as `nvidia-smi mig -lgipp` lists them.  Profiles
 * with media extensions or graphics (+me, +gfx) take the same slices as those
 * without and are left out.
 */
#include "topology/mig.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "topology/resources.h"

enum kind {
    NONE,
    G1_5GB,
    G1_10GB,
    G2_10GB,
    G3_20GB,
    G4_20GB,
    G7_40GB,
    G1_20GB,
    G2_20GB,
    G3_40GB,
    G4_40GB,
    G7_80GB,
    G1_18GB,
    G1_35GB,
    G2_35GB,
    G3_71GB,
    G4_71GB,
    G7_141GB,
    G1_23GB,
    G1_45GB,
    G2_45GB,
    G3_90GB,
    G4_90GB,
    G7_180GB,
    KINDS
};

/* A name begins with the number of compute slices. */
static const char *const names[KINDS] = {
    [G1_5GB] = "1g.5gb",   [G1_10GB] = "1g.10gb",   [G2_10GB] = "2g.10gb",
    [G3_20GB] = "3g.20gb", [G4_20GB] = "4g.20gb",   [G7_40GB] = "7g.40gb",
    [G1_20GB] = "1g.20gb", [G2_20GB] = "2g.20gb",   [G3_40GB] = "3g.40gb",
    [G4_40GB] = "4g.40gb", [G7_80GB] = "7g.80gb",   [G1_18GB] = "1g.18gb",
    [G1_35GB] = "1g.35gb", [G2_35GB] = "2g.35gb",   [G3_71GB] = "3g.71gb",
    [G4_71GB] = "4g.71gb", [G7_141GB] = "7g.141gb", [G1_23GB] = "1g.23gb",
    [G1_45GB] = "1g.45gb", [G2_45GB] = "2g.45gb",   [G3_90GB] = "3g.90gb",
    [G4_90GB] = "4g.90gb", [G7_180GB] = "7g.180gb",
};

/* Compute slices, memory slices, mask of starts: the same on all these models.
 */
#define PROFILES(one, wide, two, three, four, seven) \
    {                                                \
        { one, 1, 1, 0x7f },       /* 0 to 6 */      \
            { wide, 1, 2, 0x55 },  /* 0, 2, 4, 6 */  \
            { two, 2, 2, 0x15 },   /* 0, 2, 4 */     \
            { three, 3, 4, 0x11 }, /* 0, 4 */        \
            { four, 4, 4, 0x01 },  /* 0 */           \
            { seven, 7, 8, 0x01 }, /* 0 */           \
    }

static const struct topo_mig_model models[] = {
    { "A100-40",
      PROFILES(G1_5GB, G1_10GB, G2_10GB, G3_20GB, G4_20GB, G7_40GB) },
    { "A100-80",
      PROFILES(G1_10GB, G1_20GB, G2_20GB, G3_40GB, G4_40GB, G7_80GB) },
    { "H100-80",
      PROFILES(G1_10GB, G1_20GB, G2_20GB, G3_40GB, G4_40GB, G7_80GB) },
    { "H200", PROFILES(G1_18GB, G1_35GB, G2_35GB, G3_71GB, G4_71GB, G7_141GB) },
    { "B200", PROFILES(G1_23GB, G1_45GB, G2_45GB, G3_90GB, G4_90GB, G7_180GB) },
};

#define MODELS (sizeof(models) / sizeof(models[0]))

const char *topo_mig_models(void)
{
    return "A100-40, A100-80, H100-80, H200, B200";
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* True when `text` is the name, ignoring case and a trailing "GB". */
static bool is_called(const char *text, const char *name)
{
    while (*name && lower(*text) == lower(*name)) {
        text++;
        name++;
    }
    return *name == '\0'
           && (*text == '\0'
               || (lower(text[0]) == 'g' && lower(text[1]) == 'b'
                   && text[2] == '\0'));
}

const struct topo_mig_model *topo_mig_model_find(const char *model)
{
    assert(model);
    for (size_t i = 0; i < MODELS; i++) {
        if (is_called(model, models[i].name))
            return &models[i];
    }
    return NULL;
}

const struct topo_mig_model *topo_mig_model_at(uint32_t i)
{
    return i < MODELS ? &models[i] : NULL;
}

/* --- kinds ---------------------------------------------------------------- */

uint32_t topo_mig_kind_find(const char *name)
{
    assert(name);
    for (uint32_t k = 1; k < KINDS; k++) {
        if (strcmp(names[k], name) == 0)
            return k;
    }
    return NONE;
}

const char *topo_mig_kind_name(uint32_t kind)
{
    assert(kind < KINDS);
    return names[kind];
}

uint32_t topo_mig_kinds(void)
{
    return KINDS - 1;
}

uint32_t topo_mig_kind_milli(uint32_t kind)
{
    assert(kind > 0 && kind < KINDS);
    return (uint32_t)(names[kind][0] - '0') * TOPO_SHARE_ONE / TOPO_MIG_COMPUTE;
}

const struct topo_mig_profile *topo_mig_profile(const struct topo_mig_model *m,
                                                uint32_t kind)
{
    assert(m && kind < KINDS);
    for (uint32_t i = 0; i < TOPO_MIG_PROFILES; i++) {
        if (m->profile[i].kind == kind)
            return &m->profile[i];
    }
    return NULL;
}

/* --- placements ----------------------------------------------------------- */

uint8_t topo_mig_slices(const struct topo_mig_profile *p, uint32_t start)
{
    assert(p && start + p->memory <= TOPO_MIG_MEMORY);
    return (uint8_t)(((1u << p->memory) - 1) << start);
}

uint8_t topo_mig_starts(const struct topo_mig_profile *p, uint8_t taken)
{
    uint8_t free = p->starts;

    assert(p);
    for (uint32_t i = 0; i < TOPO_MIG_MEMORY; i++) {
        if (p->starts >> i & 1 && (topo_mig_slices(p, i) & taken))
            free = (uint8_t)(free & ~(1u << i));
    }
    return free;
}

uint32_t topo_mig_choices(const struct topo_mig_model *m, uint8_t taken)
{
    uint32_t n = 0;

    assert(m);
    for (uint32_t i = 0; i < TOPO_MIG_PROFILES; i++)
        n += (uint32_t)__builtin_popcount(
            topo_mig_starts(&m->profile[i], taken));
    return n;
}

/* Number of placements left after the best start; UINT32_MAX: no start is free.
 */
static uint32_t best_left(const struct topo_mig_model *m,
                          const struct topo_mig_profile *p, uint8_t taken,
                          uint32_t *start)
{
    const uint8_t starts = topo_mig_starts(p, taken);
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < TOPO_MIG_MEMORY; i++) {
        uint32_t left;

        if (!(starts >> i & 1))
            continue;
        left = topo_mig_choices(m, taken | topo_mig_slices(p, i));
        if (best == UINT32_MAX || left >= best) {
            best = left;
            *start = i;
        }
    }
    return best;
}

uint32_t topo_mig_start(const struct topo_mig_model *m,
                        const struct topo_mig_profile *p, uint8_t taken)
{
    uint32_t start = 0;

    assert(topo_mig_starts(p, taken)); /* a start is possible */
    (void)best_left(m, p, taken, &start);
    return start;
}

uint32_t topo_mig_tightest(const struct topo_mig_model *m,
                           const struct topo_mig_profile *p,
                           const uint8_t *taken, uint32_t count)
{
    uint32_t best = count, least_lost = 0, least = 0;

    assert(m && p && taken && count <= TOPO_DEVICES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t start = 0, lost;
        const uint32_t choices = topo_mig_choices(m, taken[i]);
        const uint32_t left = best_left(m, p, taken[i], &start);

        if (left == UINT32_MAX)
            continue;
        lost = choices - left;
        if (best == count || lost < least_lost
            || (lost == least_lost
                && (choices < least
                    || (choices == least && taken[i] < taken[best])))) {
            best = i;
            least_lost = lost;
            least = choices;
        }
    }
    return best;
}

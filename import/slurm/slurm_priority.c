/* import/slurm/slurm_priority.c - see slurm_priority.h. */
#include "import/slurm/slurm_priority.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

#define WEIGHT_MOST 4294967295u
#define WEEK_SECONDS 604800

/* What is modelled of PriorityFlags, beside words that have no effect here. */
static const char *const known_flags[] = {
    "FAIR_TREE",         "NO_FAIR_TREE",
    "DEPTH_OBLIVIOUS",   "SMALL_RELATIVE_TO_TIME",
    "CALCULATE_RUNNING", "MAX_TRES",
    "MAX_TRES_GRES"
};

static uint64_t weight_of(const struct slurm *s, const char *key)
{
    const char *v = slurm_option_value(s, key, "");
    uint64_t n;

    return gs_quantity_parse_u64(v, strlen(v), &n) == 0 && n <= WEIGHT_MOST ? n
                                                                            : 0;
}

/* Whole seconds of a span; `other` when it is not stated. */
static int64_t seconds_of(const struct slurm *s, const char *key, int64_t other)
{
    const char *v = slurm_option_value(s, key, "");
    int64_t us;

    return *v && slurm_span_read(v, strlen(v), &us) == 0 && us != SLURM_INFINITE
               ? us / GS_SECOND
               : other;
}

static bool is_yes(const struct slurm *s, const char *key)
{
    const char *v = slurm_option_value(s, key, "");

    return strcasecmp(v, "YES") == 0 || strcasecmp(v, "TRUE") == 0
           || strcmp(v, "1") == 0;
}

bool slurm_has_numbers(const struct slurm *s)
{
    const char *type = slurm_option_value(s, "PriorityType", "");

    return !*type || strcasecmp(type, "priority/multifactor") == 0;
}

/* --- what is not modelled ------------------------------------------------- */

static void flags_tell(struct slurm *s)
{
    const char *v = slurm_option_value(s, "PriorityFlags", ""), *p = v, *part;
    size_t len;

    while ((part = slurm_part_next(&p, v + strlen(v), ',', &len)) != NULL) {
        bool is_known = false;

        for (size_t i = 0; i < sizeof(known_flags) / sizeof(known_flags[0]);
             i++)
            is_known |= slurm_is_word(part, len, known_flags[i]);
        if (!is_known)
            slurm_tell(s, IMPORT_IGNORED,
                       slurm_option_place(s, "PriorityFlags"),
                       "PriorityFlags: %.*s", (int)(len < 40 ? len : 40), part);
    }
}

/* Age and fair share count only where slurmdbd keeps the accounts. */
static bool has_accounting(struct slurm *s)
{
    static const char *const keys[] = { "PriorityWeightAge",
                                        "PriorityWeightFairshare" };
    const bool has = strcasecmp(
                         slurm_option_value(s, "AccountingStorageType", ""),
                         "accounting_storage/slurmdbd")
                     == 0;

    for (int i = 0; i < 2 && !has; i++) {
        if (weight_of(s, keys[i]))
            slurm_tell(s, IMPORT_ASSUMED, slurm_option_place(s, keys[i]),
                       "%s counts nothing without "
                       "AccountingStorageType=accounting_storage/slurmdbd, as "
                       "there",
                       keys[i]);
    }
    return has;
}

/* --- modules -------------------------------------------------------------- */

static const char *mode_of(const struct slurm *s)
{
    if (slurm_option_has(s, "PriorityFlags", "DEPTH_OBLIVIOUS"))
        return "depth-oblivious";
    return slurm_option_has(s, "PriorityFlags", "NO_FAIR_TREE") ? "classic"
                                                                : "tree";
}

/* The time between two resets of usage, counted from time 0. */
static int64_t reset_of(struct slurm *s)
{
    static const struct {
        const char *word;
        int64_t days;
    } resets[] = { { "DAILY", 1 },
                   { "WEEKLY", 7 },
                   { "MONTHLY", 30 },
                   { "QUARTERLY", 91 },
                   { "YEARLY", 365 } };
    const char *v = slurm_option_value(s, "PriorityUsageResetPeriod", "");

    for (size_t i = 0; i < sizeof(resets) / sizeof(resets[0]); i++) {
        if (strcasecmp(v, resets[i].word) != 0)
            continue;
        slurm_tell(s, IMPORT_ASSUMED,
                   slurm_option_place(s, "PriorityUsageResetPeriod"),
                   "PriorityUsageResetPeriod=%s: every %lld days from the "
                   "begin of the trace",
                   v, (long long)resets[i].days);
        return resets[i].days * 86400;
    }
    return 0;
}

#define TRES_KNOWN 3

/* "CPU=1000,GRES/gpu=3000" as a mapping of resources; of two weights of one the
 * later counts, as there.
 */
static const char *tres_text(struct slurm *s, struct gs_arena *arena)
{
    static const struct {
        const char *name, *here;
    } known[] = { { "CPU", "cpu" },
                  { "Mem", "memory" },
                  { "GRES/gpu", "gpu" } };
    const char *v = slurm_option_value(s, "PriorityWeightTRES", ""), *p = v,
               *part;
    double weight[TRES_KNOWN] = { -1, -1, -1 }, w;
    const char *text = "";
    size_t len;

    while ((part = slurm_part_next(&p, v + strlen(v), ',', &len)) != NULL) {
        const char *equals = memchr(part, '=', len);
        const size_t key = equals ? (size_t)(equals - part) : len;
        size_t i = 0;

        while (i < TRES_KNOWN && !slurm_is_word(part, key, known[i].name))
            i++;
        if (i < TRES_KNOWN && equals
            && gs_quantity_parse_double(equals + 1, len - key - 1, &w) == 0
            && w >= 0 && w <= WEIGHT_MOST)
            weight[i] = w;
        else
            slurm_tell(
                s, IMPORT_IGNORED, slurm_option_place(s, "PriorityWeightTRES"),
                "PriorityWeightTRES of %.*s", (int)(len < 40 ? len : 40), part);
    }
    for (size_t i = 0; i < TRES_KNOWN; i++) {
        if (weight[i] >= 0)
            text = gs_arena_printf(arena, "%s%s%s: %.17g", text,
                                   *text ? ", " : "", known[i].here, weight[i]);
    }
    if (*text)
        slurm_tell(s, IMPORT_ASSUMED,
                   slurm_option_place(s, "PriorityWeightTRES"),
                   "PriorityWeightTRES: of the resources of the cluster, not "
                   "of the partition");
    return *text ? gs_arena_printf(arena, ", tres: {%s}", text) : "";
}

/* The weight behind "NAME=" of TRESBillingWeights; of memory that of a GiB,
 * since it is counted in MiB or by its unit.
 */
static bool billing_weight(const char *text, size_t len, bool is_memory,
                           double *out)
{
    static const char units[] = "KMGT";
    const char *unit = len ? memchr(units,
                                    toupper((unsigned char)text[len - 1]),
                                    sizeof(units) - 1)
                           : NULL;

    if (gs_quantity_parse_double(text, unit ? len - 1 : len, out) < 0
        || !(*out >= 0) || *out > WEIGHT_MOST || (unit && !is_memory))
        return false;
    for (ptrdiff_t i = unit ? unit - units : 1; is_memory && i < 2; i++)
        *out *= 1024;
    if (is_memory && unit == units + 3)
        *out /= 1024;
    return true;
}

static const char *billing_text(struct slurm *s,
                                const struct slurm_partition *p,
                                struct gs_arena *arena)
{
    static const struct {
        const char *name, *here;
    } known[] = { { "CPU", "cpu" },
                  { "Mem", "memory" },
                  { "GRES/gpu", "gpu" } };
    const char *at = p->billing, *end = at + strlen(at), *part, *text = "";
    size_t len;

    while ((part = slurm_part_next(&at, end, ',', &len)) != NULL) {
        const char *equals = memchr(part, '=', len);
        const size_t key = equals ? (size_t)(equals - part) : len;
        size_t i = 0;
        double w;

        while (i < TRES_KNOWN && !slurm_is_word(part, key, known[i].name))
            i++;
        if (i < TRES_KNOWN && equals
            && billing_weight(equals + 1, len - key - 1, i == 1, &w))
            text = gs_arena_printf(arena, "%s%s%s: %.17g", text,
                                   *text ? ", " : "", known[i].here, w);
        else
            slurm_tell(s, IMPORT_IGNORED, &p->at, "TRESBillingWeights of %.*s",
                       (int)(len < 40 ? len : 40), part);
    }
    return *text ? text : "cpu: 0";
}

/* What is used, of the partitions that state it; without it CPUs. */
static const char *billing_of(struct slurm *s, struct gs_arena *arena)
{
    const struct slurm_partition *of = NULL;
    bool differs = false;

    for (uint32_t i = 0; i < s->partitions; i++) {
        const struct slurm_partition *p = &s->partition[i];

        if (p->billing
            && (!of
                || slurm_list_has("YES,TRUE,1",
                                  p->is_default ? p->is_default : "")))
            of = p;
    }
    for (uint32_t i = 0; of && i < s->partitions; i++)
        differs |= !s->partition[i].billing
                   || strcasecmp(s->partition[i].billing, of->billing) != 0;
    if (!of)
        return "cpu: 1";
    slurm_tell(s, differs ? IMPORT_ASSUMED : IMPORT_BECAME, &of->at,
               "TRESBillingWeights=%.60s: billing of module fairshare%s",
               of->billing, differs ? ", for all partitions" : "");
    return billing_text(s, of, arena);
}

static const char *fairshare_text(struct slurm *s, struct gs_arena *arena,
                                  int64_t period)
{
    double damp = 1;
    const char *v = slurm_option_value(s, "FairShareDampeningFactor", "");

    if (gs_quantity_parse_double(v, strlen(v), &damp) < 0 || !(damp >= 1)
        || damp > 1e6)
        damp = 1;
    slurm_tell(s, IMPORT_BECAME,
               slurm_option_place(s, "PriorityWeightFairshare"),
               "PriorityWeightFairshare: module fairshare");
    if (!slurm_enforces_limits(s))
        slurm_tell(s, IMPORT_ASSUMED,
                   slurm_option_place(s, "PriorityWeightFairshare"),
                   "without AccountingStorageEnforce=limits only jobs that run "
                   "at the end of a PriorityCalcPeriod add to the usage, as "
                   "there");
    return gs_arena_printf(
        arena,
        "  - fairshare: {order: no, mode: %s, half_life: %llds, period: "
        "%llds, reset: %llds, dampening: %.17g, billing: {%s}%s%s}\n",
        mode_of(s),
        (long long)seconds_of(s, "PriorityDecayHalfLife", WEEK_SECONDS),
        (long long)period, (long long)reset_of(s), damp, billing_of(s, arena),
        slurm_option_has(s, "PriorityFlags", "MAX_TRES_GRES")
            ? ", billed: most-and-devices"
        : slurm_option_has(s, "PriorityFlags", "MAX_TRES") ? ", billed: most"
                                                           : "",
        slurm_enforces_limits(s) ? "" : ", ended: no");
}

const char *slurm_priority_text(struct slurm *s, struct gs_arena *arena)
{
    const bool has = has_accounting(s);
    const uint64_t age = has ? weight_of(s, "PriorityWeightAge") : 0;
    const uint64_t share = has ? weight_of(s, "PriorityWeightFairshare") : 0;
    int64_t period = seconds_of(s, "PriorityCalcPeriod", 300);
    int64_t max_age = seconds_of(s, "PriorityMaxAge", WEEK_SECONDS);

    assert(arena);
    period = period > 0 ? period : 1;
    max_age = max_age > 0 ? max_age : 1;
    flags_tell(s);
    if (weight_of(s, "PriorityWeightAssoc"))
        slurm_tell(s, IMPORT_IGNORED,
                   slurm_option_place(s, "PriorityWeightAssoc"),
                   "PriorityWeightAssoc=%.60s",
                   slurm_option_value(s, "PriorityWeightAssoc", ""));
    slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "PriorityType"),
               "priority/multifactor: module multifactor");
    return gs_arena_printf(
        arena,
        "  - multifactor: {age: %llu, max_age: %llds, fairshare: %llu, "
        "job_size: %llu, favor: %s, per_minute: %s, partition: %llu, qos: "
        "%llu%s, period: %llds}\n%s",
        (unsigned long long)age, (long long)max_age, (unsigned long long)share,
        (unsigned long long)weight_of(s, "PriorityWeightJobSize"),
        is_yes(s, "PriorityFavorSmall") ? "small" : "large",
        slurm_option_has(s, "PriorityFlags", "SMALL_RELATIVE_TO_TIME") ? "yes"
                                                                       : "no",
        (unsigned long long)weight_of(s, "PriorityWeightPartition"),
        (unsigned long long)weight_of(s, "PriorityWeightQOS"),
        tres_text(s, arena), (long long)period,
        share ? fairshare_text(s, arena, period) : "");
}

const char *slurm_decay_text(struct slurm *s, struct gs_arena *arena)
{
    const int64_t half_life = seconds_of(s, "PriorityDecayHalfLife",
                                         WEEK_SECONDS);
    const int64_t period = seconds_of(s, "PriorityCalcPeriod", 300);

    if (!slurm_has_numbers(s) || half_life <= 0)
        return "";
    slurm_tell(s, IMPORT_BECAME, slurm_option_place(s, "PriorityDecayHalfLife"),
               "PriorityDecayHalfLife: half_life of module limits, below "
               "GrpTRESMins and GrpWall");
    return gs_arena_printf(arena, ": {half_life: %llds, period: %llds}",
                           (long long)half_life,
                           (long long)(period > 0 ? period : 1));
}

/* import/slurm/slurm_passes.c - see slurm_passes.h. */
#include "import/slurm/slurm_passes.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/quantity.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

/* A word of SchedulerParameters as a parameter of a module.  Values are from
 * `least` to `most`; a word without a value is the parameter with its value,
 * and has no unit.
 */
struct pass_word {
    const char *word, *param, *unit;
    uint64_t least, most;
};

static const struct pass_word main_words[] = {
    { "default_queue_depth", "depth", "", 1, 1000000 },
    { "sched_interval", "interval", "s", 0, 86400 },
    { "batch_sched_delay", "submit_delay", "s", 0, 86400 },
    { "sched_max_job_start", "starts", "", 0, 1000000 },
    { "bf_min_age_reserve", "min_wait", "s", 0, 2592000 },
    { "bf_min_prio_reserve", "min_priority", "", 0, INT32_MAX },
    { "partition_job_depth", "per_partition", "", 0, 1000000 },
    { "assoc_limit_stop", "limits: close", NULL, 0, 0 },
};

static const struct pass_word backfill_words[] = {
    { "bf_interval", "interval", "s", 1, 10800 },
    { "bf_window", "window", "m", 1, 43200 },
    { "bf_resolution", "resolution", "s", 1, 3600 },
    { "bf_max_job_test", "jobs", "", 1, 1000000 },
    { "bf_max_job_start", "starts", "", 0, 10000 },
    { "bf_max_job_user", "per_user", "", 0, 1000000 },
    { "bf_max_job_assoc", "per_queue_user", "", 0, 1000000 },
    { "bf_max_job_part", "per_partition", "", 0, 1000000 },
    { "bf_max_job_user_part", "per_partition_user", "", 0, 1000000 },
    { "bf_job_part_count_reserve", "reserved_per_partition", "", 0, 100000 },
    { "bf_min_age_reserve", "min_wait", "s", 0, 2592000 },
    { "bf_min_prio_reserve", "min_priority", "", 0, INT32_MAX },
    { "bf_window_linear", "window_step", "s", 0, 86400 },
    { "bf_node_space_size", "records", "", 2, 2000000 },
    { "bf_running_job_reserve", "running: yes", NULL, 0, 0 },
    { "bf_busy_nodes", "busy_nodes: yes", NULL, 0, 0 },
};

/* The value of the word, its first mention; NULL: not stated. */
static const char *word_find(const struct slurm *s, const char *word,
                             size_t *len)
{
    const struct slurm_option *o = slurm_option_find(s, "SchedulerParameters");
    const char *p = o ? o->value : "", *end = p + strlen(p), *part;
    size_t n;

    while ((part = slurm_part_next(&p, end, ',', &n)) != NULL) {
        const char *equals = memchr(part, '=', n);

        if (!equals || !slurm_is_word(part, (size_t)(equals - part), word))
            continue;
        *len = n - (size_t)(equals - part) - 1;
        return equals + 1;
    }
    return NULL;
}

static bool is_stated(const struct slurm *s, const char *word,
                      const char *value)
{
    size_t len;
    const char *v = word_find(s, word, &len);

    return v && slurm_is_word(v, len, value);
}

#define ROUNDS_UP \
    2405 /* the first release whose reservations end on the grid
                          at or after their end */

bool slurm_has_backfill(const struct slurm *s)
{
    const struct slurm_option *type = slurm_option_find(s, "SchedulerType");

    return !(type && strcasecmp(type->value, "sched/builtin") == 0)
           && !is_stated(s, "bf_interval", "-1");
}

/* "param: value, ..." for the words that are stated. */
static const char *params_text(struct slurm *s, const struct pass_word *words,
                               size_t count, struct gs_arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < count; i++) {
        const struct pass_word *w = &words[i];
        uint64_t value;
        size_t len;
        const char *v = word_find(s, w->word, &len);

        if (!w->unit && slurm_option_has(s, "SchedulerParameters", w->word))
            text = gs_arena_printf(arena, "%s%s%s", text, *text ? ", " : "",
                                   w->param);
        if (!w->unit || !v
            || (strcmp(w->param, "per_user") == 0
                && word_find(s, "bf_max_job_assoc", &len)))
            continue;
        v = word_find(s, w->word, &len);
        if (gs_quantity_parse_u64(v, len, &value) < 0 || value < w->least
            || value > w->most) {
            slurm_tell(s, IMPORT_ASSUMED,
                       &slurm_option_find(s, "SchedulerParameters")->at,
                       "SchedulerParameters: the default of %s (got '%.*s')",
                       w->word, (int)(len < 40 ? len : 40), v);
            continue;
        }
        text = gs_arena_printf(arena, "%s%s%s: %llu%s", text, *text ? ", " : "",
                               w->param, (unsigned long long)value, w->unit);
    }
    return text;
}

const char *slurm_passes_text(struct slurm *s, struct gs_arena *arena)
{
    const char *passes = params_text(
        s, main_words, sizeof(main_words) / sizeof(main_words[0]), arena);
    const char *backfill;

    passes = gs_arena_printf(
        arena, *passes ? "  - passes: {%s}\n" : "  - passes%s\n", passes);
    if (!slurm_has_backfill(s))
        return passes;
    backfill = params_text(s, backfill_words,
                           sizeof(backfill_words) / sizeof(backfill_words[0]),
                           arena);
    if (s->release && s->release < ROUNDS_UP)
        slurm_tell(s, IMPORT_BECAME, NULL,
                   "Slurm %02u.%02u: reservations are rounded down "
                   "(backfill.round)",
                   s->release / 100, s->release % 100);
    return gs_arena_printf(
        arena, "%s  - backfill: {mode: windowed%s%s%s}\n", passes,
        s->release && s->release < ROUNDS_UP ? ", round: down" : "",
        *backfill ? ", " : "", backfill);
}

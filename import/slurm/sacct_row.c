/* import/slurm/sacct_row.c - see sacct_row.h. */
#include "import/slurm/sacct_row.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/quantity.h"
#include "base/text.h"
#include "import/slurm/sacct_cells.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/workload.h"

#define ARRAY_MAX 100000 /* tasks of one row */

_Static_assert(SACCT_FIELDS <= SLURM_CELLS, "each has a place");

/* The text of a cell as a string id; 0 for none.  Neighbours are often alike.
 */
static uint32_t text_of(struct sacct_row *r, enum sacct_field f)
{
    const struct sacct_cell *c = &r->cell[f];
    struct slurm_cell_kept *kept = &r->s->kept[f];

    if (c->text && kept->id && c->len == kept->len
        && memcmp(c->text, kept->text, c->len) == 0)
        return kept->id;
    if (sacct_cell_is_empty(c) || c->len > 4096
        || !gs_text_is_clean(c->text, c->len))
        return 0;
    kept->id = slurm_put(r->s, c->text, c->len);
    kept->text = slurm_str(r->s, kept->id);
    kept->len = c->len;
    return kept->id;
}

/* --- what the submission said --------------------------------------------- */

/* A word of a line of options, and the value behind it. */
struct option {
    const char *word, *value;
    size_t len, value_len;
};

/* Is it the option, "--NAME=VALUE", "--NAME VALUE" or "-L VALUE"?  `next` has
 * what follows it.
 */
static inline bool option_is(struct option *o, const char *name, char letter,
                             const char *next, const char *end)
{
    const size_t n = strlen(name);

    if (o->len >= n && memcmp(o->word, name, n) == 0
        && (o->len == n || o->word[n] == '=')) {
        o->value = o->word + n + (o->len > n);
        o->value_len = o->len - n - (o->len > n);
        if (o->len > n)
            return true;
    } else if (letter && o->len >= 2 && o->word[0] == '-'
               && o->word[1] == letter) {
        o->value = o->word + 2;
        o->value_len = o->len - 2;
        if (o->len > 2)
            return true;
    } else {
        return false;
    }
    o->value = slurm_part_next(&next, end, ' ', &o->value_len);
    if (!o->value || *o->value == '-')
        o->value_len = 0;
    return true;
}

/* A whole number, with or without '-'; 0: it is none. */
static int32_t nice_read(const char *text, size_t len)
{
    const bool is_negative = len > 0 && *text == '-';
    uint64_t n = 0;

    if (len <= is_negative
        || gs_quantity_parse_u64(text + is_negative, len - is_negative, &n) < 0
        || n >= INT32_MAX)
        return 0;
    return is_negative ? -(int32_t)n : (int32_t)n;
}

/* "--nice", "--nice=-5". */
static int32_t nice_of(const char *word, size_t len)
{
    if (len <= 6)
        return 100;
    return word[6] == '=' ? nice_read(word + 7, len - 7) : 0;
}

/* "1-6%2": how many tasks run at once. */
static uint32_t at_once_of(const char *text, size_t len)
{
    const char *percent = memchr(text, '%', len);
    uint64_t n = 0;
    size_t digits = 0;

    if (!percent)
        return 0;
    len -= (size_t)(++percent - text);
    while (digits < len && percent[digits] >= '0' && percent[digits] <= '9')
        digits++;
    return gs_quantity_parse_u64(percent, digits, &n) == 0 && n < UINT32_MAX
               ? (uint32_t)n
               : 0;
}

/* A number of tasks, of nodes; 0: none. */
static uint32_t count_of(const char *text, size_t len)
{
    uint64_t n = 0;

    return len && gs_quantity_parse_u64(text, len, &n) == 0
                   && n <= TRACE_REPLICAS_MAX
               ? (uint32_t)n
               : 0;
}

/* What tells the GPUs of a job of which no column tells any. */
static void gpus_option(struct sacct_row *r, struct option *o, const char *p,
                        const char *end)
{
    if (option_is(o, "--ntasks", 'n', p, end)) {
        r->asked[SACCT_OF_TASK].tasks = count_of(o->value, o->value_len);
    } else if (option_is(o, "--gres", 0, p, end)) {
        sacct_gpus_ask(r, SACCT_OF_NODE, true, o->value, o->value_len);
    } else if (option_is(o, "--gpus-per-node", 0, p, end)) {
        sacct_gpus_ask(r, SACCT_OF_NODE, false, o->value, o->value_len);
    } else if (option_is(o, "--gpus-per-task", 0, p, end)) {
        sacct_gpus_ask(r, SACCT_OF_TASK, false, o->value, o->value_len);
    } else if (option_is(o, "--gpus", 'G', p, end)) {
        sacct_gpus_ask(r, SACCT_OF_JOB, false, o->value, o->value_len);
    }
}

/* Options of sbatch that no column tells. */
static void submit_line_read(struct sacct_row *r)
{
    const struct sacct_cell *c = &r->cell[SACCT_SUBMIT_LINE];
    const char *end, *p = sacct_cell_begin(c, &end);
    bool may_be_value = true; /* behind an option without '=' */
    struct option o;

    while (!sacct_cell_is_empty(c)
           && (o.word = slurm_part_next(&p, end, ' ', &o.len)) != NULL) {
        const bool is_option = *o.word == '-';

        if ((!is_option && !may_be_value) /* the script */
            || sacct_text_begins(o.word, o.len, "--wrap"))
            return;
        may_be_value = is_option && !memchr(o.word, '=', o.len);
        if (!is_option)
            continue;
        if (sacct_text_begins(o.word, o.len, "--nice")) {
            r->job.nice = nice_of(o.word, o.len);
        } else if (option_is(&o, "--dependency", 'd', p, end)) {
            if (o.value_len && o.value_len < 4096
                && gs_text_is_clean(o.value, o.value_len))
                r->job.dependency = slurm_put(r->s, o.value, o.value_len);
        } else if (option_is(&o, "--array", 'a', p, end)) {
            r->job.at_once = at_once_of(o.value, o.value_len);
        } else if (option_is(&o, "--begin", 'b', p, end)) {
            r->job.begins_later = true;
        } else if (sacct_text_begins(o.word, o.len, "--switches")) {
            r->job.asks_switches = true;
        } else if (option_is(&o, "--segment", 0, p, end)) {
            r->job.segment = count_of(o.value, o.value_len);
        } else if (sacct_text_begins(o.word, o.len, "--exclusive")) {
            r->job.is_exclusive = o.len == 11;
        } else if (r->job.gpus == 0) {
            gpus_option(r, &o, p, end);
        }
    }
}

/* --- what became of it ---------------------------------------------------- */

static bool state_is(const struct sacct_row *r, const char *word)
{
    const struct sacct_cell *c = &r->cell[SACCT_STATE];

    return c->text && sacct_text_begins(c->text, c->len, word);
}

/* A user or an administrator holds it: its priority is 0. */
static bool is_held(const struct sacct_row *r)
{
    const struct sacct_cell *why = &r->cell[SACCT_REASON];
    const struct sacct_cell *priority = &r->cell[SACCT_PRIORITY];

    if (!sacct_cell_is_empty(why)
        && !slurm_is_word(why->text, why->len, "None"))
        return sacct_text_begins(why->text, why->len, "JobHeld");
    return priority->text && priority->len == 1 && *priority->text == '0';
}

static int end_find(struct sacct_row *r)
{
    struct slurm_job *j = &r->job;
    const bool has_lists = r->cell[SACCT_NODE_LIST].text != NULL;
    const bool had_nodes = !has_lists || j->placed;
    const bool ran = j->elapsed > 0
                     || (j->start != SLURM_UNKNOWN && had_nodes
                         && !(state_is(r, "CANCELLED") && j->elapsed == 0
                              && !j->placed));

    if (state_is(r, "REVOKED")) {
        sacct_row_left(r, "of jobs that ran on another cluster (REVOKED)",
                       SACCT_FIELDS);
        return -1;
    }
    if (state_is(r, "PENDING")) {
        j->how = SLURM_PENDING;
        if (is_held(r)) {
            sacct_row_left(r, "of jobs that are held", SACCT_REASON);
            return -1;
        }
    } else if (state_is(r, "RUNNING") || state_is(r, "SUSPENDED")
               || state_is(r, "COMPLETING")) {
        j->how = SLURM_RUNNING;
    } else if (ran) {
        j->how = j->end == SLURM_UNKNOWN && j->elapsed == SLURM_UNKNOWN
                     ? SLURM_RUNNING
                     : SLURM_ENDED;
    } else if (j->end != SLURM_UNKNOWN) {
        j->how = SLURM_WITHDRAWN;
    } else {
        sacct_row_left(r, "of jobs that never started and never ended",
                       SACCT_STATE);
        return -1;
    }
    if (j->how == SLURM_ENDED && j->elapsed == SLURM_UNKNOWN) {
        if (j->start == SLURM_UNKNOWN || j->end < j->start) {
            sacct_row_left(r, "that end before they start", SACCT_END);
            return -1;
        }
        j->elapsed = j->end - j->start;
    }
    if (j->how == SLURM_WITHDRAWN && j->end < j->submit)
        j->end = j->submit;
    j->is_failed = j->how == SLURM_WITHDRAWN
                   || (j->how == SLURM_ENDED && !state_is(r, "COMPLETED"));
    return 0;
}

/* --- ids ------------------------------------------------------------------ */

static uint32_t job_add(struct slurm *s, const struct slurm_job *j)
{
    s->job = gs_array_grow(s->job, &s->job_cap, s->jobs + 1, sizeof(*s->job));
    s->job[s->jobs] = *j;
    return s->jobs++;
}

/* `drop`, and the runs before it, come after those of `keep`. */
static void earlier_add(struct slurm *s, struct slurm_job *keep,
                        const struct slurm_job *drop)
{
    const uint32_t first = keep->earlier;
    uint32_t last = (uint32_t)(drop - s->job) + 1;

    keep->earlier = last;
    while (first && s->job[last - 1].earlier)
        last = s->job[last - 1].earlier;
    if (first)
        s->job[last - 1].earlier = first;
}

/* Of the rows of one id, from which a job was requeued, the last run counts. */
static void same_join(struct sacct_row *r, uint32_t was)
{
    struct slurm *s = r->s;
    struct slurm_job *a = &s->job[was], *b = &s->job[s->jobs - 1];
    const bool is_later = b->start == SLURM_UNKNOWN || a->how == SLURM_WITHDRAWN
                          || (a->start != SLURM_UNKNOWN
                              && b->start >= a->start);
    struct slurm_job *keep = is_later ? b : a, *drop = is_later ? a : b;

    slurm_tell(
        s, IMPORT_LEFT, &r->at,
        "earlier runs of jobs that were requeued, and repeated rows: only "
        "in 'recorded'");
    if (drop->submit < keep->submit)
        keep->submit = drop->submit;
    if (drop->queued < keep->queued)
        keep->queued = drop->queued;
    drop->is_gone = true;
    earlier_add(s, keep, drop);
    s->job_of[keep->name] = (uint32_t)(keep - s->job) + 1;
}

static void one_add(struct sacct_row *r, const char *name, size_t len)
{
    struct slurm *s = r->s;
    const uint32_t id = slurm_put(s, name, len);
    uint32_t was;

    r->job.name = id;
    s->job_of = gs_array_grow(s->job_of, &s->job_of_cap, id + 1,
                              sizeof(*s->job_of));
    was = s->job_of[id];
    s->job_of[id] = job_add(s, &r->job) + 1;
    if (was)
        same_join(r, was - 1);
}

/* A component "7+1" of job 7: all of them start together. */
static void part_add(struct sacct_row *r, const char *text, size_t base,
                     size_t len)
{
    struct slurm *s = r->s;
    const uint32_t id = slurm_put(s, text, base);
    const uint32_t own = slurm_put(s, text, len);
    const uint32_t cap = own > id ? own : id;
    uint32_t at, first;

    r->job.name = id;
    s->part_of = gs_array_grow(s->part_of, &s->part_of_cap, cap + 1,
                               sizeof(*s->part_of));
    if (s->part_of[own]) {
        slurm_tell(s, IMPORT_LEFT, &r->at,
                   "earlier runs of jobs that were requeued, and repeated "
                   "rows");
        return;
    }
    first = s->part_of[id];
    r->job.is_part = first != 0;
    at = job_add(s, &r->job);
    s->part_of[own] = at + 1;
    if (!first) {
        s->part_of[id] = at + 1;
        return;
    }
    s->job[at].next = s->job[first - 1].next;
    s->job[first - 1].next = at + 1;
}

/* "[1-3,7%2]" of job `base`: a job for each task. */
static void tasks_add(struct sacct_row *r, const char *base, size_t base_len,
                      const char *p, const char *end)
{
    const uint32_t at_once = at_once_of(p, (size_t)(end - p));
    uint64_t count = 0;
    char name[64];

    if (at_once)
        r->job.at_once = at_once;
    while (p < end && *p != '%' && *p != ']') {
        uint64_t low, high, step = 1;
        char *after;

        if (*p < '0' || *p > '9')
            break;
        low = high = strtoull(p, &after, 10);
        if (after < end && *after == '-')
            high = strtoull(after + 1, &after, 10);
        if (after < end && *after == ':')
            step = strtoull(after + 1, &after, 10);
        p = after < end && *after == ',' ? after + 1 : after;
        for (; low <= high && step && count < ARRAY_MAX; low += step, count++) {
            const int len = snprintf(name, sizeof(name), "%.*s_%" PRIu64,
                                     (int)base_len, base, low);

            one_add(r, name, (size_t)len);
        }
    }
    if (count == 0 || count == ARRAY_MAX)
        sacct_row_left(r,
                       count ? "of arrays: tasks beyond 100000"
                             : "with an array of tasks that is none",
                       SACCT_JOB_ID);
}

static void id_add(struct sacct_row *r)
{
    const struct sacct_cell *c = sacct_cell_is_empty(&r->cell[SACCT_JOB_ID])
                                     ? &r->cell[SACCT_JOB_ID_RAW]
                                     : &r->cell[SACCT_JOB_ID];
    char name[64];
    uint32_t digits = 0;

    if (!c->text) {
        const int len = snprintf(name, sizeof(name), "job-%u", r->s->jobs + 1);

        slurm_tell(r->s, IMPORT_ASSUMED, &r->at,
                   "rows without JobID are jobs, none is a step");
        one_add(r, name, (size_t)len);
        return;
    }
    if (!sacct_is_job_id(c->text, c->len) || c->len >= 256
        || !gs_text_is_clean(c->text, c->len)) {
        sacct_row_left(r, "whose JobID is none", SACCT_JOB_ID);
        import_account_count(r->s->account, "row", IMPORT_REFUSED);
        return;
    }
    while (digits < c->len && c->text[digits] >= '0' && c->text[digits] <= '9')
        digits++;
    if (digits < c->len && c->text[digits] == '+')
        part_add(r, c->text, digits, c->len);
    else if (digits + 1 < c->len && c->text[digits + 1] == '[')
        tasks_add(r, c->text, digits, c->text + digits + 2, c->text + c->len);
    else
        one_add(r, c->text, c->len);
}

static bool is_step(const struct sacct_cell *c)
{
    return c->text && memchr(c->text, '.', c->len);
}

void sacct_row_take(struct slurm *s, const struct sacct_cell *cell, int line)
{
    struct sacct_row r = { .s = s,
                           .cell = cell,
                           .at = slurm_place_at(s, line, 0) };
    struct slurm_job *j = &r.job;

    assert(s && cell);
    if (is_step(&cell[SACCT_JOB_ID]) || is_step(&cell[SACCT_JOB_ID_RAW])) {
        s->steps++;
        return;
    }
    j->line = line > 0 ? (uint32_t)line : 0;
    j->placed = text_of(&r, SACCT_NODE_LIST);
    if (sacct_times_read(&r) < 0 || sacct_spans_read(&r) < 0
        || sacct_resources_read(&r) < 0 || end_find(&r) < 0) {
        import_account_count(s->account, "row", IMPORT_REFUSED);
        return;
    }
    j->user = text_of(&r, SACCT_USER);
    j->account = text_of(&r, SACCT_ACCOUNT);
    j->partition = text_of(&r, SACCT_PARTITION);
    j->qos = text_of(&r, SACCT_QOS);
    j->reservation = text_of(&r, SACCT_RESERVATION);
    j->constraints = text_of(&r, SACCT_CONSTRAINTS);
    j->licenses = text_of(&r, SACCT_LICENSES);
    j->dependency = text_of(&r, SACCT_DEPENDENCY);
    j->is_exclusive = !sacct_cell_is_empty(&cell[SACCT_EXCLUSIVE]);
    if (!sacct_cell_is_empty(&cell[SACCT_NICE]))
        j->nice = nice_read(cell[SACCT_NICE].text, cell[SACCT_NICE].len);
    submit_line_read(&r);
    sacct_gpus_settle(&r);
    if (!sacct_cell_is_empty(&cell[SACCT_SEGMENT]))
        j->segment = count_of(cell[SACCT_SEGMENT].text,
                              cell[SACCT_SEGMENT].len);
    if (cell[SACCT_DEPENDENCY].text || cell[SACCT_SUBMIT_LINE].text)
        j->label = text_of(&r, SACCT_JOB_NAME);
    id_add(&r);
}

/* import/slurm/slurm_dependencies.c - what jobs depend on, see slurm_making.h.
 *
 * How a job ended is known: one that ran had its dependencies met, whatever
 * became of the others, and one that never did waits for what did not happen.
 * A dependency is on a job that was queued before, so that there are no loops.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/hash.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "import/slurm/slurm_making.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/dependencies.h"

#define NONE UINT32_MAX

/* The words of --dependency that are honoured. */
enum word { AFTER, AFTER_ANY, AFTER_OK, AFTER_NOT_OK, AFTER_CORR, WORDS };

static const char *const words[WORDS] = {
    [AFTER] = "after",          [AFTER_ANY] = "afterany",
    [AFTER_OK] = "afterok",     [AFTER_NOT_OK] = "afternotok",
    [AFTER_CORR] = "aftercorr",
};

struct depending {
    struct job_making *m;
    uint32_t job;           /* whose dependencies are read */
    uint32_t *first, *next; /* [string id] tasks of an array, [job] the
                                       next one; index + 1 */
    uint32_t first_cap;
    uint32_t *previous;             /* [job] of the same user and name, queued
                                       before; index + 1 */
    struct trace_dependency *found; /* of the job */
    uint32_t count, cap;
};

static bool is_job(const struct slurm_job *j)
{
    return !j->is_gone && !j->is_part;
}

/* --- names ---------------------------------------------------------------- */

/* The length of the id without the number of a task, "7" of "7_1". */
static size_t base_of(const char *name)
{
    return strspn(name, "0123456789");
}

static void tasks_index(struct depending *d)
{
    struct slurm *s = d->m->s;

    d->next = gs_array_new(s->jobs, sizeof(*d->next));
    for (uint32_t i = s->jobs; i-- > 0;) {
        const char *name = slurm_str(s, s->job[i].name);
        const size_t len = base_of(name);
        uint32_t id;

        if (!is_job(&s->job[i]) || name[len] != '_')
            continue;
        id = slurm_put(s, name, len);
        d->first = gs_array_grow(d->first, &d->first_cap, id + 1,
                                 sizeof(*d->first));
        d->next[i] = d->first[id];
        d->first[id] = i + 1;
    }
}

/* Was `a` queued before `b`? */
static bool is_before(const struct slurm *s, uint32_t a, uint32_t b)
{
    const struct slurm_job *x = &s->job[a], *y = &s->job[b];

    return x->queued != y->queued ? x->queued < y->queued : a < b;
}

/* --- one dependency ------------------------------------------------------- */

/* What must have happened to `on` for a job that waits for the word. */
static enum trace_when when_of(const struct slurm_job *j, enum word word,
                               const struct slurm_job *on)
{
    const bool ran = j->how == SLURM_ENDED || j->how == SLURM_RUNNING;

    if (word == AFTER)
        return TRACE_STARTED;
    if (ran || word == AFTER_ANY)
        return TRACE_ENDED;
    if (word == AFTER_NOT_OK)
        return on->is_failed ? TRACE_ENDED : TRACE_FAILED;
    return on->is_failed ? TRACE_FAILED : TRACE_COMPLETED;
}

/* Did the job start before `on` did what it waits for? */
static bool is_denied(const struct slurm_job *j, enum word word,
                      const struct slurm_job *on)
{
    const int64_t met = word == AFTER ? on->start : on->end;

    return j->start != SLURM_UNKNOWN && j->how != SLURM_PENDING
           && met != SLURM_UNKNOWN && met > j->start;
}

static void on_job(struct depending *d, enum word word, uint32_t on,
                   int64_t delay)
{
    const struct slurm *s = d->m->s;

    if (!is_before(s, on, d->job) || d->count == TRACE_DEPENDENCIES_MAX)
        return;
    if (is_denied(&s->job[d->job], word, &s->job[on])) {
        slurm_tell(d->m->s, IMPORT_LEFT, NULL,
                   "dependencies that were not met when the job started");
        return;
    }
    d->found = gs_array_grow(d->found, &d->cap, d->count + 1,
                             sizeof(*d->found));
    d->found[d->count++] = (struct trace_dependency){
        .delay = delay,
        .job = s->job[on].name,
        .when = when_of(&s->job[d->job], word, &s->job[on]),
    };
}

static uint32_t job_find(const struct slurm *s, const char *name, size_t len)
{
    const uint32_t id = gs_strtab_find(s->names, name, len);
    uint32_t at = 0;

    if (id == GS_STRTAB_NONE)
        return NONE;
    if (id < s->job_of_cap)
        at = s->job_of[id];
    if (!at && id < s->part_of_cap)
        at = s->part_of[id];
    return at ? at - 1 : NONE;
}

/* "7", all of its tasks; "7_1"; "7_*"; with aftercorr the task of its number.
 */
static void on_id(struct depending *d, enum word word, const char *id,
                  size_t len, int64_t delay)
{
    const struct slurm *s = d->m->s;
    const char *own = slurm_str(s, s->job[d->job].name);
    const char *task = word == AFTER_CORR ? strchr(own, '_') : NULL;
    uint32_t at = job_find(s, id, len), name;
    char both[80];

    if (len > 2 && memcmp(id + len - 2, "_*", 2) == 0)
        len -= 2;
    if (task && len + strlen(task) < sizeof(both)) {
        memcpy(both, id, len);
        memcpy(both + len, task, strlen(task));
        at = job_find(s, both, len + strlen(task));
    }
    if (at != NONE) {
        on_job(d, word, at, delay);
        return;
    }
    name = gs_strtab_find(s->names, id, len);
    for (at = name < d->first_cap ? d->first[name] : 0; at;
         at = d->next[at - 1])
        on_job(d, word, at - 1, delay);
}

/* "7+5", 5 minutes after that. */
static void on_part(struct depending *d, enum word word, const char *id,
                    size_t len)
{
    const char *paren = memchr(id, '(', len);
    const char *plus;
    uint64_t minutes = 0;

    if (paren) /* as squeue tells it: "7(unfulfilled)" */
        len = (size_t)(paren - id);
    plus = memchr(id, '+', len);
    if (plus) {
        const size_t n = len - (size_t)(plus - id) - 1;

        if (gs_quantity_parse_u64(plus + 1, n, &minutes) < 0
            || minutes > 1000000)
            minutes = 0;
        len = (size_t)(plus - id);
    }
    on_id(d, word, id, len, (int64_t)minutes * 60 * GS_SECOND);
}

static bool is_single(const struct slurm *s, uint32_t job)
{
    const char *text = slurm_str(s, s->job[job].dependency);

    return strstr(text, "singleton") && !strchr(text, '?');
}

/* All of the same user and name that were queued before, back to the last that
 * waited for all before itself.
 */
static void on_same(struct depending *d)
{
    const struct slurm *s = d->m->s;

    for (uint32_t at = d->previous[d->job];
         at && d->count < TRACE_DEPENDENCIES_MAX; at = d->previous[at - 1]) {
        on_job(d, AFTER_ANY, at - 1, 0);
        if (is_single(s, at - 1))
            break;
    }
}

/* "afterok:7:8", "singleton". */
static void term_read(struct depending *d, const char *p, size_t len)
{
    const char *end = p + len, *part;
    uint32_t word = 0;

    part = slurm_part_next(&p, end, ':', &len);
    if (part && len >= 9 && memcmp(part, "singleton", 9) == 0) {
        on_same(d);
        return;
    }
    while (part && word < WORDS && !slurm_is_word(part, len, words[word]))
        word++;
    if (part && base_of(part) >= len) { /* a bare number is afterany */
        on_part(d, AFTER_ANY, part, len);
        word = AFTER_ANY;
    }
    if (!part || word == WORDS) {
        slurm_tell(d->m->s, IMPORT_IGNORED, NULL,
                   "dependencies of the kind '%.*s'",
                   (int)(len < 40 ? len : 40), part ? part : "");
        return;
    }
    while ((part = slurm_part_next(&p, end, ':', &len)) != NULL)
        on_part(d, (enum word)word, part, len);
}

/* --- jobs of one name ----------------------------------------------------- */

static int by_queued(const void *a, const void *b)
{
    const struct slurm_job *x = *(const struct slurm_job *const *)a;
    const struct slurm_job *y = *(const struct slurm_job *const *)b;

    return x->queued != y->queued ? (x->queued > y->queued) * 2 - 1
                                  : (x > y) - (x < y);
}

struct sought {
    const struct slurm *s;
    const struct slurm_job *job;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct sought *k = of;

    return k->s->job[at].label == k->job->label
           && k->s->job[at].user == k->job->user;
}

static void names_index(struct depending *d)
{
    const struct slurm *s = d->m->s;
    const struct slurm_job **order = gs_array_new(s->jobs, sizeof(*order));
    uint32_t *last = gs_array_new(s->jobs, sizeof(*last)), n = 0;
    struct gs_hash index = { 0 };

    d->previous = gs_array_new(s->jobs, sizeof(*d->previous));
    for (uint32_t i = 0; i < s->jobs; i++) {
        if (is_job(&s->job[i]) && s->job[i].label)
            order[n++] = &s->job[i];
    }
    if (n)
        qsort(order, n, sizeof(const struct slurm_job *), by_queued);
    for (uint32_t i = 0; i < n; i++) {
        const struct sought k = { s, order[i] };
        const uint32_t job = (uint32_t)(order[i] - s->job);
        const uint64_t hash = gs_hash_mix(gs_hash_mix(3, order[i]->label),
                                          order[i]->user);
        uint32_t at = gs_hash_find(&index, hash, is_same, &k);

        if (at == GS_HASH_NONE) {
            gs_hash_put(&index, hash, job);
            at = job;
        } else {
            d->previous[job] = last[at] + 1;
        }
        last[at] = job;
    }
    gs_hash_free(&index);
    gs_array_free(last);
    gs_array_free(order);
}

/* --- all of them ---------------------------------------------------------- */

static void job_read(struct depending *d)
{
    struct slurm_job *j = &d->m->s->job[d->job];
    struct job_depends *out = &d->m->depends[d->job];
    const char *p = slurm_str(d->m->s, j->dependency), *end = p + strlen(p);
    const char by = strchr(p, '?') ? '?' : ',', *part;
    size_t len;

    d->count = 0;
    while ((part = slurm_part_next(&p, end, by, &len)) != NULL)
        term_read(d, part, len);
    if (d->count == 0)
        return;
    *out = (struct job_depends){ trace_workload_dependencies(d->m->w, d->found,
                                                             d->count),
                                 d->count, by == '?' };
    if (!j->begins_later)
        j->submit = j->queued;
}

void slurm_dependencies_make(struct job_making *m)
{
    struct slurm *s = m->s;
    struct depending d = { .m = m };
    bool any = false;

    for (uint32_t i = 0; i < s->jobs; i++)
        any |= s->job[i].dependency && is_job(&s->job[i]);
    if (!any)
        return;
    m->depends = gs_array_new(s->jobs, sizeof(*m->depends));
    tasks_index(&d);
    names_index(&d);
    for (d.job = 0; d.job < s->jobs; d.job++) {
        if (s->job[d.job].dependency && is_job(&s->job[d.job]))
            job_read(&d);
    }
    gs_array_free(d.first);
    gs_array_free(d.next);
    gs_array_free(d.previous);
    gs_array_free(d.found);
}

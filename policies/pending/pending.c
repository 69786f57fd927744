/* policies/pending/pending.c - who waits, in which order, and what would help them.
 *
 * Items that ask for the same share an ask, and within a queue a bin, in
 * order.  A cycle looks at the first of a bin; when that cannot be placed
 * none that asks for the same can, and the ask sleeps until there is room for
 * it.  A hundred thousand jobs that wait thus cost no more than a hundred.
 */
#include "policies/pending/pending.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/reservation/plan.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/state.h"

/* --- heaps of items -------------------------------------------------------- */

/* The workload's group by which an item is found. */
static uint32_t key_of(const struct gsched *s, const struct item *it)
{
    assert(it->job < s->jobs->job_count);
    assert(it->group == NONE || it->group < s->work->job[it->job].group_count);
    return s->work->job[it->job].first_group
           + (it->group == NONE ? 0 : it->group);
}

static int64_t estimate_of(const struct gsched *s, const struct item *it)
{
    return s->jobs->job[it->job].estimate;
}

/* The shortest estimate at place `i` and below. */
static void least_set(const struct gsched *s, struct bin *b, uint32_t i)
{
    struct item *it = &b->heap[i];

    it->least = estimate_of(s, it);
    for (uint32_t k = 2 * i + 1; k <= 2 * i + 2 && k < b->count; k++) {
        if (b->heap[k].least < it->least)
            it->least = b->heap[k].least;
    }
}

static void put(struct gsched *s, uint32_t bin, uint32_t i,
                const struct item *it)
{
    const uint32_t key = key_of(s, it);

    s->pending->bin[bin].heap[i] = *it;
    s->pending->group_bin[key] = bin;
    s->pending->group_at[key] = i;
}

/* What stands at place `i` goes up or down to where it belongs. */
static void settle(struct gsched *s, uint32_t bin, uint32_t i)
{
    struct bin *b = &s->pending->bin[bin];
    const struct item it = b->heap[i];
    uint32_t low = i;

    assert(i < b->count);
    for (; i > 0 && gsched_item_compare(s, &it, &b->heap[(i - 1) / 2]) < 0;
         i = (i - 1) / 2)
        put(s, bin, i, &b->heap[(i - 1) / 2]);
    for (uint32_t k = 2 * i + 1; k < b->count; k = 2 * i + 1) {
        if (k + 1 < b->count
            && gsched_item_compare(s, &b->heap[k + 1], &b->heap[k]) < 0)
            k++;
        if (gsched_item_compare(s, &it, &b->heap[k]) <= 0)
            break;
        put(s, bin, i, &b->heap[k]);
        i = k;
    }
    put(s, bin, i, &it);
    if (!s->modules->keeps_lines)
        return;
    for (low = i > low ? i : low;; low = (low - 1) / 2) {
        least_set(s, b, low);
        if (low == 0)
            break;
    }
}

static void push(struct gsched *s, uint32_t bin, const struct item *it)
{
    struct bin *b = &s->pending->bin[bin];
    struct ask *a = &s->pending->ask[b->ask];

    assert(s->pending->group_bin[key_of(s, it)] == NONE); /* once */
    assert(it->since <= s->now || it->group != NONE);
    b->heap = gs_array_grow(b->heap, &b->cap, b->count + 1, sizeof(*b->heap));
    b->heap[b->count++] = *it;
    settle(s, bin, b->count - 1);
    a->waiting++;
    gsched_front_blame(s, a);
    gsched_front_came(s, bin);
    if (s->modules->is_planned && a->kind == ASK_GANG)
        gsched_plan_add(s, it->job);
    gsched_wait_in(s, it->job, bin);
    if (a->kind == ASK_ALL && b->heap[0].job == it->job)
        gsched_ask_wake(s, b->ask); /* the new first asks for something new */
    if (!gsched_ask_is_asleep(s, b->ask))
        gsched_ask_rouse(s, b->ask);
    if (gsched_ask_stands(s, b->ask))
        gsched_line_add(s, bin);
    gsched_line_moved(s, bin);
}

/* Take item `i` out. */
static void pull(struct gsched *s, uint32_t bin, uint32_t i)
{
    struct bin *b = &s->pending->bin[bin];
    const struct item last = b->heap[b->count - 1];

    assert(bin < s->pending->bin_count && i < b->count);
    assert(s->pending->group_bin[key_of(s, &b->heap[i])] == bin
           && s->pending->group_at[key_of(s, &b->heap[i])] == i);
    assert(s->pending->ask[b->ask].waiting > 0);
    if (s->modules->is_planned && s->pending->ask[b->ask].kind == ASK_GANG)
        gsched_plan_drop(s, b->heap[i].job);
    s->pending->group_bin[key_of(s, &b->heap[i])] = NONE;
    s->pending->ask[b->ask].waiting--;
    gsched_front_blame(s, &s->pending->ask[b->ask]);
    if (b->count == 1) {
        gsched_line_drop(s, bin);
        gsched_front_left(s, bin);
    }
    b->count--;
    if (i < b->count) {
        put(s, bin, i, &last);
        settle(s, bin, i);
    } else if (s->modules->keeps_lines && i > 0) {
        settle(s, bin, (i - 1) / 2);
    }
    if (b->count == 0 || i > 0)
        return;
    gsched_line_moved(s, bin);
    gsched_front_moved(s, bin);
    if (s->pending->ask[b->ask].kind == ASK_ALL)
        gsched_ask_wake(s, b->ask); /* the new first asks for something new */
}

uint32_t gsched_bin_short(const struct gsched *s, uint32_t bin, int64_t most)
{
    const struct bin *b = &s->pending->bin[bin];
    uint32_t best = NONE, i = 0;

    assert(bin < s->pending->bin_count);
    /* Depth first, not below what is too long or comes after the best. */
    while (b->count) {
        const struct item *it = &b->heap[i];
        const bool is_after = best != NONE
                              && gsched_item_compare(s, it, &b->heap[best]) > 0;
        bool deeper = it->least <= most && !is_after;

        if (deeper && estimate_of(s, it) <= most) {
            best = i;
            deeper = false;
        }
        if (deeper && 2 * i + 1 < b->count) {
            i = 2 * i + 1;
            continue;
        }
        while (i > 0 && (i % 2 == 0 || i + 1 >= b->count))
            i = (i - 1) / 2;
        if (i == 0)
            break;
        i++;
    }
    return best;
}

/* --- asks and bins ---------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

/* May the job make others go?  Those that may are asked about apart. */
static bool may_preempt(const struct gsched *s, uint32_t job)
{
    return s->running->may_evict
           && s->work->klass[s->work->job[job].klass].preempts;
}

/* What of the job's own placing decides where it fits. */
static uint64_t manner(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    return may_preempt(s, job) | (uint64_t)j->within << 1
           | (uint64_t)(s->modules->subtree ? j->within_tier : 0) << 8;
}

/* Jobs with rules of their own stand alone, others with their like. */
static uint64_t rules_hash(const struct gsched *s, uint32_t job, uint64_t h)
{
    if (gsched_has_own_rules(s, job))
        return mix(h, job);
    return gsched_has_rules(s, job) ? mix(h, gsched_labels_hash(s, job)) : h;
}

static bool same_rules(const struct gsched *s, uint32_t a, uint32_t b)
{
    return a == b || !s->labels->has_rules
           || (!gsched_has_own_rules(s, a) && !gsched_has_own_rules(s, b)
               && gsched_labels_same(s, a, b));
}

static uint64_t ask_hash(const struct gsched *s, enum ask_kind kind,
                         uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint64_t h = mix(17, kind);

    if (kind == ASK_ALL)
        return mix(h, gsched_queue_of(s, job));
    h = mix(h, manner(s, job));
    h = rules_hash(s, job, h);
    if (group != NONE)
        return mix(h, gsched_group(s, job, group)->shape);
    h = mix(h, j->gang);
    for (uint32_t g = 0; g < j->group_count; g++) {
        h = mix(h, gsched_group(s, job, g)->shape);
        h = mix(h, gsched_group(s, job, g)->replicas);
        h = mix(h, gsched_group(s, job, g)->min);
    }
    return h;
}

static bool same_ask(const struct gsched *s, const struct ask *a, uint32_t job,
                     uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const struct trace_job *k = &s->work->job[a->sample];

    if (a->kind == ASK_ALL)
        return a->queue == gsched_queue_of(s, job);
    if (manner(s, job) != manner(s, a->sample))
        return false;
    if (!same_rules(s, job, a->sample))
        return false;
    if (group != NONE)
        return gsched_group(s, job, group)->shape
               == gsched_group(s, a->sample, a->sample_group)->shape;
    if (j->gang != k->gang || j->group_count != k->group_count)
        return false;
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *x = gsched_group(s, job, g);
        const struct trace_group *y = gsched_group(s, a->sample, g);

        if (x->shape != y->shape || x->replicas != y->replicas
            || x->min != y->min)
            return false;
    }
    return true;
}

static uint64_t bin_hash(uint32_t ask, uint32_t queue)
{
    return mix(mix(29, ask), queue);
}

static void asks_grow(struct gsched *s)
{
    const uint32_t n = s->pending->ask_slots ? s->pending->ask_slots * 2 : 64;

    assert((n & (n - 1)) == 0 && n > s->pending->ask_count);
    gs_array_free(s->pending->ask_slot);
    s->pending->ask_slot = gs_array_new(n, sizeof(*s->pending->ask_slot));
    s->pending->ask_slots = n;
    for (uint32_t a = 0; a < s->pending->ask_count; a++) {
        uint32_t i = (uint32_t)s->pending->ask[a].hash & (n - 1);

        while (s->pending->ask_slot[i])
            i = (i + 1) & (n - 1);
        s->pending->ask_slot[i] = a + 1;
    }
}

static void bins_grow(struct gsched *s)
{
    const uint32_t n = s->pending->bin_slots ? s->pending->bin_slots * 2 : 64;

    assert((n & (n - 1)) == 0 && n > s->pending->bin_count);
    gs_array_free(s->pending->bin_slot);
    s->pending->bin_slot = gs_array_new(n, sizeof(*s->pending->bin_slot));
    s->pending->bin_slots = n;
    for (uint32_t b = 0; b < s->pending->bin_count; b++) {
        uint32_t i = (uint32_t)bin_hash(s->pending->bin[b].ask,
                                        s->pending->bin[b].queue)
                     & (n - 1);

        while (s->pending->bin_slot[i])
            i = (i + 1) & (n - 1);
        s->pending->bin_slot[i] = b + 1;
    }
}

static struct ask ask_made(struct gsched *s, enum ask_kind kind, uint32_t job,
                           uint32_t group, uint64_t hash)
{
    const uint32_t first = kind == ASK_GANG || group == NONE ? 0 : group;
    const struct trace_job *j = &s->work->job[job];

    return (struct ask){
        .clock_at = s->now,
        .hash = hash,
        .no_extra = UINT64_MAX,
        .sample = job,
        .sample_group = group,
        .queue = gsched_queue_of(s, job),
        .shape = gsched_group(s, job, first)->shape,
        .need = kind == ASK_GANG ? gsched_gang_of(s, job, 0) : 1,
        .first_bin = NONE,
        .sleeps_at = NONE,
        .awake_at = NONE,
        .kind = (uint8_t)kind,
        .cause = kind == ASK_ALL ? GSCHED_ORDER : GSCHED_LATENCY,
        .is_simple = !gsched_has_rules(s, job)
                     && (kind == ASK_POD || kind == ASK_ELASTIC
                         || (kind == ASK_GANG && j->group_count == 1)),
    };
}

static uint32_t ask_for(struct gsched *s, enum ask_kind kind, uint32_t job,
                        uint32_t group)
{
    const uint64_t hash = ask_hash(s, kind, job, group);
    uint32_t i;

    if (s->pending->ask_count * 2 >= s->pending->ask_slots)
        asks_grow(s);
    i = (uint32_t)hash & (s->pending->ask_slots - 1);
    for (; s->pending->ask_slot[i]; i = (i + 1) & (s->pending->ask_slots - 1)) {
        const struct ask *a = &s->pending->ask[s->pending->ask_slot[i] - 1];

        if (a->hash == hash && a->kind == kind && same_ask(s, a, job, group))
            return s->pending->ask_slot[i] - 1;
    }
    s->pending->ask = gs_array_grow(s->pending->ask, &s->pending->ask_cap,
                                    s->pending->ask_count + 1,
                                    sizeof(*s->pending->ask));
    s->pending->ask[s->pending->ask_count++] = ask_made(s, kind, job, group,
                                                        hash);
    s->pending->ask_slot[i] = s->pending->ask_count;
    return s->pending->ask_count - 1;
}

static uint32_t bin_for(struct gsched *s, uint32_t ask, uint32_t queue)
{
    uint32_t i;

    assert(ask < s->pending->ask_count && queue < s->queue_count);
    if (s->pending->bin_count * 2 >= s->pending->bin_slots)
        bins_grow(s);
    i = (uint32_t)bin_hash(ask, queue) & (s->pending->bin_slots - 1);
    for (; s->pending->bin_slot[i]; i = (i + 1) & (s->pending->bin_slots - 1)) {
        const struct bin *b = &s->pending->bin[s->pending->bin_slot[i] - 1];

        if (b->ask == ask && b->queue == queue)
            return s->pending->bin_slot[i] - 1;
    }
    s->pending->bin = gs_array_grow(s->pending->bin, &s->pending->bin_cap,
                                    s->pending->bin_count + 1,
                                    sizeof(*s->pending->bin));
    s->pending->bin[s->pending->bin_count] =
        (struct bin){ .gate = NO_GATE,
                      .ask = ask,
                      .queue = queue,
                      .next = s->pending->ask[ask].first_bin,
                      .at = NONE,
                      .tried = { UINT64_MAX, UINT64_MAX } };
    s->pending->ask[ask].first_bin = s->pending->bin_count++;
    s->pending->bin_slot[i] = s->pending->bin_count;
    return s->pending->bin_count - 1;
}

/* --- what a job waits for ------------------------------------------------------ */

static enum ask_kind kind_of(const struct gsched *s, uint32_t job)
{
    if (s->jobs->job[job].phase == JOB_HELD)
        return ASK_ENTER;
    if (s->profile->unit == GSCHED_UNIT_GANG
        && (s->jobs->job[job].phase == JOB_RUNNING
            || (s->jobs->job[job].phase == JOB_PARTLY
                && s->modules->is_planned)))
        return ASK_ELASTIC; /* a plan is made of whole gangs */
    if (s->profile->head_blocks && !s->modules->keeps_lines)
        return ASK_ALL;
    return s->profile->unit == GSCHED_UNIT_GANG ? ASK_GANG : ASK_POD;
}

/* When the first missing task of a group came to wait. */
static int64_t task_since(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t task = s->jobs->group_placed[j->first_group + group];
    int64_t made;

    assert(group < j->group_count);
    for (uint32_t g = 0; g < group; g++)
        task += gsched_group(s, job, g)->replicas;
    if (task && j->task_interval > (INT64_MAX - j->submit) / task)
        return INT64_MAX;
    made = j->submit + (int64_t)task * j->task_interval;
    return made > s->jobs->job[job].since ? made : s->jobs->job[job].since;
}

/* Whose clock the job's wait goes by now. */
static void follow(struct gsched *s, uint32_t job)
{
    const uint32_t bin = gsched_bin_of(s, job);

    if (bin != NONE)
        gsched_wait_in(s, job, bin);
    else
        gsched_wait_for(s, job, GSCHED_LATENCY);
}

void gsched_pending_add(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const struct job_state *js = &s->jobs->job[job];
    const enum ask_kind kind = kind_of(s, job);
    const uint32_t queue = gsched_queue_of(s, job);

    assert(js->phase != JOB_OVER && js->phase != JOB_UNKNOWN);
    if (js->phase == JOB_HELD
        || (s->profile->unit == GSCHED_UNIT_GANG && js->phase == JOB_WAITING)) {
        const struct item it = { js->since, 0, job, NONE };

        if ((js->created >= j->gang || js->phase == JOB_HELD)
            && s->pending->group_bin[j->first_group] == NONE)
            push(s, bin_for(s, ask_for(s, kind, job, NONE), queue), &it);
        return;
    }
    for (uint32_t g = 0; g < j->group_count; g++) {
        if (s->pending->group_bin[j->first_group + g] == NONE
            && gsched_group_missing(s, job, g) > 0) {
            const struct item it = { task_since(s, job, g), 0, job, g };

            push(s, bin_for(s, ask_for(s, kind, job, g), queue), &it);
        }
    }
    follow(s, job);
}

void gsched_item_served(struct gsched *s, const struct item *it)
{
    const uint32_t key = key_of(s, it), job = it->job, group = it->group;
    const uint32_t bin = s->pending->group_bin[key],
                   i = s->pending->group_at[key];
    struct bin *b = &s->pending->bin[bin];

    assert(bin != NONE && i < s->pending->bin[bin].count);
    assert(s->pending->bin[bin].heap[i].job == job);
    if (group != NONE && s->pending->ask[b->ask].kind == kind_of(s, job)
        && gsched_group_missing(s, job, group) > 0) {
        b->heap[i].since = task_since(s, job, group);
        settle(s, bin, i);
        gsched_line_moved(s, bin);
        gsched_front_moved(s, bin);
        follow(s, job);
        return;
    }
    pull(s, bin, i);
    gsched_pending_add(s, job);
}

void gsched_pending_drop(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    assert(job < s->jobs->job_count);
    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (s->pending->group_bin[g] != NONE)
            pull(s, s->pending->group_bin[g], s->pending->group_at[g]);
    }
}

void gsched_pending_moved(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    if (s->modules->order_count == 0)
        return;
    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (s->pending->group_bin[g] != NONE) {
            settle(s, s->pending->group_bin[g], s->pending->group_at[g]);
            gsched_line_moved(s, s->pending->group_bin[g]);
            gsched_front_moved(s, s->pending->group_bin[g]);
        }
    }
}

uint32_t gsched_bin_of(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    assert(job < s->jobs->job_count);
    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (s->pending->group_bin[g] != NONE)
            return s->pending->group_bin[g];
    }
    return NONE;
}

void gsched_pending_open(struct gsched *s)
{
    s->pending = gs_arena_alloc(s->arena, 1, sizeof(*s->pending));
}

void gsched_pending_grow(struct gsched *s)
{
    struct gsched_pending *p = s->pending;
    uint32_t i = p->group_count;

    p->group_count = s->work->group_count;
    p->group_bin = gs_array_grow(p->group_bin, &p->group_bin_cap,
                                 p->group_count, sizeof(*p->group_bin));
    p->group_at = gs_array_grow(p->group_at, &p->group_at_cap, p->group_count,
                                sizeof(*p->group_at));
    for (; i < p->group_count; i++)
        p->group_bin[i] = NONE;
}

void gsched_pending_free(struct gsched *s)
{
    gs_array_free(s->pending->group_bin);
    gs_array_free(s->pending->group_at);
    for (uint32_t b = 0; b < s->pending->bin_count; b++)
        gs_array_free(s->pending->bin[b].heap);
    gs_array_free(s->pending->bin);
    gs_array_free(s->pending->bin_slot);
    gs_array_free(s->pending->ask);
    gs_array_free(s->pending->ask_slot);
    gs_array_free(s->pending->complex);
    gs_array_free(s->pending->awake);
    gs_array_free(s->pending->sleeping);
}

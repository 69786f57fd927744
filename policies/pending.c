/* policies/pending.c - who waits, in which order, and what would help them.
 *
 * Jobs that ask for the same stand in one bin, in order.  A cycle looks at
 * the first of each bin; when that cannot be placed none of the bin can, and
 * the bin sleeps until a node is freed that could take one of its tasks.  A
 * hundred thousand jobs that wait thus cost no more than a hundred.
 */
#include "base/array.h"
#include "policies/scheduler_private.h"

static int modules_compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    const struct gsp_job x = { s, a }, y = { s, b };

    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsched_module *m = &s->module[i];
        const int order = m->module->job_order
                              ? m->module->job_order(m->self, &x, &y)
                              : 0;

        if (order != 0)
            return order;
    }
    return 0;
}

int gsched_item_compare(const struct gsched *s, const struct item *a,
                        const struct item *b)
{
    const int order = a->job == b->job ? 0 : modules_compare(s, a->job, b->job);

    if (order != 0)
        return order;
    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}

/* --- heaps of items -------------------------------------------------------- */

static void heap_down(const struct gsched *s, struct bin *b, uint32_t i)
{
    const struct item it = b->heap[i];

    for (uint32_t k = 2 * i + 1; k < b->count; k = 2 * i + 1) {
        if (k + 1 < b->count
            && gsched_item_compare(s, &b->heap[k + 1], &b->heap[k]) < 0)
            k++;
        if (gsched_item_compare(s, &it, &b->heap[k]) <= 0)
            break;
        b->heap[i] = b->heap[k];
        i = k;
    }
    b->heap[i] = it;
}

static void heap_push(const struct gsched *s, struct bin *b,
                      const struct item *it)
{
    uint32_t i = b->count++;

    b->heap = gs_array_grow(b->heap, &b->cap, b->count, sizeof(*b->heap));
    for (; i > 0; i = (i - 1) / 2) {
        if (gsched_item_compare(s, it, &b->heap[(i - 1) / 2]) >= 0)
            break;
        b->heap[i] = b->heap[(i - 1) / 2];
    }
    b->heap[i] = *it;
}

/* --- lists of bins --------------------------------------------------------- */

static void list_drop(struct gsched *s, struct bin *b)
{
    uint32_t *list = b->asleep ? s->asleep : s->awake;
    uint32_t *count = b->asleep ? &s->asleep_count : &s->awake_count;
    const uint32_t last = list[--*count];

    list[b->listed] = last;
    s->bin[last].listed = b->listed;
    b->listed = NONE;
}

static void list_add(struct gsched *s, uint32_t bin, bool asleep)
{
    struct bin *b = &s->bin[bin];

    b->asleep = asleep;
    if (asleep) {
        s->asleep = gs_array_grow(s->asleep, &s->asleep_cap,
                                  s->asleep_count + 1, sizeof(*s->asleep));
        s->asleep[b->listed = s->asleep_count++] = bin;
    } else {
        s->awake = gs_array_grow(s->awake, &s->awake_cap, s->awake_count + 1,
                                 sizeof(*s->awake));
        s->awake[b->listed = s->awake_count++] = bin;
    }
}

/* --- bins ------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

/* Hash of what items of this kind, job and group ask for. */
static uint64_t ask_hash(const struct gsched *s, enum bin_kind kind,
                         uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint64_t h = mix(17, kind);

    if (kind == BIN_ALL)
        return h;
    if (kind != BIN_GANG)
        return mix(h, gsched_group(s, job, group)->shape);
    h = mix(h, j->gang);
    for (uint32_t g = 0; g < j->group_count; g++) {
        h = mix(h, gsched_group(s, job, g)->shape);
        h = mix(h, gsched_group(s, job, g)->replicas);
    }
    return h;
}

static bool same_ask(const struct gsched *s, const struct bin *b, uint32_t job,
                     uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const struct trace_job *k = &s->work->job[b->sample];

    if (b->kind == BIN_ALL)
        return true;
    if (b->kind != BIN_GANG)
        return gsched_group(s, job, group)->shape
               == gsched_group(s, b->sample, b->sample_group)->shape;
    if (j->gang != k->gang || j->group_count != k->group_count)
        return false;
    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *x = gsched_group(s, job, g);
        const struct trace_group *y = gsched_group(s, b->sample, g);

        if (x->shape != y->shape || x->replicas != y->replicas)
            return false;
    }
    return true;
}

static void slots_grow(struct gsched *s)
{
    const uint32_t n = s->bin_slots ? s->bin_slots * 2 : 64;

    gs_array_free(s->bin_slot);
    s->bin_slot = gs_array_new(n, sizeof(*s->bin_slot));
    s->bin_slots = n;
    for (uint32_t b = 0; b < s->bin_count; b++) {
        uint32_t i = (uint32_t)s->bin[b].hash & (n - 1);

        while (s->bin_slot[i])
            i = (i + 1) & (n - 1);
        s->bin_slot[i] = b + 1;
    }
}

/* The slot of the bin for such items: the bin's, or an empty one. */
static uint32_t bin_slot(const struct gsched *s, enum bin_kind kind,
                         uint32_t job, uint32_t group, uint64_t hash)
{
    uint32_t i = (uint32_t)hash & (s->bin_slots - 1);

    for (; s->bin_slot[i]; i = (i + 1) & (s->bin_slots - 1)) {
        const struct bin *b = &s->bin[s->bin_slot[i] - 1];

        if (b->hash == hash && b->kind == kind && same_ask(s, b, job, group))
            break;
    }
    return i;
}

static uint32_t bin_for(struct gsched *s, enum bin_kind kind, uint32_t job,
                        uint32_t group)
{
    const uint64_t hash = ask_hash(s, kind, job, group);
    uint32_t i;

    if (s->bin_count * 2 >= s->bin_slots)
        slots_grow(s);
    i = bin_slot(s, kind, job, group, hash);
    if (!s->bin_slot[i]) {
        s->bin = gs_array_grow(s->bin, &s->bin_cap, s->bin_count + 1,
                               sizeof(*s->bin));
        s->bin[s->bin_count++] = (struct bin){ .kind = kind,
                                               .listed = NONE,
                                               .hash = hash,
                                               .sample = job,
                                               .sample_group = group };
        s->bin_slot[i] = s->bin_count;
    }
    return s->bin_slot[i] - 1;
}

static enum bin_kind kind_of(const struct gsched *s, uint32_t job)
{
    if (s->profile->unit == GSCHED_UNIT_GANG
        && s->job[job].phase == JOB_RUNNING)
        return BIN_ELASTIC;
    if (s->profile->head_blocks)
        return BIN_ALL;
    return s->profile->unit == GSCHED_UNIT_GANG ? BIN_GANG : BIN_POD;
}

static void push(struct gsched *s, uint32_t bin, const struct item *it)
{
    struct bin *b = &s->bin[bin];

    heap_push(s, b, it);
    if (b->listed == NONE)
        list_add(s, bin, false);
    else if (b->asleep && b->kind == BIN_ALL && b->heap[0].job == it->job) {
        list_drop(s, b); /* a new first: what it asks for is new too */
        list_add(s, bin, false);
    }
}

/* When the first missing task of a group came to wait. */
static int64_t task_since(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t task = s->group_placed[j->first_group + group];
    int64_t made;

    for (uint32_t g = 0; g < group; g++)
        task += gsched_group(s, job, g)->replicas;
    if (task && j->task_interval > (INT64_MAX - j->submit) / task)
        return INT64_MAX;
    made = j->submit + (int64_t)task * j->task_interval;
    return made > s->job[job].since ? made : s->job[job].since;
}

void gsched_pending_add(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const struct job_state *js = &s->job[job];
    const enum bin_kind kind = kind_of(s, job);
    uint8_t *queued = s->group_queued + j->first_group;

    if (s->profile->unit == GSCHED_UNIT_GANG && js->phase == JOB_WAITING) {
        const struct item it = { js->since, job, NONE };

        if (js->created >= j->gang && !queued[0]) {
            queued[0] = 1;
            push(s, bin_for(s, kind, job, NONE), &it);
        }
        return;
    }
    for (uint32_t g = 0; g < j->group_count; g++) {
        if (!queued[g] && gsched_group_missing(s, job, g) > 0) {
            const struct item it = { task_since(s, job, g), job, g };

            queued[g] = 1;
            push(s, bin_for(s, kind, job, g), &it);
        }
    }
}

/* Take item `i` out of the heap. */
static void heap_remove(struct gsched *s, uint32_t bin, uint32_t i)
{
    struct bin *b = &s->bin[bin];
    const struct item last = b->heap[--b->count];

    if (i < b->count) {
        for (;
             i > 0 && gsched_item_compare(s, &last, &b->heap[(i - 1) / 2]) < 0;
             i = (i - 1) / 2)
            b->heap[i] = b->heap[(i - 1) / 2];
        b->heap[i] = last;
        heap_down(s, b, i);
    }
    if (b->count == 0)
        list_drop(s, b);
}

void gsched_bin_served(struct gsched *s, uint32_t bin)
{
    struct bin *b = &s->bin[bin];
    struct item *top = &b->heap[0];
    const uint32_t job = top->job;

    if (top->group != NONE && gsched_group_missing(s, job, top->group) > 0) {
        top->since = task_since(s, job, top->group);
        heap_down(s, b, 0);
        return;
    }
    s->group_queued[s->work->job[job].first_group
                    + (top->group == NONE ? 0 : top->group)] = 0;
    heap_remove(s, bin, 0);
    gsched_pending_add(s, job);
}

void gsched_pending_drop(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t bin;

    while ((bin = gsched_bin_of(s, job)) != NONE) {
        const struct bin *b = &s->bin[bin];
        uint32_t i = 0;

        while (b->heap[i].job != job)
            i++;
        s->group_queued[j->first_group
                        + (b->heap[i].group == NONE ? 0 : b->heap[i].group)] =
            0;
        heap_remove(s, bin, i);
    }
}

void gsched_bin_sleep(struct gsched *s, uint32_t bin, enum gsched_cause why)
{
    struct bin *b = &s->bin[bin];

    b->cause = (uint8_t)why;
    list_drop(s, b);
    list_add(s, bin, true);
}

uint32_t gsched_bin_of(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const enum bin_kind kind = kind_of(s, job);

    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t group = s->profile->unit == GSCHED_UNIT_GANG
                                       && kind != BIN_ELASTIC
                                   ? NONE
                                   : g;
        uint32_t i;

        if (!s->group_queued[j->first_group + g])
            continue;
        i = bin_slot(s, kind, job, group, ask_hash(s, kind, job, group));
        return s->bin_slot[i] ? s->bin_slot[i] - 1 : NONE;
    }
    return NONE;
}

/* --- waking ----------------------------------------------------------------- */

static bool shape_woken(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape(s, shape);
    bool woken = false;

    if (sv->woken_in == s->cycle)
        return sv->woken;
    for (uint32_t i = 0; i < s->freed_count && !woken; i++)
        woken = gsched_shape_suits(s, shape, s->freed[i]);
    sv = &s->shape[shape];
    sv->woken_in = s->cycle;
    sv->woken = woken;
    return woken;
}

static bool bin_woken(struct gsched *s, const struct bin *b)
{
    const struct item *top = &b->heap[0];
    const uint32_t groups = s->work->job[top->job].group_count;

    if (top->group != NONE)
        return shape_woken(s, gsched_group(s, top->job, top->group)->shape);
    for (uint32_t g = 0; g < groups; g++) {
        if (shape_woken(s, gsched_group(s, top->job, g)->shape))
            return true;
    }
    return false;
}

void gsched_pending_wake(struct gsched *s)
{
    if (s->freed_count == 0)
        return;
    for (uint32_t i = s->asleep_count; i-- > 0;) {
        const uint32_t bin = s->asleep[i];

        if (bin_woken(s, &s->bin[bin])) {
            list_drop(s, &s->bin[bin]);
            list_add(s, bin, false);
        }
    }
    s->freed_count = 0;
}

void gsched_pending_free(struct gsched *s)
{
    for (uint32_t b = 0; b < s->bin_count; b++)
        gs_array_free(s->bin[b].heap);
    gs_array_free(s->bin);
    gs_array_free(s->bin_slot);
    gs_array_free(s->awake);
    gs_array_free(s->asleep);
    gs_array_free(s->order);
    gs_array_free(s->freed);
}

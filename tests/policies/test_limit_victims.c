/* tests/policies/test_limit_victims.c - what queues above their limit lose,
 * when, and which tasks: in vectors of YuniKorn and by hand, by the module
 * alone.
 */
#include <stdlib.h>

#include "policies/modules/limit_excess.h"
#include "tests/lib/fake_host.h"
#include "tests/lib/vectors.h"

#define MANY 32u
#define HOUR INT64_C(3600000000)

static int64_t whole(const struct gs_ynode *n)
{
    return n && !gs_ynode_is_null(n) ? strtoll(n->text, NULL, 10) : 0;
}

/* --- vectors -------------------------------------------------------------- */

static const struct gs_ynode *in(const struct vector *v, const char *key)
{
    return gs_ynode_find(v->in, key);
}

/* A queue above its new limit, below one with a guarantee. */
static void amount_run(const struct vector *v)
{
    const int64_t want = whole(gs_ynode_find(v->expected, "preemptable"));
    struct limit_excess e = { NULL };
    int64_t amount[FAKE_DIMS] = { 0 };
    uint32_t parent, queue;
    struct fake f;

    fake_start(&f);
    parent = fake_add(&f, GSP_NONE, 1);
    queue = fake_add(&f, parent, 1);
    f.queue[queue].limit[0] = whole(vector_in(v, "new_max"));
    f.queue[parent].guarantee[0] = whole(vector_in(v, "parent_guaranteed"));
    FAKE_BOOK(&f, queue, used, 0, whole(vector_in(v, "used")));
    limit_excess_open(&e, &fake_host, &f);
    limit_excess_of(&e, queue, amount);
    if ((amount[0] < 0 ? 0 : amount[0]) != want)
        vector_fails(v, "another amount", "");
    CU_ASSERT_EQUAL(limit_excess_is(&e, queue), want > 0);
    fake_end(&f);
}

/* The queue of a path with dots, of `count` names. */
static uint32_t path_find(const char *const *name, uint32_t count,
                          const char *path, size_t len)
{
    uint32_t i = 0;

    while (i < count
           && (strlen(name[i]) != len || strncmp(name[i], path, len) != 0))
        i++;
    CU_ASSERT_FATAL(i < count);
    return i;
}

/* A tree below queue 0: each queue states what it and those below it hold. */
static void spread_run(const struct vector *v)
{
    struct limit_excess e = { NULL };
    int64_t amount[FAKE_DIMS] = { 0 };
    const char *name[MANY] = { "" };
    struct fake f;

    fake_start(&f);
    (void)fake_add(&f, GSP_NONE, 1);
    for (const struct gs_ynode *n = vector_in(v, "tree")->child; n;
         n = n->next) {
        const char *dot = strrchr(n->key->text, '.');
        const size_t len = dot ? (size_t)(dot - n->key->text) : 0;
        const uint32_t above = path_find(name, f.queues, n->key->text, len);
        const uint32_t q = fake_add(&f, above, 1);

        CU_ASSERT_FATAL(q < MANY);
        name[q] = n->key->text;
        f.queue[q].used[0] = whole(gs_ynode_find(n, "usage"));
        f.queue[q].guarantee[0] = whole(gs_ynode_find(n, "guaranteed"));
        f.queue[0].used[0] += above == 0 ? f.queue[q].used[0] : 0;
    }
    limit_excess_open(&e, &fake_host, &f);
    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        amount[d] = d == 0 ? whole(vector_in(v, "parent_preemptable"))
                           : EXCESS_NONE;
    limit_excess_spread(&e, 0, amount);
    for (uint32_t q = 0; q < f.queues; q++) {
        const char *dot = strrchr(name[q], '.');
        const struct gs_ynode *want = gs_ynode_find(v->expected,
                                                    dot ? dot + 1 : name[q]);

        if (e.gives[q] != (want != NULL)
            || (want && e.loses[q * FAKE_DIMS] != whole(want)))
            vector_fails(v, "another amount of", name[q]);
    }
    fake_end(&f);
}

static bool is_listed(const struct gs_ynode *list, const char *name)
{
    for (const struct gs_ynode *n = list->child; n; n = n->next) {
        if (strcmp(n->text, name) == 0)
            return true;
    }
    return false;
}

/* Tasks of one queue, those that are walked first from the latest hour. */
static void choose_run(const struct vector *v)
{
    struct limit_excess e = { NULL };
    struct gsp_placed at[MANY];
    struct gsp_task task[MANY] = { { { 0 } } };
    struct gsp_job job[MANY] = { { 0 } };
    const char *name[MANY];
    uint8_t goes[MANY] = { 0 };
    uint32_t count = 0;
    struct fake f;

    fake_start(&f);
    (void)fake_add(&f, GSP_NONE, 1);
    for (const struct gs_ynode *n =
             vector_in(v, "victims_in_the_order_they_are_walked")->child;
         n; n = n->next, count++) {
        CU_ASSERT_FATAL(count < MANY);
        name[count] = gs_ynode_find(n, "n")->text;
        task[count].amount[0] = whole(gs_ynode_find(n, "size"));
        job[count] = (struct gsp_job){ .id = count,
                                       .task = &task[count],
                                       .since = -HOUR * count };
        at[count] = (struct gsp_placed){ .job = &job[count],
                                         .tasks = 1,
                                         .may_go = true };
        FAKE_BOOK(&f, 0, used, 0, task[count].amount[0]);
    }
    limit_excess_open(&e, &fake_host, &f);
    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        e.loses[d] = d == 0 ? whole(vector_in(v, "preemptable")) : EXCESS_NONE;
    e.gives[0] = 1;
    (void)limit_excess_choose(&e, &(struct gsp_standing){ count, at }, goes);
    for (uint32_t i = 0; i < count; i++) {
        if (goes[i]
            != is_listed(gs_ynode_find(v->expected, "preempted"), name[i]))
            vector_fails(v, "another decision on", name[i]);
    }
    fake_end(&f);
}

static void quota_run(const struct vector *v)
{
    if (in(v, "tree"))
        spread_run(v);
    else if (in(v, "victims_in_the_order_they_are_walked"))
        choose_run(v);
    else
        amount_run(v);
}

/* --- the order of tasks --------------------------------------------------- */

static void order_test(void)
{
    /* cpu, memory, priority, hour; of a limit of 100 each, both to be given up
     */
    static const struct {
        int64_t cpu, memory;
        int32_t priority;
        int64_t since;
    } one[] = {
        { 10, 0, 5, 0 }, /* 4: the highest priority of full matches */
        { 10, 0, 0, -2 * HOUR } /* 3: an hour of its own, the oldest */,
        { 10, 10, 0, 0 },             /* 2: the larger one of its hour */
        { 5, 0, 0, 30 * 60000000LL }, /* 1: the smaller one of its hour */
    };
    static const uint32_t want[] = { 3, 2, 1, 0 };
    struct limit_excess e = { NULL };
    struct gsp_placed at[4];
    struct gsp_task task[4] = { { { 0 } } };
    struct gsp_job job[4] = { { 0 } };
    uint8_t goes[4] = { 0 };
    struct fake f;

    fake_start(&f);
    (void)fake_add(&f, GSP_NONE, 1);
    f.queue[0].limit[0] = f.queue[0].limit[1] = 100;
    for (uint32_t i = 0; i < 4; i++) {
        task[i].amount[0] = one[i].cpu;
        task[i].amount[1] = one[i].memory;
        job[i] = (struct gsp_job){ .task = &task[i],
                                   .priority = one[i].priority,
                                   .since = one[i].since };
        at[i] =
            (struct gsp_placed){ .job = &job[i], .tasks = 1, .may_go = true };
    }
    limit_excess_open(&e, &fake_host, &f);
    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        e.loses[d] = d < 2 ? 1000 : EXCESS_NONE;
    e.gives[0] = 1;
    CU_ASSERT_EQUAL(
        limit_excess_choose(&e, &(struct gsp_standing){ 4, at }, goes), 4);
    for (uint32_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(e.task[i], want[i]);
    fake_end(&f);
}

/* --- when ----------------------------------------------------------------- */

/* A queue with a limit of 10 and a delay of an hour, and tasks of 4 in it. */
static void delay_test(void)
{
    const struct gsp_module *m = gsched_module_find("limit-victims");
    static const union gsp_value value[GSCHED_PARAMS_MAX];
    struct gsp_task task = { { 4 } };
    struct gsp_job job = { .task = &task };
    struct gsp_placed at[4];
    uint8_t goes[4] = { 0 };
    struct fake f;
    void *self;

    for (int i = 0; i < 4; i++)
        at[i] = (struct gsp_placed){ .job = &job, .tasks = 1, .may_go = true };
    fake_start(&f);
    (void)fake_add(&f, GSP_NONE, 1);
    f.queue[0].limit[0] = 10;
    f.queue[0].term[GSP_TERM_LIMIT_DELAY] = HOUR;
    self = fake_module(&f, m, value);
    FAKE_BOOK(&f, 0, used, 0, 8);
    CU_ASSERT_EQUAL(m->moves_at(self), GSP_NEVER);
    f.now = 5;
    FAKE_BOOK(&f, 0, used, 0, 4); /* above its limit from now on */
    CU_ASSERT_EQUAL(m->moves_at(self), HOUR + 5);
    f.now = 7;
    FAKE_BOOK(&f, 0, used, 0, 4); /* still */
    CU_ASSERT_EQUAL(m->moves_at(self), HOUR + 5);
    FAKE_BOOK(&f, 0, used, 0, -8); /* no more */
    CU_ASSERT_EQUAL(m->moves_at(self), GSP_NEVER);
    FAKE_BOOK(&f, 0, used, 0, 8);
    CU_ASSERT_EQUAL(m->moves_at(self), HOUR + 7);
    f.now = HOUR + 7;
    (void)m->moves(self, &(struct gsp_standing){ 4, at }, goes);
    CU_ASSERT_EQUAL(goes[0] + goes[1] + goes[2] + goes[3], 1); /* 4 of 6 */
    CU_ASSERT_EQUAL(m->moves_at(self), GSP_NEVER);
    FAKE_BOOK(&f, 0, used, 0, -4); /* 12: above it, and does not grow */
    CU_ASSERT_EQUAL(m->moves_at(self), GSP_NEVER);
    fake_end(&f);
}

/* A queue that is due loses for those below it. */
static void nested_test(void)
{
    const struct gsp_module *m = gsched_module_find("limit-victims");
    const union gsp_value value[GSCHED_PARAMS_MAX] = { { .whole = HOUR } };
    struct gsp_task task = { { 1 } };
    struct gsp_job job = { .queue = 1, .task = &task };
    struct gsp_placed at[8];
    uint8_t goes[8] = { 0 };
    int n = 0;
    struct fake f;
    void *self;

    for (int i = 0; i < 8; i++)
        at[i] = (struct gsp_placed){ .job = &job, .tasks = 1, .may_go = i > 0 };
    fake_start(&f);
    (void)fake_add(&f, GSP_NONE, 1);
    (void)fake_add(&f, 0, 1);
    f.queue[0].limit[0] = 5;
    f.queue[1].limit[0] = 2;
    self = fake_module(&f, m, value);
    FAKE_BOOK(&f, 1, used, 0, 8);
    CU_ASSERT_EQUAL(m->moves_at(self), HOUR);
    f.now = HOUR;
    (void)m->moves(self, &(struct gsp_standing){ 8, at }, goes);
    for (int i = 0; i < 8; i++)
        n += goes[i];
    CU_ASSERT_EQUAL(n, 3);
    CU_ASSERT_EQUAL(goes[0], 0);
    CU_ASSERT_EQUAL(m->moves_at(self), HOUR); /* the one below is due still */
    fake_end(&f);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "tasks by match, priority, hour and size", order_test },
        { "the delay counts from the growth above the limit", delay_test },
        { "a queue loses with those below it", nested_test },
    };
    static const struct vector_group groups[] = {
        { "yk-quota-preemption", quota_run },
    };
    const int status = suite_run("policies/limit_victims", cases,
                                 N_ELEMENTS(cases));
    const int vectors = vectors_main(&(struct vector_suite){
        "policies/limit_victims", "tests/data/vectors/yunikorn.yaml", groups,
        N_ELEMENTS(groups), NULL, 0 });

    return status ? status : vectors;
}

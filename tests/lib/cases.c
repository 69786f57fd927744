#include "tests/lib/cases.h"

static bool case_before(const struct report_placement *a,
                        const struct report_placement *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    return a->group != b->group ? a->group < b->group
                                : a->first_task < b->first_task;
}

/* Where the tasks of a job stood, by time, group and number. */
static void case_nodes(const struct world *w, uint32_t job, char *text,
                       size_t size)
{
    const struct report_placement *last = NULL;
    size_t len = 0;

    text[0] = '\0';
    for (;;) {
        const struct report_placement *next = NULL;
        uint32_t tasks = 0;

        for (uint32_t i = 0; i < w->log->placement_count; i++) {
            const struct report_placement *p = &w->log->placement[i];

            if (p->job == job && (!last || case_before(last, p))
                && (!next || case_before(p, next)))
                next = p;
        }
        if (!next)
            return;
        tasks = next->tasks;
        for (bool more = true; more;) { /* neighbours on the same node */
            more = false;
            for (uint32_t i = 0; i < w->log->placement_count; i++) {
                const struct report_placement *p = &w->log->placement[i];

                if (p->job == job && p->node == next->node
                    && p->group == next->group && p->start == next->start
                    && p->first_task == next->first_task + next->tasks) {
                    next = p;
                    tasks += p->tasks;
                    more = true;
                    break;
                }
            }
        }
        len += (size_t)snprintf(
            text + len, size - len, "%s%s*%u",
            !last                        ? ""
            : last->group != next->group ? "/"
                                         : " ",
            gs_strtab_str(w->names, w->topo->node_name[next->node]), tasks);
        last = next;
    }
}

static void case_check(const struct world *w, const struct case_world *c)
{
    for (size_t k = 0; k < CASE_JOBS && c->job[k].name; k++) {
        const struct case_job *e = &c->job[k];
        const struct report_job *j = world_job(w, e->name);
        char nodes[256];

        CU_ASSERT_PTR_NOT_NULL_FATAL(j);
        case_nodes(w, j->job, nodes, sizeof(nodes));
        if (j->start != e->start || j->state != e->state
            || (e->cause != ANY_CAUSE && (int)j->cause != e->cause)
            || j->evictions != e->evictions
            || (e->nodes && strcmp(nodes, e->nodes) != 0)) {
            fprintf(stderr,
                    "\n  %s: %s: start %lld us, state %d, cause %d, %u "
                    "evictions, on %s",
                    c->what, e->name, (long long)j->start, (int)j->state,
                    (int)j->cause, j->evictions, nodes);
            CU_FAIL("not as worked out by hand");
        }
        if (e->state == REPORT_REJECTED)
            CU_ASSERT_PTR_NOT_NULL(j->reason);
    }
}

bool case_run(struct world *w, const struct case_world *c)
{
    const struct trace_options o = { 0 };
    const char *set = strstr(c->policy, "; ");
    char policy[1024];

    snprintf(policy, sizeof(policy), "%.*s",
             (int)(set ? set - c->policy : (long)strlen(c->policy)), c->policy);
    world_init(w);
    if (world_load(w, c->topology, c->trace, &o) < 0
        || world_run(w, policy, set ? set + 2 : NULL, NULL) < 0) {
        fprintf(stderr, "\n  %s: %s", c->what, w->err.problem[0].text);
        CU_FAIL("it does not run");
        return false;
    }
    case_check(w, c);
    return true;
}

void cases_run(const struct case_world *c, size_t count)
{
    for (; count > 0; count--, c++) {
        struct world w;

        (void)case_run(&w, c);
        world_fini(&w);
    }
}

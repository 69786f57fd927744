#include "tests/lib/choice_world.h"

#include "base/text.h"
#include "tests/lib/suite.h"

#define TEXT 65536u
#define PROFILE                            \
    "actions: [allocate]\nunit: gang\n"    \
    "modules: [fifo, gang, constraints,\n" \
    "  {topology: {smallest: no}}, {node-choice: {%s}}]\n"

static void node_put(const struct choice_world *c, char *to, size_t i)
{
    const struct choice_node *n = &c->node[i];

    gs_text_add(to, TEXT, "- {name: %s, type: t%zu", n->name, i);
    for (size_t k = 0; k < c->tiers; k++)
        gs_text_add(to, TEXT, ", tier%zu: \"%s\"", k, n->domain[k]);
    gs_text_add(to, TEXT, "}\n");
}

static void topology_make(const struct choice_world *c, char *to)
{
    *to = '\0';
    gs_text_add(to, TEXT, "tiers: [");
    for (size_t k = 0; k < c->tiers; k++)
        gs_text_add(to, TEXT, "{name: tier%zu}, ", k);
    gs_text_add(to, TEXT, "{name: node}]\nnode_types:\n");
    for (size_t i = 0; i < c->nodes; i++)
        gs_text_add(to, TEXT,
                    "  t%zu: {cpu: %ld, labels: {at: n%zu, weight: %ld}}\n", i,
                    c->node[i].cpus, i, c->node[i].weight);
    gs_text_add(to, TEXT, "nodes:\n");
    for (size_t i = 0; i < c->nodes; i++)
        node_put(c, to, i);
}

static void jobs_make(const struct choice_world *c, char *to)
{
    *to = '\0';
    gs_text_add(to, TEXT, "jobs:\n");
    for (size_t i = 0; i < c->nodes; i++) {
        const struct choice_node *n = &c->node[i];

        if (n->free < n->cpus)
            gs_text_add(to, TEXT,
                        "- {name: on%zu, submit: 0, duration: 1000s, "
                        "cpu: %ld, nodes: {at: n%zu}}\n",
                        i, n->cpus - n->free, i);
    }
    for (size_t i = 0; i < c->jobs; i++) {
        const struct choice_job *j = &c->job[i];

        gs_text_add(to, TEXT,
                    "- {name: job%zu, submit: %zu, duration: 10000s, ", i,
                    10 + i);
        if (j->leader)
            gs_text_add(to, TEXT, "tasks: [{name: lead, cpu: %ld}, ",
                        j->leader);
        gs_text_add(to, TEXT, "%sreplicas: %ld, cpu: %ld%s",
                    j->leader ? "{name: work, " : "", j->tasks, j->cpus,
                    j->leader ? "}]" : "");
        if (j->is_spread)
            gs_text_add(to, TEXT, ", spread: {over: node, max_skew: 1}");
        if (j->within)
            gs_text_add(to, TEXT, ", topology: {within: %s, mode: required}",
                        j->within);
        if (j->topology)
            gs_text_add(to, TEXT, ", topology: {%s}", j->topology);
        gs_text_add(to, TEXT, "}\n");
    }
}

bool choice_run(struct choice_world *c)
{
    static char topology[TEXT], jobs[TEXT], profile[600];

    topology_make(c, topology);
    jobs_make(c, jobs);
    (void)snprintf(profile, sizeof(profile), PROFILE, c->choice);
    world_init(&c->w);
    c->w.until = INT64_C(100) * 1000000;
    if (world_load(&c->w, topology, jobs, &(struct trace_options){ 0 }) == 0
        && world_run(&c->w, profile, NULL, NULL) == 0)
        return true;
    printf("%s\n%s", c->w.err.problem[0].text, topology);
    return false;
}

const char *choice_nodes(const struct choice_world *c, size_t i, char *to,
                         size_t size)
{
    const struct world *w = &c->w;
    char name[40];

    (void)snprintf(name, sizeof(name), "job%zu", i);
    *to = '\0';
    for (uint32_t n = 0; n < w->topo->node_count; n++) {
        bool is_on = false;

        for (uint32_t k = 0; k < w->log->placement_count; k++) {
            const struct report_placement *p = &w->log->placement[k];

            is_on |= p->node == n
                     && strcmp(
                            gs_strtab_str(w->names, w->work->job[p->job].name),
                            name)
                            == 0;
        }
        if (is_on)
            gs_text_add(to, size, "%s%s", *to ? " " : "",
                        gs_strtab_str(w->names, w->topo->node_name[n]));
    }
    return to;
}

uint32_t choice_tasks(const struct choice_world *c, size_t i, const char *node,
                      bool of_leader)
{
    const struct world *w = &c->w;
    const uint32_t group = c->job[i].leader && !of_leader;
    uint32_t tasks = 0;
    char name[40];

    (void)snprintf(name, sizeof(name), "job%zu", i);
    for (uint32_t k = 0; k < w->log->placement_count; k++) {
        const struct report_placement *p = &w->log->placement[k];

        if (p->group == group
            && strcmp(gs_strtab_str(w->names, w->work->job[p->job].name), name)
                   == 0
            && strcmp(gs_strtab_str(w->names, w->topo->node_name[p->node]),
                      node)
                   == 0)
            tasks += p->tasks;
    }
    return tasks;
}

void choice_fini(struct choice_world *c)
{
    world_fini(&c->w);
}

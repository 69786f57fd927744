/* policies/modules/node-choice.c - the nodes of a gang are chosen together.
 *
 * Without this module each task of a gang goes to the node with the best score.
 * With it, nodes on which tasks of the gang fit are looked at as a whole, as
 * Slurm's select plugin does:
 *
 * `runs`: neighbours, in the order of nodes.  The run that has just enough room
 * is used; if none is enough, the largest, then what is still needed is sought
 * in the others.
 * `least-loaded`: the nodes with the largest part of their CPUs free.
 * `tree`: the domains of the innermost tier are leaves; the leaf with the
 * fewest nodes that is enough, else leaves near to each other.  `blocks`: one
 * domain of the lowest tier that is large enough for the gang.  `domains`, as
 * Kueue does: of the domains of the tier that the job states (`topology`; needs
 * module topology) the smallest in which the gang fits, and so on inside it;
 * slices of the gang stay together.  If none is enough and the tier is only
 * preferred, one tier higher, in the end several domains.  `mode:
 * unconstrained`: the nodes with the least room first.  A gang of one task and
 * others, such as a leader and its workers, has its domain together.  Jobs that
 * state no topology are as unconstrained ones; with `stated-domains` they go
 * where scores say.  With `balanced` a tier that is only preferred has as few
 * domains as are enough inside one of the tier above, each with about as many
 * tasks; where that cannot be, the nodes are chosen as without it.
 *
 * Nodes whose label `weight` has a lower number are used before others,
 * whatever the rest says.
 */
#include <string.h>

#include "policies/policy.h"

static const char *const ways[] = { "runs",   "least-loaded", "tree",
                                    "blocks", "domains",      "stated-domains",
                                    NULL };

#define STATED_DOMAINS (GSP_CHOOSE_DOMAINS + 1) /* place in ways[] */

static const char *const sizes[] = { "tasks", "free", NULL };

enum { BY, SIZE, WEIGHT, WITHIN, SERIAL, BALANCED };

static const struct gsp_param params[] = {
    { "by", GSP_CHOICE, "runs", 0, 0,
      "runs, least-loaded, tree, blocks, domains or stated-domains", ways },
    { "size", GSP_CHOICE, "tasks", 0, 0,
      "runs: what they compare by, tasks that fit or free CPUs", sizes },
    { "weight", GSP_TEXT, "weight", 0, 0,
      "label whose number is a node's weight: low ones first", NULL },
    { "within", GSP_TEXT, "cluster", 0, 0,
      "tree: the tier of which no gang leaves a domain", NULL },
    { "serial_last", GSP_YESNO, "no", 0, 0,
      "one task of at most one CPU goes to the last node", NULL },
    { "balanced", GSP_YESNO, "no", 0, 0,
      "domains: of a preferred tier a few with about as many tasks each",
      NULL },
};

static int choice_open(const struct gsp_host *host, void *ctx,
                       const union gsp_value *value, void **self)
{
    const char *within = value[WITHIN].text;
    const bool is_cluster = strcmp(within, "cluster") == 0;
    const bool is_stated = value[BY].whole == STATED_DOMAINS;
    struct gsp_choice *c = host->keep(ctx, sizeof(*c));

    *c = (struct gsp_choice){
        .by = is_stated ? GSP_CHOOSE_DOMAINS : (enum gsp_choose)value[BY].whole,
        .within = is_cluster ? 0 : host->level_find(ctx, within),
        .by_free = value[SIZE].whole == 1,
        .serial_last = value[SERIAL].whole != 0,
        .weight = value[WEIGHT].text,
        .all = !is_stated,
        .balanced = value[BALANCED].whole != 0,
    };
    *self = c;
    if (c->within == GSP_NONE || c->within + 1 >= host->levels(ctx))
        return host->fail(ctx, "no tier above the nodes is called", within);
    return 0;
}

static uint32_t choice_unread(const union gsp_value *value)
{
    return value[BY].whole >= GSP_CHOOSE_BLOCKS ? 0 : GSP_READS_SLICES;
}

static bool choice_choice(void *self, struct gsp_choice *out)
{
    *out = *(const struct gsp_choice *)self;
    return true;
}

extern const struct gsp_module gsp_module_node_choice;
const struct gsp_module gsp_module_node_choice = {
    GSP_ABI,
    .name = "node-choice",
    .summary = "the nodes of a gang are chosen together: runs, leaves, blocks",
    GSP_PARAMS(params),
    .reads = GSP_READS_SLICES,
    .unread = choice_unread,
    .open = choice_open,
    .choice = choice_choice,
};

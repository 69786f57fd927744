/* import/kubernetes/node/hyper_node.c - Volcano's HyperNodes, see
 * hyper_node.h.
 */
#include "import/kubernetes/node/hyper_node.h"

#include <assert.h>
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

#define TIER_MAX 1000000
#define PATTERN_MAX 256
#define LOOKS_MAX (UINT32_C(1) << 26) /* at names and labels, of all members */

struct member {
    uint32_t hyper; /* whose member it is */
    bool is_node;   /* else a HyperNode */
    uint32_t name;  /* exactMatch; 0 */
    uint32_t regex; /* regexMatch; 0 */
    struct kube_conditions labels;
    uint32_t source;
    int line, column;
};

struct hyper_node {
    uint32_t name, tier_name;
    int64_t tier;
    uint32_t parent; /* hyper node, and 1 */
};

struct kube_hyper_nodes {
    struct hyper_node *at;
    uint32_t count, cap;
    struct member *member;
    uint32_t members, member_cap;
    struct kube_index by_name;
    int64_t tier[TOPO_TIERS_MAX]; /* [tier of the cluster] its number; 0 */
    uint32_t looks;
};

void kube_hyper_nodes_free(struct kube *k)
{
    struct kube_hyper_nodes *all = k->tiers->hyper;

    if (!all)
        return;
    gs_array_free(all->at);
    gs_array_free(all->member);
    gs_array_free(all->by_name.at);
    gs_array_free(all);
    k->tiers->hyper = NULL;
}

bool kube_hyper_nodes_are(const struct kube *k)
{
    return k->tiers->hyper != NULL;
}

/* --- reading -------------------------------------------------------------- */

static void members_read(struct kube *k, struct kube_hyper_nodes *all,
                         const struct import_object *o)
{
    for (const struct gs_ynode *m = kube_list(o->root, "spec.members"); m;
         m = m->next) {
        const struct gs_ynode *labels = kube_at(m, "selector.labelMatch");
        const char *type = kube_text(m, "type");
        struct member x = {
            .hyper = all->count - 1,
            .is_node = !type || strcmp(type, "HyperNode") != 0,
            .name = kube_name(k, m, "selector.exactMatch.name"),
            .regex = kube_name(k, m, "selector.regexMatch.pattern"),
            .source = kube_put(k, o->source),
            .line = m->line,
            .column = m->column,
        };

        kube_conditions_add(k, &x.labels, kube_at(labels, "matchLabels"),
                            kube_at(labels, "matchExpressions"));
        if (!x.name && !x.regex && !x.labels.count) {
            import_account_tell(k->account, IMPORT_LEFT, o->source, m,
                                "a member of a HyperNode without a selector");
            continue;
        }
        all->member = gs_array_grow(all->member, &all->member_cap,
                                    all->members + 1, sizeof(*all->member));
        all->member[all->members++] = x;
    }
}

int kube_hyper_node_read(struct kube *k, const struct import_object *o)
{
    const uint32_t name = kube_name(k, o->root, "metadata.name");
    struct kube_hyper_nodes *all = k->tiers->hyper;

    if (!name || !kube_at(o->root, "spec.tier")) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "a HyperNode without a name or a tier");
        return -1;
    }
    if (!all)
        all = k->tiers->hyper = gs_array_new(1, sizeof(*all));
    if (kube_index_get(&all->by_name, name)) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "a HyperNode that was there before");
        return -1;
    }
    kube_index_put(&all->by_name, name, all->count);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = (struct hyper_node){
        .name = name,
        .tier = kube_number(k, o->root, "spec.tier", 1, 0, TIER_MAX),
        .tier_name = kube_name(k, o->root, "spec.tierName"),
    };
    members_read(k, all, o);
    return 0;
}

/* --- members -------------------------------------------------------------- */

static void tell(struct kube *k, const struct member *m, const char *text)
{
    const struct gs_ynode at = { .line = m->line, .column = m->column };

    import_account_tell(k->account, IMPORT_LEFT, kube_str(k, m->source), &at,
                        "%s", text);
}

/* The pattern in the words of regcomp; false for what costs without bound, or
 * is not in them.  Go's \d is [0-9]; (?: is (.
 */
static bool pattern_make(const char *s, char *to, size_t size)
{
    size_t at = 0;
    int braces = 0;

    if (strlen(s) > PATTERN_MAX)
        return false;
    for (; *s; s++) {
        const char *text = NULL;

        braces += *s == '{';
        if (*s == '\\' && s[1] == 'd')
            text = "[0-9]";
        else if (*s == '\\' && (isalnum((unsigned char)s[1]) || !s[1]))
            return false;
        else if (*s == '(' && s[1] == '?' && s[2] != ':')
            return false;
        if (braces > 1 || at + 6 >= size)
            return false;
        if (text) {
            at += (size_t)snprintf(to + at, size - at, "%s", text);
            s++;
        } else if (*s == '\\') {
            to[at++] = *s++;
            to[at++] = *s;
        } else {
            to[at++] = *s;
            s += *s == '(' && s[1] == '?' ? 2 : 0;
        }
    }
    to[at] = '\0';
    return true;
}

/* The compiled pattern of the member; false, told, when it is none. */
static bool pattern_open(struct kube *k, const struct member *m, regex_t *re)
{
    char text[PATTERN_MAX * 6];

    if (!m->regex)
        return false;
    if (pattern_make(kube_str(k, m->regex), text, sizeof(text))
        && regcomp(re, text, REG_EXTENDED | REG_NOSUB) == 0)
        return true;
    tell(k, m, "members of HyperNodes by a pattern that is not understood");
    return false;
}

static bool may_look(struct kube *k, const struct member *m)
{
    if (k->tiers->hyper->looks++ < LOOKS_MAX)
        return true;
    tell(k, m, "members of HyperNodes: too many patterns");
    return false;
}

/* direct[node]: the lowest HyperNode that has it as a member, and 1. */
static void node_join(struct kube *k, const struct member *m, uint32_t *direct,
                      uint32_t node)
{
    const struct hyper_node *h = k->tiers->hyper->at;

    if (!direct[node] || h[m->hyper].tier < h[direct[node] - 1].tier) {
        direct[node] = m->hyper + 1;
    } else if (direct[node] - 1 != m->hyper
               && h[m->hyper].tier == h[direct[node] - 1].tier) {
        tell(k, m, "nodes of two HyperNodes of one tier: the first one holds");
    }
}

static void nodes_join(struct kube *k, const struct member *m, uint32_t *direct,
                       const struct kube_index *node)
{
    const uint32_t one = kube_index_get(node, m->name);
    regex_t re;
    const bool is_regex = pattern_open(k, m, &re);

    if (one)
        node_join(k, m, direct, one - 1);
    else if (m->name && !m->regex)
        tell(k, m, "members of HyperNodes that are no nodes of the source");
    for (uint32_t n = 0;
         (is_regex || m->labels.count) && n < k->nodes->count && may_look(k, m);
         n++) {
        const struct kube_node *x = &k->nodes->at[n];

        if ((is_regex && regexec(&re, kube_str(k, x->name), 0, NULL, 0) == 0)
            || (m->labels.count
                && kube_conditions_hold(k, &m->labels, &x->labels)))
            node_join(k, m, direct, n);
    }
    if (is_regex)
        regfree(&re);
}

static void hyper_join(struct kube *k, const struct member *m, uint32_t child)
{
    struct hyper_node *h = k->tiers->hyper->at;

    if (h[child].tier >= h[m->hyper].tier)
        tell(k, m, "members of HyperNodes that are not of a lower tier");
    else if (h[child].parent && h[child].parent - 1 != m->hyper)
        tell(k, m, "HyperNodes below two others: the first one holds");
    else
        h[child].parent = m->hyper + 1;
}

static void hypers_join(struct kube *k, const struct member *m)
{
    const struct kube_hyper_nodes *all = k->tiers->hyper;
    const uint32_t one = kube_index_get(&all->by_name, m->name);
    regex_t re;

    if (one)
        hyper_join(k, m, one - 1);
    else if (m->name)
        tell(k, m, "members of HyperNodes that the source lacks");
    if (m->labels.count)
        tell(k, m, "HyperNodes as members by their labels");
    if (!pattern_open(k, m, &re))
        return;
    for (uint32_t i = 0; i < all->count && may_look(k, m); i++) {
        if (regexec(&re, kube_str(k, all->at[i].name), 0, NULL, 0) == 0
            && i != m->hyper)
            hyper_join(k, m, i);
    }
    regfree(&re);
}

static uint32_t *members_join(struct kube *k)
{
    const struct kube_hyper_nodes *all = k->tiers->hyper;
    uint32_t *direct = gs_array_new(k->nodes->count + 1, sizeof(*direct));
    struct kube_index node = { 0 };

    for (uint32_t n = 0; n < k->nodes->count; n++)
        kube_index_put(&node, k->nodes->at[n].name, n);
    for (uint32_t i = 0; i < all->members; i++) {
        if (all->member[i].is_node)
            nodes_join(k, &all->member[i], direct, &node);
        else
            hypers_join(k, &all->member[i]);
    }
    gs_array_free(node.at);
    return direct;
}

/* --- tiers ---------------------------------------------------------------- */

static int highest_first(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* The numbers of all tiers, the outermost first, each once. */
static int64_t *numbers_of(const struct kube_hyper_nodes *all, uint32_t *count)
{
    int64_t *number = gs_array_new(all->count, sizeof(*number));

    for (uint32_t i = 0; i < all->count; i++)
        number[i] = all->at[i].tier;
    qsort(number, all->count, sizeof(*number), highest_first);
    *count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (i == 0 || number[*count - 1] != number[i])
            number[(*count)++] = number[i];
    }
    return number;
}

static struct kube_tier *tier_make(struct kube *k, int64_t number)
{
    const struct kube_hyper_nodes *all = k->tiers->hyper;
    char name[64];

    for (uint32_t i = 0; i < all->count; i++) {
        struct kube_tier *t;

        if (all->at[i].tier != number || !all->at[i].tier_name)
            continue;
        t = kube_tier_add(k, 0, kube_str(k, all->at[i].tier_name));
        if (t)
            return t;
        break;
    }
    (void)snprintf(name, sizeof(name), "tier-%lld", (long long)number);
    return kube_tier_add(k, 0, name);
}

/* Climb from each node. */
static void domains_fill(struct kube *k, const uint32_t *direct)
{
    struct kube_hyper_nodes *all = k->tiers->hyper;
    struct kube_tiers *tiers = k->tiers;

    for (uint32_t n = 0; n < k->nodes->count; n++) {
        uint32_t tier = tiers->count;

        for (uint32_t h = direct[n]; h; h = all->at[h - 1].parent) {
            while (tier > 0
                   && (!tiers->at[tier - 1].domain
                       || all->tier[tier - 1] < all->at[h - 1].tier))
                tier--;
            if (tier > 0 && all->tier[tier - 1] == all->at[h - 1].tier)
                tiers->at[tier - 1].domain[n] = all->at[h - 1].name;
        }
    }
}

void kube_hyper_nodes_add(struct kube *k)
{
    struct kube_hyper_nodes *all = k->tiers->hyper;
    struct kube_tiers *tiers = k->tiers;
    uint32_t count, *direct = members_join(k);
    int64_t *number = numbers_of(all, &count);

    for (uint32_t i = 0; i < count; i++) {
        struct kube_tier *t = tier_make(k, number[i]);

        if (!t)
            continue;
        all->tier[t - tiers->at] = number[i];
        t->domain = gs_arena_alloc(k->arena, k->nodes->count + 1,
                                   sizeof(*t->domain));
        for (uint32_t n = 0; n < k->nodes->count; n++)
            t->domain[n] = k->nodes->at[n].name;
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "HyperNodes of tier %lld are tier '%s'",
                            (long long)number[i], kube_str(k, t->name));
    }
    domains_fill(k, direct);
    gs_array_free(direct);
    gs_array_free(number);
}

uint32_t kube_hyper_tier_of(const struct kube *k, int64_t number)
{
    const struct kube_hyper_nodes *all = k->tiers->hyper;

    for (uint32_t i = 0; all && i < k->tiers->count; i++) {
        if (k->tiers->at[i].domain && all->tier[i] <= number)
            return k->tiers->at[i].name;
    }
    return 0;
}

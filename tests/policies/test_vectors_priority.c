/* tests/policies/test_vectors_priority.c - fair share, usage that decays, and
 * priorities in vectors of Slurm, by the arithmetic of modules fairshare and
 * multifactor.
 */
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/quantity.h"
#include "policies/modules/decayed_usage.h"
#include "policies/modules/fair_share.h"
#include "policies/modules/job_priority.h"
#include "tests/lib/vectors.h"

#define FILE_OF_VECTORS "tests/data/vectors/slurm.yaml"
#define ENTRIES 64
#define NEAR 1e-6

static double number(const struct gs_ynode *n)
{
    double x = NAN;

    if (n)
        CU_ASSERT_EQUAL_FATAL(gs_quantity_parse_double(n->text, n->len, &x), 0);
    return x;
}

/* The number under `key` of the inputs; `other` without it. */
static double number_or(const struct vector *v, const char *key, double other)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    return n ? number(n) : other;
}

static bool flag(const struct vector *v, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    return n && strcmp(n->text, "true") == 0;
}

static void expect(const struct vector *v, const char *what, double got,
                   double want, double near)
{
    char text[160];

    if (fabs(got - want) <= near)
        return;
    (void)snprintf(text, sizeof(text), "%s: %.9g, want %.9g", what, got, want);
    vector_fails(v, "got", text);
}

/* --- a host with a tree of accounts --------------------------------------- */

struct tree {
    struct gs_arena *arena;
    uint32_t count, parent[ENTRIES], shares[ENTRIES];
    bool is_user[ENTRIES];
    double usage[ENTRIES];
    const char *name[ENTRIES];
};

static void *tree_keep(void *ctx, size_t size)
{
    return gs_arena_alloc(((struct tree *)ctx)->arena, 1, size);
}

static uint32_t tree_accounts(void *ctx)
{
    return ((struct tree *)ctx)->count;
}

static uint32_t tree_parent(void *ctx, uint32_t i)
{
    return ((struct tree *)ctx)->parent[i];
}

static uint32_t tree_shares(void *ctx, uint32_t i)
{
    return ((struct tree *)ctx)->shares[i];
}

static bool tree_is_user(void *ctx, uint32_t i)
{
    return ((struct tree *)ctx)->is_user[i];
}

static const struct gsp_host tree_host = {
    .keep = tree_keep,
    .accounts = tree_accounts,
    .account_parent = tree_parent,
    .account_shares = tree_shares,
    .account_is_user = tree_is_user,
};

static uint32_t entry_of(const struct tree *t, const char *name)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (strcmp(t->name[i], name) == 0)
            return i;
    }
    CU_FAIL_FATAL("no entry of that name");
    return 0;
}

/* The inputs of the vector that `text` names: "as ID", or "ID". */
static const struct gs_ynode *inputs_of(const char *text,
                                        struct gs_arena *arena)
{
    const char *path = getenv("VECTORS");
    const struct gs_ynode *list;

    text += strncmp(text, "as ", 3) == 0 ? 3 : 0;
    for (int own = vectors_are_own(); own < 2; own++) {
        list = vectors_read(own ? FILE_OF_VECTORS : path, "vectors", arena);
        for (const struct gs_ynode *n = list ? list->child : NULL; n;
             n = n->next) {
            if (strcmp(gs_ynode_find(n, "id")->text, text) == 0)
                return gs_ynode_find(n, "inputs");
        }
    }
    CU_FAIL_FATAL("no vector has that tree");
    return NULL;
}

static bool is_listed(const struct gs_ynode *list, const char *name)
{
    for (const struct gs_ynode *n = list ? list->child : NULL; n; n = n->next) {
        if (strcmp(n->text, name) == 0)
            return true;
    }
    return false;
}

/* Parents stand before their children.  Leaves are users; with `user_leaves`
 * these are.
 */
static void tree_read(const struct vector *v, struct tree *t)
{
    const struct gs_ynode *in = v->in, *map = vector_in(v, "tree");

    *t = (struct tree){ .arena = gs_arena_create(65536), .count = 1 };
    t->name[0] = "root";
    t->parent[0] = GSP_NONE;
    if (map->kind == GS_YSCALAR) {
        in = inputs_of(map->text, t->arena);
        map = gs_ynode_find(in, "tree");
    }
    for (const struct gs_ynode *n = map->child; n; n = n->next) {
        const struct gs_ynode *shares = gs_ynode_find(n, "shares");
        const uint32_t i = t->count++;

        CU_ASSERT_FATAL(i < ENTRIES);
        t->name[i] = n->key->text;
        t->parent[i] = entry_of(t, gs_ynode_find(n, "parent")->text);
        t->is_user[t->parent[i]] = false;
        t->is_user[i] = true;
        t->shares[i] = strcmp(shares->text, "parent") == 0
                           ? GSP_NONE
                           : (uint32_t)number(shares);
        t->usage[i] = number(gs_ynode_find(n, "usage"));
    }
    for (uint32_t i = 0; gs_ynode_find(in, "user_leaves") && i < t->count; i++)
        t->is_user[i] = is_listed(gs_ynode_find(in, "user_leaves"), t->name[i]);
}

static void tree_compute(struct tree *t, struct fair_share *f, int mode)
{
    *f = (struct fair_share){ .count = 0 };
    fair_open(f, &tree_host, t, mode, 1);
    for (uint32_t i = 0; i < t->count; i++)
        f->entry[i].used = t->usage[i];
    fair_compute(f);
}

/* --- fair share ----------------------------------------------------------- */

static void classic_run(const struct vector *v)
{
    struct tree t;
    struct fair_share f;
    uint32_t user;

    tree_read(v, &t);
    tree_compute(&t, &f, FAIR_CLASSIC);
    user = entry_of(&t, vector_in(v, "user")->text);
    for (const struct gs_ynode *n = v->expected->child; n; n = n->next) {
        const char *what = n->key->text;
        const struct fair_entry *e = &f.entry[user];

        if (strcmp(what, "shares_norm") == 0)
            expect(v, what, e->norm, number(n), NEAR);
        else if (strcmp(what, "usage_norm") == 0)
            expect(v, what, fair_usage_norm(&f, user), number(n), NEAR);
        else if (strcmp(what, "usage_eff") == 0)
            expect(v, what, e->eff, number(n), NEAR);
        else if (strcmp(what, "factor") == 0)
            expect(v, what, fair_factor(&f, user), number(n), NEAR);
        else
            vector_fails(v, "nothing computes", what);
    }
    gs_arena_destroy(t.arena);
}

/* All users with the rank have the factor, and no others. */
static void rank_check(const struct vector *v, const struct tree *t,
                       const struct fair_share *f)
{
    const double rank = number(vector_in(v, "rank_from_bottom"));
    const struct gs_ynode *held = gs_ynode_find(v->expected, "held_by");

    expect(v, "users", f->users, number(vector_in(v, "users")), 0);
    expect(v, "factor", rank / f->users,
           number(gs_ynode_find(v->expected, "factor")), NEAR);
    for (uint32_t i = 0; i < t->count; i++) {
        const bool has = t->is_user[i]
                         && fabs(fair_factor(f, i) - rank / f->users) < NEAR;

        if (has != is_listed(held, t->name[i]))
            vector_fails(v, "the rank of", t->name[i]);
    }
}

static void tree_run(const struct vector *v)
{
    const struct gs_ynode *node = gs_ynode_find(v->in, "node");
    struct tree t;
    struct fair_share f;

    tree_read(v, &t);
    tree_compute(&t, &f, FAIR_TREE);
    if (gs_ynode_find(v->in, "rank_from_bottom")) {
        rank_check(v, &t, &f);
        gs_arena_destroy(t.arena);
        return;
    }
    for (const struct gs_ynode *n = v->expected->child; n; n = n->next) {
        const bool is_level = strcmp(n->key->text, "level_fs") == 0;

        if (strcmp(n->key->text, "total_usage") == 0) {
            expect(v, "usage", f.entry[0].used, number(n), NEAR);
        } else if (strcmp(n->key->text, "users") == 0) {
            expect(v, "users", f.users, number(n), 0);
        } else if (node) {
            expect(v, node->text, f.entry[entry_of(&t, node->text)].level,
                   number(n), NEAR);
        } else if (is_level || strcmp(n->key->text, "factor") == 0) {
            for (const struct gs_ynode *c = n->child; c; c = c->next) {
                const uint32_t i = entry_of(&t, c->key->text);

                expect(v, c->key->text,
                       is_level ? f.entry[i].level : fair_factor(&f, i),
                       number(c), NEAR);
            }
        } else if (strncmp(n->key->text, "if_", 3) != 0) {
            vector_fails(v, "nothing computes", n->key->text);
        }
    }
    gs_arena_destroy(t.arena);
}

/* --- priorities ----------------------------------------------------------- */

static void size_run(const struct vector *v)
{
    const struct job_size s = {
        .nodes = number(vector_in(v, "min_nodes")),
        .cpus = number(vector_in(v, "cpus")),
        .cluster_nodes = number(vector_in(v, "cluster_nodes")),
        .cluster_cpus = number(vector_in(v, "cluster_cpus")),
        .minutes = number_or(v, "time_limit_min", 0),
        .favors_small = flag(v, "favor_small"),
        .per_minute = flag(v, "small_relative_to_time"),
    };

    expect(v, "factor", job_size_factor(&s),
           number(gs_ynode_find(v->expected, "factor")), NEAR);
}

static void total_run(const struct vector *v)
{
    const struct gs_ynode *factors = vector_in(v, "factors");
    const struct gs_ynode *tres = gs_ynode_find(v->in, "tres");
    struct job_term term[16];
    uint32_t n = 0;

    for (const struct gs_ynode *w = vector_in(v, "weights")->child; w;
         w = w->next)
        term[n++] = (struct job_term){ number(w), number(gs_ynode_find(
                                                      factors, w->key->text)) };
    if (tres)
        term[n++] = (struct job_term){
            number(gs_ynode_find(tres, "weight_gpu")),
            number(gs_ynode_find(tres, "requested"))
                / number(gs_ynode_find(tres, "partition_total"))
        };
    expect(v, "priority",
           job_priority_number(
               term, n, number_or(v, "nice", 0) - number_or(v, "site", 0)),
           number(gs_ynode_find(v->expected, "priority")), 0);
}

/* --- usage ---------------------------------------------------------------- */

static struct decayed_usage usage_open(const struct vector *v, struct tree *t,
                                       double period)
{
    struct decayed_usage u = { .count = 0 };

    *t = (struct tree){ .arena = gs_arena_create(4096) };
    decayed_open(&u, &tree_host, t, 1,
                 (gsp_time)number(vector_in(v, "half_life_s")) * DECAYED_SECOND,
                 (gsp_time)period * DECAYED_SECOND, 0, 0);
    return u;
}

static void decay_run(const struct vector *v)
{
    const struct gs_ynode *want =
        gs_ynode_find(v->expected, "remaining")->child;
    struct tree t;
    struct decayed_usage u = usage_open(v, &t, 1);

    expect(v, "factor of a second", u.decay,
           number(gs_ynode_find(v->expected, "per_second_factor")), 1e-15);
    for (const struct gs_ynode *n = vector_in(v, "after_s")->child; n;
         n = n->next, want = want->next) {
        u.at = 0;
        u.holder[0].used = 1;
        (void)decayed_advance(&u, (gsp_time)number(n) * DECAYED_SECOND);
        expect(v, n->text, u.holder[0].used, number(want), 1e-9);
    }
    gs_arena_destroy(t.arena);
}

static void usage_run(const struct vector *v)
{
    const double seconds = number(vector_in(v, "interval_s"));
    const double billing = number(vector_in(v, "billing"))
                           * number_or(v, "qos_usage_factor", 1);
    struct tree t;
    struct decayed_usage u = usage_open(v, &t, seconds);

    u.holder[0].used = number(vector_in(v, "usage_before"));
    decayed_change(&u, 0, (int64_t)(billing * DECAYED_ONE), 0, 0);
    (void)decayed_advance(&u, (gsp_time)seconds * DECAYED_SECOND);
    expect(v, "usage", u.holder[0].used,
           number(gs_ynode_find(v->expected, "usage_after")), 1e-5);
    gs_arena_destroy(t.arena);
}

/* The weight of the resource in "CPU=1.0,Mem=0.25G"; memory is counted in MiB,
 * and a suffix is its unit.
 */
static double weight_of(const char *weights, const char *name)
{
    const size_t len = strlen(name);
    double weight = 0;
    char unit = '\0';

    for (const char *p = weights; p; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncasecmp(p, name, len) == 0 && p[len] == '=')
            (void)sscanf(p + len + 1, "%lf%c", &weight, &unit);
    }
    return weight / (unit == 'T' ? 1048576 : unit == 'G' ? 1024 : 1);
}

static void billing_run(const struct vector *v)
{
    const char *weights = vector_in(v, "weights")->text;
    const char *mode = vector_in(v, "priority_flag")->text;
    const bool most = strcmp(mode, "MAX_TRES") == 0;
    double weight[ENTRIES], amount[ENTRIES];
    bool competes[ENTRIES];
    uint32_t n = 0;

    if (!most && strcmp(mode, "none") != 0
        && strcmp(mode, "MAX_TRES_GRES") != 0) {
        vector_not_run(v, "a flag that is not known");
        return;
    }
    for (const struct gs_ynode *r = vector_in(v, "tres")->child; r;
         r = r->next, n++) {
        const char *name = r->key->text;

        weight[n] = weight_of(weights, name);
        amount[n] = number(r);
        competes[n] = strcmp(mode, "none") != 0
                      && strncmp(name, "license", 7) != 0
                      && (most || strncmp(name, "gres/", 5) != 0);
    }
    expect(v, "billing", decayed_billing(weight, amount, competes, n),
           number(gs_ynode_find(v->expected, "billing")), NEAR);
}

static void multifactor_run(const struct vector *v)
{
    if (gs_ynode_find(v->in, "min_nodes"))
        size_run(v);
    else if (gs_ynode_find(v->in, "weights") && gs_ynode_find(v->in, "factors"))
        total_run(v);
    else if (gs_ynode_find(v->in, "after_s"))
        decay_run(v);
    else if (gs_ynode_find(v->in, "usage_before"))
        usage_run(v);
    else if (gs_ynode_find(v->in, "tres"))
        billing_run(v);
    else
        vector_not_run(v, "its inputs are of no known kind");
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-fairshare-classic", classic_run },
        { "slurm-fair-tree", tree_run },
        { "slurm-multifactor", multifactor_run },
    };

    return vectors_main(&(struct vector_suite){ "policies/vectors_priority",
                                                FILE_OF_VECTORS, groups,
                                                N_ELEMENTS(groups), NULL, 0 });
}

/* traces/formats/native_accounts.c - accounts, QOS classes and partitions of a
 * native trace.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/formats/terms.h"
#include "traces/workload/accounts.h"

static int put_entry(const struct trace_native *l, const struct gs_ynode *at,
                     const struct trace_account *a, const char *what,
                     struct gs_err *err)
{
    struct trace_workload *w = l->r->w;

    if (trace_account_find(w, a->name, a->user) != TRACE_NONE)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, at),
                       "two %s are called '%s'", what,
                       gs_strtab_str(w->names, a->user ? a->user : a->name));
    if (w->accounts->account_count >= TRACE_ACCOUNTS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(&l->c, at),
                       "more than %u accounts and users", TRACE_ACCOUNTS_MAX);
    trace_account_add(w, a);
    return 0;
}

/* --- users ---------------------------------------------------------------- */

static int take_user(struct trace_native *l, const struct gs_ynode *v,
                     uint32_t account, struct gs_err *err)
{
    const struct gs_ynode *key = v->key;
    struct trace_account a = { .name = account,
                               .shares = 1,
                               .line = (uint32_t)key->line };

    if (key->len == 0 || !gs_text_is_clean(key->text, key->len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, key),
                       "a user of an account needs a printable name");
    a.user = gs_strtab_put(l->r->w->names, key->text, key->len);
    if (v->kind == GS_YMAP) {
        if (trace_account_terms(&l->c, v, NULL, &a, err) < 0)
            return -1;
    } else if (trace_yread_shares(&l->c, v, &a.shares, err) < 0) {
        return -1;
    }
    return put_entry(l, key, &a, "users of an account", err);
}

static int take_users(struct trace_native *l, const struct gs_ynode *map,
                      uint32_t account, struct gs_err *err)
{
    int rc = 0;

    if (map->kind != GS_YMAP)
        return gs_yread_refuse(
            &l->c, map, "a mapping of users, such as {ada: 2, bob: 1}", err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (take_user(l, v, account, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

/* --- accounts ------------------------------------------------------------- */

static int take_account(struct trace_native *l, const struct gs_ynode *item,
                        struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    struct trace_account a = { .shares = 1, .line = (uint32_t)item->line };
    struct trace_account_nodes in = { NULL };
    int rc = trace_account_terms(&l->c, item, &in, &a, err);

    if (!in.name)
        return -1;
    if (!gs_text_is_clean(in.name->text, in.name->len) || in.name->len == 0)
        return gs_yread_refuse(&l->c, in.name, "a printable name", err);
    a.name = gs_strtab_put(w->names, in.name->text, in.name->len);
    if (in.parent && strcmp(in.parent->text, TRACE_ROOT_ACCOUNT) != 0)
        a.parent = gs_strtab_put(w->names, in.parent->text, in.parent->len);
    if (a.parent && strcmp(in.name->text, TRACE_ROOT_ACCOUNT) == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, in.parent),
                       "account '" TRACE_ROOT_ACCOUNT "' is the root of the "
                       "tree: it has no parent");
    if (put_entry(l, in.name, &a, "accounts", err) < 0)
        return -1;
    if (in.users && take_users(l, in.users, a.name, err) < 0)
        rc = -1;
    return rc;
}

/* The parents of all accounts exist, and lead to the root. */
static int check_tree(const struct trace_native *l, struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    uint32_t *met = gs_array_new(w->accounts->account_count, sizeof(*met));
    int rc = 0;

    for (uint32_t i = 0; i < w->accounts->account_count && rc == 0; i++) {
        uint32_t at = i;

        if (w->accounts->account[i].user)
            continue;
        while (rc == 0 && w->accounts->account[at].parent && met[at] == 0) {
            const uint32_t above = trace_account_find(
                w, w->accounts->account[at].parent, 0);

            met[at] = i + 1;
            if (above == TRACE_NONE)
                rc = gs_fail(
                    err, GS_INPUT,
                    trace_reading_mark(l->r, (int)w->accounts->account[at].line,
                                       0),
                    "unknown account '%s', the parent of '%s'",
                    gs_strtab_str(w->names, w->accounts->account[at].parent),
                    gs_strtab_str(w->names, w->accounts->account[at].name));
            else if (met[above] == i + 1)
                rc = gs_fail(
                    err, GS_INPUT,
                    trace_reading_mark(l->r, (int)w->accounts->account[at].line,
                                       0),
                    "account '%s' is above itself",
                    gs_strtab_str(w->names, w->accounts->account[at].name));
            else
                at = above;
        }
    }
    gs_array_free(met);
    return rc;
}

/* --- what jobs name ------------------------------------------------------- */

static int unknown(const struct trace_native *l, const struct trace_job *j,
                   const char *what, uint32_t name, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, trace_reading_mark(l->r, (int)j->line, 0),
                   "job '%s': unknown %s '%s'",
                   gs_strtab_str(l->r->w->names, j->name), what,
                   gs_strtab_str(l->r->w->names, name));
}

int trace_native_accounts(struct trace_native *l, const struct gs_ynode *list,
                          struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    const uint32_t root = gs_strtab_put(w->names, TRACE_ROOT_ACCOUNT,
                                        strlen(TRACE_ROOT_ACCOUNT));
    int rc = 0;

    if (!list)
        return 0;
    if (list->kind != GS_YSEQ)
        return gs_yread_refuse(&l->c, list, "a list of accounts", err);
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        if (take_account(l, v, err) < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    if (rc < 0 || check_tree(l, err) < 0)
        return -1;
    for (uint32_t i = 0; i < w->job_count; i++) {
        const uint32_t name = w->job[i].aside->account;

        if (name && name != root && trace_account_find(w, name, 0) == TRACE_NONE
            && (rc = unknown(l, &w->job[i], "account", name, err)) < 0
            && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

/* Read the mapping of named classes with `take`. */
static int take_classes(struct trace_native *l, const struct gs_ynode *map,
                        const char *allowed,
                        int (*take)(struct trace_native *,
                                    const struct gs_ynode *, uint32_t,
                                    struct gs_err *),
                        struct gs_err *err)
{
    int rc = 0;

    if (map->kind != GS_YMAP)
        return gs_yread_refuse(&l->c, map, allowed, err);
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        const struct gs_ynode *key = v->key;

        if (key->len == 0 || !gs_text_is_clean(key->text, key->len))
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, key),
                         "a printable name is needed here");
        else if (take(l, v, gs_strtab_put(l->r->w->names, key->text, key->len),
                      err)
                 < 0)
            rc = -1;
        if (rc < 0 && !gs_err_wants_more(err))
            break;
    }
    return rc;
}

static int take_qos(struct trace_native *l, const struct gs_ynode *v,
                    uint32_t name, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    const uint32_t at = trace_qos_put(w, name);

    w->accounts->qos[at].line = (uint32_t)v->key->line;
    return trace_qos_terms(&l->c, v, &w->accounts->qos[at], err);
}

int trace_native_qos(struct trace_native *l, const struct gs_ynode *map,
                     struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc;

    if (!map)
        return 0;
    rc = take_classes(l, map, "a mapping of QOS classes", take_qos, err);
    for (uint32_t i = 0; rc == 0 && i < w->job_count; i++) {
        if (w->job[i].aside->qos
            && trace_qos_find(w, w->job[i].aside->qos) == TRACE_NONE)
            rc = unknown(l, &w->job[i], "QOS", w->job[i].aside->qos, err);
    }
    return rc;
}

static int take_partition(struct trace_native *l, const struct gs_ynode *v,
                          uint32_t name, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    const uint32_t at = trace_partition_put(w, name);

    w->accounts->partition[at].line = (uint32_t)v->key->line;
    return trace_partition_terms(&l->c, v, &w->accounts->partition[at], err);
}

int trace_native_partitions(struct trace_native *l, const struct gs_ynode *map,
                            struct gs_err *err)
{
    const struct trace_workload *w = l->r->w;
    int rc;

    if (!map)
        return 0;
    rc = take_classes(l, map, "a mapping of partitions", take_partition, err);
    for (uint32_t i = 0; rc == 0 && i < w->job_count; i++) {
        if (w->job[i].aside->partition
            && trace_partition_find(w, w->job[i].aside->partition)
                   == TRACE_NONE)
            rc = unknown(l, &w->job[i], "partition", w->job[i].aside->partition,
                         err);
    }
    for (uint32_t i = 0; rc == 0 && i < w->accounts->partition_count; i++) {
        if (w->accounts->partition[i].qos
            && trace_qos_find(w, w->accounts->partition[i].qos) == TRACE_NONE)
            rc = gs_fail(
                err, GS_INPUT,
                trace_reading_mark(l->r, (int)w->accounts->partition[i].line,
                                   0),
                "partition '%s': unknown QOS '%s'",
                gs_strtab_str(w->names, w->accounts->partition[i].name),
                gs_strtab_str(w->names, w->accounts->partition[i].qos));
    }
    return rc;
}

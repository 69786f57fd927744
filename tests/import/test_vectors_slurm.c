/* tests/import/test_vectors_slurm.c - lists of nodes, spans of time, tasks of
 * arrays and mistakes of topology.yaml as Slurm's tests state them
 * (tests/data/vectors/slurm.yaml).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/strtab.h"
#include "import/account.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_import.h"
#include "import/slurm/slurm_values.h"
#include "tests/lib/vectors.h"
#include "topology/resources.h"
#include "traces/workload/workload.h"

#define OWN "tests/data/vectors/slurm.yaml"
#define NAMES_MAX 1000

/* --- lists of nodes ------------------------------------------------------- */

struct names {
    char name[NAMES_MAX][SLURM_HOST_MAX + 1];
    size_t count;
};

static int name_add(void *ctx, const char *name, size_t len)
{
    struct names *all = ctx;

    CU_ASSERT_FATAL(all->count < NAMES_MAX && len <= SLURM_HOST_MAX);
    memcpy(all->name[all->count], name, len);
    all->name[all->count++][len] = '\0';
    return 0;
}

/* Add the names of the list under `key`; false: it is none. */
static bool list_add(const struct gs_ynode *map, const char *key,
                     struct names *to)
{
    const struct gs_ynode *n = gs_ynode_find(map, key);
    const char *why = NULL;

    return n && slurm_hostlist_read(n->text, n->len, name_add, to, &why) == 0;
}

static int name_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool are_equal(const struct names *a, const struct names *b)
{
    for (size_t i = 0; i < a->count && a->count == b->count; i++) {
        if (strcmp(a->name[i], b->name[i]) != 0)
            return false;
    }
    return a->count == b->count;
}

/* How many names differ, from the `from`-th on. */
static size_t differing(const struct names *all, size_t from)
{
    size_t count = 0;

    for (size_t i = from; i < all->count; i++) {
        bool is_new = true;

        for (size_t k = from; k < i; k++)
            is_new &= strcmp(all->name[k], all->name[i]) != 0;
        count += is_new;
    }
    return count;
}

/* A list becomes names, or is none. */
static void expr_run(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "names");
    const struct gs_ynode *count = gs_ynode_find(v->expected, "count");
    static struct names got;
    size_t i = 0;

    got.count = 0;
    if (!list_add(v->in, "expr", &got)) {
        if (want)
            vector_fails(v, "it is a list:", vector_in(v, "expr")->text);
        return;
    }
    if (!want && !count)
        vector_fails(v, "it is no list:", vector_in(v, "expr")->text);
    for (const struct gs_ynode *n = want ? want->child : NULL; n; n = n->next) {
        if (i >= got.count || strcmp(got.name[i], n->text) != 0)
            vector_fails(v, "another name than", n->text);
        i++;
    }
    if ((want && i != got.count)
        || (count && strtoul(count->text, NULL, 10) != got.count))
        vector_fails(v, "more or fewer names than", "expected");
}

/* Names that Slurm folds: what it writes is read as these names; `sorted` in
 * another order.
 */
static void fold_run(const struct vector *v)
{
    static struct names given, in_order, sorted;

    given.count = in_order.count = sorted.count = 0;
    if (!list_add(v->in, "names", &given)
        || !list_add(v->expected, "in_order", &in_order)
        || !list_add(v->expected, "sorted", &sorted))
        vector_fails(v, "no list:", "names, in_order, sorted");
    if (!are_equal(&given, &in_order))
        vector_fails(v, "other names:", "in_order");
    qsort(given.name, given.count, sizeof(given.name[0]), name_compare);
    qsort(sorted.name, sorted.count, sizeof(sorted.name[0]), name_compare);
    if (!are_equal(&given, &sorted))
        vector_fails(v, "other names:", "sorted");
}

/* A list that grows: gsim reads such lists and never writes one, so what Slurm
 * writes is read.
 */
static void grown_run(const struct vector *v)
{
    const struct gs_ynode *before = gs_ynode_find(v->expected,
                                                  "count_before_push");
    const struct gs_ynode *linux_at = gs_ynode_find(v->expected,
                                                    "find_linux_0based");
    const struct gs_ynode *unique = gs_ynode_find(v->expected,
                                                  "count_after_shift_and_uniq");
    static struct names given, written;

    given.count = written.count = 0;
    if (!list_add(v->in, "create", &given))
        vector_fails(v, "no list:", "create");
    if (before && strtoul(before->text, NULL, 10) != given.count)
        vector_fails(v, "another count than", before->text);
    if (gs_ynode_find(v->in, "push") && !list_add(v->in, "push", &given))
        vector_fails(v, "no list:", "push");
    if (gs_ynode_find(v->in, "push_host")
        && !list_add(v->in, "push_host", &given))
        vector_fails(v, "no name:", "push_host");
    if (!list_add(v->expected, "ranged_string", &written)
        || !are_equal(&given, &written))
        vector_fails(v, "other names:", "ranged_string");
    if (linux_at) {
        const size_t at = strtoul(linux_at->text, NULL, 10);

        if (at >= given.count || strcmp(given.name[at], "linux") != 0)
            vector_fails(v, "'linux' is not at", linux_at->text);
    }
    if (unique && strtoul(unique->text, NULL, 10) != differing(&given, 1))
        vector_fails(v, "another number of names than", unique->text);
}

static void hostlist_run(const struct vector *v)
{
    if (gs_ynode_find(v->in, "expr"))
        expr_run(v);
    else if (gs_ynode_find(v->in, "names"))
        fold_run(v);
    else if (gs_ynode_find(v->in, "create"))
        grown_run(v);
    else
        vector_not_run(v, "another kind of inputs");
}

/* --- files ---------------------------------------------------------------- */

/* Number of jobs that the text of a file becomes, and *found of them that are
 * tasks of array 7 with these numbers; -1: it is refused.
 */
static int64_t jobs_of(const char *text, const struct gs_ynode *task_ids,
                       uint32_t *found)
{
    struct gs_err err = { 0 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_strtab *names = gs_strtab_create();
    struct import_account *account = import_account_create();
    struct slurm_file file = { .path = "file" };
    struct trace_workload *w;
    struct slurm_import *x;
    struct topo_dims dims;
    int64_t epoch, jobs = -1;

    topo_dims_init(&dims, names);
    x = slurm_import_create(names, &dims, account);
    w = trace_workload_create(arena, names, &dims);
    file.in = gs_input_open_memory("file", text, strlen(text));
    if (slurm_import_read(x, &file, 1, &err) == 0
        && slurm_import_finish(x, &err) == 0
        && slurm_import_trace(x, w, &epoch, &err) == 0)
        jobs = w->job_count;
    *found = 0;
    for (const struct gs_ynode *n = task_ids ? task_ids->child : NULL;
         n && jobs > 0; n = n->next) {
        char name[80];

        (void)snprintf(name, sizeof(name), "7_%s", n->text);
        for (int64_t i = 0; i < jobs; i++)
            *found += strcmp(gs_strtab_str(names, w->job[i].name), name) == 0;
    }
    gs_input_close(file.in);
    trace_workload_destroy(w);
    slurm_import_destroy(x);
    import_account_destroy(account);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    return jobs;
}

/* Tasks of an array that wait, as exports print them. */
static void array_run(const struct vector *v)
{
    const struct gs_ynode *printed = gs_ynode_find(v->expected, "printed");
    const struct gs_ynode *ids = gs_ynode_find(v->expected, "task_ids");
    char text[600];
    uint32_t found;

    CU_ASSERT_PTR_NOT_NULL_FATAL(printed);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ids);
    (void)snprintf(text, sizeof(text),
                   "JobID|Submit|State|Elapsed|NCPUS\n"
                   "7_[%s]|2026-01-01T00:00:00|PENDING|00:00:00|1\n",
                   printed->text);
    if (jobs_of(text, ids, &found) != (int64_t)ids->len || found != ids->len)
        vector_fails(v, "other tasks than", printed->text);
}

/* topology.yaml, told in words: "K: is a list", "K: VALUE", "document root is
 * ..."; it is refused.
 */
static void topology_run(const struct vector *v)
{
    const char *words = vector_in(v, "topology_yaml")->text;
    const char *value = strstr(words, ": ");
    char text[400];
    uint32_t found;

    if (strstr(words, "root") && strstr(words, "scalar")) {
        (void)snprintf(text, sizeof(text), "topology\n");
    } else if (value) {
        (void)snprintf(text, sizeof(text),
                       "- topology: t\n  cluster_default: true\n  %.*s: %s\n",
                       (int)(value - words), words,
                       strcmp(value, ": is a list") == 0 ? "[]" : value + 2);
    } else {
        vector_not_run(v, "a topology.yaml told in other words");
        return;
    }
    if (jobs_of(text, NULL, &found) >= 0)
        vector_fails(v, "it is taken:", text);
}

/* --- spans of time -------------------------------------------------------- */

static void time_run(const struct vector *v)
{
    const struct gs_ynode *want = gs_ynode_find(v->expected, "seconds");
    const struct gs_ynode *text = gs_ynode_find(v->in, "text");
    int64_t us = 0;
    int rc;

    if (gs_ynode_find(v->in, "stored_hex")) {
        array_run(v);
        return;
    }
    if (!text || !want) {
        vector_not_run(v, "another kind of inputs");
        return;
    }
    rc = slurm_span_read(text->text, text->len, &us);
    if (strcmp(want->text, "invalid") == 0) {
        if (rc == 0)
            vector_fails(v, "it is a span:", text->text);
    } else if (strcmp(want->text, "infinite") == 0) {
        if (rc < 0 || us != SLURM_INFINITE)
            vector_fails(v, "it has an end:", text->text);
    } else if (rc < 0 || us != strtoll(want->text, NULL, 10) * 1000000) {
        vector_fails(v, "another span than", want->text);
    }
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-hostlist", hostlist_run },
        { "slurm-time", time_run },
        { "slurm-array-", array_run },
        { "slurm-config-error", topology_run },
    };

    return vectors_main(&(struct vector_suite){
        "import/vectors of Slurm", OWN, groups, N_ELEMENTS(groups), NULL, 0 });
}

/* import/slurm/slurm_json.c - the answers of sacct, squeue, sinfo and scontrol
 * with --json, see sacct.h.
 *
 * They have changed from release to release: a number is plain or {set,
 * infinite, number}, a state is a text or a list.  A job becomes the cells that
 * a row of text would have; a node the hardware that a record would state.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "import/json_scan.h"
#include "import/json_tree.h"
#include "import/slurm/nodes_now.h"
#include "import/slurm/sacct.h"
#include "import/slurm/sacct_row.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "import/slurm/slurm_version.h"

#define META_MAX 65536 /* bytes beside the lists of an answer */

struct answer {
    struct slurm *s;
    struct gs_input *in;
    struct json_window w;
    struct json_scan scan;
    struct json_tree tree;
    struct gs_arena *arena; /* of the texts of one job */
};

static const char *const arrays[] = { "jobs", "nodes", "sinfo", NULL };

/* --- values --------------------------------------------------------------- */

/* The text of a scalar, of a number {set, infinite, number}, of the first item
 * of a list; "" for none.
 */
static const char *text_of(const struct gs_ynode *v)
{
    const struct gs_ynode *number;

    if (!v || gs_ynode_is_null(v))
        return "";
    if (v->kind == GS_YSCALAR)
        return v->text;
    if (v->kind == GS_YSEQ)
        return v->child && v->child->kind == GS_YSCALAR ? v->child->text : "";
    number = gs_ynode_find(v, "number");
    if (!number || number->kind != GS_YSCALAR)
        return "";
    if (strcmp(text_of(gs_ynode_find(v, "infinite")), "true") == 0)
        return "UNLIMITED";
    return strcmp(text_of(gs_ynode_find(v, "set")), "false") == 0
               ? ""
               : number->text;
}

static const struct gs_ynode *find2(const struct gs_ynode *root, const char *a,
                                    const char *b)
{
    const struct gs_ynode *v = gs_ynode_find(root, a);

    return v ? gs_ynode_find(v, b) : NULL;
}

/* The first that is stated: `a`.`b`, or `c`. */
static const char *either(const struct gs_ynode *root, const char *a,
                          const char *b, const char *c)
{
    const char *text = text_of(b ? find2(root, a, b) : gs_ynode_find(root, a));

    return *text || !c ? text : text_of(gs_ynode_find(root, c));
}

static void cell_put(struct sacct_cell *cell, enum sacct_field f,
                     const char *text)
{
    if (*text)
        cell[f] = (struct sacct_cell){ text, (uint32_t)strlen(text) };
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text)
           && strcmp(text, "0") != 0;
}

/* --- jobs ----------------------------------------------------------------- */

static const char *id_of(struct answer *a, const struct gs_ynode *job)
{
    const char *id = text_of(gs_ynode_find(job, "job_id"));
    const char *array = either(job, "array", "job_id", "array_job_id");
    const char *task = either(job, "array", "task_id", "array_task_id");
    const char *tasks = either(job, "array", "task", "array_task_string");
    const char *het = either(job, "het", "job_id", "het_job_id");
    const char *offset = either(job, "het", "job_offset", "het_job_offset");

    if (is_number(array) && *tasks)
        return gs_arena_printf(a->arena, "%s_[%s]", array, tasks);
    if (is_number(array) && *task && strcmp(array, "0") != 0)
        return gs_arena_printf(a->arena, "%s_%s", array, task);
    if (is_number(het) && *offset)
        return gs_arena_printf(a->arena, "%s+%s", het, offset);
    return id;
}

/* A list of {type, name, count} as sacct writes it in text. */
static const char *tres_of(struct answer *a, const struct gs_ynode *list)
{
    const char *text = "";

    for (const struct gs_ynode *v = list ? list->child : NULL; v; v = v->next) {
        const char *type = text_of(gs_ynode_find(v, "type"));
        const char *name = text_of(gs_ynode_find(v, "name"));
        const char *count = text_of(gs_ynode_find(v, "count"));

        if (!is_number(count))
            continue;
        text = gs_arena_printf(a->arena, "%s%s%s%s%s=%s%s", text,
                               *text ? "," : "", type, *name ? "/" : "", name,
                               count, strcmp(type, "mem") == 0 ? "M" : "");
    }
    return text;
}

static const char *memory_of(struct answer *a, const struct gs_ynode *job)
{
    const char *cpu = either(job, "required", "memory_per_cpu",
                             "memory_per_cpu");
    const char *node = either(job, "required", "memory_per_node",
                              "memory_per_node");

    return is_number(cpu)    ? gs_arena_printf(a->arena, "%sMc", cpu)
           : is_number(node) ? gs_arena_printf(a->arena, "%sMn", node)
                             : "";
}

static void job_take(struct answer *a, const struct gs_ynode *job, int line)
{
    static const struct {
        enum sacct_field field;
        const char *a, *b, *c;
    } rows[] = {
        { SACCT_JOB_NAME, "name", NULL, NULL },
        { SACCT_USER, "user", NULL, "user_name" },
        { SACCT_ACCOUNT, "account", NULL, NULL },
        { SACCT_PARTITION, "partition", NULL, NULL },
        { SACCT_QOS, "qos", NULL, NULL },
        { SACCT_SUBMIT, "time", "submission", "submit_time" },
        { SACCT_ELIGIBLE, "time", "eligible", "eligible_time" },
        { SACCT_START, "time", "start", "start_time" },
        { SACCT_END, "time", "end", "end_time" },
        { SACCT_ELAPSED_RAW, "time", "elapsed", NULL },
        { SACCT_LIMIT_RAW, "time", "limit", "time_limit" },
        { SACCT_STATE, "state", "current", "job_state" },
        { SACCT_NODES, "allocation_nodes", NULL, "node_count" },
        { SACCT_REQ_CPUS, "required", "CPUs", "cpus" },
        { SACCT_NODE_LIST, "nodes", NULL, NULL },
        { SACCT_RESERVATION, "reservation", "name", "resv_name" },
        { SACCT_CONSTRAINTS, "constraints", NULL, "features" },
        { SACCT_LICENSES, "licenses", NULL, NULL },
        { SACCT_SUBMIT_LINE, "submit_line", NULL, NULL },
        { SACCT_DEPENDENCY, "dependency", NULL, NULL },
        { SACCT_PRIORITY, "priority", NULL, NULL },
        { SACCT_REASON, "state", "reason", "state_reason" },
        { SACCT_SEGMENT, "segment_size", NULL, NULL },
        { SACCT_TASKS, "tasks", NULL, NULL },
        { SACCT_PER_NODE, "tres_per_node", NULL, NULL },
        { SACCT_PER_JOB, "tres_per_job", NULL, NULL },
        { SACCT_PER_TASK, "tres_per_task", NULL, NULL },
        { SACCT_NICE, "nice", NULL, NULL },
    };
    struct sacct_cell cell[SACCT_FIELDS + 1] = { 0 };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cell_put(cell, rows[i].field,
                 either(job, rows[i].a, rows[i].b, rows[i].c));
    cell_put(cell, SACCT_JOB_ID, id_of(a, job));
    cell_put(cell, SACCT_REQ_MEMORY, memory_of(a, job));
    cell_put(cell, SACCT_ALLOC_TRES,
             tres_of(a, find2(job, "tres", "allocated")));
    cell_put(cell, SACCT_REQ_TRES, tres_of(a, find2(job, "tres", "requested")));
    if (!cell[SACCT_ALLOC_TRES].text)
        cell_put(cell, SACCT_ALLOC_TRES,
                 either(job, "tres_alloc_str", NULL, NULL));
    if (!cell[SACCT_REQ_TRES].text)
        cell_put(cell, SACCT_REQ_TRES, either(job, "tres_req_str", NULL, NULL));
    /* a job that did not start has no list: a cell, so that this is known */
    if (!cell[SACCT_NODE_LIST].text)
        cell[SACCT_NODE_LIST].text = "";
    sacct_row_take(a->s, cell, line);
}

/* --- nodes ---------------------------------------------------------------- */

/* A list of texts, or a text, as one text with commas. */
static const char *joined(struct answer *a, const struct gs_ynode *v)
{
    const char *text = "";

    if (!v || v->kind != GS_YSEQ)
        return text_of(v);
    for (v = v->child; v; v = v->next)
        text = gs_arena_printf(a->arena, "%s%s%s", text, *text ? "," : "",
                               text_of(v));
    return text;
}

static void node_take(struct answer *a, const struct gs_ynode *v)
{
    const struct slurm_place at = slurm_place_at(a->s, v->line, v->column);
    const struct slurm_node_now n = {
        .name = text_of(gs_ynode_find(v, "name")),
        .cpus = text_of(gs_ynode_find(v, "cpus")),
        .memory = text_of(gs_ynode_find(v, "real_memory")),
        .memory_kept = text_of(gs_ynode_find(v, "specialized_memory")),
        .weight = text_of(gs_ynode_find(v, "weight")),
        .features = joined(a, gs_ynode_find(v, "features")),
        .gres = text_of(gs_ynode_find(v, "gres")),
        .partitions = joined(a, gs_ynode_find(v, "partitions")),
        .state = gs_arena_printf(a->arena, "%s+%s",
                                 joined(a, gs_ynode_find(v, "state")),
                                 joined(a, gs_ynode_find(v, "state_flags"))),
    };

    slurm_node_now_take(a->s, &n, &at);
}

/* An item of sinfo: nodes that are alike, of one partition. */
static void sinfo_take(struct answer *a, const struct gs_ynode *v)
{
    const struct slurm_place at = slurm_place_at(a->s, v->line, v->column);
    const struct gs_ynode *list = find2(v, "nodes", "nodes");
    struct slurm_node_now n = {
        .cpus = either(v, "cpus", "maximum", NULL),
        .memory = either(v, "memory", "maximum", NULL),
        .weight = either(v, "weight", "maximum", NULL),
        .features = either(v, "features", "total", NULL),
        .gres = either(v, "gres", "total", NULL),
        .partitions = either(v, "partition", "name", NULL),
        .state = joined(a, find2(v, "node", "state")),
    };

    for (const struct gs_ynode *c = list ? list->child : NULL; c; c = c->next) {
        n.name = text_of(c);
        slurm_node_now_take(a->s, &n, &at);
    }
}

/* --- files ---------------------------------------------------------------- */

enum below { JOBS, NODES, SINFO, ALONE };

static int value_take(struct answer *a, enum below what, struct gs_err *err)
{
    const int line = a->w.line, column = a->w.column;
    const struct gs_ynode *root;

    if (a->scan.limit)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ gs_input_name(a->in), line, column },
                       "a value is %s", a->scan.limit);
    root = json_tree_make(&a->tree, &a->w, &a->scan, err);
    if (!root)
        return -1;
    if (root->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ gs_input_name(a->in), line, column },
                       "a job or a node is an object");
    gs_arena_rewind(a->arena);
    if (what == NODES)
        node_take(a, root);
    else if (what == SINFO)
        sinfo_take(a, root);
    else if (what == JOBS || gs_ynode_find(root, "job_id"))
        job_take(a, root, line);
    else
        return gs_fail(err, GS_INPUT,
                       (struct gs_mark){ gs_input_name(a->in), line, column },
                       "holds none of 'jobs', 'nodes', 'sinfo', and is no job");
    return 0;
}

static int broken(struct answer *a, const char *why, struct gs_err *err)
{
    int line, column;

    if (a->w.has_failed)
        return -1;
    json_place(&a->w, a->w.at - a->w.from, &line, &column);
    return gs_fail(err, GS_INPUT,
                   (struct gs_mark){ gs_input_name(a->in), line, column },
                   "not valid JSON: %s", why);
}

/* From the bracket of an array to behind it. */
static int items_read(struct answer *a, enum below what, struct gs_err *err)
{
    int c;

    a->w.at++;
    for (c = json_blanks(&a->w); c >= 0 && c != ']';) {
        json_pin(&a->w);
        json_scan_reset(&a->scan);
        if (strchr(",}:", c) || json_scan_value(&a->w, &a->scan) == JSON_FAILED)
            return broken(a, "the file ends within an item, or has none here",
                          err);
        if (value_take(a, what, err) < 0)
            return -1;
        c = json_blanks(&a->w);
        if (c == ',') {
            a->w.at++;
            c = json_blanks(&a->w);
        } else if (c != ']') {
            return broken(a, "a comma or ']' is expected behind an item", err);
        }
    }
    if (c < 0)
        return broken(a, "the file ends within a list", err);
    a->w.at++;
    return 0;
}

static int object_read(struct answer *a, struct gs_err *err)
{
    bool has_arrays = false;
    enum json_found found;

    json_scan_reset(&a->scan);
    for (;;) {
        enum below what;

        a->scan.arrays = arrays;
        found = json_scan_value(&a->w, &a->scan);
        if (found == JSON_FAILED)
            return broken(a, "the file ends within the object", err);
        if (a->w.at - a->w.from < META_MAX)
            slurm_version_json(a->s, a->w.buf + a->w.from, a->w.at - a->w.from);
        if (found == JSON_VALUE)
            break;
        what = json_scan_key_is(&a->w, &a->scan, "jobs")    ? JOBS
               : json_scan_key_is(&a->w, &a->scan, "nodes") ? NODES
                                                            : SINFO;
        has_arrays = true;
        if (items_read(a, what, err) < 0)
            return -1;
        if (json_blanks(&a->w) < 0)
            return broken(a, "the file ends within the object", err);
        json_pin(&a->w);
        json_scan_reset(&a->scan);
        a->scan.depth = 1;
    }
    return has_arrays ? 0 : value_take(a, ALONE, err);
}

int slurm_json_read(struct slurm *s, struct gs_input *in, struct gs_err *err)
{
    struct answer a = { .s = s, .in = in };
    int rc = 0, c;

    assert(s && in);
    json_window_open(&a.w, in, err);
    json_tree_open(&a.tree);
    a.arena = gs_arena_create(1 << 14);
    while (rc == 0 && (c = json_blanks(&a.w)) >= 0) {
        json_pin(&a.w);
        rc = c == '{' ? object_read(&a, err)
                      : broken(&a, "an object is expected here", err);
    }
    rc = a.w.has_failed ? -1 : rc;
    gs_arena_destroy(a.arena);
    json_tree_close(&a.tree);
    json_scan_free(&a.scan);
    json_window_close(&a.w);
    return rc;
}

bool slurm_json_is(const char *head, size_t size)
{
    size_t i = 0;

    while (i < size && strchr(" \t\r\n", head[i]) && head[i])
        i++;
    if (i == size || head[i] != '{')
        return false;
    return (slurm_text_has(head, size, "\"meta\"")
            && (slurm_text_has(head, size, "\"Slurm\"")
                || slurm_text_has(head, size, "\"slurm\"")))
           || (slurm_text_has(head, size, "\"job_id\"")
               && (slurm_text_has(head, size, "\"jobs\"")
                   || slurm_text_has(head, size, "\"job_state\"")
                   || slurm_text_has(head, size, "\"account\"")))
           || (slurm_text_has(head, size, "\"nodes\"")
               && slurm_text_has(head, size, "\"real_memory\""))
           || (slurm_text_has(head, size, "\"sinfo\"")
               && slurm_text_has(head, size, "\"partition\""));
}

bool slurm_json_has_jobs(struct gs_input *in)
{
    struct gs_err why = { 0 };
    size_t size;
    const char *head = gs_input_head(in, &size, &why);

    return head && !slurm_text_has(head, size, "\"real_memory\"")
           && !slurm_text_has(head, size, "\"sinfo\"");
}

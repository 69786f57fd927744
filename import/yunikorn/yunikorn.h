/* import/yunikorn/yunikorn.h - a configuration of YuniKorn's queues,
 * queues.yaml.
 *
 * yunikorn_read() takes the document with strict keys and does all checks that
 * YuniKorn does when it loads one; yunikorn_place() is its placement rules.
 * Source: apache/yunikorn-core, pkg/common/configs and pkg/scheduler/placement.
 */
#ifndef YUNIKORN_H
#define YUNIKORN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_ynode;

#define YUNIKORN_DEPTH_MAX 24    /* queues below each other */
#define YUNIKORN_PATH_MAX 2000   /* bytes of a path, without the end */
#define YUNIKORN_RESOURCES 1000  /* names of resources in a file */
#define YUNIKORN_UNSET (-1)      /* an amount that is not stated */
#define YUNIKORN_NOBODY "nobody" /* the user that is not known */

/* Amounts by the names that the file has: vcore in thousandths, memory in
 * bytes, others in their own units.
 */
struct yunikorn_amounts {
    struct yunikorn_amount {
        const char *name;
        int64_t value; /* 0 or more */
    } * at;
    uint32_t count;
    bool is_set; /* the mapping is there, though it may be empty */
};

struct yunikorn_words {
    const char **at;
    uint32_t count;
};

struct yunikorn_limit {
    const struct gs_ynode *at;
    const char *name;
    struct yunikorn_words users, groups;
    struct yunikorn_amounts max;
    uint64_t jobs; /* 0: none */
};

struct yunikorn_property {
    const char *name, *value;
    const struct gs_ynode *at;
};

struct yunikorn_properties {
    struct yunikorn_property *at;
    uint32_t count;
};

struct yunikorn_queue {
    const struct gs_ynode *at;
    const char *name; /* in lower case */
    bool is_parent;   /* it has queues below it, or may get some */
    bool says_parent; /* it states so */
    struct yunikorn_amounts guaranteed, max;
    uint64_t jobs; /* maxapplications; 0: none */
    struct yunikorn_properties properties;
    const struct gs_ynode *admin, *submit; /* access; NULL */
    struct {
        uint64_t jobs;
        struct yunikorn_properties properties;
        struct yunikorn_amounts guaranteed, max;
        bool is_set;
    } template;
    struct yunikorn_limit *limit;
    uint32_t limits;
    struct yunikorn_queue *queue;          /* below it */
    const struct yunikorn_queue **by_name; /* these, by their names */
    uint32_t queues;
};

enum yunikorn_rule_kind {
    YUNIKORN_PROVIDED,
    YUNIKORN_USER,
    YUNIKORN_FIXED,
    YUNIKORN_TAG,
};

struct yunikorn_rule {
    const struct gs_ynode *at;
    enum yunikorn_rule_kind kind;
    const char *value; /* of fixed and tag, in lower case */
    bool create, denies;
    struct yunikorn_words users, groups; /* of its filter */
    struct yunikorn_rule *parent;        /* NULL */
};

struct yunikorn_partition {
    const struct gs_ynode *at;
    const char *name; /* in lower case */
    struct yunikorn_queue root;
    struct yunikorn_rule *rule;
    uint32_t rules;
    bool preempts, quota_preempts, binpacks;
    struct yunikorn_weights {
        const char *name;
        double weight;
        const struct gs_ynode *at;
    } * weight; /* of nodesortpolicy */
    uint32_t weights;
};

struct yunikorn_conf {
    struct yunikorn_partition *partition;
    uint32_t partitions;
};

/* Does the document look like one: a list of partitions? */
bool yunikorn_is(const struct gs_ynode *root);

/* Read the document `root` of `source` into `arena`; strings are of the
 * document's arena or of `arena`, nodes of the document's.  NULL when it has a
 * mistake, with one problem or more in `err`.  Keys that YuniKorn does not know
 * are problems in `unknown`; NULL: mistakes, for which YuniKorn refuses the
 * file.
 */
const struct yunikorn_conf *yunikorn_read(const struct gs_ynode *root,
                                          const char *source,
                                          struct gs_arena *arena,
                                          struct gs_err *unknown,
                                          struct gs_err *err);

/* What the rules know of an application. */
struct yunikorn_application {
    const char *queue; /* the one that it names, with dots; "" */
    const char *user;
    const struct yunikorn_words *groups;
    /* The value of a tag; NULL: it has none. */
    const char *(*tag)(void *ctx, const char *name);
    void *ctx;
};

/* Put the path of the application's queue, with dots, into `path` of
 * YUNIKORN_PATH_MAX + 1 bytes.  False when the rules reject it.
 */
bool yunikorn_place(const struct yunikorn_partition *p,
                    const struct yunikorn_application *a, char *path);

/* The queue of that path, with dots; NULL: it is made by a rule.  *last is the
 * last one on the path that is there, *made the number of names below it.
 */
const struct yunikorn_queue *yunikorn_find(const struct yunikorn_partition *p,
                                           const char *path,
                                           const struct yunikorn_queue **last,
                                           uint32_t *made);

/* The queue below `q` whose name is the `len` bytes at `name`; NULL. */
const struct yunikorn_queue *yunikorn_below(const struct yunikorn_queue *q,
                                            const char *name, size_t len);

/* The value of a property; NULL. */
const struct yunikorn_property *yunikorn_property(
    const struct yunikorn_properties *p, const char *name);

/* --- shared with the other files of the room ------------------------------ */

enum yunikorn_quantity {
    YUNIKORN_OK,
    YUNIKORN_INVALID,
    YUNIKORN_OVERFLOW,
};

/* An amount: digits, blanks, a suffix; with `milli`, of vcore, in thousandths.
 */
enum yunikorn_quantity yunikorn_quantity(const char *text, bool milli,
                                         int64_t *value);

/* Do the names state a user, a group, or one regular expression? */
bool yunikorn_filter_ok(const struct yunikorn_words *w, bool is_user);
bool yunikorn_name_ok(const char *name); /* of a queue */
bool yunikorn_path_ok(const char *path); /* such names with dots */
bool yunikorn_user_ok(const char *name);
bool yunikorn_group_ok(const char *name);

/* Has the text characters that make it an expression, in the syntax of Go?  Is
 * it one that can be read; does it match some part of the name?
 */
bool yunikorn_is_expression(const char *s);
bool yunikorn_expression_ok(const char *s);
bool yunikorn_expression_matches(const char *s, const char *name);

/* The checks of a partition that was read. */
void yunikorn_check(const struct yunikorn_partition *p, const char *source,
                    struct gs_arena *arena, struct gs_err *err);

#endif /* YUNIKORN_H */

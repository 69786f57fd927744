/* import/json_scan.h - the bytes of a JSON file, and where its values end.
 *
 * json_window_open(); then for each value: json_blanks() to its first byte,
 * json_pin() to keep it from there on, json_scan_value() to its end, and its
 * bytes stand between `from` and `at`.  Only strings and brackets are looked
 * at: the rest is Jansson's to judge.
 */
#ifndef IMPORT_JSON_SCAN_H
#define IMPORT_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/yamldoc.h"

struct gs_err;
struct gs_input;

#define JSON_ITEM_MAX (64u << 20)  /* bytes of an object */
#define JSON_VALUES_MAX (1u << 20) /* values in it */
#define JSON_DEPTH_MAX 128

struct json_window {
    struct gs_input *in;
    struct gs_err *err;
    char *buf;
    uint32_t cap;
    size_t from, at, to; /* kept from, next byte, end */
    int line, column;    /* of `from` */
    bool has_ended;      /* the input */
    bool has_failed;     /* err says why */
    bool drops;          /* nothing is kept: the value is too large */
};

struct json_part {
    size_t from, to; /* bytes behind the window's `from` */
};

struct json_cut {
    size_t from, to;
    uint32_t unread; /* which path */
};

struct json_scan {
    const struct gs_ypath *unread;
    size_t unread_count;
    bool stops_at_items;       /* at the array "items" of a list, "result" or
                            "data.result" of an answer */
    const char *const *arrays; /* instead, at the array below one of these keys;
                                  NULL after the last */
    /* results */
    struct json_cut *cut; /* values that are left out, in their order */
    uint32_t cuts, cut_cap;
    struct json_part kind, api_version; /* strings' insides; empty: none */
    const char *limit;                  /* what is too much; NULL: nothing */
    /* while it runs */
    int depth, cut_depth;
    uint32_t values;
    struct json_part text, key[GS_YPATH_MAX];
};

enum json_found {
    JSON_FAILED = -1, /* the input ends within the value, or cannot be read */
    JSON_VALUE,       /* `at` is behind it */
    JSON_ITEMS,       /* `at` is at the bracket of its items, which stand
                         `depth` deep */
};

void json_window_open(struct json_window *w, struct gs_input *in,
                      struct gs_err *err);
void json_window_close(struct json_window *w);

/* Past blanks: the next byte, -1 at the end or when the input fails. */
int json_blanks(struct json_window *w);

/* Keep what comes from `at` on, and nothing before it. */
void json_pin(struct json_window *w);

/* Line and column, from 1, of a kept byte, counted from `from`. */
void json_place(const struct json_window *w, size_t offset, int *line,
                int *column);

/* Characters from `at` to `end`. */
int json_columns(const char *at, const char *end);

/* To the end of the value that begins at `at`, after json_scan_reset().  With
 * `depth` above 0, to the end of so many objects around it.
 */
enum json_found json_scan_value(struct json_window *w, struct json_scan *s);
void json_scan_reset(struct json_scan *s);
void json_scan_free(struct json_scan *s);

/* Is the key before the array at which the scan stopped this one? */
bool json_scan_key_is(const struct json_window *w, const struct json_scan *s,
                      const char *key);

#endif /* IMPORT_JSON_SCAN_H */

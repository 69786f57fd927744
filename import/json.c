/* import/json.c - objects in JSON, one at a time, see formats.h.
 *
 * Jansson reads a text as a whole, and a dump of a cluster is too large for
 * that.  So json_scan_value() finds the end of each item by its brackets, and
 * json_tree_make() gives the item's bytes to Jansson.  At the top stand
 * objects, lists, answers and arrays of these, one behind the other:
 * import_json_read(), object_read() or array_read(), and for each item of a
 * list item_read().
 */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "import/formats.h"
#include "import/json_scan.h"
#include "import/json_tree.h"
#include "import/objects.h"

struct json {
    struct import_objects *o;
    struct json_window w;
    struct json_scan s;
    struct json_tree tree;
    struct import_cut *cut; /* of the object that is put now */
    uint32_t cut_cap;
    bool is_lost; /* nothing more can be read of the file */
};

/* --- is it JSON? ---------------------------------------------------------- */

/* The end of a string, or of the bytes; NULL when none in JSON is like it. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            return NULL;
        at += *at == '\\';
    }
    return at < end ? at + 1 : end;
}

static const char *digits_end(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* The end of a number, or where it goes on as none. */
static const char *number_end(const char *at, const char *end)
{
    at = digits_end(at + (*at == '-'), end);
    if (at < end && *at == '.')
        at = digits_end(at + 1, end);
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        at = digits_end(at, end);
    }
    return at;
}

/* Likewise of a number, true, false and null. */
static const char *word_end(const char *at, const char *end)
{
    static const char *const words[] = { "true", "false", "null" };
    const char *const from = at;

    at = number_end(at, end);
    for (size_t i = 0; at == from && i < 3; i++) {
        const char *c = words[i];

        for (at = from; at < end && *c && *at == *c; c++)
            at++;
        at = *c && at < end ? from : at;
    }
    if (at == end)
        return at;
    return at > from && *at && at[-1] != '-' && strchr(" \n\t\r,]}", *at)
               ? at
               : NULL;
}

bool import_json_is(const char *head, size_t size)
{
    const char *at = head, *const end = head + size;
    bool has_begun = false;

    while (at && at < end) {
        if (strchr(" \n\t\r", *at) && *at) {
            at++;
        } else if (*at == '{' || *at == '[') {
            has_begun = true;
            at++;
        } else if (!has_begun) {
            return false;
        } else if (*at && strchr("}],:", *at)) {
            at++;
        } else {
            at = *at == '"' ? string_end(at, end) : word_end(at, end);
        }
    }
    return at && has_begun;
}

/* --- mistakes ------------------------------------------------------------- */

/* The file ends too early: what was read is a part of the cluster, so nothing
 * of it is used.
 */
static int cut_short(struct json *j, int line, int column, const char *where)
{
    const struct gs_mark at = { j->o->source, line, column };

    j->is_lost = true;
    return j->w.has_failed ? -1
                           : gs_fail(j->o->err, GS_INPUT, at,
                                     "is cut short: the file ends %s", where);
}

/* It ends within the value that is pinned. */
static int value_cut_short(struct json *j)
{
    return cut_short(j, j->w.line, j->w.column,
                     "within the value that begins here");
}

/* The file goes on, but no value can be found in it any more. */
static int lost(struct json *j, const char *why)
{
    int line, column;

    if (json_blanks(&j->w) < 0)
        return cut_short(j, 0, 0, "within a list");
    j->is_lost = true;
    json_place(&j->w, j->w.at - j->w.from, &line, &column);
    return import_objects_refuse_at(j->o, line, column, "not valid JSON: %s",
                                    why);
}

/* --- values --------------------------------------------------------------- */

/* The texts of the values that are left out of the object. */
static void cuts_tell(struct json *j)
{
    j->cut = gs_array_grow(j->cut, &j->cut_cap, j->s.cuts, sizeof(*j->cut));
    for (uint32_t i = 0; i < j->s.cuts; i++) {
        const struct json_cut *c = &j->s.cut[i];

        j->cut[i] = (struct import_cut){ .unread = c->unread,
                                         .text = j->w.buf + j->w.from + c->from,
                                         .len = c->to - c->from };
    }
    j->o->cut = j->cut;
    j->o->cuts = j->s.cuts;
}

/* Hand over the value that was scanned: to the list, if it is an item. */
static int value_put(struct json *j, struct import_list *l, int line,
                     int column)
{
    struct gs_err why = { 0 };
    const struct gs_ynode *root;
    int rc;

    if (j->s.limit)
        return import_objects_refuse_at(
            j->o, line, column,
            "is %s: an object may have %u MiB, %u values and be nested %d deep",
            j->s.limit, JSON_ITEM_MAX >> 20, JSON_VALUES_MAX, JSON_DEPTH_MAX);
    root = json_tree_make(&j->tree, &j->w, &j->s, &why);
    if (!root)
        return import_objects_refuse(j->o, &why);
    cuts_tell(j);
    rc = l ? import_list_put(j->o, l, root) : import_objects_put(j->o, root);
    j->o->cuts = 0;
    return rc;
}

/* The value that begins at the next byte, to its end. */
static int item_read(struct json *j, struct import_list *l)
{
    int line, column;

    json_pin(&j->w);
    line = j->w.line;
    column = j->w.column;
    json_scan_reset(&j->s);
    if (json_scan_value(&j->w, &j->s) == JSON_FAILED)
        return value_cut_short(j);
    return value_put(j, l, line, column);
}

/* From the bracket that opens an array to behind the one that closes it. */
static int items_read(struct json *j, struct import_list *l,
                      int (*read)(struct json *j, struct import_list *l))
{
    int c;

    j->w.at++;
    c = json_blanks(&j->w);
    if (c == ']') {
        j->w.at++;
        return 0;
    }
    while (c >= 0 && !strchr(",]}:", c)) {
        if (read(j, l) < 0)
            return -1;
        if (j->is_lost)
            return 0;
        c = json_blanks(&j->w);
        if (c != ']' && c != ',')
            return lost(j, "a comma or ']' is expected behind an item");
        j->w.at++;
        if (c == ']')
            return 0;
        c = json_blanks(&j->w);
    }
    return lost(j, "an item is expected here");
}

/* --- documents ------------------------------------------------------------ */

static const char *text_in(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* At the bracket of items that stand `depth` deep: hand these over; `head` is
 * what stands before them.
 */
static int list_read(struct json *j, const json_t *head, int depth)
{
    static const char *const open[] = { "{\"items\":0",
                                        "{\"data\":{\"result\":0" };
    /* series state no kind */
    const bool is_answer = depth > 1 || json_object_get(head, "result");
    struct gs_err why = { 0 };
    struct import_list l;
    json_t *tail = NULL;
    int rc;

    assert(depth == 1 || depth == 2);
    import_list_open(&l, is_answer ? "" : text_in(head, "apiVersion"),
                     is_answer ? "" : text_in(head, "kind"));
    rc = items_read(j, &l, item_read);
    if (rc == 0 && !j->is_lost) {
        (void)json_blanks(&j->w);
        json_pin(&j->w);
        json_scan_reset(&j->s);
        j->s.depth = depth;
        if (json_scan_value(&j->w, &j->s) == JSON_FAILED) {
            rc = value_cut_short(j);
        } else {
            tail = json_tree_load(&j->tree, open[depth - 1], &j->w, &j->s, "",
                                  &why);
            rc = tail ? 0 : import_objects_refuse(j->o, &why);
        }
    }
    if (import_list_close(j->o, &l, text_in(tail, "apiVersion"),
                          text_in(tail, "kind"), rc < 0)
        < 0)
        rc = -1;
    json_decref(tail);
    return rc;
}

/* An object (in an array: an item of `around`), or a list or answer told by its
 * array of items.
 */
static int object_read(struct json *j, struct import_list *around)
{
    struct gs_err why = { 0 };
    enum json_found found;
    int line, column, depth, rc;
    json_t *head;

    json_pin(&j->w);
    line = j->w.line;
    column = j->w.column;
    json_scan_reset(&j->s);
    j->s.stops_at_items = true;
    found = json_scan_value(&j->w, &j->s);
    if (found == JSON_FAILED)
        return value_cut_short(j);
    if (found == JSON_VALUE)
        return value_put(j, around, line, column);
    depth = j->s.depth;
    head = json_tree_load(&j->tree, "", &j->w, &j->s, depth > 1 ? "0}}" : "0}",
                          &why);
    if (!head) {
        j->is_lost = true;
        return import_objects_refuse(j->o, &why);
    }
    rc = list_read(j, head, depth);
    json_decref(head);
    return rc;
}

static int array_read(struct json *j)
{
    struct import_list l;
    int rc;

    import_list_open(&l, "", "");
    rc = items_read(j, &l, object_read);
    return import_list_close(j->o, &l, NULL, NULL, rc < 0);
}

int import_json_read(struct import_objects *o, struct gs_input *in,
                     struct gs_err *err)
{
    struct json j = {
        .o = o,
        .s = { .unread = o->taker->unread,
               .unread_count = o->taker->unread_count },
    };
    int rc = 0;

    json_window_open(&j.w, in, err);
    json_tree_open(&j.tree);
    while (rc == 0 && !j.is_lost) {
        const int c = json_blanks(&j.w);

        json_pin(&j.w);
        if (c == '{')
            rc = object_read(&j, NULL);
        else if (c == '[')
            rc = array_read(&j);
        else if (c >= 0)
            rc = lost(&j, "an object or an array is expected here");
        else
            break;
    }
    rc = j.w.has_failed ? -1 : rc;
    json_tree_close(&j.tree);
    json_scan_free(&j.s);
    gs_array_free(j.cut);
    json_window_close(&j.w);
    return rc;
}

/* reports/store/run_inputs.c - inputs of runs, see run_inputs.h. */
#include "reports/store/run_inputs.h"

#include <assert.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "reports/store/store.h"

static const char *const words[REPORT_INPUTS] = {
    "trace", "topology", "load", "window", "world", "speed model", "options",
};

/* Options by the input that they change; all others belong to "options". */
static const struct {
    const char *name;
    enum report_input input;
} option_inputs[] = {
    { "limit", REPORT_INPUT_TRACE },
    { "task_size", REPORT_INPUT_TRACE },
    { "gpu_processors", REPORT_INPUT_TRACE },
    { "arrivals_only", REPORT_INPUT_TRACE },
    { "timezone", REPORT_INPUT_TRACE },
    { "columns", REPORT_INPUT_TRACE },
    { "until", REPORT_INPUT_WINDOW },
    { "from", REPORT_INPUT_WINDOW },
    { "to", REPORT_INPUT_WINDOW },
    { "warmup", REPORT_INPUT_WINDOW },
    { "world", REPORT_INPUT_WORLD },
    { "world_hash", REPORT_INPUT_WORLD },
    { "speed", REPORT_INPUT_SPEED },
    { "speed_hash", REPORT_INPUT_SPEED },
};

/* Changes of --set that are inputs; a final dot makes a prefix. */
static const struct {
    const char *path;
    enum report_input input;
} set_inputs[] = {
    { "nodes.", REPORT_INPUT_TOPOLOGY },
    { "without", REPORT_INPUT_TOPOLOGY },
    { "load", REPORT_INPUT_LOAD },
    { "durations", REPORT_INPUT_LOAD },
};

static enum report_input option_input(const char *name)
{
    for (size_t i = 0; i < sizeof(option_inputs) / sizeof(option_inputs[0]);
         i++) {
        if (strcmp(option_inputs[i].name, name) == 0)
            return option_inputs[i].input;
    }
    return REPORT_INPUT_OPTIONS;
}

/* The input of a change; 0: it is not an input. */
static unsigned set_input(const char *change)
{
    for (size_t i = 0; i < sizeof(set_inputs) / sizeof(set_inputs[0]); i++) {
        const char *path = set_inputs[i].path;
        const size_t n = strlen(path);

        if (strncmp(change, path, n) == 0
            && (path[n - 1] == '.' || change[n] == '='))
            return set_inputs[i].input;
    }
    return 0;
}

static size_t index_of(unsigned input)
{
    size_t i = 0;

    assert(input);
    while (!(input >> i & 1))
        i++;
    return i;
}

/* The object of an input within `all`, created when missing. */
static json_t *part_of(json_t *all, unsigned input)
{
    const char *word = words[index_of(input)];
    json_t *part = json_object_get(all, word);

    if (!part) {
        part = json_object();
        json_object_set_new(all, word, part);
    }
    return part;
}

/* True when the value is that of a run without the option. */
static bool is_default(const json_t *value)
{
    return json_is_null(value) || json_is_false(value)
           || (json_is_integer(value) && json_integer_value(value) <= 0)
           || (json_is_array(value) && json_array_size(value) == 0);
}

static void sets_take(json_t *all, json_t *set)
{
    json_t *change;
    size_t i;

    json_array_foreach(set, i, change)
    {
        const char *text = json_string_value(change);
        const unsigned input = text ? set_input(text) : 0;
        json_t *part, *list;

        if (!input)
            continue;
        part = part_of(all, input);
        list = json_object_get(part, "set");
        if (!list) {
            list = json_array();
            json_object_set_new(part, "set", list);
        }
        json_array_append(list, change);
    }
}

/* True when the file of the option has a hash: then its path is not an input.
 */
static bool is_of_hash(json_t *options, const char *name)
{
    char hash[64];

    snprintf(hash, sizeof(hash), "%.50s_hash", name);
    return json_object_get(options, hash) != NULL;
}

static json_t *options_take(json_t *options)
{
    json_t *all = json_object(), *value;
    const char *name;

    json_object_foreach(options, name, value)
    {
        if (strcmp(name, "set") == 0)
            sets_take(all, value);
        else if (strcmp(name, "sweep") != 0 && !is_default(value)
                 && !is_of_hash(options, name))
            json_object_set(part_of(all, option_input(name)), name, value);
    }
    return all;
}

const char *report_inputs_text(const struct report_stored_run *run,
                               struct gs_arena *arena)
{
    json_t *options = json_loads(run->options, JSON_REJECT_DUPLICATES, NULL);
    json_t *all = options_take(options);
    char *text = json_dumps(all, JSON_SORT_KEYS | JSON_COMPACT), *made;
    /* a text that is not an object is compared unchanged */
    const char *shown = json_is_object(options) && text ? text : run->options;
    const size_t size = strlen(run->inputs) + strlen(shown) + 2;

    assert(run);
    made = gs_arena_alloc(arena, size, 1);
    snprintf(made, size, "%s %s", run->inputs, shown);
    gs_text_clean(made);
    free(text);
    json_decref(all);
    json_decref(options);
    return made;
}

const char *report_inputs_settings(const struct report_stored_run *run,
                                   struct gs_arena *arena)
{
    json_t *options = json_loads(run->options, JSON_REJECT_DUPLICATES, NULL);
    json_t *set = json_object_get(options, "set"), *change;
    const size_t size = strlen(run->options) + 1;
    char *made = gs_arena_alloc(arena, size, 1);
    size_t i;

    assert(run);
    json_array_foreach(set, i, change)
    {
        const char *text = json_string_value(change);

        if (text
            && (strncmp(text, "queues.", 7) == 0
                || strncmp(text, "priority_classes.", 17) == 0))
            gs_text_add(made, size, "%s\n", text);
    }
    json_decref(options);
    return made;
}

/* --- differences ---------------------------------------------------------- */

/* The length of the hash at *s, which is advanced after it. */
static size_t hash_take(const char **s)
{
    const size_t n = strcspn(*s, " ");

    *s += n + ((*s)[n] == ' ');
    return n;
}

static bool is_other_hash(const char **a, const char **b)
{
    const char *x = *a, *y = *b;
    const size_t n = hash_take(a), m = hash_take(b);

    return n != m || memcmp(x, y, n) != 0;
}

unsigned report_inputs_differ(const char *a, const char *b)
{
    unsigned found = 0;
    json_t *x, *y;

    if (strcmp(a, b) == 0)
        return 0;
    if (is_other_hash(&a, &b))
        found |= REPORT_INPUT_TRACE;
    if (is_other_hash(&a, &b))
        found |= REPORT_INPUT_TOPOLOGY;
    if (!*a || !*b) /* hashes alone */
        return found;
    x = json_loads(a, 0, NULL);
    y = json_loads(b, 0, NULL);
    if ((!json_is_object(x) || !json_is_object(y)) && strcmp(a, b) != 0)
        found |= REPORT_INPUT_OPTIONS;
    for (size_t i = 0; i < REPORT_INPUTS; i++) {
        json_t *of_x = json_object_get(x, words[i]);
        json_t *of_y = json_object_get(y, words[i]);

        if (!json_equal(of_x, of_y) && (of_x || of_y))
            found |= 1u << i;
    }
    json_decref(x);
    json_decref(y);
    return found;
}

const char *report_inputs_names(unsigned inputs, char *buf, size_t size)
{
    assert(inputs && size > 0);
    buf[0] = '\0';
    for (size_t i = 0; i < REPORT_INPUTS; i++) {
        if (inputs >> i & 1)
            gs_text_add(buf, size, "%s%s",
                        buf[0] == '\0'      ? ""
                        : inputs >> (i + 1) ? ", "
                                            : " and ",
                        words[i]);
    }
    return buf;
}

/* reports/diff/recordings.c - walks over two recordings line by line. */
#include "reports/diff/recordings.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/text.h"

/* A recording that is read. */
struct reading {
    struct gs_input *in;
    struct gs_arena *arena;
    const char *line; /* the present one; NULL: the end */
    char *kept;       /* its memory */
    uint32_t cap;
    int number;
};

static int line_next(struct reading *r, struct gs_err *err)
{
    char *line;
    size_t len;
    const int got = gs_input_line(r->in, &line, &len, err);

    r->line = NULL;
    if (got <= 0)
        return got;
    r->number = gs_input_line_number(r->in);
    r->kept = gs_array_grow(r->kept, &r->cap, (uint32_t)len + 1, 1);
    memcpy(r->kept, line, len);
    r->kept[len] = '\0';
    r->line = r->kept;
    return 0;
}

static bool is_answer(const struct reading *r)
{
    return r->line && r->line[0] == ' ';
}

static bool is_call(const struct reading *r, const char *name)
{
    const size_t n = strlen(name);

    return r->line && strncmp(r->line, name, n) == 0 && r->line[n] == ' ';
}

/* The words of a recording at the begin of lines. */
static bool is_recording(const struct reading *r)
{
    static const char *const words[] = { "dim",   "tier",     "class",  "node",
                                         "queue", "priority", "profile" };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (is_call(r, words[i]))
            return true;
    }
    return false;
}

static int reading_open(struct reading *r, const char *path,
                        struct gs_arena *arena, struct gs_err *err)
{
    *r = (struct reading){ .in = gs_input_open(path, err), .arena = arena };
    if (!r->in || line_next(r, err) < 0)
        return -1;
    if (!is_recording(r))
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                       "is no recording of a scheduler's door");
    return 0;
}

/* --- comparing ------------------------------------------------------------ */

/* Keep the present line of the recording, and the answers that follow it. */
static int answers_keep(struct reading *r, bool are_answers,
                        struct report_recording *out, struct gs_err *err)
{
    out->line = r->number;
    while (r->line && out->answers < REPORT_ANSWERS
           && is_answer(r) == are_answers) {
        const char *text = r->line + strspn(r->line, " ");

        out->answer[out->answers++] = gs_text_copy(r->arena, text);
        if (!are_answers)
            break;
        if (line_next(r, err) < 0)
            return -1;
    }
    return 0;
}

static int difference_keep(struct reading r[2], struct report_recordings *out,
                           struct gs_err *err)
{
    out->differs = true;
    out->is_event = !is_answer(&r[0]) && !is_answer(&r[1]);
    for (int side = 0; side < 2; side++) {
        if (answers_keep(&r[side], !out->is_event, &out->side[side], err) < 0)
            return -1;
    }
    return 0;
}

/* Take note of a call that both recordings have. */
static void call_note(const struct reading *r, struct report_recordings *out)
{
    if (is_call(r, "cycle")) {
        out->cycles++;
        out->at = strtoll(r->line + strlen("cycle "), NULL, 10);
    } else if (!is_answer(r) && !is_call(r, "group")) {
        gs_text_shown(r->line, out->event, sizeof(out->event));
    }
    out->equal += is_answer(r);
}

static int compare(struct reading r[2], struct report_recordings *out,
                   struct gs_err *err)
{
    while (r[0].line || r[1].line) {
        const bool are_profiles = is_call(&r[0], "profile")
                                  && is_call(&r[1], "profile");

        for (int side = 0; side < 2 && are_profiles; side++)
            out->side[side].profile = gs_text_copy(
                r[side].arena, r[side].line + strlen("profile "));
        if (!are_profiles
            && (!r[0].line || !r[1].line || strcmp(r[0].line, r[1].line) != 0))
            return difference_keep(r, out, err);
        if (!are_profiles)
            call_note(&r[0], out);
        if (line_next(&r[0], err) < 0 || line_next(&r[1], err) < 0)
            return -1;
    }
    return 0;
}

int report_recordings(const char *const path[2], struct gs_arena *arena,
                      struct report_recordings *out, struct gs_err *err)
{
    struct reading r[2] = { { .in = NULL }, { .in = NULL } };
    int rc = 0;

    *out = (struct report_recordings){ .differs = false };
    for (int side = 0; side < 2 && rc == 0; side++) {
        out->side[side] = (struct report_recording){
            .path = gs_text_copy(arena, path[side]), .profile = ""
        };
        rc = reading_open(&r[side], path[side], arena, err);
    }
    if (rc == 0)
        rc = compare(r, out, err);
    for (int side = 0; side < 2; side++) {
        gs_input_close(r[side].in);
        gs_array_free(r[side].kept);
    }
    return rc;
}

/* --- telling -------------------------------------------------------------- */

static void side_print(const struct report_recording *r, char name, FILE *out)
{
    if (r->answers == 0)
        fprintf(out, "  %c  nothing\n", name);
    for (uint32_t i = 0; i < r->answers; i++)
        fprintf(out, "  %c  %s\n", i ? ' ' : name, r->answer[i]);
}

void report_recordings_print(const struct report_recordings *r, FILE *out)
{
    char at[32];

    for (int side = 0; side < 2; side++)
        fprintf(out, "%c  %s (%s)\n", "AB"[side], r -> side[side].path,
                r->side[side].profile);
    if (!r->differs) {
        fprintf(out, "No answer differs: %llu cycles, %llu decisions\n",
                (unsigned long long)r->cycles, (unsigned long long)r->equal);
        return;
    }
    gs_instant_format(r->at, at, sizeof(at));
    if (r->is_event)
        fprintf(out, "\nThe first calls that differ: after the cycle at %s",
                at);
    else
        fprintf(out, "\nThe first answers that differ: in the cycle at %s", at);
    fprintf(out, " (lines %d and %d)\n  after %llu equal decision%s\n",
            r->side[0].line, r->side[1].line, (unsigned long long)r->equal,
            r->equal == 1 ? "" : "s");
    if (r->event[0])
        fprintf(out, "  the last call before: %s\n", r->event);
    for (int side = 0; side < 2; side++)
        side_print(&r->side[side], "AB"[side], out);
}

static json_t *side_json(const struct report_recording *r)
{
    json_t *answers = json_array();

    for (uint32_t i = 0; i < r->answers; i++)
        json_array_append_new(answers, json_string(r->answer[i]));
    return json_pack("{s:s, s:s, s:i, s:o}", "recording", r->path, "profile",
                     r->profile, "line", r->line, "lines", answers);
}

void report_recordings_json(const struct report_recordings *r, FILE *out)
{
    json_t *all = json_pack(
        "{s:b, s:s?, s:I, s:s, s:I, s:I, s:[oo]}", "differs", r->differs, "by",
        !r->differs   ? NULL
        : r->is_event ? "calls"
                      : "answers",
        "at_us", (json_int_t)r->at, "last_call", r->event, "cycles",
        (json_int_t)r->cycles, "equal_decisions", (json_int_t)r->equal, "sides",
        side_json(&r->side[0]), side_json(&r->side[1]));

    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}

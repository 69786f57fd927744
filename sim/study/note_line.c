/* sim/study/note_line.c - see note_line.h. */
#include "sim/study/note_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/reads.h"
#include "sim/study/inputs.h"
#include "sim/study/notes.h"

#define LINE_MAX_BYTES 512

void study_note(struct inputs *in, struct study_notes *out, const char *fmt,
                ...)
{
    char text[LINE_MAX_BYTES];
    va_list ap;

    if (out->count == STUDY_NOTES_MAX)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    gs_text_clean(text); /* the cut may have split a character */
    out->text[out->count++] = gs_arena_strndup(in->arena, text, strlen(text));
}

/* "3 jobs state it, the first is 'a', t.yaml:7" */
const char *study_note_where(const struct inputs *in,
                             const struct gsched_setting *s, char *buf,
                             size_t size)
{
    char line[16] = "";

    if (s->line)
        snprintf(line, sizeof(line), ":%u", s->line);
    snprintf(buf, size, "%u %s%s %s it%s '%.80s'%s%.120s%s", s->count, s->of,
             s->count > 1 ? "s" : "", s->count > 1 ? "state" : "states",
             s->count > 1 ? ", the first is" : ":",
             gs_strtab_str(in->names, s->first), s->line ? ", " : "",
             s->line ? in->trace_path : "", line);
    return buf;
}

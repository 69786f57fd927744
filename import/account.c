/* import/account.c - what became of all that was read, see account.h. */
#include "import/account.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/yamldoc.h"

#define TEXT_MAX 400
#define KINDLESS "(no kind)"

struct kind {
    uint32_t count[IMPORT_FATES];
};

struct note {
    enum import_note note;
    uint32_t count;
    uint32_t source; /* string id of the file of the first; 0: none */
    int line, column;
};

/* Kinds and notes are numbered by their texts; number 0 is that of "". */
struct import_account {
    struct gs_strtab *kinds, *notes, *sources;
    struct kind *kind;
    struct note *note;
    uint32_t kind_cap, note_cap;
};

struct import_account *import_account_create(void)
{
    struct import_account *a = gs_array_new(1, sizeof(*a));

    a->kinds = gs_strtab_create();
    a->notes = gs_strtab_create();
    a->sources = gs_strtab_create();
    return a;
}

void import_account_destroy(struct import_account *a)
{
    if (!a)
        return;
    gs_strtab_destroy(a->kinds);
    gs_strtab_destroy(a->notes);
    gs_strtab_destroy(a->sources);
    gs_array_free(a->kind);
    gs_array_free(a->note);
    gs_array_free(a);
}

static uint32_t put(struct gs_strtab *t, const char *s)
{
    return gs_strtab_put(t, s, strlen(s));
}

void import_account_count(struct import_account *a, const char *kind,
                          enum import_fate fate)
{
    import_account_add(a, kind, fate, 1);
}

void import_account_add(struct import_account *a, const char *kind,
                        enum import_fate fate, uint32_t many)
{
    const uint32_t k = put(a->kinds, kind[0] ? kind : KINDLESS);

    assert(fate < IMPORT_FATES);
    a->kind = gs_array_grow(a->kind, &a->kind_cap, k + 1, sizeof(*a->kind));
    a->kind[k].count[fate] += many;
}

void import_account_vtell(struct import_account *a, enum import_note note,
                          const char *source, const struct gs_ynode *at,
                          const char *fmt, va_list ap)
{
    char text[TEXT_MAX];
    struct note *n;
    uint32_t id;

    (void)vsnprintf(text, sizeof(text), fmt, ap);
    gs_text_clean(text);
    id = put(a->notes, text);
    a->note = gs_array_grow(a->note, &a->note_cap, id + 1, sizeof(*a->note));
    n = &a->note[id];
    if (n->count++)
        return;
    n->note = note;
    n->source = source ? put(a->sources, source) : 0;
    n->line = at ? at->line : 0;
    n->column = at ? at->column : 0;
}

void import_account_tell(struct import_account *a, enum import_note note,
                         const char *source, const struct gs_ynode *at,
                         const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    import_account_vtell(a, note, source, at, fmt, ap);
    va_end(ap);
}

uint32_t import_account_sum(const struct import_account *a,
                            enum import_fate fate)
{
    uint32_t sum = 0;

    for (uint32_t k = 0; k < a->kind_cap; k++)
        sum += a->kind[k].count[fate];
    return sum;
}

/* The id of the i-th note of a kind; the number of ids after all. */
static uint32_t note_find(const struct import_account *a, enum import_note note,
                          uint32_t i)
{
    uint32_t id = 1;

    for (; id < gs_strtab_count(a->notes); id++) {
        if (a->note[id].note == note && i-- == 0)
            break;
    }
    return id;
}

uint32_t import_account_notes(const struct import_account *a,
                              enum import_note note)
{
    uint32_t n = 0;

    for (uint32_t id = 1; id < gs_strtab_count(a->notes); id++)
        n += a->note[id].note == note;
    return n;
}

struct gs_mark import_account_place(const struct import_account *a,
                                    enum import_note note, uint32_t i)
{
    const uint32_t id = note_find(a, note, i);
    const struct note *n;

    assert(id < gs_strtab_count(a->notes));
    n = &a->note[id];
    return (struct gs_mark){ n->source ? gs_strtab_str(a->sources, n->source)
                                       : NULL,
                             n->line, n->column };
}

const char *import_account_note(const struct import_account *a,
                                enum import_note note, uint32_t i)
{
    const uint32_t id = note_find(a, note, i);

    assert(id < gs_strtab_count(a->notes));
    return gs_strtab_str(a->notes, id);
}

/* --- as text -------------------------------------------------------------- */

static const char *const fates[IMPORT_FATES] = {
    [IMPORT_USED] = "read",
    [IMPORT_NOTHING] = "no effect on scheduling",
    [IMPORT_UNUSED] = "has no effect here",
    [IMPORT_UNKNOWN] = "unknown kind",
    [IMPORT_REFUSED] = "refused",
};

static const char *const titles[IMPORT_NOTES] = {
    [IMPORT_BECAME] = "Of the schedulers:",
    [IMPORT_ASSUMED] = "Assumed:",
    [IMPORT_IGNORED] = "Changes decisions there, has no effect here:",
    [IMPORT_LEFT] = "Left out:",
};

/* The kind whose name follows that of `last` (NULL: the first); 0 after all. */
static uint32_t kind_after(const struct import_account *a, const char *last)
{
    uint32_t best = 0;

    for (uint32_t k = 1; k < gs_strtab_count(a->kinds); k++) {
        const char *name = gs_strtab_str(a->kinds, k);

        if ((!last || strcmp(name, last) > 0)
            && (!best || strcmp(name, gs_strtab_str(a->kinds, best)) < 0))
            best = k;
    }
    return best;
}

const char *import_account_reason(const struct import_account *a, char *buf,
                                  size_t size)
{
    const char *name = NULL;

    for (uint32_t id = 1; id < gs_strtab_count(a->notes); id++) {
        if (a->note[id].note == IMPORT_LEFT) {
            (void)snprintf(buf, size, "%s", gs_strtab_str(a->notes, id));
            return buf;
        }
    }
    (void)snprintf(buf, size, "no object");
    for (uint32_t k; (k = kind_after(a, name)) != 0;) {
        const size_t at = name ? strlen(buf) : 0;

        int fate = 0;

        while (fate < IMPORT_FATES - 1 && !a->kind[k].count[fate])
            fate++;
        name = gs_strtab_str(a->kinds, k);
        if (strcmp(name, KINDLESS) == 0)
            (void)snprintf(buf, size,
                           "no apiVersion and kind are stated, as in values "
                           "of Helm");
        else
            (void)snprintf(buf + at, size - at, "%s%s: %s", at ? ", " : "",
                           name, fates[fate]);
    }
    return buf;
}

/* Room for the longest name, within reason. */
static int width_of(const struct import_account *a)
{
    size_t width = 26;

    for (uint32_t k = 1; k < gs_strtab_count(a->kinds); k++) {
        const size_t len = strlen(gs_strtab_str(a->kinds, k));

        width = len > width && len <= 60 ? len : width;
    }
    return (int)width;
}

static void kinds_print(const struct import_account *a, FILE *out)
{
    const int width = width_of(a);
    const char *name = NULL;

    for (uint32_t k; (k = kind_after(a, name)) != 0;) {
        name = gs_strtab_str(a->kinds, k);
        for (int f = 0; f < IMPORT_FATES; f++) {
            if (a->kind[k].count[f])
                fprintf(out, "%8u  %-*s %s\n", a->kind[k].count[f], width, name,
                        fates[f]);
        }
    }
}

static void note_print(const struct import_account *a, uint32_t id, FILE *out)
{
    const struct note *n = &a->note[id];

    fprintf(out, " %s", gs_strtab_str(a->notes, id));
    if (n->source)
        fprintf(out, " (%s", gs_strtab_str(a->sources, n->source));
    if (n->source && n->line)
        fprintf(out, n->column ? ":%d:%d" : ":%d", n->line, n->column);
    if (n->source && n->count > 1)
        fprintf(out, " and %u more", n->count - 1);
    fputs(n->source ? ")\n" : "\n", out);
}

void import_account_print(const struct import_account *a, FILE *out)
{
    kinds_print(a, out);
    for (int kind = 0; kind < IMPORT_NOTES; kind++) {
        bool any = false;

        for (uint32_t id = 1; id < gs_strtab_count(a->notes); id++) {
            if ((int)a->note[id].note != kind)
                continue;
            if (!any)
                fprintf(out, "\n%s\n", titles[kind]);
            any = true;
            putc(' ', out);
            note_print(a, id, out);
        }
    }
}

/* What became of a scheduler's settings is no matter of a replay's inputs. */
static const char *const words[IMPORT_NOTES] = {
    [IMPORT_BECAME] = NULL,
    [IMPORT_ASSUMED] = "assumed",
    [IMPORT_IGNORED] = "no effect here",
    [IMPORT_LEFT] = "left out",
};

/* The first `most` notes of a kind, and how many more there are. */
static void few_print(const struct import_account *a, int kind, uint32_t most,
                      const char *before, FILE *out)
{
    const uint32_t notes = import_account_notes(a, (enum import_note)kind);
    uint32_t told = 0;

    for (uint32_t id = 1; told < most && told < notes; id++) {
        if ((int)a->note[id].note != kind)
            continue;
        fprintf(out, "%s%s:", before, words[kind]);
        note_print(a, id, out);
        told++;
    }
    if (told < notes)
        fprintf(out, "%s%s: %u more (gsim import shows all)\n", before,
                words[kind], notes - told);
}

void import_account_print_short(const struct import_account *a, uint32_t most,
                                const char *before, FILE *out)
{
    fprintf(out, "%sobjects:", before);
    for (int f = 0; f < IMPORT_FATES; f++) {
        const uint32_t sum = import_account_sum(a, (enum import_fate)f);

        if (sum || f == IMPORT_USED)
            fprintf(out, "%s %u %s%s", f ? "," : "", sum, fates[f],
                    f == IMPORT_UNKNOWN && sum > 1 ? "s" : "");
    }
    putc('\n', out);
    for (int kind = IMPORT_NOTES - 1; kind > IMPORT_BECAME; kind--)
        few_print(a, kind, most, before, out);
}

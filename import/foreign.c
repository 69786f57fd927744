/* import/foreign.c - files that gsim does not read, told by their first bytes,
 * and what to read instead.
 */
#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "base/yamltop.h"
#include "import/formats.h"
#include "import/source.h"

bool import_has_text(const char *head, size_t size, const char *text)
{
    const size_t len = strlen(text);
    const char *end = head + size;

    while (head < end && (size_t)(end - head) >= len) {
        if (memcmp(head, text, len) == 0)
            return true;
        head = memchr(head + 1, text[0], (size_t)(end - head) - 1);
        if (!head)
            return false;
    }
    return false;
}

bool import_has_key(const struct gs_ytop *top, const char *key, bool is_text)
{
    const struct gs_ytop_key *k = gs_ytop_find(top, key);

    return k && (!is_text || k->kind == GS_YSCALAR);
}

/* --- printed for people --------------------------------------------------- */

#define OBJECTS ", without the objects: 'kubectl get -o json' prints them"

/* Is the first line that of columns, "NAME  READY  STATUS"? */
static bool has_columns(const char *head, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-() \t\r";
    const char *lf = memchr(head, '\n', size);
    const size_t len = lf ? (size_t)(lf - head) : size;

    if (len < 10
        || (memcmp(head, "NAME ", 5) != 0
            && memcmp(head, "NAMESPACE ", 10) != 0))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (head[i] == '\0' || !strchr(letters, head[i]))
            return false;
    }
    return true;
}

static const char *printed_by_kubectl(const char *head, size_t size)
{
    static const char *const commands[] = { "$ ", "kubectl ", "cat <<" };

    if (has_columns(head, size))
        return "a table that kubectl printed" OBJECTS;
    if (size > 7 && memcmp(head, "Name:  ", 7) == 0
        && (import_has_text(head, size, "\nLabels:")
            || import_has_text(head, size, "\nNamespace:")))
        return "a description that kubectl printed" OBJECTS;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        const size_t len = strlen(commands[i]);

        if (size > len && memcmp(head, commands[i], len) == 0)
            return "a copy of a terminal" OBJECTS;
    }
    return NULL;
}

/* "name{label="value"} 1", as Prometheus' clients have it, or "... => 1 @[0]",
 * as promtool prints it.
 */
static const char *metrics_as_text(const char *head, size_t size)
{
    static const char *const remarks[] = { "# HELP ", "# TYPE " };
    const char *lf = memchr(head, '\n', size);
    const size_t line = lf ? (size_t)(lf - head) : size;
    size_t name = 0;

    for (size_t i = 0; i < 2; i++) {
        const size_t len = strlen(remarks[i]);

        if (size > len && memcmp(head, remarks[i], len) == 0)
            return "metrics as text: of Prometheus gsim reads answers in JSON, "
                   "of its API or of 'promtool query -o json'";
    }
    while (name < line
           && (isalnum((unsigned char)head[name]) || head[name] == '_'
               || head[name] == ':'))
        name++;
    if (name == 0 || name + 1 >= line || head[name] != '{'
        || !import_has_text(head + name, line - name, "=\"")
        || !import_has_text(head + name, line - name, "} "))
        return NULL;
    return "metrics as text: of Prometheus gsim reads answers in JSON, of its "
           "API or of 'promtool query -o json'";
}

/* --- templates ------------------------------------------------------------ */

/* The column that a text below this line is deeper than: of its key, or of the
 * dash of "- |".
 */
static size_t indent_of(const char *line, size_t len)
{
    size_t n = 0, dash = 0;

    for (; n < len && (line[n] == ' ' || line[n] == '-'); n++)
        dash = line[n] == '-' ? n : dash;
    return n < len && (line[n] == '|' || line[n] == '>') ? dash : n;
}

/* Does a text begin behind this line, by "key: |" or "- >-"? */
static bool opens_text(const char *line, size_t len)
{
    while (len && strchr(" \t\r", line[len - 1]))
        len--;
    while (len && strchr("+-0123456789", line[len - 1]))
        len--;
    return len >= 2 && (line[len - 1] == '|' || line[len - 1] == '>')
           && (line[len - 2] == ' ' || line[len - 2] == '\t');
}

/* A "{{" or "{%" of a template, outside of quotes and comments.  *quote is the
 * one that is open, also over the ends of lines; '\0': none.
 */
static const char *template_in(const char *line, size_t len, char *quote)
{
    for (size_t i = 0; i < len; i++) {
        const char c = line[i], next = i + 1 < len ? line[i + 1] : '\0';

        if (*quote) {
            i += *quote == '"' && c == '\\';
            *quote = c == *quote ? '\0' : *quote;
        } else if ((c == '"' || c == '\'')
                   && (i == 0 || strchr(" \t-[{,:", line[i - 1]))) {
            *quote = c;
        } else if (c == '#' && (i == 0 || strchr(" \t", line[i - 1]))) {
            return NULL;
        } else if (c == '{' && (next == '{' || next == '%')) {
            return line + i;
        }
    }
    return NULL;
}

/* The first template in the file's first bytes, with its place. */
static bool template_find(const char *head, size_t size, int *line, int *column)
{
    const char *at = head, *const end = head + size;
    bool is_text = false; /* below "key: |" */
    size_t above = 0;     /* indentation of that line */
    char quote = '\0';

    for (*line = 1; at < end; ++*line) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        const size_t len = (size_t)((lf ? lf : end) - at);
        size_t blanks = 0;

        while (blanks < len && at[blanks] == ' ')
            blanks++;
        if (is_text && blanks < len && at[blanks] != '\r' && blanks <= above)
            is_text = false;
        if (len >= 3 && memcmp(at, "---", 3) == 0)
            quote = '\0';
        if (!is_text) {
            const char *found = template_in(at, len, &quote);

            *column = found ? (int)(found - at) + 1 : 0;
            if (found)
                return true;
            is_text = !quote && opens_text(at, len);
            above = is_text ? indent_of(at, len) : 0;
        }
        at += len + 1;
    }
    return false;
}

/* --- by keys -------------------------------------------------------------- */

/* Keys at the top that tell a file, in the order of asking. */
static const struct foreign {
    const char *key, *also, *without; /* the last two may be NULL */
    enum gs_ykind kind;               /* of the value of `key` */
    const char *what;
} foreigners[] = {
#define KUSTOMIZE \
    "a recipe of Kustomize: import the objects that 'kubectl kustomize' prints"
    { "resources", "namePrefix", "kind", GS_YSEQ, KUSTOMIZE },
    { "resources", "patches", "kind", GS_YSEQ, KUSTOMIZE },
    { "resources", "namespace", "kind", GS_YSEQ, KUSTOMIZE },
#define HELM "import the objects that 'helm template' prints"
    { "version", "apiVersion", "kind", GS_YSCALAR,
      "the head of a chart of Helm: " HELM },
    { "image", "replicaCount", NULL, GS_YMAP,
      "a file of values of Helm: " HELM },
    { "image", "nodeSelector", "kind", GS_YMAP,
      "a file of values of Helm: " HELM },
    { "replicaCount", NULL, NULL, GS_YSCALAR,
      "a file of values of Helm: " HELM },
};

static const char *told_by_keys(const char *name, const char *head, size_t size)
{
    struct gs_err cut = { 0 }; /* the head may end anywhere */
    struct gs_input *in;
    struct gs_ytop t;

    if (!import_has_text(head, size, "resources")
        && !import_has_text(head, size, "replicaCount")
        && !import_has_text(head, size, "nodeSelector")
        && !import_has_text(head, size, "apiVersion"))
        return NULL;
    in = gs_input_open_memory(name, head, size);
    (void)gs_yaml_top(in, &t, &cut);
    gs_input_close(in);
    for (size_t i = 0;
         !t.is_list && i < sizeof(foreigners) / sizeof(foreigners[0]); i++) {
        const struct foreign *f = &foreigners[i];
        const struct gs_ytop_key *k = gs_ytop_find(&t, f->key);

        if (k && k->kind == f->kind
            && (!f->also || import_has_key(&t, f->also, false))
            && (!f->without || !import_has_key(&t, f->without, false)))
            return f->what;
    }
    return NULL;
}

/* --- all ------------------------------------------------------------------ */

int import_foreign_check(struct gs_input *in, struct gs_err *err)
{
    const char *path = gs_input_name(in), *what;
    size_t size = 0;
    const char *head = gs_input_head(in, &size, err);
    int line, column;

    if (!head)
        return -1;
    what = printed_by_kubectl(head, size);
    what = what ? what : metrics_as_text(head, size);
    if (what)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ path, 1, 1 }, "is %s",
                       what);
    if (template_find(head, size, &line, &column))
        return gs_fail(
            err, GS_INPUT, (struct gs_mark){ path, line, column },
            "is a template: import the manifests that are made of it "
            "(such as those of 'helm template')");
    what = told_by_keys(path, head, size);
    return what ? gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                          "is %s", what)
                : 0;
}

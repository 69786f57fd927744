/* tests/fuzz/fuzz_gate.c - rules, a NUL, and a baseline, which is checked
 * against itself and printed in every format.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "reports/gate/gate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void told(const struct report_gate *g)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        __builtin_trap();
    report_gate_table(g, 80, false, out);
    report_gate_markdown(g, out);
    report_gate_github(g, out);
    report_gate_junit(g, out);
    fclose(out);
    for (char *c = text; *c; c++) {
        if (*c == '\n')
            *c = ' ';
    }
    if (!gs_text_is_clean(text, size))
        __builtin_trap();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t at = strnlen((const char *)data, size);
    const size_t from = at < size ? at + 1 : size;
    struct gs_arena *arena = gs_arena_create(1 << 12);
    char *yaml = gs_arena_strndup(arena, (const char *)data, at);
    struct gs_err err = { .limit = GS_ERR_MAX };
    struct report_figure_set set = { 0 }, accepted;
    const struct gs_ynode *root = gs_yaml_parse("fuzz", yaml, arena, &err);
    struct report_gate g = { .arena = arena };
    struct report_rules rules;

    (void)report_figures_parse("fuzz", (const char *)data + from, size - from,
                               arena, &set, NULL);
    if (root && report_rules_parse("fuzz", root, arena, &rules, &err) == 0) {
        for (uint32_t i = 0; i < set.runs; i++)
            report_gate_judge(&g, &rules, &set.run[i], &set.run[i]);
        told(&g);
        report_gate_accept(&g, &set, &set, &accepted);
    }
    gs_arena_destroy(arena);
    return 0;
}

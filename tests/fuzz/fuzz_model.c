/* tests/fuzz/fuzz_model.c - a model is refused with a message, or is read back
 * equal and draws values in range.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "traces/model/model.h"
#include "traces/workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct trace_model *read_model(const void *data, size_t size,
                                            struct gs_arena *arena)
{
    struct gs_err err = { 0 };
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    const struct trace_model *m = trace_model_read(in, arena, &err);

    if (!m != (err.count == 1))
        __builtin_trap();
    gs_input_close(in);
    return m;
}

static void generate(const struct trace_model *m, struct gs_arena *arena,
                     bool balanced)
{
    const struct trace_model_draw o = { .seed = 1,
                                        .jobs = 50,
                                        .balanced = balanced };
    struct gs_strtab *names = gs_strtab_create();
    struct topo_dims dims;
    struct trace_workload *w;

    topo_dims_init(&dims, names);
    w = trace_workload_create(arena, names, &dims);
    if (trace_model_generate(m, &o, w, NULL) == 0) {
        if (w->job_count != 50)
            __builtin_trap();
        for (uint32_t i = 0; i < 50; i++) {
            if (w->job[i].submit < 0 || w->job[i].duration <= 0
                || w->job[i].estimate <= 0
                || (i && w->job[i].submit < w->job[i - 1].submit))
                __builtin_trap();
        }
    }
    trace_workload_destroy(w);
    gs_strtab_destroy(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gs_arena *arena = gs_arena_create(1 << 12);
    const struct trace_model *m = read_model(data, size, arena);
    char *text = NULL, *again = NULL;
    size_t len = 0, len_again = 0;

    if (m) {
        FILE *out = open_memstream(&text, &len);

        if (!out || trace_model_write(out, m, NULL) < 0)
            __builtin_trap();
        fclose(out);
        generate(m, arena, false);
        generate(m, arena, true);
        m = read_model(text, len, arena);
        out = open_memstream(&again, &len_again);
        if (!m || !out || trace_model_write(out, m, NULL) < 0)
            __builtin_trap();
        fclose(out);
        if (len != len_again)
            __builtin_trap();
        free(text);
        free(again);
    }
    gs_arena_destroy(arena);
    return 0;
}

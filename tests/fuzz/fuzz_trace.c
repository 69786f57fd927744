/* tests/fuzz/fuzz_trace.c - the trace readers under libFuzzer.  The first byte
 * chooses the format and the options, the rest is the file.  What is read is
 * written and read again, and must then stay the same.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "traces/edit/describe.h"
#include "traces/formats/reader.h"
#include "traces/formats/writer.h"
#include "traces/workload/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The file as native YAML, NULL when it cannot be read; freed by the caller. */
static char *as_yaml(const void *data, size_t size,
                     const struct trace_options *o)
{
    struct gs_arena *arena = gs_arena_create(4096);
    struct gs_strtab *names = gs_strtab_create();
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    struct gs_err err = { .limit = GS_ERR_MAX };
    struct trace_facts facts = { .format = TRACE_AUTO };
    struct trace_summary summary;
    struct trace_workload *w;
    struct topo_dims dims;
    char *text = NULL;
    size_t text_size;

    topo_dims_init(&dims, names);
    w = trace_workload_create(arena, names, &dims);
    if (trace_read(in, o, w, &facts, &err) == 0) {
        FILE *out = open_memstream(&text, &text_size);

        trace_describe(w, &summary);
        assert(summary.jobs == w->job_count);
        if (trace_write_yaml(out, w, &facts, NULL, NULL) < 0)
            fputs("refused", out);
        fclose(out);
    } else {
        assert(err.count > 0);
    }
    gs_input_close(in);
    trace_workload_destroy(w);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct trace_options native = { .format = TRACE_YAML };
    struct trace_options o = { .format = TRACE_AUTO };
    char *once, *twice;

    if (size == 0)
        return 0;
    o.format = (enum trace_format)(data[0] % TRACE_FORMATS);
    o.processors_are_gpus = data[0] & 0x40;
    o.arrivals_only = data[0] & 0x80;
    once = as_yaml(data + 1, size - 1, &o);
    if (once && strcmp(once, "refused") != 0) {
        twice = as_yaml(once, strlen(once), &native);
        assert(twice && strcmp(once, twice) == 0);
        free(twice);
    }
    free(once);
    return 0;
}

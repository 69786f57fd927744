/* tests/fuzz/fuzz_input.c - compressed files, CSV lines and YAML. */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Compression is recognised by the bytes of a file, so it needs a real one. */
static void packed(const uint8_t *data, size_t size)
{
    struct gs_err err = { 0 };
    struct gs_input *in;
    char path[64], *line;
    size_t len;
    int fd;

    snprintf(path, sizeof(path), "/tmp/gsim-fuzz-%ld", (long)getpid());
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        __builtin_trap();
    close(fd);
    in = gs_input_open(path, &err);
    while (in && gs_input_line(in, &line, &len, &err) > 0)
        ;
    gs_input_close(in);
    unlink(path);
}

static void rows(const uint8_t *data, size_t size)
{
    struct gs_err err = { 0 };
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    struct gs_csv csv;

    if (gs_csv_open(&csv, in, &err) == 0) {
        while (gs_csv_next(&csv, &err) > 0)
            ;
        gs_csv_close(&csv);
    }
    gs_input_close(in);
}

static int item(void *ctx, const struct gs_ynode *n, struct gs_err *err)
{
    (void)ctx;
    return n->len > 3 ? gs_fail(err, GS_INPUT, (struct gs_mark){ 0 }, "no") : 0;
}

static void document(const uint8_t *data, size_t size)
{
    const struct gs_ystream stream = { "jobs", item, NULL };
    struct gs_err err = { .limit = GS_ERR_MAX };
    struct gs_input *in = gs_input_open_memory("fuzz", data, size);
    struct gs_arena *arena = gs_arena_create(1 << 12);

    (void)gs_yaml_read(in, arena, &stream, &err);
    gs_arena_destroy(arena);
    gs_input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    switch (data[0] % 3) {
    case 0:
        packed(data + 1, size - 1);
        break;
    case 1:
        rows(data + 1, size - 1);
        break;
    default:
        document(data + 1, size - 1);
    }
    return 0;
}

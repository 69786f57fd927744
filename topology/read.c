/* topology/read.c - topology files, recognised by content. */
#include "topology/read.h"

#include <assert.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "topology/native_topology.h"
#include "topology/topology.h"

/* The header of openb is one line of column names; lines of YAML contain ':'.
 */
static bool is_csv(const char *text, size_t size)
{
    const char *end = memchr(text, '\n', size);
    const size_t len = end ? (size_t)(end - text) : size;

    return memchr(text, ',', len) && !memchr(text, ':', len) && text[0] != '#';
}

const struct topo *topo_read(struct gs_input *in, struct gs_arena *arena,
                             struct gs_strtab *names, struct topo_dims *dims,
                             struct gs_err *err)
{
    const struct gs_mark at = { .source = gs_input_name(in) };
    struct topo *t;
    size_t size;
    const char *text = gs_input_head(in, &size, err);
    struct gs_err none = { 0 };
    int rc;

    assert(in && arena && names && dims);
    if (!text)
        return NULL;
    t = topo_create(arena, names, dims);
    rc = is_csv(text, size) ? topo_openb_read(in, t, err)
                            : topo_native_read(in, t, err);
    if (topo_finish(t, &none) < 0 && rc == 0)
        rc = gs_fail(err, none.code, at, "%s", none.problem[0].text);
    return rc == 0 ? t : NULL;
}

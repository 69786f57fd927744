/* import/slurm/slurm_pools.c - what of a job is limited beside nodes: licences
 * of the cluster, places among the tasks of an array that run at once, and
 * partitions that take no such job.
 */
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "base/strtab.h"
#include "import/slurm/slurm_making.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "traces/workload/pools.h"

#define LICENSE "license/"
#define ARRAY "array/"

/* --- licences ------------------------------------------------------------- */

/* "name", "name:2", "name=2", "name@server:2": the name, and how many. */
static uint32_t license_read(struct slurm *s, const char *part, size_t len,
                             uint32_t *count)
{
    size_t name = 0;
    uint64_t n = 1;
    char text[300];

    while (name < len && part[name] != ':' && part[name] != '=')
        name++;
    if (name == 0 || name > 250
        || (name < len
            && gs_quantity_parse_u64(part + name + 1, len - name - 1, &n) < 0))
        return 0;
    (void)snprintf(text, sizeof(text), LICENSE "%.*s", (int)name, part);
    *count = n < TRACE_TOKENS_MAX ? (uint32_t)n : TRACE_TOKENS_MAX;
    return slurm_put_text(s, text);
}

void slurm_licenses_make(struct slurm *s, struct trace_workload *w)
{
    const struct slurm_option *o = slurm_option_find(s, "Licenses");
    const char *p = o ? o->value : "", *end = p + strlen(p), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        uint32_t count = 0, at;
        const uint32_t name = license_read(s, part, len, &count);

        if (!name) {
            slurm_tell(s, IMPORT_LEFT, &o->at, "Licenses: '%.*s' is none",
                       (int)(len < 60 ? len : 60), part);
            continue;
        }
        at = trace_pool_put(w, name);
        w->pools->pool[at].size = count;
        w->pools->pool[at].reason = slurm_put_text(s, "Licenses");
    }
}

/* The job's licences, with ',' or ';' between them: all of them; with '|': one
 * of them, of which the first is taken.
 */
static uint32_t licenses_take(struct job_making *m, const struct slurm_job *j,
                              struct trace_tokens *tokens, uint32_t n)
{
    const char *p = slurm_str(m->s, j->licenses);
    const char *end = p + strcspn(p, "|"), *part;
    size_t len;

    if (*end)
        slurm_tell(m->s, IMPORT_ASSUMED, NULL,
                   "of licenses with '|' between them the first is taken");
    while (
        n < TRACE_POOLS_MAX
        && (part = slurm_part_next(&p, end, strchr(p, ';') ? ';' : ',', &len))
               != NULL) {
        uint32_t count = 0, at;
        const uint32_t name = license_read(m->s, part, len, &count);

        at = name ? trace_pool_find(m->w, name) : TRACE_NONE;
        if (at == TRACE_NONE) {
            slurm_tell(m->s, IMPORT_IGNORED, NULL,
                       "licenses of jobs that Licenses does not state (the "
                       "first: '%.*s')",
                       (int)(len < 60 ? len : 60), part);
            continue;
        }
        if (count)
            tokens[n++] = (struct trace_tokens){ at, count };
    }
    return n;
}

/* --- arrays --------------------------------------------------------------- */

static uint32_t array_take(struct job_making *m, const struct slurm_job *j,
                           struct trace_tokens *tokens, uint32_t n)
{
    const char *name = slurm_str(m->s, j->name);
    const size_t base = strspn(name, "0123456789");
    char text[80];
    uint32_t at;

    if (j->at_once == 0 || name[base] != '_' || base > 40
        || n == TRACE_POOLS_MAX)
        return n;
    (void)snprintf(text, sizeof(text), ARRAY "%.*s", (int)base, name);
    at = trace_pool_put(m->w, slurm_put_text(m->s, text));
    if (!m->w->pools->pool[at].reason) {
        m->w->pools->pool[at].size = j->at_once < TRACE_TOKENS_MAX
                                         ? j->at_once
                                         : TRACE_TOKENS_MAX;
        m->w->pools->pool[at].reason = slurm_put_text(m->s,
                                                      "JobArrayTaskLimit");
    }
    tokens[n] = (struct trace_tokens){ at, 1 };
    return n + 1;
}

/* --- refusals ------------------------------------------------------------- */

/* A pool without tokens, so that the job waits for the reason. */
static uint32_t refusal_take(struct job_making *m, const struct slurm_job *j,
                             struct trace_tokens *tokens, uint32_t n)
{
    char text[400];
    uint32_t at;

    if (!j->refusal || n == TRACE_POOLS_MAX)
        return n;
    (void)snprintf(text, sizeof(text), "partition/%.250s/%.100s",
                   slurm_str(m->s, j->partition), slurm_str(m->s, j->refusal));
    at = trace_pool_put(m->w, slurm_put_text(m->s, text));
    m->w->pools->pool[at].reason = j->refusal;
    tokens[n] = (struct trace_tokens){ at, 1 };
    return n + 1;
}

uint32_t slurm_pools_of(struct job_making *m, const struct slurm_job *j)
{
    struct trace_tokens tokens[TRACE_POOLS_MAX];
    uint32_t n = 0;

    if (j->licenses)
        n = licenses_take(m, j, tokens, n);
    n = array_take(m, j, tokens, n);
    n = refusal_take(m, j, tokens, n);
    return trace_pool_set_put(m->w, tokens, n);
}

/* tests/host/stream.c - plays a recording on the live host, line by line. */
#include "tests/host/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"
#include "base/strtab.h"

#define WORDS_MAX 24
#define DIFFERENCES_TOLD 5

struct stream {
    struct live *l;
    struct gs_input *in;
    char *word[WORDS_MAX];
    uint32_t words;
    /* the job whose groups are being read */
    char name[LIVE_NAME];
    struct trace_job spec;
    struct trace_job_aside aside; /* of spec */
    struct live_group group[LIVE_GROUPS_MAX];
    uint32_t groups, groups_wanted, created;
    int64_t at;
    /* the decisions of the last cycle, as lines */
    char (*line)[LIVE_LINE];
    uint32_t line_count, line_cap, line_next;
    unsigned differs, decisions;
};

/* --- words ---------------------------------------------------------------- */

static int64_t number(const struct stream *s, uint32_t i)
{
    return i < s->words ? strtoll(s->word[i], NULL, 10) : 0;
}

static uint32_t count(const struct stream *s, uint32_t i)
{
    return (uint32_t)number(s, i);
}

/* The string id of a word. */
static uint32_t name(const struct stream *s, uint32_t i)
{
    const char *w = i < s->words ? s->word[i] : "-";

    return strcmp(w, "-") == 0 ? 0 : gs_strtab_put(s->l->names, w, strlen(w));
}

static void amounts(const struct stream *s, uint32_t i, int64_t *to)
{
    char *at = i < s->words ? s->word[i] : NULL;

    for (uint32_t d = 0; at && d < s->l->dims.count; d++) {
        to[d] = strtoll(at, &at, 10);
        at += *at == ',';
    }
}

/* --- the cluster ---------------------------------------------------------- */

static void read_dim(struct stream *s)
{
    (void)topo_dims_put(&s->l->dims, name(s, 1));
}

static void read_tier(struct stream *s)
{
    live_tier(s->l, s->word[1]);
}

static void read_class(struct stream *s)
{
    struct topo_class k = { .type = name(s, 1),
                            .model = name(s, 2),
                            .gpus = count(s, 3) };

    amounts(s, 4, k.capacity);
    live_class(s->l, &k);
}

static void read_node(struct stream *s)
{
    uint32_t path[TOPO_TIERS_MAX] = { 0 };

    for (uint32_t i = 0; i < s->l->tier_count; i++)
        path[i] = name(s, 3 + i);
    live_node(s->l, s->word[1], count(s, 2), path);
}

static void read_queue(struct stream *s)
{
    struct trace_queue q = { .name = name(s, 1),
                             .weight = strtod(s->word[2], NULL),
                             .priority = (int32_t)number(s, 3),
                             .closed = number(s, 4) != 0,
                             .keeps = number(s, 5) != 0 };

    q.amounts = gs_arena_alloc(s->l->arena, 1, sizeof(*q.amounts));
    amounts(s, 6, q.amounts->guarantee);
    amounts(s, 7, q.amounts->limit);
    amounts(s, 8, q.amounts->user_limit);
    live_queue(s->l, &q);
}

static void read_priority(struct stream *s)
{
    const struct trace_class c = { .name = name(s, 1),
                                   .value = (int32_t)number(s, 2),
                                   .preempts = number(s, 3) != 0 };

    live_priority(s->l, &c);
}

static void read_profile(struct stream *s)
{
    const char *setting = strcmp(s->word[2], "-") == 0 ? NULL : s->word[2];

    if (live_start(s->l, s->word[1], setting) < 0)
        live_fault(s->l, s->l->err.problem[0].text, "profile");
}

/* --- what happens --------------------------------------------------------- */

/* Advance the time: no cycle was due before. */
static void at(struct stream *s, int64_t now)
{
    if (live_due(s->l) < now)
        live_fault(s->l, "a cycle was due and is not recorded", "host");
}

static struct live_job *job(struct stream *s, uint32_t i)
{
    struct live_job *j = live_find(s->l, s->word[i]);

    if (!j)
        live_fault(s->l, "no such job", s->word[i]);
    return j;
}

static void read_submit(struct stream *s)
{
    (void)snprintf(s->name, sizeof(s->name), "%s", s->word[2]);
    s->at = number(s, 1);
    s->aside = (struct trace_job_aside){
        .task_interval = number(s, 8),
        .checkpoint = number(s, 12),
        .resumes = number(s, 14) != 0,
        .within = (uint8_t)number(s, 10),
        .within_tier = name(s, 11),
    };
    s->spec = (struct trace_job){
        .aside = &s->aside,
        .duration = TRACE_FOREVER, /* not known */
        .queue = count(s, 3),
        .user = name(s, 4),
        .klass = count(s, 5),
        .gang = count(s, 6),
        .estimate = number(s, 7),
        .retries = count(s, 13),
        .fixed = number(s, 15) != 0,
        .group_count = count(s, 16),
    };
    s->created = count(s, 9);
    s->groups = 0;
    at(s, s->at);
    if (s->spec.group_count > LIVE_GROUPS_MAX)
        live_fault(s->l, "too many groups", s->name);
}

static void read_group(struct stream *s)
{
    struct live_group *g = &s->group[s->groups++ % LIVE_GROUPS_MAX];
    uint32_t *model = gs_arena_alloc(s->l->arena, 1, sizeof(*model));

    *model = name(s, 6);
    *g = (struct live_group){ .name = name(s, 1),
                              .replicas = count(s, 2),
                              .min = count(s, 3),
                              .asks = { .gpus = count(s, 4),
                                        .share = count(s, 5),
                                        .model_count = *model != 0,
                                        .model = model } };
    amounts(s, 7, g->asks.amount);
    if (s->groups == s->spec.group_count)
        (void)live_submit(s->l, s->name, &s->spec, s->group, s->created, s->at);
}

static void read_created(struct stream *s)
{
    struct live_job *j = job(s, 2);

    at(s, number(s, 1));
    if (j)
        live_created(s->l, j, count(s, 3), number(s, 1));
}

static void read_end(struct stream *s)
{
    struct live_job *j = job(s, 2);

    at(s, number(s, 1));
    if (j)
        live_ended(s->l, j, number(s, 1));
}

static void read_fail(struct stream *s)
{
    const struct live_job *j = job(s, 2);

    if (j && j->phase != LIVE_FAILED)
        live_fault(s->l, "it should have been given up", j->name);
}

static void differ(struct stream *s, const char *want, const char *got)
{
    if (s->differs++ < DIFFERENCES_TOLD)
        printf("  line %d: the simulator decided '%s', the host '%s'\n",
               gs_input_line_number(s->in), want, got);
}

/* Count decisions that the recording lacks. */
static void close_cycle(struct stream *s)
{
    while (s->line_next < s->line_count)
        differ(s, "nothing", s->line[s->line_next++]);
    s->line_count = s->line_next = 0;
}

static void read_cycle(struct stream *s)
{
    const struct gsched_decision *d;

    if (live_due(s->l) != number(s, 1))
        live_fault(s->l, "a cycle is recorded and was not due", s->word[1]);
    d = live_cycle(s->l, number(s, 1), &s->line_count);
    s->line = gs_array_grow(s->line, &s->line_cap, s->line_count + 1,
                            sizeof(*s->line));
    for (uint32_t i = 0; i < s->line_count; i++)
        (void)live_tell(s->l, &d[i], s->line[i]);
    if (!live_consistent(s->l))
        live_fault(s->l, "host and scheduler disagree", "cluster");
}

static void read_decision(struct stream *s, const char *want)
{
    const char *got = s->line_next < s->line_count ? s->line[s->line_next++]
                                                   : "nothing";

    s->decisions++;
    if (strcmp(want, got) != 0)
        differ(s, want, got);
}

static void read_left(struct stream *s)
{
    if (s->l->job_count - live_over(s->l) != count(s, 1))
        live_fault(s->l, "more or fewer jobs are left", s->word[1]);
}

/* --- lines ---------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t words; /* at least */
    void (*read)(struct stream *s);
} lines[] = {
    { "dim", 2, read_dim },         { "tier", 2, read_tier },
    { "class", 5, read_class },     { "node", 3, read_node },
    { "queue", 9, read_queue },     { "priority", 4, read_priority },
    { "profile", 3, read_profile }, { "submit", 17, read_submit },
    { "group", 8, read_group },     { "created", 4, read_created },
    { "end", 3, read_end },         { "fail", 3, read_fail },
    { "cycle", 2, read_cycle },     { "left", 2, read_left },
};

static void split(struct stream *s, char *line)
{
    s->words = 0;
    for (char *w = strtok(line, " "); w && s->words < WORDS_MAX;
         w = strtok(NULL, " "))
        s->word[s->words++] = w;
}

static void read_line(struct stream *s, char *line)
{
    if (*line == ' ') {
        read_decision(s, line);
        return;
    }
    close_cycle(s);
    split(s, line);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        if (s->words >= lines[i].words
            && strcmp(s->word[0], lines[i].name) == 0) {
            lines[i].read(s);
            return;
        }
    }
    live_fault(s->l, "no such line", s->words ? s->word[0] : "empty");
}

struct live *stream_play(const char *path, unsigned *differs,
                         unsigned *decisions)
{
    struct stream s = { .in = gs_input_open(path, NULL) };
    char *line;
    size_t len;

    if (!s.in)
        return NULL;
    s.l = live_create();
    while (s.l->faults == 0 && gs_input_line(s.in, &line, &len, NULL) == 1)
        read_line(&s, line);
    close_cycle(&s);
    *differs = s.differs;
    *decisions = s.decisions;
    gs_array_free(s.line);
    gs_input_close(s.in);
    return s.l;
}

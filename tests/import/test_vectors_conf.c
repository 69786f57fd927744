/* tests/import/test_vectors_conf.c - arguments of Volcano's plugins, as its
 * tests state them (tests/data/vectors/volcano-kube.yaml): read from a
 * volcano-scheduler.conf, they are parameters of modules.
 */
#include "import/account.h"
#include "import/kubernetes/kubernetes.h"
#include "policies/policy.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"

#define TEXT 2048

/* The profile that a configuration with one plugin becomes. */
static struct gsched_profile *profile_of(struct world *w, const char *text)
{
    struct import_account *account = import_account_create();
    struct kube_import *x = kube_import_create(w->names, &w->dims, account);
    struct gs_input *in = gs_input_open_memory("conf", text, strlen(text));
    struct gsched_profile *p = NULL;

    if (kube_import_read_part(x, NULL, in, KUBE_ALL, &w->err) == 0
        && kube_import_finish(x, &kube_options_default, &w->err) == 0
        && kube_import_profiles(x) == 1)
        p = kube_import_profile(x, 0, "conf", w->arena, &w->err);
    gs_input_close(in);
    kube_import_destroy(x);
    import_account_destroy(account);
    return p;
}

static const struct gsched_use *use_of(const struct gsched_profile *p,
                                       const char *module)
{
    for (uint32_t i = 0; i < p->use_count; i++) {
        if (strcmp(p->use[i].module->name, module) == 0)
            return &p->use[i];
    }
    return NULL;
}

/* "foo" of "example.com/foo". */
static const char *short_name(const char *name)
{
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}

/* The arguments of binpack as inputs; the weights as expected. */
static void binpack_run(const struct vector *v)
{
    char text[TEXT];
    size_t len = (size_t)snprintf(text, sizeof(text),
                                  "actions: allocate\ntiers:\n- plugins:\n"
                                  "  - name: binpack\n    arguments:\n");
    const struct gs_ynode *weights;
    const struct gsched_use *u;
    const struct gsched_profile *p;
    uint32_t found = 0;
    struct world w;

    for (const struct gs_ynode *a = v->in->child; a; a = a->next)
        len += (size_t)snprintf(text + len, sizeof(text) - len,
                                "      %s: \"%s\"\n", a->key->text, a->text);
    CU_ASSERT_FATAL(len < sizeof(text));
    world_init(&w);
    p = profile_of(&w, text);
    u = p ? use_of(p, "binpack") : NULL;
    if (!u) {
        vector_fails(v, "no module of", text);
        world_fini(&w);
        return;
    }
    weights = u->value[1];
    for (const struct gs_ynode *e = v->expected->child; e; e = e->next) {
        const struct gs_ynode *r = weights->child;

        if (strcmp(e->key->text, "weight") == 0) {
            CU_ASSERT_STRING_EQUAL(u->value[0]->text, e->text);
            continue;
        }
        while (r && strcmp(short_name(r->key->text), e->key->text) != 0)
            r = r->next;
        found++;
        if (!r || strcmp(r->text, e->text) != 0)
            vector_fails(v, "another weight of", e->key->text);
    }
    CU_ASSERT_EQUAL(found, weights->len); /* and no other */
    world_fini(&w);
}

/* "waiting 1h": `max_wait: 1h`. */
static const char *wait_of(const struct vector *v, const char *job, char *out,
                           size_t size)
{
    const char *text = vector_in(v, job)->text;

    if (strncmp(text, "waiting ", 8) == 0)
        snprintf(out, size, ", max_wait: %s", text + 8);
    else if (strcmp(text, "no own waiting time") == 0)
        out[0] = '\0';
    else
        vector_fails(v, "unknown words", text);
    return out;
}

/* The arguments of the plugin, as the vector words them. */
static const char *sla_arguments(const struct vector *v, const char *words)
{
    if (strcmp(words, "none") == 0)
        return "{}";
    if (strcmp(words, "wrong type (int)") == 0)
        return "{sla-waiting-time: 1}";
    if (strncmp(words, "sla-waiting-time: ", 18) != 0)
        vector_fails(v, "unknown words", words);
    return NULL;
}

/* Two jobs, in either order of the file, of which one fits: which is first?
 * And is it admitted?
 */
static void sla_case(const struct vector *v, const char *words, bool first,
                     bool admitted, bool swap)
{
    char conf[TEXT], trace[TEXT], one[64], two[64];
    const char *arguments = sla_arguments(v, words);
    const struct trace_options o = { 0 };
    const struct gsched_profile *p;
    struct world w;

    snprintf(conf, sizeof(conf),
             "actions: \"enqueue, allocate\"\ntiers:\n- plugins:\n"
             "  - name: sla\n    arguments: %s%s%s\n",
             arguments ? arguments : "{", arguments ? "" : words,
             arguments ? "" : "}");
    snprintf(trace, sizeof(trace),
             "jobs:\n"
             "- {name: job%d, submit: 0, duration: 10, cpu: 1%s}\n"
             "- {name: job%d, submit: 0, duration: 10, cpu: 1%s}\n",
             swap ? 2 : 1, wait_of(v, swap ? "job2" : "job1", one, sizeof(one)),
             swap ? 1 : 2,
             wait_of(v, swap ? "job1" : "job2", two, sizeof(two)));
    world_init(&w);
    p = profile_of(&w, conf);
    if (!p
        || world_load(&w,
                      "node_types: {t: {cpu: 1}}\n"
                      "nodes: [{name: n, type: t}]\n",
                      trace, &o)
               < 0
        || world_run_profile(&w, p, NULL) < 0) {
        vector_fails(v, "does not run", conf);
    } else {
        CU_ASSERT_EQUAL(
            world_job(&w, "job1")->start < world_job(&w, "job2")->start, first);
        CU_ASSERT_EQUAL(world_job(&w, "job1")->start >= 0, admitted);
    }
    world_fini(&w);
}

static void sla_run(const struct vector *v)
{
    const struct gs_ynode *order = gs_ynode_find(v->expected,
                                                 "job1_before_job2");
    const struct gs_ynode *enqueue = gs_ynode_find(v->expected, "enqueueable");

    CU_ASSERT_FATAL(order && enqueue);
    order = order->child;
    enqueue = enqueue->child;
    for (const struct gs_ynode *a = vector_in(v, "args")->child; a;
         a = a->next) {
        const bool first = strcmp(order->text, "true") == 0;
        const bool admitted = strcmp(enqueue->text, "true") == 0;

        sla_case(v, a->text, first, admitted, false);
        sla_case(v, a->text, first, admitted, true);
        order = order->next;
        enqueue = enqueue->next;
    }
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "vc-binpack-args", binpack_run },
        { "sla", sla_run },
    };

    return vectors_main(
        &(struct vector_suite){ "import/vectors of configurations", VECTORS,
                                groups, N_ELEMENTS(groups), NULL, 0 });
}

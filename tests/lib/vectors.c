/* tests/lib/vectors.c - see vectors.h. */
#include "tests/lib/vectors.h"

#include <CUnit/Basic.h>
#include <stdlib.h>

/* CUnit hands a case nothing but its name. */
static const struct vector_suite *the_suite;
static const struct gs_ynode *the_vectors;
static const char **the_reasons; /* [vectors] why it is not run; NULL */

bool vectors_are_own(void)
{
    const char *path = getenv("VECTORS");

    return !path || !*path;
}

static struct vector vector_of(const struct gs_ynode *n)
{
    const struct gs_ynode *group = gs_ynode_find(n, "group");
    const struct gs_ynode *id = gs_ynode_find(n, "id");

    return (struct vector){ id && id->text ? id->text : "(no id)",
                            group && group->text ? group->text : "",
                            gs_ynode_find(n, "inputs"),
                            gs_ynode_find(n, "expected") };
}

void vector_fails(const struct vector *v, const char *what, const char *detail)
{
    fprintf(stderr, "\n  %s: %s '%s'", v->id, what, detail);
    CU_FAIL("a vector");
}

const struct gs_ynode *vector_in(const struct vector *v, const char *key)
{
    const struct gs_ynode *n = gs_ynode_find(v->in, key);

    if (!n)
        vector_fails(v, "no input", key);
    CU_ASSERT_PTR_NOT_NULL_FATAL(n);
    return n;
}

const struct gs_ynode *vectors_read(const char *path, const char *key,
                                    struct gs_arena *arena)
{
    struct gs_err err = { 0 };
    struct gs_input *file = gs_input_open(path, &err);
    const struct gs_ynode *root = NULL;
    char text[512];

    if (file)
        root = gs_yaml_read(file, arena, NULL, &err);
    gs_input_close(file);
    if (!root) {
        printf("%s\n", gs_err_format(&err, 0, text, sizeof(text)));
        return NULL;
    }
    return gs_ynode_find(root, key);
}

/* --- cases ---------------------------------------------------------------- */

static const struct vector_group *group_of(const struct vector *v)
{
    for (size_t i = 0; i < the_suite->groups; i++) {
        const char *name = the_suite->group[i].group;
        const size_t n = strlen(name);

        if (n && name[n - 1] == '-'
                ? strncmp(v->id, name, n) == 0
                : strcmp(v->group, name) == 0 || strcmp(v->id, name) == 0)
            return the_suite->group[i].run ? &the_suite->group[i] : NULL;
    }
    return NULL;
}

static const struct vector_listed *listed_as(const char *id)
{
    for (size_t i = 0; i < the_suite->listed_count; i++) {
        if (strcmp(the_suite->listed[i].id, id) == 0)
            return &the_suite->listed[i];
    }
    return NULL;
}

static bool is_called(const struct gs_ynode *n, const char *id)
{
    return strcmp(vector_of(n).id, id) == 0;
}

void vector_not_run(const struct vector *v, const char *why)
{
    const char **reason = the_reasons;

    for (const struct gs_ynode *n = the_vectors->child; n; n = n->next) {
        if (is_called(n, v->id))
            *reason = why;
        reason++;
    }
    if (vectors_are_own() && !listed_as(v->id))
        vector_fails(v, "neither run nor listed:", why);
}

static void case_run(void)
{
    const char *id = CU_get_current_test()->pName;
    const struct gs_ynode *n = the_vectors->child;
    struct vector v;

    while (!is_called(n, id))
        n = n->next;
    v = vector_of(n);
    if (listed_as(id))
        vector_not_run(&v, listed_as(id)->why);
    else
        group_of(&v)->run(&v);
}

/* Each vector with what came of it. */
static void results_print(void)
{
    const CU_pFailureRecord failures = CU_get_failure_list();
    const char **reason = the_reasons;

    for (const struct gs_ynode *n = the_vectors->child; n; n = n->next) {
        const struct vector v = vector_of(n);
        const struct CU_FailureRecord *f = failures;

        while (f && (!f->pTest || strcmp(f->pTest->pName, v.id) != 0))
            f = f->pNext;
        if (group_of(&v))
            printf("  %s: %s%s\n", v.id,
                   f         ? "FAIL"
                   : *reason ? "not run: "
                             : "pass",
                   !f && *reason ? *reason : "");
        reason++;
    }
}

/* The lists hold nothing twice, and nothing that is not there. */
static void lists_check(void)
{
    for (size_t i = 0; i < the_suite->listed_count && vectors_are_own(); i++) {
        const struct vector_listed *it = &the_suite->listed[i];
        const struct gs_ynode *n = the_vectors->child;

        while (n && !is_called(n, it->id))
            n = n->next;
        CU_ASSERT_PTR_NOT_NULL(n);
        CU_ASSERT_PTR_EQUAL(listed_as(it->id), it);
    }
}

int vectors_main(const struct vector_suite *suite)
{
    struct gs_arena *arena = gs_arena_create(1 << 16);
    CU_pSuite cases;
    unsigned failures;

    the_suite = suite;
    the_vectors = vectors_read(
        vectors_are_own() ? suite->file : getenv("VECTORS"), "vectors", arena);
    the_reasons = gs_arena_alloc(arena, the_vectors ? the_vectors->len + 1 : 1,
                                 sizeof(*the_reasons));
    if (!the_vectors || CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    cases = CU_add_suite(suite->name, NULL, NULL);
    CU_add_test(cases, "what is listed is there", lists_check);
    for (const struct gs_ynode *n = the_vectors->child; n; n = n->next) {
        const struct vector v = vector_of(n);

        if (group_of(&v))
            CU_add_test(cases, v.id, case_run);
    }
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    results_print();
    failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    gs_arena_destroy(arena);
    return failures != 0;
}

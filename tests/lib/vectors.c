#include "tests/lib/vectors.h"
#include "tests/lib/vectors_listed.h"

struct vector vector_of(const struct gs_ynode *n)
{
    return (struct vector){ gs_ynode_find(n, "id")->text,
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
    const struct gs_ynode *root;
    char text[512];

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    root = gs_yaml_read(file, arena, NULL, &err);
    gs_input_close(file);
    if (!root)
        printf("%s\n", gs_err_format(&err, 0, text, sizeof(text)));
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    return gs_ynode_find(root, key);
}

bool vector_is_listed(const char *id)
{
    for (size_t i = 0; i < N_ELEMENTS(listed); i++) {
        if (strcmp(listed[i].id, id) == 0)
            return true;
    }
    return false;
}

size_t vectors_listed(void)
{
    return N_ELEMENTS(listed);
}

bool vector_is_modules(const char *group, const char *id)
{
    for (size_t i = 0; i < N_ELEMENTS(module_groups); i++) {
        if (strcmp(module_groups[i], group) == 0
            || strcmp(module_groups[i], id) == 0)
            return !vector_is_listed(id);
    }
    return false;
}

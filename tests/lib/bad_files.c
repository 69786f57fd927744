#include "tests/lib/bad_files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/suite.h"

static int is_input(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');

    return e->d_name[0] != '.' && dot && strcmp(dot, ".expect") != 0;
}

/* The expected message, "" when there is none. */
static void expected_read(const char *path, char *buf, size_t size)
{
    char name[512];
    FILE *f;

    buf[0] = '\0';
    snprintf(name, sizeof(name), "%s.expect", path);
    f = fopen(name, "r");
    if (!f)
        return;
    if (fgets(buf, (int)size, f))
        buf[strcspn(buf, "\n")] = '\0';
    fclose(f);
}

static void file_check(const char *path, unsigned limit,
                       bool (*read)(const char *path, struct gs_err *err))
{
    struct gs_err err = { .limit = limit };
    char want[512], got[512] = "";

    if (read(path, &err))
        snprintf(got, sizeof(got), "%s was read", path);
    else
        gs_err_format(&err, 0, got, sizeof(got));
    expected_read(path, want, sizeof(want));
    if (strcmp(got, want) != 0)
        printf("\n got %s\nwant %s\n", got, want);
    CU_ASSERT_STRING_EQUAL(got, want);
}

void bad_files_check(const char *folder, int least,
                     bool (*read)(const char *path, struct gs_err *err))
{
    struct dirent **list;
    const int n = scandir(folder, &list, is_input, alphasort);

    CU_ASSERT_TRUE_FATAL(n >= least);
    for (int i = 0; i < n; i++) {
        char path[512];

        snprintf(path, sizeof(path), "%s/%s", folder, list[i]->d_name);
        file_check(path, 0, read);
        file_check(path, GS_ERR_MAX, read);
        free(list[i]);
    }
    free(list);
}

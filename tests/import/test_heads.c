/* tests/import/test_heads.c - what a file is, told by its first bytes: however
 * few there are, nothing behind them is read (sanitizers see it).
 */
#define _DEFAULT_SOURCE /* struct dirent has a d_type */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "import/formats.h"
#include "import/slurm/slurm_import.h"
#include "import/source.h"
#include "tests/lib/suite.h"
#include "traces/formats/reader.h"

enum { HEAD_MAX = 160 };

/* Texts at whose cut ends a look ahead would go too far. */
static const char *const texts[] = {
    "# notgii\nnhhh ere\n--",
    "# a\n--- \n- topology: x\n- tree",
    "topology:\n  cluster_default: true\n",
    "\xef\xbb\xbf{\"metric\": {\"a\": 1}}",
    "JobID|Submit|Start|End\n1|2|3|4\n",
    "ClusterName=a\nNodeName=b CPUAlloc=3\n",
    "NAME   READY   STATUS\npod-1  1/1  Running\n",
    "# HELP a b\n# TYPE a gauge\na{b=\"c\"} 1\n",
    "{{- if .Values.x }}\nkind: Pod\n{{ end }}\n",
    "partitions:\n  - name: default\n    queues:\n",
    "Cluster - 'a':Parent='root'\nAccount - 'b':\n",
    "; Version: 2.2\n; MaxJobs: 3\n1 2 3 4\n",
    "job_id,submit,nodes\n1,2,3\n",
    "apiVersion: v1\nkind: List\nitems: []\n",
};

static void tell(const char *name, const char *text, size_t size)
{
    struct gs_err err = { 0 };
    struct gs_input *in;
    char *own = malloc(size + 1);

    memcpy(own, text, size);
    own = realloc(own, size ? size : 1); /* not a byte too many */
    in = gs_input_open_memory(name, own, size);
    (void)slurm_file_is(in);
    (void)import_settings_begin(in);
    (void)import_objects_begin(in, &err);
    (void)import_foreign_check(in, &err);
    (void)trace_format_recognise(in, &err);
    gs_input_close(in);
    free(own);
}

static void tell_cut(const char *name, const char *text, size_t size)
{
    size = size < HEAD_MAX ? size : HEAD_MAX;
    for (size_t n = 0; n <= size; n++)
        tell(name, text, n);
}

static void test_texts(void)
{
    for (size_t i = 0; i < N_ELEMENTS(texts); i++)
        tell_cut("f", texts[i], strlen(texts[i]));
}

static int visit(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *e;
    int seen = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    while ((e = readdir(dir)) != NULL) {
        char path[1024], head[HEAD_MAX];
        FILE *f;

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
        if (e->d_type == DT_DIR) {
            seen += visit(path);
            continue;
        }
        f = fopen(path, "rb");
        CU_ASSERT_PTR_NOT_NULL_FATAL(f);
        tell_cut(path, head, fread(head, 1, sizeof(head), f));
        fclose(f);
        seen++;
    }
    closedir(dir);
    return seen;
}

static void test_files(void)
{
    CU_ASSERT(visit("tests/data/import-slurm") > 5);
    CU_ASSERT(visit("tests/data/bad") > 20);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "texts cut anywhere", test_texts },
        { "files cut anywhere", test_files },
    };

    return suite_run("import/heads", cases, N_ELEMENTS(cases));
}

/* import/slurm/sacct_form.c - what an export of accounting is, by its first
 * line; see sacct.h.
 */
#include <stdint.h>
#include <string.h>

#include "import/slurm/sacct.h"
#include "import/slurm/sacct_row.h"
#include "import/slurm/slurm_values.h"

char sacct_delimiter_find(const char *line, size_t len)
{
    static const char all[] = "|,;\t";
    char best = '\0';
    uint32_t most = 0;

    for (size_t d = 0; d < 4; d++) {
        const char *p = line, *part;
        uint32_t known = 0;
        size_t n;

        while ((part = slurm_part_next(&p, line + len, all[d], &n)) != NULL)
            known += sacct_column_is(part, (uint32_t)n);
        if (known > most) {
            most = known;
            best = all[d];
        }
    }
    return most >= 2 ? best : '\0';
}

uint32_t sacct_delimiter_count(const char *line, size_t len, char c)
{
    uint32_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += line[i] == c;
    return n;
}

enum sacct_form sacct_recognise(const char *head, size_t size)
{
    const char *lf = memchr(head, '\n', size);
    size_t len = lf ? (size_t)(lf - head) : size;
    size_t id;

    if (len && head[len - 1] == '\r')
        len--;
    if (sacct_delimiter_find(head, len))
        return SACCT_TABLE;
    if (len > 6 && memchr(head, ',', len)) {
        const char *p = head, *part;
        size_t n;

        while ((part = slurm_part_next(&p, head + len, ',', &n)) != NULL) {
            if (n > 6 && memcmp(part, "JobID=", 6) == 0)
                return SACCT_PAIRS;
        }
    }
    for (id = 0; id < len && head[id] != '|' && head[id] != ','; id++)
        ;
    return id < len && head[id] == '|' && sacct_is_job_id(head, (uint32_t)id)
                   && sacct_delimiter_count(head, len, '|') >= 4
               ? SACCT_BARE
               : SACCT_NONE;
}

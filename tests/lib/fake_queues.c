#include "tests/lib/fake_queues.h"

const uint32_t tree_dim[TREE_DIMS] = { GSP_GPU, GSP_CPU, GSP_MEMORY };

/* Read amounts at `p`; returns how many, and moves `p` behind them. */
static uint32_t tree_amounts(const char **p, int64_t *amount)
{
    uint32_t n = 0;

    for (; n < TREE_DIMS; n++) {
        char *end;

        amount[n] = strtoll(*p, &end, 10);
        *p = end;
        if (*end != '/')
            return n + 1;
        *p = end + 1;
    }
    return n;
}

static uint32_t tree_find(const struct fake *f, const struct tree *t,
                          const char *name, size_t len)
{
    for (uint32_t q = 0; q < f->queues; q++) {
        if (strlen(t->name[q]) == len && strncmp(t->name[q], name, len) == 0)
            return q;
    }
    return GSP_NONE;
}

uint32_t tree_word(const struct fake *f, const struct tree *t, const char **p)
{
    const char *name = *p + strspn(*p, " ,;");
    const size_t len = strcspn(name, " ,;");

    *p = name + len;
    return tree_find(f, t, name, len);
}

static void tree_limit(int64_t *limit, const int64_t *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        limit[tree_dim[i]] = v[i];
}

static void tree_book(struct fake *f, uint32_t q, char key, const int64_t *v)
{
    for (uint32_t i = 0; i < TREE_DIMS; i++) {
        if (key == 'u')
            FAKE_BOOK(f, q, used, tree_dim[i], v[i]);
        if (key == 'n')
            FAKE_BOOK(f, q, entered, tree_dim[i], v[i]);
        else if (key == 'e')
            FAKE_BOOK(f, q, elastic, tree_dim[i], v[i]);
        else
            FAKE_BOOK(f, q, asked, tree_dim[i], v[i]);
    }
}

static void tree_key(struct fake *f, uint32_t q, const char **p)
{
    const char key = *(*p)++;
    int64_t v[TREE_DIMS] = { 0 };
    uint32_t n = 0;

    if (key == 'w') {
        char *end;

        f->queue[q].weight = strtod(*p, &end);
        *p = end;
        return;
    }
    if (key != 'c' && key != 'k')
        n = tree_amounts(p, v);
    switch (key) {
    case 'g':
        for (uint32_t i = 0; i < n; i++)
            f->queue[q].guarantee[tree_dim[i]] = v[i];
        break;
    case 'l':
        tree_limit(f->queue[q].limit, v, n);
        break;
    case 'm':
        tree_limit(f->queue[q].user_limit, v, n);
        break;
    case 'p':
        f->queue[q].priority = (int32_t)v[0];
        break;
    case 'c':
        f->queue[q].closed = true;
        break;
    case 'k':
        f->queue[q].keeps = true;
        break;
    default:
        tree_book(f, q, key, v);
    }
}

void tree_make(struct fake *f, struct tree *t, const char *total,
               const char *text)
{
    int64_t v[TREE_DIMS] = { 0 };

    fake_start(f);
    memset(t, 0, sizeof(*t));
    tree_amounts(&total, v);
    for (uint32_t i = 0; i < TREE_DIMS; i++)
        f->total[tree_dim[i]] = v[i];
    for (const char *p = text; *p;) {
        const char *name = p + strspn(p, "; ");
        const size_t len = strcspn(name, "; ");
        const uint32_t above = tree_find(f, t, name, len - 1);
        const uint32_t q = fake_add(f, above, 1);

        CU_ASSERT_FATAL(q < TREE_QUEUES && len < sizeof(t->name[q]));
        memcpy(t->name[q], name, len);
        for (p = name + len; *p && *p != ';';) {
            p += strspn(p, " ");
            tree_key(f, q, &p);
        }
    }
}

void tree_asks(const char **p, int64_t *amount)
{
    int64_t v[TREE_DIMS] = { 0 };

    *p += strspn(*p, " ");
    tree_amounts(p, v);
    for (uint32_t i = 0; i < TREE_DIMS; i++)
        amount[tree_dim[i]] = v[i];
}

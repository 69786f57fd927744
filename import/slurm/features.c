/* import/slurm/features.c - constraints on features, see slurm_cluster.h.
 *
 *     either := both { '|' both }      both := one { ('&' | ',') one }
 *     one    := NAME [ '*' N ] | '(' either ')' | '[' either ']'
 */
#include <ctype.h>
#include <string.h>

#include "import/slurm/slurm_cluster.h"
#include "import/slurm/slurm_state.h"

#define DEEP 32

struct parse {
    const char *p, *features;
    int depth;
};

static bool either(struct parse *x);

static bool name_match(struct parse *x)
{
    char name[128];
    size_t n = 0;

    while (*x->p && !strchr("&|,()[]*", *x->p)) {
        if (!isspace((unsigned char)*x->p) && n + 1 < sizeof(name))
            name[n++] = *x->p;
        x->p++;
    }
    name[n] = '\0';
    if (*x->p == '*')
        x->p += 1 + strspn(x->p + 1, "0123456789");
    return n && x->features && slurm_list_has(x->features, name);
}

static bool one(struct parse *x)
{
    bool yes;

    if ((*x->p != '(' && *x->p != '[') || x->depth >= DEEP)
        return name_match(x);
    x->p++;
    x->depth++;
    yes = either(x);
    x->depth--;
    x->p += *x->p == ')' || *x->p == ']';
    if (*x->p == '*')
        x->p += 1 + strspn(x->p + 1, "0123456789");
    return yes;
}

static bool both(struct parse *x)
{
    bool yes = one(x);

    while (*x->p == '&' || *x->p == ',') {
        x->p++;
        yes = one(x) && yes;
    }
    return yes;
}

static bool either(struct parse *x)
{
    bool yes = both(x);

    while (*x->p == '|') {
        x->p++;
        yes = both(x) || yes;
    }
    return yes;
}

bool slurm_features_match(const char *features, const char *expression)
{
    struct parse x = { .p = expression, .features = features };

    return either(&x);
}

bool slurm_features_plain(const char *expression)
{
    return !strpbrk(expression, "|()[]*");
}

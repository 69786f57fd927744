/* policies/placement/class_set.h - node classes that suit a kind of task.
 *
 * Few classes are a list, so that many kinds of tasks that each ask for the
 * label of a node cost no more than what they ask for; more are also a byte a
 * class.
 */
#ifndef POLICIES_PLACEMENT_CLASS_SET_H
#define POLICIES_PLACEMENT_CLASS_SET_H

#include <stdbool.h>
#include <stdint.h>

#define CLASSES_NARROW 8u /* classes of a set that has a list only */

/* A copy shares the arrays, which stay where they are. */
struct class_set {
    uint8_t *has;  /* [class] 1: in the set; NULL: a narrow set */
    uint32_t *few; /* the classes of the set, or (is_of_others) those that are
                      not in it, whichever are fewer; ascending */
    uint32_t few_count;
    bool is_of_others;
};

static inline bool class_set_is_narrow(const struct class_set *c)
{
    return !c->has;
}

/* True when all classes are in it. */
static inline bool class_set_is_all(const struct class_set *c)
{
    return c->is_of_others && c->few_count == 0;
}

static inline bool class_set_has(const struct class_set *c, uint32_t klass)
{
    if (c->has)
        return c->has[klass];
    for (uint32_t i = 0; i < c->few_count; i++) {
        if (c->few[i] == klass)
            return true;
    }
    return false;
}

/* The first class of the set from `klass` on, of `classes` in all; `classes`
 * when there is none.
 */
static inline uint32_t class_set_next(const struct class_set *c, uint32_t klass,
                                      uint32_t classes)
{
    if (c->has) {
        while (klass < classes && !c->has[klass])
            klass++;
        return klass;
    }
    for (uint32_t i = 0; i < c->few_count; i++) {
        if (c->few[i] >= klass)
            return c->few[i];
    }
    return classes;
}

#endif /* POLICIES_PLACEMENT_CLASS_SET_H */

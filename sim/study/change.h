/* sim/study/change.h - "what if": one respect in which a replay differs from
 * what was read, as PATH=VALUE.
 *
 *     load=1.2                    factor of the rate of submissions
 *     durations=0.5               factor of durations
 *     estimates=factor:2          estimates of durations (traces/edit/estimates.h)
 *     nodes.TYPE=24, +8 or -8     nodes of a type (topology/resize.h)
 *     without=NAME                a node, or a rack with all its nodes, is gone
 *     queues. ..., priority_classes. ...         (traces/edit/edit.h)
 *     policy=easy                 another policy (of whatif and sweeps)
 *     anything else               a setting of the policy (profile/profile.h)
 */
#ifndef STUDY_CHANGE_H
#define STUDY_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

struct gs_err;
struct gsched_profile;
struct inputs;

#define STUDY_CHANGE_HELP                                               \
    "load=1.2, nodes.TYPE=24 (+8), without=RACK, "                      \
    "queues.NAME.guarantee.gpu=64, queues.NAME.preemptible=true, or a " \
    "setting of the policy such as gang.timeout=10m"

/* Is it a setting of the policy, not a change of what was read? */
bool study_change_is_policys(const char *text);

/* Does it name another policy, "policy=easy"?  What takes such changes asks for
 * the policy that the last of them names; `spec` without one.
 */
bool study_change_names_policy(const char *text);
const char *study_policy_set(const char *spec, const char *const *set,
                             size_t sets);

/* Apply `text` to what was read, or to `p` (NULL: it must not be the policy's).
 * Fails with what is allowed; `in` and `p` may then be half changed.
 */
int study_change_apply(struct inputs *in, struct gsched_profile *p,
                       const char *text, struct gs_err *err);

/* The same as a change "estimates=SPEC": estimates are drawn, see
 * traces/edit/estimates.h, when a run begins, from its seed.
 */
int study_estimates_set(struct inputs *in, const char *spec,
                        struct gs_err *err);

/* What --policy and --set say, as every command that replays takes them: the
 * `count` policies `spec`, each with those of the `sets` changes that are the
 * policy's, checked, into profile[]; and the other changes, once a trace and a
 * topology were read.
 */
int study_policies_read(struct inputs *in, const char *const *spec,
                        size_t count, const char *const *set, size_t sets,
                        struct gsched_profile **profile, struct gs_err *err);
int study_changes_apply(struct inputs *in, const char *const *set, size_t sets,
                        struct gs_err *err);

#endif /* STUDY_CHANGE_H */

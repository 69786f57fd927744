/* sim/study/change.h - changes of the inputs of a replay, as PATH=VALUE:
 *
 *     load=1.2                    factor of the rate of submissions
 *     durations=0.5               factor of durations
 *     estimates=factor:2          estimates of durations
 *     (traces/edit/estimates.h) nodes.TYPE=24, +8 or -8     nodes of a type
 *     (topology/resize.h) without=NAME                a node, or a rack with
 *     all its nodes, is gone queues. ..., quotas. ..., pools. ...,
 *     priority_classes. ..., accounts. ..., qos. ..., partitions. ...
 *     (traces/edit/edit.h) policy=easy                 another policy (of
 *     whatif and sweeps) anything else               a setting of the policy
 *     (profile/profile.h)
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

/* True when it is a setting of the policy, not a change of the inputs. */
bool study_change_is_policys(const char *text);

/* True when it names another policy, "policy=easy".  study_policy_set() returns
 * the policy that the last such change names; `spec` without one.
 */
bool study_change_names_policy(const char *text);
const char *study_policy_set(const char *spec, const char *const *set,
                             size_t sets);

/* Apply the change `text` to the inputs, or to `p` (NULL: a setting of the
 * policy is an error).  On failure the message says what is allowed; `in` and
 * `p` may be partly changed.
 */
int study_change_apply(struct inputs *in, struct gsched_profile *p,
                       const char *text, struct gs_err *err);

/* As the change "estimates=SPEC": draw estimates from the seed when a run
 * begins, see traces/edit/estimates.h.
 */
int study_estimates_set(struct inputs *in, const char *spec,
                        struct gs_err *err);

/* Read --policy and --set for commands that replay.  The `count` policies
 * `spec`, each with those of the `sets` changes that are settings of a policy,
 * are checked and stored in profile[].  The other changes are applied after a
 * trace and a topology were read.
 */
int study_policies_read(struct inputs *in, const char *const *spec,
                        size_t count, const char *const *set, size_t sets,
                        struct gsched_profile **profile, struct gs_err *err);
int study_changes_apply(struct inputs *in, const char *const *set, size_t sets,
                        struct gs_err *err);

#endif /* STUDY_CHANGE_H */

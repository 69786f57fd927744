/* tests/traces/test_native_yaml.c - native YAML, and what is wrong with it. */
#include "tests/lib/load_trace.h"
#include "traces/formats/reading.h"

#define JOB(rest) "jobs:\n- {name: a, submit: 0, duration: 60, " rest "}\n"
#define BACK(rest) "jobs:\n  - {name: a, submit: 0, duration: 60" rest "}\n"

static const struct load_trace_case good[] = {
    { JOB(""), BACK(""), NULL },
    /* times */
    { "jobs:\n- {name: a, submit: 10m, duration: forever}\n",
      "jobs:\n  - {name: a, submit: 600, duration: forever}\n", NULL },
    { "jobs:\n- {name: a, submit: 1.5s, duration: 1h30m, estimate: 2h}\n",
      "jobs:\n  - {name: a, submit: 1.5s, duration: 5400, estimate: 7200}\n",
      NULL },
    { "jobs:\n- {name: a, submit: 2017-10-09 07:02:00, duration: 1}\n"
      "epoch: 2017-10-09 07:01:55\n",
      "epoch: 2017-10-09 07:01:55.000000\n"
      "jobs:\n  - {name: a, submit: 5, duration: 1}\n",
      NULL },
    /* what runs at time 0 */
    { "jobs:\n- {name: a, submit: 0, duration: 9h, running_since: -90m, tasks:"
      " [{name: x, running_on: [n1*1]}, {name: y, replicas: 5},"
      " {name: z, replicas: 5, running_on: [n1, n2*2, \"a*b*1\"]}]}\n",
      "jobs:\n  - {name: a, submit: 0, duration: 32400, running_since: -5400,"
      " tasks: [{replicas: 1, name: x, running_on: [n1]}, {replicas: 5,"
      " name: y}, {replicas: 5, name: z, running_on: [n1, \"n2*2\","
      " \"a*b*1\"]}]}\n",
      NULL },
    { "jobs:\n- {name: a, submit: 0, duration: 9h, queued_since: -1h,"
      " admitted: true, admitted_since: -30m}\n"
      "- {name: b, submit: 0, duration: 1, queued_since: 0}\n",
      "jobs:\n  - {name: a, submit: 0, duration: 32400, admitted: true,"
      " queued_since: -3600, admitted_since: -1800}\n"
      "  - {name: b, submit: 0, duration: 1}\n",
      NULL },
    /* what really happened */
    { JOB("recorded: {start: 1m, end: 2m, nodes: [n1]}"),
      BACK(", recorded: {start: 60, end: 120, nodes: [n1]}"), NULL },
    { JOB("recorded: [{start: 0, end: 2, nodes: [\"n1*2\", n2*2]},"
          " {start: 5}], replicas: 4"),
      BACK(", recorded: [{start: 0, end: 2, nodes: [\"n1*2\", \"n2*2\"]},"
           " {start: 5}], replicas: 4"),
      NULL },
    { JOB("recorded: {start: 9, nodes: [\"a*b*1\"]}"),
      BACK(", recorded: {start: 9, nodes: [\"a*b*1\"]}"), NULL },
    { "jobs:\n- {name: a, submit: 2017-10-09 07:02:00, duration: 1, recorded:"
      " {start: 2017-10-09 07:03:00, end: 2017-10-09 07:04:00}}\n"
      "epoch: 2017-10-09 07:01:55\n",
      "epoch: 2017-10-09 07:01:55.000000\njobs:\n  - {name: a, submit: 5,"
      " duration: 1, recorded: {start: 65, end: 125}}\n",
      NULL },
    /* communication */
    { JOB("communication: 0.3, measured_on: rack, gradient: 1.5GB"),
      BACK(", communication: 300m, measured_on: rack, gradient: 1500000000B"),
      NULL },
    { JOB("communication: 1"), BACK(", communication: 1"), NULL },
    { JOB("communication: 0"), BACK(""), NULL },
    /* order and names */
    { "jobs:\n- {submit: 5, duration: 1}\n- {submit: 0, duration: 2}\n",
      "jobs:\n  - {name: job-2, submit: 0, duration: 2}\n"
      "  - {name: job-1, submit: 5, duration: 1}\n",
      NULL },
    { "jobs:\n- {name: \"a, b: \\\"c\\\"\", submit: 0, duration: 1}\n",
      "jobs:\n  - {name: \"a, b: \\\"c\\\"\", submit: 0, duration: 1}\n",
      NULL },
    /* what a task asks */
    { JOB("gpus: 8"), BACK(", gpus: 8"), NULL },
    { JOB("gpu_share: 0.5"), BACK(", gpu_share: 500m"), NULL },
    { JOB("gpu_memory: 20GiB"), BACK(", gpu_memory: 20GiB"), NULL },
    { JOB("mig: 3g.40gb"), BACK(", mig: 3g.40gb"), NULL },
    { JOB("mig: 1g.5gb, model: A100-40GB"),
      BACK(", mig: 1g.5gb, model: [A100-40GB]"), NULL },
    { JOB("gpu_share: 250m"), BACK(", gpu_share: 250m"), NULL },
    { JOB("cpu: 1.5, memory: 80GiB, rdma: 1"),
      BACK(", cpu: 1.5, memory: 80GiB, rdma: 1"), NULL },
    { JOB("resources: {fpga: 2}"), BACK(", resources: {fpga: 2}"), NULL },
    { JOB("gpus: 1, model: V100M32|V100M16|V100M32"),
      BACK(", gpus: 1, model: [V100M16, V100M32]"), NULL },
    { JOB("gpus: 1, model: [T4, P100]"), BACK(", gpus: 1, model: [P100, T4]"),
      NULL },
    { JOB("nodes: {tier: high, zone: b}"),
      BACK(", nodes: {tier: high, zone: b}"), NULL },
    { JOB("nodes: [{key: tier, op: In, values: [high]}]"),
      BACK(", nodes: {tier: high}"), NULL },
    { JOB("nodes: [{key: z, op: Exists}, {key: gen, op: Gt, value: 3}, "
          "{key: gen, op: NotIn, values: [b, a, b]}, "
          "{key: a, op: DoesNotExist}, {key: gen, op: Lt, value: -1}]"),
      BACK(", nodes: [{key: a, op: DoesNotExist}, "
           "{key: gen, op: NotIn, values: [a, b]}, "
           "{key: gen, op: Gt, value: 3}, {key: gen, op: Lt, value: -1}, "
           "{key: z, op: Exists}]"),
      NULL },
    { JOB("nodes: [{key: a, op: In, values: [x]}, "
          "{key: a, op: In, values: [\"\"]}]"),
      BACK(", nodes: [{key: a, op: In, values: [x]}, "
           "{key: a, op: In, values: [\"\"]}]"),
      NULL },
    { JOB("tolerations: [a=b:NoSchedule, c:NoExecute, d, e=f]"),
      BACK(", tolerations: [\"a=b:NoSchedule\", \"c:NoExecute\", \"d\", "
           "\"e=f\"]"),
      NULL },
    { JOB("tolerations: [\"*\", \"*:NoExecute\", \"a=\", \"b=:NoSchedule\"]"),
      BACK(", tolerations: [\"*\", \"*:NoExecute\", \"a=\", "
           "\"b=:NoSchedule\"]"),
      NULL },
    /* gangs and groups */
    { JOB("replicas: 8, gpus: 1, gang: 5, task_interval: 1s"),
      BACK(", gang: 5, task_interval: 1, replicas: 8, gpus: 1"), NULL },
    { JOB("gang: 2, tasks: [{name: m, gpus: 1}, {replicas: 3}]"),
      BACK(", gang: 2, tasks: [{replicas: 1, name: m, gpus: 1}, "
           "{replicas: 3}]"),
      NULL },
    { JOB("topology: {within: rack}"),
      BACK(", topology: {within: rack, mode: required}"), NULL },
    { JOB("topology: {within: rack, mode: preferred}"),
      BACK(", topology: {within: rack, mode: preferred}"), NULL },
    { JOB("topology: {within: rack, prefers: nvl}"),
      BACK(", topology: {within: rack, prefers: nvl, mode: required}"), NULL },
    { JOB("topology: {mode: unconstrained}"),
      BACK(", topology: {mode: unconstrained}"), NULL },
    { JOB("replicas: 4, topology: {slices: [{size: 2, within: rack}]}"),
      BACK(", topology: {slices: {size: 2, within: rack}}, replicas: 4"),
      NULL },
    { JOB("replicas: 4, topology: {within: rack, slices: [{size: 4, within: "
          "nvl}, {size: 2, within: node}]}"),
      BACK(", topology: {within: rack, mode: required, slices: [{size: 4, "
           "within: nvl}, {size: 2, within: node}]}, replicas: 4"),
      NULL },
    /* queues and classes, below or above the jobs */
    { JOB("queue: x/y, user: u"),
      "queues:\n  - {name: x, weight: 1}\n  - {name: x/y, weight: 1}\n" BACK(
          ", queue: x/y, user: u"),
      NULL },
    { JOB("queue: r/a") "queues:\n- {name: r/a, weight: 2.5, limit: {gpu: 96, "
                        "memory: 1TiB, pods: 9}, guarantee: {cpu: 500m}}\n",
      "queues:\n  - {name: r, weight: 1}\n  - {name: r/a, weight: 2.5, "
      "guarantee: {cpu: 500m}, limit: {memory: 1TiB, pods: 9, gpu: 96}}\n" BACK(
          ", queue: r/a"),
      NULL },
    { "flavors:\n- {name: f, nodes: {k: v, l: 1}, taints: ['a=b:NoSchedule']}\n"
      "- {name: g, tolerations: ['a=b', '*'], topology: yes}\n"
      "- {name: h, topology: false}\n"
      "queues:\n- name: a/b\n  weight: 0\n  borrow: {gpu: 4}\n"
      "  lend: {gpu: 0, memory: 1GiB}\n  over_quota: {gpu: 2.5, cpu: 0}\n"
      "  max_jobs: 0\n"
      "  user_limits: [{users: [u, '*'], groups: [h], limit: {gpu: 1}},\n"
      "    {groups: ['*'], max_jobs: 3}]\n"
      "  flavors: [{name: g, guarantee: {gpu: 0}, borrow: {gpu: 2}},\n"
      "    {name: f, guarantee: {gpu: 8}, lend: {gpu: 1}}]\n" JOB(""),
      "flavors:\n  - {name: f, nodes: {k: v, l: \"1\"}, "
      "taints: [\"a=b:NoSchedule\"]}\n"
      "  - {name: g, tolerations: [\"a=b\", \"*\"], topology: true}\n"
      "  - {name: h, topology: false}\n"
      "queues:\n  - {name: a, weight: 1}\n"
      "  - {name: a/b, weight: 0, borrow: {gpu: 4}, "
      "lend: {memory: 1GiB, gpu: 0}, over_quota: {cpu: 0, gpu: 2.5}, "
      "flavors: [{name: g, guarantee: {gpu: 0}, borrow: {gpu: 2}}, "
      "{name: f, guarantee: {gpu: 8}, lend: {gpu: 1}}], "
      "user_limits: [{users: [u, \"*\"], groups: [h], limit: {gpu: 1}}, "
      "{groups: [\"*\"], max_jobs: 3}], max_jobs: 0}\n" BACK(""),
      NULL },
    { JOB("tasks: [{topology: {within: rack}}, {gpus: 1, topology: {mode: "
          "unconstrained, slices: {size: 1, within: node}}}]"),
      BACK(", tasks: [{replicas: 1, topology: {within: rack, mode: "
           "required}}, {replicas: 1, topology: {mode: unconstrained, slices: "
           "{size: 1, within: node}}, gpus: 1}]"),
      NULL },
    { JOB("tasks: [{topology: {within: rack, prefers: nvl}, replicas: 2}, "
          "{gpus: 1}]"),
      BACK(", tasks: [{replicas: 2, topology: {within: rack, prefers: nvl, "
           "mode: required}}, {replicas: 1, gpus: 1}]"),
      NULL },
    { JOB("tasks: [{topology: {within: rack, together: x}}, {gpus: 1, "
          "replicas: 2, topology: {within: rack, together: x}}]"),
      BACK(", tasks: [{replicas: 1, topology: {within: rack, mode: required, "
           "together: x}}, {replicas: 2, topology: {within: rack, mode: "
           "required, together: x}, gpus: 1}]"),
      NULL },
    { "flavors: [{name: f}, {name: g}]\n" JOB(
          "admitted: true, tasks: [{flavors: [g, f]}, {gpus: 1}]"),
      "flavors:\n  - {name: f}\n  - {name: g}\n" BACK(
          ", admitted: true, tasks: [{replicas: 1, flavors: [g, f]}, "
          "{replicas: 1, gpus: 1}]"),
      NULL },
    { JOB("admitted: true, flavors: [f]") "flavors: [{name: f}]\n",
      "flavors:\n  - {name: f}\n" BACK(", admitted: true, flavors: [f]"),
      NULL },
    { "queues: [{name: q}]\n" JOB(""),
      "queues:\n  - {name: q, weight: 1}\n" BACK(""), NULL },
    { JOB("priority: p") "priority_classes: {p: {value: 5, preemption: "
                         "never}}\n",
      "priority_classes:\n  p: {value: 5, preemption: never}\n" BACK(
          ", priority: p"),
      NULL },
    { JOB("priority: p") "priority_classes: {p: {value: 5, preemption: [r, "
                         "q]}, q: {value: 7}, r: {value: 0}}\n",
      "priority_classes:\n  p: {value: 5, preemption: [r, q]}\n"
      "  q: {value: 7}\n  r: {value: 0}\n" BACK(", priority: p"),
      NULL },
    { JOB("priority: -7"), BACK(", priority: -7"), NULL },
    /* least replicas: the gang follows unless it is given */
    { JOB("replicas: {min: 2, max: 8}"), BACK(", replicas: {min: 2, max: 8}"),
      NULL },
    { JOB("gang: 3, replicas: {min: 2, max: 8}"),
      BACK(", gang: 3, replicas: {min: 2, max: 8}"), NULL },
    { JOB("replicas: {min: 0, max: 8}, gang: 1"),
      BACK(", gang: 1, replicas: 8"), NULL },
    { JOB("tasks: [{replicas: {min: 2, max: 8}}, {replicas: 3, name: p}]"),
      BACK(", tasks: [{replicas: {min: 2, max: 8}}, "
           "{replicas: {min: 3, max: 3}, name: p}]"),
      NULL },
    { JOB("gang: 5, tasks: [{replicas: {min: 2, max: 8}}, {replicas: 3}]"),
      BACK(", gang: 5, tasks: [{replicas: {min: 2, max: 8}}, {replicas: 3}]"),
      NULL },
    { JOB("gang: 2, tasks: [{replicas: {min: 2, max: 8}}, {replicas: 3}]"),
      BACK(", gang: 2, tasks: [{replicas: {min: 2, max: 8}}, {replicas: 3}]"),
      NULL },
    { JOB("tasks: [{replicas: {min: 0, max: 8}}, {replicas: 3}]"),
      BACK(", gang: 3, tasks: [{replicas: 8}, {replicas: {min: 3, max: 3}}]"),
      NULL },
    /* labels and rules */
    { JOB("labels: {app: x, \"null\": \"\", \"a \\\"b\": c=d}"),
      BACK(", labels: {app: x, \"null\": \"\", \"a \\\"b\": \"c=d\"}"), NULL },
    { JOB("labels: {}"), BACK(""), NULL },
    { JOB("affinity: [{jobs: {app: x}, within: rack}, "
          "{jobs: {app: y}, within: node}], "
          "anti_affinity: [{within: node, jobs: {tier: z}}]"),
      BACK(", affinity: [{jobs: {app: x}, within: rack}, "
           "{jobs: {app: y}, within: node}], "
           "anti_affinity: [{jobs: {tier: z}, within: node}]"),
      NULL },
    { JOB("labels: {app: x}, tasks: [{name: ps, labels: {role: ps}}, "
          "{affinity: [{jobs: {role: ps}, within: rack}], "
          "anti_affinity: [{jobs: {role: ps}, within: node, weight: 9}], "
          "spread: {over: node}}]"),
      BACK(", labels: {app: x}, tasks: [{replicas: 1, name: ps, "
           "labels: {role: ps}}, {replicas: 1, "
           "affinity: [{jobs: {role: ps}, within: rack}], "
           "anti_affinity: [{jobs: {role: ps}, within: node, weight: 9}], "
           "spread: {over: node, max_skew: 1}}]"),
      NULL },
    { JOB("labels: {app: x}, anti_affinity: [{jobs: {app: x}, within: node}], "
          "tasks: [{labels: {role: ps}, "
          "affinity: [{jobs: {app: y}, within: rack}]}]"),
      BACK(", labels: {app: x, role: ps}, "
           "affinity: [{jobs: {app: y}, within: rack}], "
           "anti_affinity: [{jobs: {app: x}, within: node}]"),
      NULL },
    { JOB("affinity: [{jobs: {app: x}, within: rack, weight: 7}, "
          "{jobs: {app: y}, within: node}], "
          "anti_affinity: [{jobs: {app: z}, within: rack, weight: 100}]"),
      BACK(", affinity: [{jobs: {app: y}, within: node}, "
           "{jobs: {app: x}, within: rack, weight: 7}], "
           "anti_affinity: [{jobs: {app: z}, within: rack, weight: 100}]"),
      NULL },
    { JOB("spread: [{over: rack, mode: preferred}, {over: node, max_skew: 2, "
          "mode: required}], replicas: 4"),
      BACK(", replicas: 4, spread: [{over: node, max_skew: 2}, "
           "{over: rack, max_skew: 1, mode: preferred}]"),
      NULL },
    { JOB("prefer: [{nodes: {disk: ssd}, weight: 10}, {nodes: [{key: b, op: "
          "Exists}, {key: a, op: Gt, value: 3}]}], nodes: {zone: a}, "
          "tolerations: [\"x:PreferNoSchedule\"]"),
      BACK(", nodes: {zone: a}, prefer: [{nodes: {disk: ssd}, weight: 10}, "
           "{nodes: [{key: a, op: Gt, value: 3}, {key: b, op: Exists}], "
           "weight: 1}], tolerations: [\"x:PreferNoSchedule\"]"),
      NULL },
    { JOB("spread: {over: rack, jobs: {app: x}, min_domains: 3, "
          "node_affinity: ignore, node_taints: honor}, replicas: 4"),
      BACK(", replicas: 4, spread: {over: rack, max_skew: 1, jobs: {app: x}, "
           "min_domains: 3, node_affinity: ignore, node_taints: honor}"),
      NULL },
    { JOB("spread: {over: rack, min_domains: 1, node_affinity: honor, "
          "node_taints: ignore}, replicas: 4"),
      BACK(", replicas: 4, spread: {over: rack, max_skew: 1}"), NULL },
    { JOB("spread: {over: rack}, replicas: 4"),
      BACK(", replicas: 4, spread: {over: rack, max_skew: 1}"), NULL },
    { JOB("anti_affinity: [{jobs: {app: x}, within: node}], "
          "tasks: [{replicas: 4, spread: {over: rack, max_skew: 2}}, "
          "{gpus: 1}]"),
      BACK(", anti_affinity: [{jobs: {app: x}, within: node}], "
           "tasks: [{replicas: 4, spread: {over: rack, max_skew: 2}}, "
           "{replicas: 1, gpus: 1}]"),
      NULL },
    /* what becomes of it when evicted */
    { JOB("") "- {name: b, submit: 0, duration: 1, after: [a, {job: c, when: "
              "started, delay: 90}]}\n- {name: c, submit: 0, duration: 1, "
              "after: {any: [{job: a, when: failed}]}}\n",
      BACK("") "  - {name: b, submit: 0, duration: 1, after: [a, {job: c, "
               "when: started, delay: 90}]}\n  - {name: c, submit: 0, "
               "duration: 1, after: {any: [{job: a, when: failed}]}}\n",
      NULL },
    { "quotas: [{name: r, jobs: 3}, {name: q, limit: {gpu: 8, memory: 1GiB}}]"
      "\n" JOB("quotas: [q, r, q], gpus: 1"),
      "quotas:\n  - {name: q, limit: {memory: 1GiB, gpu: 8}}\n  - {name: r, "
      "jobs: 3}\n" BACK(", quotas: [q, r], gpus: 1"),
      NULL },
    { "pools: {n: {size: 0, reason: Licenses}, m: 3}\n" JOB(
          "pools: {n: 2, m: 1}"),
      "pools:\n  n: {size: 0, reason: Licenses}\n  m: 3\n" BACK(
          ", pools: {n: 2, m: 1}"),
      NULL },
    { "pools: {m: 3}\n" JOB("pools: m"), "pools:\n  m: 3\n" BACK(", pools: m"),
      NULL },
    { "qos: {q: {over_partition: true, limits: {running_minutes: {user: {gpu: "
      "2}, group: {cpu: 1.5}}, minutes: {job: {gpu: 3}, group: {memory: 1GiB}}, "
      "group: {pods: 2}, least: {gpu: 1}, task: {gpu: 4}, group_wall: 1h}}}\n" JOB(
          "qos: q"),
      "qos:\n  q: {priority: 0, over_partition: true, limits: {group: {pods: 2}, "
      "task: {gpu: 4}, least: {gpu: 1}, minutes: {group: {memory: 1GiB}, job: "
      "{gpu: 3}}, running_minutes: {group: {cpu: 1.5}, user: {gpu: 2}}, "
      "group_wall: 3600}}\n" BACK(", qos: q"),
      NULL },
    { "epoch: 2026-03-02\nreservations: [{name: m, start: 2026-03-02 01:00, "
      "end: 2h, nodes: [n1, n2], flexible: true}]\n" JOB("reservation: m"),
      "epoch: 2026-03-02 00:00:00.000000\nreservations:\n  - {name: m, start: "
      "3600, end: 7200, nodes: [n1, n2], flexible: true}\n" BACK(
          ", reservation: m"),
      NULL },
    /* accounts, QOS levels and partitions */
    { "accounts:\n- {name: b, parent: a, shares: parent, users: {u: 3, v: "
      "{shares: parent, usage: 1.5}}}\n- {name: a, usage: 40}\n"
      "- {name: root, users: {w: 0}}\n"
      "qos: {high: {priority: 7, usage_factor: 0.5}, low: {}}\n"
      "partitions: {p: {tier: 2, factor: 10}}\n" JOB(
          "account: b, qos: high, partition: p, nice: -5"),
      "accounts:\n  - {name: b, parent: a, shares: parent, users: {u: 3, v: "
      "{shares: parent, usage: 1.5}}}\n  - {name: a, shares: 1, usage: 40}\n"
      "  - {name: root, shares: 1, users: {w: 0}}\n"
      "qos:\n  high: {priority: 7, usage_factor: 0.5}\n  low: {priority: 0}\n"
      "partitions:\n  p: {tier: 2, factor: 10}\n" BACK(
          ", account: b, partition: p, qos: high, nice: -5"),
      NULL },
    { JOB("account: any, qos: of, partition: these"),
      BACK(", account: any, partition: these, qos: of"), NULL },
    { "accounts: [{name: a}]\n" JOB("account: root"),
      "accounts:\n  - {name: a, shares: 1}\n" BACK(", account: root"), NULL },
    { JOB("completions: 16, replicas: 4"),
      BACK(", gang: 1, completions: 16, replicas: 4"), NULL },
    { JOB("completions: 1000000, gang: 1"), BACK(", completions: 1000000"),
      NULL },
    { JOB("completions: 3, tasks: [{name: t, replicas: 2}]"),
      BACK(", gang: 1, completions: 3, tasks: [{replicas: 2, name: t}]"),
      NULL },
    { JOB("checkpoint: 10m, restart: resume, retries: 3, preemptible: false"),
      BACK(", checkpoint: 600, restart: resume, retries: 3, "
           "preemptible: false"),
      NULL },
    { JOB("tasks: [{preemptible: false}, {replicas: 3, preemptible: true}]"),
      BACK(", tasks: [{replicas: 1, preemptible: false}, {replicas: 3}]"),
      NULL },
    { JOB("tasks: [{preemptible: false}, {replicas: 3, preemptible: false}]"),
      BACK(", preemptible: false, tasks: [{replicas: 1}, {replicas: 3}]"),
      NULL },
    { JOB("preemptible: false, tasks: [{preemptible: false}, {}]"),
      BACK(", preemptible: false, tasks: [{replicas: 1}, {replicas: 1}]"),
      NULL },
    { JOB("checkpoint: 1.5s, restart: checkpoint, retries: 0, "
          "preemptible: true"),
      BACK(", checkpoint: 1.5s, retries: 0"), NULL },
    { JOB("queue: a/b") "queues:\n- {name: a/b, priority: -3, state: closed, "
                        "reclaimable: false, user_limit: {gpu: 8, pods: 0}, "
                        "deserved: {gpu: 4}}\n",
      "queues:\n  - {name: a, weight: 1}\n  - {name: a/b, weight: 1, "
      "deserved: {gpu: 4}, user_limit: {pods: 0, gpu: 8}, priority: -3, state: closed, "
      "reclaimable: false}\n" BACK(", queue: a/b"),
      NULL },
    { "queues: [{name: default, state: open, reclaimable: true}, "
      "{name: q, priority: 7}]\n" JOB(""),
      "queues:\n  - {name: q, weight: 1, priority: 7}\n" BACK(""), NULL },
    { "topology: ../t.yaml\n" JOB(""), "topology: \"../t.yaml\"\n" BACK(""),
      NULL },
};

static const struct load_trace_case bad[] = {
    { "jobs: []\n", NULL, "t.yaml: holds no jobs" },
    { "job: []\n", NULL,
      "t.yaml:1:1: unknown key 'job' in trace (did you mean 'jobs'?)" },
    { "jobs: 5\n", NULL,
      "t.yaml:1:7: 'jobs' must be a list of jobs (got '5')" },
    { "jobs:\n- 5\n", NULL,
      "t.yaml:2:3: job must be a mapping of keys to values" },
    { "jobs:\n- {name: a, submit: 0}\n", NULL,
      "t.yaml:2:3: job needs 'duration'" },
    { JOB("gpus: -1"), NULL,
      "t.yaml:2:44: 'gpus' must be a whole number from 1 to 64 (got '-1')" },
    { JOB("gpus: 65"), NULL,
      "t.yaml:2:44: 'gpus' must be a whole number from 1 to 64 (got '65')" },
    { JOB("gpuss: 1"), NULL,
      "t.yaml:2:38: unknown key 'gpuss' in job (did you mean 'gpus'?)" },
    { JOB("gpus: 1, gpu_share: 0.5"), NULL,
      "t.yaml:2:58: 'gpus' and 'gpu_share' exclude each other" },
    { JOB("gpus: 1, mig: 1g.5gb"), NULL,
      "t.yaml:2:52: 'gpus' and 'mig' exclude each other" },
    { JOB("gpu_share: 0.5, mig: 1g.5gb"), NULL,
      "t.yaml:2:59: 'gpu_share' and 'mig' exclude each other" },
    { JOB("gpu_memory: 1GiB, mig: 1g.5gb"), NULL,
      "t.yaml:2:61: 'gpu_memory' and 'mig' exclude each other" },
    { JOB("gpu_memory: -1"), NULL,
      "t.yaml:2:50: 'gpu_memory' must be an amount of bytes such as 512MiB or "
      "80GB (got '-1')" },
    { JOB("mig: 2g.7gb"), NULL,
      "t.yaml:2:43: 'mig' must be " TRACE_MIG_ALLOWED " (got '2g.7gb')" },
    { JOB("mig: [1g.5gb]"), NULL,
      "t.yaml:2:43: 'mig' must be " TRACE_MIG_ALLOWED " (got a list)" },
    { JOB("mig: 3g.40gb, model: V100"), NULL,
      "t.yaml:2:43: no MIG profiles are known of 'V100' (known models are: "
      "A100-40, A100-80, H100-80, H200, B200)" },
    { JOB("mig: 3g.40gb, model: A100-40"), NULL,
      "t.yaml:2:43: A100-40 has no MIG profile '3g.40gb' (it has: 1g.5gb, "
      "1g.10gb, 2g.10gb, 3g.20gb, 4g.20gb, 7g.40gb)" },
    { JOB("gpu_share: 1"), NULL,
      "t.yaml:2:49: 'gpu_share' must be more than 0 and less than 1, in "
      "thousandths, such as 0.5 (got '1')" },
    { JOB("replicas: 2000000"), NULL,
      "t.yaml:2:48: 'replicas' must be a whole number from 1 to 1000000 (got '2000000')" },
    { JOB("replicas: 4, gang: 5"), NULL,
      "t.yaml:2:57: 'gang' (5) is more than the job's tasks (4)" },
    { JOB("gpus: 1, tasks: [{gpus: 1}]"), NULL,
      "t.yaml:2:38: 'gpus' may not stand beside 'tasks' (give it in each "
      "task)" },
    { JOB("tasks: []"), NULL,
      "t.yaml:2:45: 'tasks' must be a list of at least one task" },
    { JOB("tasks: [{replicas: 1000000}, {}]"), NULL,
      "t.yaml:2:67: a job may have at most 1000000 tasks" },
    { JOB("queue: a//b"), NULL,
      "t.yaml:2:45: 'queue' must be a path of at most 8 names, such as a/b/c "
      "(got 'a//b')" },
    { "queues:\n- {name: research}\n" JOB("queue: reserch"), NULL,
      "t.yaml:4:45: unknown queue 'reserch' (did you mean 'research'?)" },
    { "queues:\n- {name: a}\n- {name: a}\n" JOB(""), NULL,
      "t.yaml:3:10: two queues are called 'a'" },
    { JOB("priority: prod"), NULL,
      "t.yaml:2:48: unknown priority class 'prod'" },
    { "priority_classes: {p: {value: 9, preemption: [q]}}\n" JOB("priority: p"),
      NULL, "t.yaml:1:47: unknown priority class 'q'" },
    { "priority_classes: {p: {value: 9, preemption: [q]}, q: {value: 1, "
      "preemption: [r]}, r: {value: 0, preemption: [q]}}\n" JOB("priority: p"),
      NULL,
      "t.yaml:1: priority class 'q' may evict jobs of classes that may evict "
      "its own" },
    { "priority_classes: {p: {value: 9, preemption: [[q]]}}\n" JOB(
          "priority: p"),
      NULL,
      "t.yaml:1:47: 'preemption' must be never, lower or a list of priority "
      "classes" },
    { "priority_classes: {production: {value: 9}}\n" JOB("priority: prodction"),
      NULL,
      "t.yaml:3:48: unknown priority class 'prodction' (did you mean "
      "'production'?)" },
    { "jobs:\n- {name: a, submit: 0, duration: 1}\n"
      "- {name: b, submit: 0, duration: 1}\n"
      "- {name: a, submit: 0, duration: 1}\n",
      NULL, "t.yaml:4:10: two jobs are called 'a' (the first is at line 2)" },
    { "jobs:\n- {submit: 2017-10-09, duration: 1}\n", NULL,
      "t.yaml:2:12: 'submit' is a date, which needs 'epoch' at the top of the "
      "file" },
    { "epoch: 2018-01-01\njobs:\n- {submit: 2017-10-09, duration: 1}\n", NULL,
      "t.yaml:3:12: 'submit' is before the file's 'epoch'" },
    { "epoch: soon\njobs:\n- {submit: 0, duration: 1}\n", NULL,
      "t.yaml:1:8: 'epoch' must be a date such as 2017-10-09 07:01:55 (got "
      "'soon')" },
    { JOB("nodes: 5"), NULL,
      "t.yaml:2:45: 'nodes' must be a mapping of at most 64 labels, or a list "
      "of {key, op, values} (got '5')" },
    { JOB("nodes: {a: [b]}"), NULL,
      "t.yaml:2:49: 'a' must be a label's value (got a list)" },
    { JOB("nodes: [{key: a, op: Near}]"), NULL,
      "t.yaml:2:59: 'op' must be one of: In, NotIn, Exists, DoesNotExist, Gt, "
      "Lt (got 'Near')" },
    { JOB("nodes: [{key: a, op: In}]"), NULL,
      "t.yaml:2:46: 'In' needs 'values'" },
    { JOB("nodes: [{key: a, op: Gt, values: [3]}]"), NULL,
      "t.yaml:2:63: 'values' does not go with 'Gt'" },
    { JOB("nodes: [{key: a, op: Exists, value: 3}]"), NULL,
      "t.yaml:2:67: 'value' does not go with 'Exists'" },
    { JOB("nodes: [{key: a, op: In, values: []}]"), NULL,
      "t.yaml:2:71: 'values' must be a list of at least one value (got a "
      "list)" },
    { JOB("nodes: [{key: a, op: NotIn, values: [{}]}]"), NULL,
      "t.yaml:2:75: 'values' must be printable texts (got 'a collection')" },
    { JOB("nodes: [{key: a, op: Lt, value: 1.5}]"), NULL,
      "t.yaml:2:70: 'value' must be a whole number (got '1.5')" },
    { JOB("nodes: [{key: a}]"), NULL,
      "t.yaml:2:46: node condition needs 'op'" },
    { JOB("tolerations: [a:Never]"), NULL,
      "t.yaml:2:52: 'tolerations' must be a list of tolerations such as "
      "key=value:NoSchedule, key:NoExecute, key:PreferNoSchedule, key or * for all (got 'a:Never')" },
    { JOB("resources: {cpu: 4}"), NULL,
      "t.yaml:2:50: 'cpu' is not one of the other resources (they are what "
      "the topology declares)" },
    { JOB("resources: {gpus: 4}"), NULL,
      "t.yaml:2:50: as a resource GPUs are called 'gpu', not 'gpus'" },
    { "queues: [{name: a, limit: {gpus: 8}}]\n" JOB("model: A"), NULL,
      "t.yaml:1:28: as a resource GPUs are called 'gpu', not 'gpus'" },
    { JOB("model: A||B"), NULL,
      "t.yaml:2:45: 'model' must be a model or several, such as "
      "V100M16|V100M32 (got 'A||B')" },
    { JOB("replicas: {min: 0, max: 8}"), NULL,
      "t.yaml:2:3: 'min' is 0 in all of the job's replicas, so that none of it "
      "would have to run (allowed: a 'min' of at least 1, another group of "
      "tasks, or 'gang')" },
    { JOB("tasks: [{replicas: {min: 0, max: 8}}, {replicas: {min: 0, max: 2}}]"),
      NULL,
      "t.yaml:2:3: 'min' is 0 in all of the job's replicas, so that none of it "
      "would have to run (allowed: a 'min' of at least 1, another group of "
      "tasks, or 'gang')" },
    { JOB("replicas: {min: 9, max: 8}"), NULL,
      "t.yaml:2:54: 'min' (9) is more than 'max' (8)" },
    { JOB("replicas: {max: 8}"), NULL, "t.yaml:2:48: replicas needs 'min'" },
    { JOB("replicas: {min: 1, max: 2000000}"), NULL,
      "t.yaml:2:62: 'max' must be a whole number from 1 to 1000000 (got '2000000')" },
    { JOB("gang: 4, tasks: [{replicas: {min: 3, max: 8}}, "
          "{replicas: {min: 2, max: 2}}]"),
      NULL,
      "t.yaml:2:44: 'gang' (4) is less than the groups' 'min' in all (5)" },
    { JOB("labels: [a]"), NULL,
      "t.yaml:2:46: 'labels' must be a mapping of names to values (got a "
      "list)" },
    { JOB("labels: {a=b: c}"), NULL,
      "t.yaml:2:47: a label's name must be a text without '=' (got 'a=b')" },
    { JOB("labels: {a: [c]}"), NULL,
      "t.yaml:2:50: 'a' must be a label's value (got a list)" },
    { JOB("affinity: {jobs: {a: b}, within: rack}"), NULL,
      "t.yaml:2:48: 'affinity' must be a list of {jobs, within} (got a "
      "mapping)" },
    { JOB("affinity: [{jobs: {a: b, c: d}, within: rack}]"), NULL,
      "t.yaml:2:56: 'jobs' must be one label, such as {app: web} (got a "
      "mapping)" },
    { JOB("anti_affinity: [{jobs: {a: b}}]"), NULL,
      "t.yaml:2:54: affinity needs 'within'" },
    { JOB("spread: {over: rack, max_skew: 0}"), NULL,
      "t.yaml:2:69: 'max_skew' must be a whole number from 1 to 1000000 (got "
      "'0')" },
    { JOB("spread: []"), NULL,
      "t.yaml:2:46: 'spread' must be {over, max_skew, mode}, or a list of at "
      "most 8 (got a list)" },
    { JOB("spread: {over: rack, mode: soft}"), NULL,
      "t.yaml:2:65: 'mode' must be one of: required, preferred (got 'soft')" },
    { JOB("affinity: [{jobs: {a: b}, within: rack, weight: 101}]"), NULL,
      "t.yaml:2:86: 'weight' must be a whole number from 1 to 100 (got "
      "'101')" },
    { JOB("prefer: {nodes: {a: b}}"), NULL,
      "t.yaml:2:46: 'prefer' must be a list of at most 64 {nodes, weight} "
      "(got a mapping)" },
    { JOB("prefer: [{nodes: {}}]"), NULL,
      "t.yaml:2:55: 'nodes' must be at least one condition (got a mapping)" },
    { JOB("prefer: [{weight: 3}]"), NULL, "t.yaml:2:47: prefer needs 'nodes'" },
    { JOB("spread: {over: rack}, tasks: [{}]"), NULL,
      "t.yaml:2:38: 'spread' may not stand beside 'tasks' (give it in each "
      "task)" },
    { JOB("tasks: [{checkpoint: 1}]"), NULL,
      "t.yaml:2:47: unknown key 'checkpoint' in task (known: replicas, gpus, "
      "gpu_share, gpu_memory, mig, cpu, memory, rdma, resources, model, nodes, "
      "tolerations, prefer, spread, flavors, running_on, name, preemptible, "
      "topology, priority, labels, "
      "affinity, anti_affinity)" },
    { JOB("tasks: [{affinity: []}]"), NULL,
      "t.yaml:2:57: 'affinity' must be a list of {jobs, within} (got a list)" },
    { JOB("labels: {app: x}, tasks: [{labels: {app: y}}]"), NULL,
      "t.yaml:2:74: the job states the label 'app' for all its tasks" },
    { JOB("checkpoint: 0"), NULL,
      "t.yaml:2:50: 'checkpoint' must be more than 0 (got '0')" },
    { JOB("restart: scratch"), NULL,
      "t.yaml:2:47: 'restart' must be one of: checkpoint, resume (got "
      "'scratch')" },
    { JOB("quotas: q"), NULL,
      "t.yaml:2:46: no entry of 'quotas' is called 'q'" },
    { "accounts: [{name: a}]\n" JOB("account: b"), NULL,
      "t.yaml:3: job 'a': unknown account 'b'" },
    { "accounts: [{name: a, parent: b}]\n" JOB(""), NULL,
      "t.yaml:1: unknown account 'b', the parent of 'a'" },
    { "accounts: [{name: a, parent: b}, {name: b, parent: c}, {name: c, "
      "parent: b}]\n" JOB(""),
      NULL, "t.yaml:1: account 'c' is above itself" },
    { "accounts: [{name: a, parent: a}]\n" JOB(""), NULL,
      "t.yaml:1: account 'a' is above itself" },
    { "accounts: [{name: a}, {name: a}]\n" JOB(""), NULL,
      "t.yaml:1:30: two accounts are called 'a'" },
    { "accounts: [{name: root, parent: a}, {name: a}]\n" JOB(""), NULL,
      "t.yaml:1:33: account 'root' is the root of the tree: it has no parent" },
    { "accounts: [{name: a, shares: -1}]\n" JOB(""), NULL,
      "t.yaml:1:30: 'shares' must be a whole number from 0 to 1000000000, or "
      "'parent' (got '-1')" },
    { "accounts: [{name: a, users: {u: some}}]\n" JOB(""), NULL,
      "t.yaml:1:33: 'u' must be a whole number from 0 to 1000000000, or "
      "'parent' (got 'some')" },
    { "accounts: [{name: a, users: [u]}]\n" JOB(""), NULL,
      "t.yaml:1:29: 'users' must be a mapping of users, such as {ada: 2, bob: "
      "1} (got a list)" },
    { "accounts: [{name: [a]}]\n" JOB(""), NULL,
      "t.yaml:1:19: 'name' must be the name of an account (got a list)" },
    { "accounts: [{name: a, usage: -1}]\n" JOB(""), NULL,
      "t.yaml:1:29: 'usage' must be at least 0 and at most 1e30 (got '-1')" },
    { "accounts: {a: 1}\n" JOB(""), NULL,
      "t.yaml:1:11: 'accounts' must be a list of accounts (got a mapping)" },
    { "qos: {high: {}}\n" JOB("qos: low"), NULL,
      "t.yaml:3: job 'a': unknown QOS 'low'" },
    { "qos: [high]\n" JOB(""), NULL,
      "t.yaml:1:6: 'qos' must be a mapping of QOS classes (got a list)" },
    { "partitions: {p: {tier: -1}}\n" JOB("partition: p"), NULL,
      "t.yaml:1:24: 'tier' must be a whole number of at least 0 (got '-1')" },
    { "partitions: {p: {}}\n" JOB("partition: q"), NULL,
      "t.yaml:3: job 'a': unknown partition 'q'" },
    { JOB("nice: 1.5"), NULL,
      "t.yaml:2:44: 'nice' must be a whole number (got '1.5')" },
    { JOB("reservation: m"), NULL,
      "t.yaml:2: job 'a': unknown reservation 'm'" },
    { "reservations: [{name: m, start: 2, end: 2, nodes: [n]}]\n" JOB(""), NULL,
      "t.yaml:1:41: 'end' must be later than 'start'" },
    { "reservations: [{name: m, start: 2, end: 3, nodes: n}]\n" JOB(""), NULL,
      "t.yaml:1:51: 'nodes' must be a list of names of nodes (got 'n')" },
    { JOB("pools: q"), NULL, "t.yaml:2:45: no entry of 'pools' is called 'q'" },
    { JOB("pools: ''"), NULL,
      "t.yaml:2:45: 'pools' must be the name of a pool, or a mapping of at most "
      "32 to numbers of tokens" },
    { "pools: {q: -1}\n" JOB(""), NULL,
      "t.yaml:1:12: 'q' must be a whole number of at least 0 (got '-1')" },
    { "pools: [q]\n" JOB(""), NULL,
      "t.yaml:1:8: 'pools' must be a mapping of pools, such as {matlab: 10} "
      "(got a list)" },
    { "pools: {q: {size: 3, sizes: 3}}\n" JOB(""), NULL,
      "t.yaml:1:22: unknown key 'sizes' in pool (did you mean 'size'?)" },
    { "pools: {q: {reason: none}}\n" JOB(""), NULL,
      "t.yaml:1:12: pool needs 'size'" },
    { "pools: {q: 1}\n" JOB("pools: {q: 0}"), NULL,
      "t.yaml:3:49: 'q' must be a whole number from 1 to 1000000000 (got '0')" },
    { "pools: {q: 1}\n" JOB("pools: []"), NULL,
      "t.yaml:3:45: 'pools' must be the name of a pool, or a mapping of at most "
      "32 to numbers of tokens (got a list)" },
    { "quotas: [{name: q}, {name: q}]\n" JOB(""), NULL,
      "t.yaml:1:28: two quotas are called 'q'" },
    { "quotas: [{name: q, limit: 3}]\n" JOB(""), NULL,
      "t.yaml:1:27: 'limit' must be a mapping such as {gpu: 32, cpu: 64} (got "
      "'3')" },
    { "quotas: {q: 1}\n" JOB("quotas: []"), NULL,
      "t.yaml:3:46: 'quotas' must be the name of a quota, or a list of at most "
      "32 (got a list)" },
    { JOB("after: [a]"), NULL,
      "t.yaml:2:46: job 'a' depends on itself, by way of what it is 'after'" },
    { JOB("after: [b]"), NULL,
      "t.yaml:2:46: 'after' names 'b', which is no job of the trace" },
    { JOB("after: [{job: a, when: done}]"), NULL,
      "t.yaml:2:61: 'when' must be one of: completed, failed, ended, started "
      "(got 'done')" },
    { JOB("after: {all: [b]}"), NULL,
      "t.yaml:2:46: unknown key 'all' in after (known: any)" },
    { JOB("after: [~]"), NULL,
      "t.yaml:2:46: 'after' must be a list of jobs, such as [prepare, {job: "
      "server, when: started, delay: 5m}], or {any: [...]}" },
    { JOB("after: [b], running_on: [n]"), NULL,
      "t.yaml:2:3: 'after' and 'running_on' exclude each other" },
    { JOB("recorded: 5"), NULL,
      "t.yaml:2:48: 'recorded' must be a mapping with 'start', 'end' and "
      "'nodes', or a list of such (got '5')" },
    { JOB("recorded: []"), NULL,
      "t.yaml:2:48: 'recorded' must be a mapping with 'start', 'end' and "
      "'nodes', or a list of such (got a list)" },
    { JOB("recorded: {end: 5}"), NULL, "t.yaml:2:48: recorded needs 'start'" },
    { JOB("recorded: {start: 5, stop: 6}"), NULL,
      "t.yaml:2:59: unknown key 'stop' in recorded (known: start, end, "
      "nodes)" },
    { JOB("recorded: {start: soon}"), NULL,
      "t.yaml:2:56: 'start' must be " TRACE_TIME_ALLOWED " (got 'soon')" },
    { JOB("recorded: {start: 2017-10-09}"), NULL,
      "t.yaml:2:56: 'start' must be " TRACE_TIME_ALLOWED
      " (got '2017-10-09')" },
    { "jobs:\n- {name: a, submit: 2017-10-09, duration: 1,"
      " recorded: {start: 5}}\nepoch: 2017-10-09\n",
      NULL,
      "t.yaml:2:64: 'start' must be a date, as 'submit' is one (got '5')" },
    { "jobs:\n- {submit: 10, duration: 1, recorded: {start: 5}}\n", NULL,
      "t.yaml:2:39: a recorded run starts before the job's 'submit'" },
    { JOB("recorded: {start: 5, end: 4}"), NULL,
      "t.yaml:2:48: a recorded run ends before it starts" },
    { JOB("recorded: [{start: 5, end: 9}, {start: 8}]"), NULL,
      "t.yaml:2:69: a recorded run starts before the one before it ends" },
    { JOB("recorded: [{start: 5}, {start: 8}]"), NULL,
      "t.yaml:2:61: only the last recorded run may have no end" },
    { JOB("recorded: {start: 5, nodes: n1}"), NULL,
      "t.yaml:2:66: 'nodes' must be a list of nodes, with the number of tasks "
      "there, such as [n1, n2*4] (got 'n1')" },
    { JOB("recorded: {start: 5, nodes: [n1*0]}"), NULL,
      "t.yaml:2:67: 'nodes' must be a list of nodes, with the number of tasks "
      "there, such as [n1, n2*4] (got 'n1*0')" },
    { JOB("recorded: {start: 5, nodes: [n1]}, replicas: 2"), NULL,
      "t.yaml:2:48: the recorded nodes hold 1 tasks, where the job has 2 and "
      "starts with 2" },
    { JOB("recorded: {start: 5, nodes: [n1, n2]}"), NULL,
      "t.yaml:2:48: the recorded nodes hold 2 tasks, where the job has 1 and "
      "starts with 1" },
    { JOB("recorded: {start: 5}, task_interval: 1"), NULL,
      "t.yaml:2:48: recorded runs and 'task_interval' exclude each other" },
    { JOB("recorded: {start: 5}, running_on: [n]"), NULL,
      "t.yaml:2:48: 'recorded' and 'running_on' exclude each other" },
    { JOB("recorded: {start: 5}, load: {low: 1, high: 2, peak: 1h}"), NULL,
      "t.yaml:2:48: 'recorded' and 'load' exclude each other" },
    { JOB("completions: 0"), NULL,
      "t.yaml:2:51: 'completions' must be a whole number from 1 to 1000000 (got "
      "'0')" },
    { JOB("completions: 1000001"), NULL,
      "t.yaml:2:51: 'completions' must be a whole number from 1 to 1000000 (got '1000001')" },
    { JOB("completions: 2, replicas: 4, gang: 2"), NULL,
      "t.yaml:2:3: 'completions' and 'gang' exclude each other: each task "
      "starts, runs and is repeated by itself" },
    { JOB("completions: 2, replicas: {min: 1, max: 2}"), NULL,
      "t.yaml:2:3: 'completions' and 'replicas: {min, max}' exclude each "
      "other: each task starts, runs and is repeated by itself" },
    { JOB("completions: 2, checkpoint: 1m"), NULL,
      "t.yaml:2:3: 'completions' and 'checkpoint' exclude each other: each "
      "task starts, runs and is repeated by itself" },
    { JOB("completions: 2, tasks: [{replicas: 1}, {replicas: 2}]"), NULL,
      "t.yaml:2:3: 'completions' needs tasks of one kind (got 2 groups)" },
    { "jobs:\n- {submit: 0, duration: forever, completions: 2}\n", NULL,
      "t.yaml:2:3: 'completions' needs a 'duration' with an end" },
    { JOB("completions: 2, load: {low: 1, high: 2, peak: 1h}"), NULL,
      "t.yaml:2:3: 'completions' and 'load' exclude each other" },
    { JOB("retries: 1000001"), NULL,
      "t.yaml:2:47: 'retries' must be a whole number from 0 to 1000000 (got '1000001')" },
    { JOB("preemptible: never"), NULL,
      "t.yaml:2:51: 'preemptible' must be true or false (got 'never')" },
    { "queues:\n- {name: a, state: shut}\n" JOB(""), NULL,
      "t.yaml:2:20: 'state' must be one of: open, closed (got 'shut')" },
    { "queues:\n- {name: a, user_limit: 8}\n" JOB(""), NULL,
      "t.yaml:2:25: 'user_limit' must be a mapping such as {gpu: 32, cpu: 64} "
      "(got '8')" },
    { "queues:\n- {name: a, weight: -1}\n" JOB(""), NULL,
      "t.yaml:2:21: 'weight' must be at least 0 and at most 1e9 (got '-1')" },
    { "queues:\n- {name: a, over_quota: {gpu: many}}\n" JOB(""), NULL,
      "t.yaml:2:31: 'gpu' must be a number (got 'many')" },
    { "queues:\n- {name: a, max_jobs: -1}\n" JOB(""), NULL,
      "t.yaml:2:23: 'max_jobs' must be a whole number from 0 to 2147483647 "
      "(got '-1')" },
    { "queues:\n- {name: a, max_jobs: 1.5}\n" JOB(""), NULL,
      "t.yaml:2:23: 'max_jobs' must be a whole number from 0 to 2147483647 "
      "(got '1.5')" },
    { "queues:\n- {name: a, flavors: [{name: f, guarantee: {}}]}\n" JOB(""),
      NULL, "t.yaml:2:30: no entry of 'flavors' is called 'f'" },
    { "flavors: [{name: f}]\nqueues:\n- {name: a, flavors: [{name: f}]}\n" JOB(
          ""),
      NULL, "t.yaml:3:23: flavor needs 'guarantee'" },
    { JOB("tasks: [{replicas: 3, topology: {within: rack, slices: {size: 2, "
          "within: node}}}, {gpus: 1}]"),
      NULL, "t.yaml:2:3: 3 tasks are no whole number of slices of 2" },
    { JOB("topology: {within: rack}, tasks: [{replicas: 2}, {replicas: 2, gpus: "
          "1}, {gpus: 2, topology: {within: rack}}]"),
      NULL,
      "t.yaml:2:48: beside tasks with a topology of their own that of the job "
      "is for one kind of tasks, or two of which one is a single task" },
    { JOB("tasks: [{topology: {within: rack, together: x}}, {gpus: 1, "
          "topology: {within: rack, together: x}}, {gpus: 2, topology: "
          "{within: rack, mode: preferred, together: x}}]"),
      NULL,
      "t.yaml:2:3: 'together: x' must join several kinds of tasks, which state "
      "one 'within', 'mode' and 'prefers' (got 3 kinds, 1 of them others)" },
    { JOB("tasks: [{topology: {within: rack, together: x}}]"), NULL,
      "t.yaml:2:3: 'together: x' must join several kinds of tasks, which state "
      "one 'within', 'mode' and 'prefers' (got 1 kinds, 0 of them others)" },
    { JOB("tasks: [{topology: {together: x, slices: {size: 1, within: "
          "node}}}]"),
      NULL, "t.yaml:2:68: 'together' needs 'within'" },
    { JOB("topology: {within: rack, together: x}"), NULL,
      "t.yaml:2:63: unknown key 'together' in topology (known: prefers, within, mode, slices)" },
    { "flavors: [{name: f}]\n" JOB("flavors: [f]"), NULL,
      "t.yaml:3:3: 'flavors' of a job needs 'admitted: true' or "
      "'running_on'" },
    { JOB("admitted: true, flavors: [f]"), NULL,
      "t.yaml:2:64: no entry of 'flavors' is called 'f'" },
    { "flavors: [{name: f}, {name: f}]\n" JOB(""), NULL,
      "t.yaml:1:29: two flavors are called 'f'" },
    { "flavors: [{name: f}]\nqueues:\n- name: a\n  flavors:\n"
      "  - {name: f, guarantee: {gpu: 1}}\n"
      "  - {name: f, guarantee: {gpu: 1}}\n" JOB(""),
      NULL, "t.yaml:6:12: two flavors of the queue are called 'f'" },
    { "flavors: [{name: f}, {name: g}]\nqueues:\n- name: a\n  flavors:\n"
      "  - {name: f, guarantee: {gpu: 1, cpu: 1}}\n"
      "  - {name: g, guarantee: {gpu: 1}}\n" JOB(""),
      NULL,
      "t.yaml:6:26: flavors 'f' and 'g' of the queue must cover the same "
      "resources, or none in common" },
    { "flavors: [{name: f, topology: rack}]\n" JOB(""), NULL,
      "t.yaml:1:31: 'topology' must be true or false (got 'rack')" },
    { "flavors: [{name: f, taints: [a]}]\n" JOB(""), NULL,
      "t.yaml:1:30: 'taints' must be a list of taints such as "
      "key=value:NoSchedule (got 'a')" },
    { "queues:\n- {name: a, user_limits: [{limit: {gpu: 1}}]}\n" JOB(""), NULL,
      "t.yaml:2:27: a limit of users needs 'users' or 'groups'" },
    { JOB("communication: 1.5"), NULL,
      "t.yaml:2:53: 'communication' must be " TRACE_PART_ALLOWED
      " (got '1.5')" },
    { JOB("communication: nan"), NULL,
      "t.yaml:2:53: 'communication' must be an amount such as 4, 1.5 or 500m "
      "(got 'nan')" },
    { JOB("gradient: 2GB"), NULL,
      "t.yaml:2:3: 'gradient' needs a 'communication' above 0" },
    { JOB("communication: 0, measured_on: rack"), NULL,
      "t.yaml:2:3: 'measured_on' needs a 'communication' above 0" },
    { JOB("communication: 0.5, gradient: -1"), NULL,
      "t.yaml:2:68: 'gradient' must be an amount of bytes such as 512MiB or "
      "80GB (got '-1')" },
    { JOB("topology: {within: rack, mode: soft}"), NULL,
      "t.yaml:2:69: 'mode' must be one of: required, preferred, "
      "unconstrained (got 'soft')" },
    { JOB("topology: {}"), NULL, "t.yaml:2:48: topology needs 'within'" },
    { JOB("topology: {within: rack, mode: unconstrained}"), NULL,
      "t.yaml:2:48: 'mode: unconstrained' and 'within' exclude each other" },
    { JOB("replicas: 3, topology: {slices: {size: 2, within: rack}}"), NULL,
      "t.yaml:2:70: 3 tasks are no whole number of slices of 2" },
    { JOB("replicas: 6, topology: {slices: [{size: 3, within: rack}, "
          "{size: 2, within: node}]}"),
      NULL,
      "t.yaml:2:96: the size of a layer of 'slices' must divide that of the "
      "one before (2 does not divide 3)" },
    { JOB("topology: {slices: []}"), NULL,
      "t.yaml:2:57: 'slices' must be {size: N, within: TIER}, or a list of "
      "these (got a list)" },
};

static void test_good(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++)
        load_trace_check("t.yaml", &good[i], NULL);
}

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad); i++)
        load_trace_check("t.yaml", &bad[i], NULL);
}

/* What is written reads back as the same. */
static void test_round_trip(void)
{
    for (size_t i = 0; i < N_ELEMENTS(good); i++) {
        const struct load_trace_case again = { good[i].yaml, good[i].yaml,
                                               NULL };

        load_trace_check("t.yaml", &again, NULL);
    }
}

/* The rules of a job are those of each of its groups, which add their spread;
 * jobs that say the same share them.
 */
static void test_rules(void)
{
    static const char text[] =
        "jobs:\n"
        "- {name: a, submit: 0, duration: 1, labels: {app: x, n: 1},\n"
        "   affinity: [{jobs: {app: x}, within: rack}],\n"
        "   anti_affinity: [{jobs: {app: y}, within: node}],\n"
        "   tasks: [{}, {spread: {over: rack, max_skew: 3}}]}\n"
        "- {name: b, submit: 1, duration: 1, labels: {app: x, n: 1},\n"
        "   affinity: [{jobs: {app: x}, within: rack}],\n"
        "   anti_affinity: [{jobs: {app: y}, within: node}],\n"
        "   spread: {over: rack, max_skew: 3}}\n";
    struct load_trace l;
    struct trace_group g[3];
    const struct trace_rule *rule;
    uint32_t x, y, rack;

    CU_ASSERT_EQUAL_FATAL(
        load_trace_bytes(&l, "t.yaml", text, strlen(text), NULL), 0);
    x = gs_strtab_find(l.names, "app=x", 5);
    y = gs_strtab_find(l.names, "app=y", 5);
    rack = gs_strtab_find(l.names, "rack", 4);
    CU_ASSERT_EQUAL(l.w->label_count, 2);
    CU_ASSERT_EQUAL(l.w->job[0].aside->label_count, 2);
    CU_ASSERT_EQUAL(l.w->label[l.w->job[1].aside->first_label], x);
    CU_ASSERT_EQUAL(l.w->rule_count, 5);
    for (uint32_t i = 0; i < N_ELEMENTS(g); i++)
        g[i] = *trace_group_at(l.w, i);
    CU_ASSERT_EQUAL(g[0].rule_count, 2);
    CU_ASSERT_EQUAL(g[1].rule_count, 3);
    CU_ASSERT_EQUAL(g[2].rule_count, 3);
    CU_ASSERT_EQUAL(g[2].first_rule, g[1].first_rule);
    rule = &l.w->rule[g[1].first_rule];
    CU_ASSERT_TRUE(rule[0].kind == TRACE_NEAR && rule[0].label == x
                   && rule[0].tier == rack);
    CU_ASSERT_TRUE(rule[1].kind == TRACE_APART && rule[1].label == y);
    CU_ASSERT_TRUE(rule[2].kind == TRACE_SPREAD && rule[2].tier == rack
                   && rule[2].max_skew == 3);
    load_trace_fini(&l);
}

/* What a job and its queue are when the file does not say. */
static void test_defaults(void)
{
    static const char text[] = JOB("queue: a/b");
    struct load_trace l;

    CU_ASSERT_EQUAL_FATAL(
        load_trace_bytes(&l, "t.yaml", text, strlen(text), NULL), 0);
    CU_ASSERT_EQUAL(l.w->job[0].retries, TRACE_NONE);
    CU_ASSERT_EQUAL(l.w->job[0].aside->checkpoint, 0);
    CU_ASSERT_FALSE(l.w->job[0].aside->resumes);
    CU_ASSERT_FALSE(l.w->job[0].fixed);
    CU_ASSERT_EQUAL(trace_group_at(l.w, 0)->min, 0);
    for (uint32_t i = 0; i < l.w->queue_count; i++) {
        for (int d = 0; d < TOPO_DIMS_MAX; d++)
            CU_ASSERT_EQUAL(trace_queue_amounts(&l.w->queue[i])->user_limit[d],
                            -1);
        CU_ASSERT_FALSE(l.w->queue[i].closed);
        CU_ASSERT_FALSE(l.w->queue[i].keeps);
    }
    load_trace_fini(&l);
}

static void test_limit(void)
{
    static const char text[] = "jobs:\n- {submit: 9, duration: 1}\n"
                               "- {submit: 3, duration: 1}\n"
                               "- {submit: 5, duration: 1}\n";
    const struct trace_options o = { .limit = 2 };
    const struct load_trace_case c = {
        text,
        "jobs:\n  - {name: job-2, submit: 3, duration: 1}\n"
        "  - {name: job-3, submit: 5, duration: 1}\n",
        NULL
    };

    load_trace_check("t.yaml", &c, &o);
}

static const struct suite_case cases[] = {
    { "good files are read", test_good },
    { "bad files are refused", test_bad },
    { "what is written reads back the same", test_round_trip },
    { "a limit keeps the first jobs by time", test_limit },
    { "rules of a job are those of its groups", test_rules },
    { "what a file leaves out has its default", test_defaults },
};

int main(void)
{
    return suite_run("traces: native YAML", cases, N_ELEMENTS(cases));
}

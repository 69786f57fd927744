# scripts/BenchLoads.pm - the loads of scripts/bench: topologies and traces in
# build/bench, always the same ones.  A file that is there is not made again.
package BenchLoads;
use strict;
use warnings;

our $dir = 'build/bench';
our $gsim;

# Makes the file of that name by what `write` prints to a handle; its path.
sub made {
    my ($name, $write) = @_;
    my $file = "$dir/$name";
    return $file if -e $file;
    open(my $out, '>', "$file.part") or die "$file: $!\n";
    $write->($out);
    close($out) or die "$file: $!\n";
    rename("$file.part", $file) or die "$file: $!\n";
    return $file;
}

# Draws from [0, 1), always the same.
sub stream {
    my ($seed) = @_;
    return sub { $seed = ($seed * 1103515245 + 12345) % 2147483648;
        return int($seed / 256) / 8388608 };
}

my $type = "node_types: {gpu8: {gpus: 8, cpu: 128, memory: 1TiB}}\n";

sub cluster {
    my ($nodes) = @_;
    return made("nodes$nodes.yaml", sub {
        my ($out) = @_;
        print $out $type, "nodes:\n  - {name: \"n[1-$nodes]\", type: gpu8}\n";
    });
}

sub racks {
    my ($racks, $nodes) = @_;
    return made("racks$racks-$nodes.yaml", sub {
        my ($out) = @_;
        print $out "tiers: [{name: rack}, {name: node}]\n", $type,
            "nodes:\n  - {name: \"n[1-$nodes]\", type: gpu8, rack: \"r[1-$racks]\"}\n";
    });
}

# Nodes one by one, each with a label of its own or with none.
sub labelled {
    my ($nodes, $is_labelled) = @_;
    return made("labels$nodes-$is_labelled.yaml", sub {
        my ($out) = @_;
        print $out $type, "nodes:\n";
        print $out "  - {name: n$_, type: gpu8",
            $is_labelled ? ", labels: {host: h$_}" : '', "}\n" for 1 .. $nodes;
    });
}

sub flat {
    my ($procs) = @_;
    return made("flat$procs.yaml", sub {
        my ($out) = @_;
        print $out "node_types: {flat: {cpu: $procs}}\n",
            "nodes: [{name: machine, type: flat}]\n";
    });
}

# One job that does nothing, in one of so many queues: what a run costs anyway.
sub idle {
    my ($queues) = @_;
    return made("idle$queues.yaml", sub {
        my ($out) = @_;
        queues_print($out, $queues) if $queues;
        print $out "jobs:\n- {name: j, submit: 0, duration: 1, gpus: 1}\n";
    });
}

sub generated {
    my ($name, $jobs, $gpus) = @_;
    my $file = "$dir/$name";
    return $file if -e $file;
    my ($format) = $file =~ /(\w+)$/;
    system($gsim, 'trace', 'generate', '--count', $jobs, '--gpus', $gpus,
        '--load', '95%', '--seed', 1, '--format', $format, '-o', "$file.part") == 0
        or die;
    rename("$file.part", $file) or die "$file: $!\n";
    return $file;
}

# Jobs of 3.25 GPUs and 10,000 s on average, enough of them to fill the nodes
# to 95 % and stay there; with $mixed hundreds of kinds of tasks that ask for
# CPU and memory too, so that most nodes are in a state of their own.
sub filling {
    my ($nodes, $mixed) = @_;
    my ($seed, $at) = (1, 0);
    my $draw = sub { $seed = ($seed * 1103515245 + 12345) % 2147483648;
        return int($seed / 65536) % $_[0] };
    return made("fill$nodes" . ($mixed ? 'm' : 'g') . '.csv', sub {
        my ($out) = @_;
        print $out 'name,submit,duration,gpus', $mixed ? ",cpu,memory\n" : "\n";
        for my $i (1 .. 50000 + 5 * $nodes) {
            my $gpus = (1, 1, 1, 1, 2, 4, 8, 8)[$draw->(8)];
            $at += $draw->(2000) / 1000 * 3.25 * 10000 / ($nodes * 8 * 0.95);
            printf $out "j%d,%.3f,%d,%d", $i, $at, 1 + $draw->(20000), $gpus;
            printf $out ',%d,%dGiB', $gpus * (1, 2, 3, 4, 6, 8, 10, 12)[$draw->(8)],
                $gpus * (4, 8, 16, 20, 24, 32, 64, 100)[$draw->(8)] if $mixed;
            print $out "\n";
        }
    });
}

# So many jobs wait behind a service that leaves too little for them, while
# short jobs come and go on the rest.
sub waiting {
    my ($waiting) = @_;
    return made("wait$waiting.csv", sub {
        my ($out) = @_;
        print $out "name,submit,duration,replicas,gpus\n",
            "service,0,forever,1000,8\n";
        printf $out "wait%d,1,60,%d,8\n", $_, 25 + $_ % 40 for 1 .. $waiting;
        printf $out "short%d,%.3f,10,1,%d\n", $_, 2 + $_ / 100, 1 + $_ % 2
            for 1 .. 100000;
    });
}

# A log of rigid jobs with loose estimates, as the archives have them: powers
# of two mostly, run times of 20 minutes with a long tail.
sub log_of {
    my ($jobs, $procs, $load) = @_;
    return made("log$jobs.swf", sub {
        my ($out) = @_;
        my $u = stream(1);
        my (@job, $work);
        for (1 .. $jobs) {
            my $p = $u->() < .3 ? 1 + int(64 * $u->())
                : 2 ** (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7)[13 * $u->()];
            my $tail = sqrt(-2 * log(1 - $u->())) * cos(6.2831853 * $u->());
            my $r = 1 + int(exp(7 + 1.6 * $tail));
            $r = 86400 if $r > 86400;
            my $e = int($r * (1, 1.2, 2, 3, 5)[5 * $u->()] + 300 * $u->());
            push @job, [$p, $r, $e];
            $work += $p * $r;
        }
        my ($gap, $at) = ($work / ($procs * $load) / $jobs, 0);
        print $out "; MaxProcs: $procs\n";
        for my $i (1 .. $jobs) {
            my ($p, $r, $e) = @{$job[$i - 1]};
            $at -= $gap * log(1 - $u->());
            print $out join(' ', $i, int($at), -1, $r, $p, -1, -1, $p, $e, -1, 1,
                (1) x 1, (-1) x 6), "\n";
        }
    });
}

# GPUs and seconds of jobs, and the mean time between two of them that loads
# so many nodes so much.
sub crowd_of {
    my ($jobs, $nodes, $load, $u) = @_;
    my (@job, $work);
    for (1 .. $jobs) {
        my $g = (1, 1, 1, 1, 2, 2, 4, 8, 8, 16, 32, 64)[12 * $u->()];
        push @job, [$g, 600 + int(39400 * $u->())];
        $work += $g * $job[-1][1];
    }
    return ($work / ($nodes * 8 * $load) / $jobs, @job);
}

# 100,000 GPU jobs at a load of 1.1 on 4,096 nodes; what is in the last
# columns says which job goes first.
sub crowd {
    my ($name, $columns, $last) = @_;
    return made("$name.csv", sub {
        my ($out) = @_;
        my $u = stream(2);
        my ($gap, @job) = crowd_of(100000, 4096, 1.1, $u);
        my $at = 0;
        print $out "name,submit,duration,replicas,gpus,$columns\n";
        for my $i (0 .. $#job) {
            my ($g, $time) = @{$job[$i]};
            $at -= $gap * log(1 - $u->());
            printf $out "j%d,%.3f,%d,%d,%d,%s\n", $i, $at, $time,
                $g > 8 ? ($g / 8, 8) : (1, $g), $last->($u);
        }
    });
}

my @tree;
for my $d (0 .. 3) {
    for my $t (0 .. 6) {
        push @tree, map { "d$d/t$t/u$_" } 0 .. 5;
    }
}

sub fair {
    return crowd('fair', 'queue', sub { $tree[@tree * $_[0]->() ** 2] });
}

sub harsh {
    return crowd('harsh', 'priority,queue', sub { my ($u) = @_;
        return ($u->() < .3 ? 100 : 1) . ',q' . int(4 * $u->()) });
}

sub queues_print {
    my ($out, $queues, $quota) = @_;
    my @name = map { $quota ? "lab/q$_" : $queues == 1 ? 'q'
        : sprintf 'd%d/t%d/u%d', $_ % 10, $_ / 10 % 10, $_ / 100 }
        0 .. $queues - 1;
    print $out "queues:\n";
    print $out "- {name: lab, guarantee: {gpu: $quota}}\n" if $quota;
    printf $out "- {name: %s, weight: %d}\n", $name[$_], 1 + $_ % 4
        for 0 .. $#name;
    return @name;
}

# So many jobs at a load of 1.1 on so many nodes, in so many queues of a tree of
# three levels; or on the quota of their cohort.
sub queues {
    my ($queues, $jobs, $nodes, $quota) = @_;
    my $of = $quota ? "-of$quota" : '';
    return made("queues$queues-$jobs-$nodes$of.yaml", sub {
        my ($out) = @_;
        my ($u, $v) = (stream(4), stream(5));
        my ($gap, @job) = crowd_of($jobs, ($quota // $nodes * 8) / 8, 1.1, $u);
        my @name = queues_print($out, $queues, $quota);
        my $at = 0;
        print $out "jobs:\n";
        for my $i (0 .. $#job) {
            my ($g, $time) = @{$job[$i]};
            $at -= $gap * log(1 - $u->());
            printf $out '- {name: j%d, submit: %.3f, duration: %d, replicas: %d, '
                . "gpus: %d, queue: %s}\n", $i, $at, $time,
                $g > 8 ? ($g / 8, 8) : (1, $g), $name[@name * $v->()];
        }
    });
}

# Jobs of so many kinds that differ in CPU, memory and GPUs, at a load on so
# many nodes, with estimates of one to three times the run time.
sub kinds {
    my ($kinds, $jobs, $nodes, $load) = @_;
    return made("kinds$kinds-$jobs-$nodes-$load.csv", sub {
        my ($out) = @_;
        my $u = stream(6);
        my (@kind, %seen);
        while (@kind < $kinds) {
            my $g = (1, 1, 2, 4, 8)[5 * $u->()];
            my @k = ($g, $g * (1 + int(16 * $u->())), $g * (1 + int(64 * $u->())));
            push @kind, \@k unless $seen{"@k"}++;
        }
        my ($gap, $at) = (3.2 * 2000 / ($nodes * 8 * $load), 0);
        print $out "name,submit,duration,estimate,gpus,cpu,memory\n";
        for my $i (1 .. $jobs) {
            my ($g, $cpu, $memory) = @{$kind[@kind * $u->()]};
            my $time = 1 + int(4000 * $u->());
            $at -= $gap * log(1 - $u->());
            printf $out "j%d,%.3f,%d,%d,%d,%d,%dGiB\n", $i, $at, $time,
                $time * (1 + 2 * $u->()), $g, $cpu, $memory;
        }
    });
}

# So many jobs that are there from the beginning, with a rule each: `anti` keeps
# jobs of an application out of one another's nodes, `near` in one rack, `spread`
# is a job's tasks evenly over racks.
sub ruled {
    my ($rule, $jobs) = @_;
    return made("$rule$jobs.yaml", sub {
        my ($out) = @_;
        my $u = stream(7);
        print $out "jobs:\n";
        for my $i (1 .. $jobs) {
            my $app = 'a' . int(64 * $u->());
            my %text = (
                anti => "labels: {app: $app}, "
                    . "anti_affinity: [{jobs: {app: $app}, within: node}]",
                near => "labels: {app: $app}, "
                    . "affinity: [{jobs: {app: $app}, within: rack}]",
                spread => 'replicas: 4, spread: {over: rack, max_skew: 1}');
            printf $out "- {name: j%d, submit: 0, duration: %d, gpus: %d, %s}\n",
                $i, 300 + int(600 * $u->()), 1 + int(8 * $u->()), $text{$rule};
        }
    });
}

# 10,000 jobs fill 4,000 nodes and end long before their estimates, each at a
# time of its own, while so many gangs wait.
sub early {
    my ($waiting) = @_;
    return made("early$waiting.csv", sub {
        my ($out) = @_;
        my $u = stream(8);
        print $out "name,submit,duration,estimate,replicas,gpus\n";
        for my $i (1 .. 10000) {
            my $time = 1000 + int(9000 * $u->());
            printf $out "run%d,0,%d.%03d,%d,1,%d\n", $i, $time, $i % 1000,
                10 * $time, (1, 2, 4, 8, 1)[$i % 5];
        }
        printf $out "wait%d,1,%d,%d,%d,8\n", $_, 500 + int(500 * $u->()), 2000,
            500 + int(1500 * $u->()) for 1 .. $waiting;
    });
}

# Jobs on labelled nodes, each of which asks for the label of one or for none.
sub asking {
    my ($jobs, $nodes, $asks) = @_;
    return made("asking$jobs-$nodes-$asks.yaml", sub {
        my ($out) = @_;
        my $u = stream(9);
        my $at = 0;
        print $out "jobs:\n";
        for my $i (1 .. $jobs) {
            my $g = (1, 1, 2, 4, 8)[5 * $u->()];
            my $host = 1 + int($nodes * $u->());
            $at -= 3.2 * 2000 / ($nodes * 8 * .9) * log(1 - $u->());
            printf $out "- {name: j%d, submit: %.3f, duration: %d, gpus: %d%s}\n",
                $i, $at, 1 + int(4000 * $u->()), $g,
                $asks ? ", nodes: {host: h$host}" : '';
        }
    });
}

# What asks for about what 1,200 nodes of four kinds have: 8,000 tasks of 130
# kinds.
sub experiment_nodes {
    return made('fill-nodes.csv', sub {
        my ($out) = @_;
        my $u = stream(3);
        print $out "sn,cpu_milli,memory_mib,gpu,model\n";
        printf $out "n%d,%d,786432,%d,%s\n", $_, @{(
            [96000, 8, 'G2'], [96000, 8, 'V100'], [64000, 2, 'P100'],
            [128000, 4, 'T4'])[4 * $u->()]} for 1 .. 1200;
    });
}

sub experiment_tasks {
    return made('fill-tasks.csv', sub {
        my ($out) = @_;
        my $u = stream(3);
        $u->() for 1 .. 1200;
        print $out "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n";
        for my $i (1 .. 8000) {
            my $g = (0, 1, 1, 1, 1, 1, 1, 1, 2, 8)[10 * $u->()];
            my $cpu = (2, 4, 6, 8, 11, 12, 16)[7 * $u->()];
            printf $out "t%d,%d,%d,%d,%d,%s\n", $i, 1000 * $cpu, 4096 * $cpu, $g,
                $g == 0 ? 0 : $g > 1 || $u->() < .5 ? 1000
                : (100, 250, 340, 460, 500, 650, 900)[7 * $u->()],
                $g == 1 && $u->() < .1 ? 'V100|P100' : '';
        }
    });
}

1;

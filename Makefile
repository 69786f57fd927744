# gsim - an offline scheduling simulator for GPU clusters.   make help
#
# MODE is release, test, debug, asan or fuzz; CC is gcc or clang.  Each pair has
# its own build folder, so that objects never mix.  All but a release assert what
# they rely on; test is a release that does.  TRAIN= (nothing) makes a release
# without counts of its branches: for another machine, or sooner.
MODE     ?= release
CC       := $(if $(filter default,$(origin CC)),gcc,$(CC))
B        := build/$(MODE)-$(notdir $(CC))
PREFIX   ?= /usr/local
WERROR   ?=
TRAIN    ?= yes
PKGS     := yaml-0.1 jansson sqlite3 zlib liblzma libzstd gsl
VERSION  := $(shell cat VERSION 2>/dev/null || echo 0.1.0)

std      := -std=c11 -D_POSIX_C_SOURCE=200809L -I.
# What a table leaves out of a row is zero, on purpose.
warn     := -Wall -Wextra -Wno-missing-field-initializers \
            -Wpedantic -Wshadow -Wconversion -Wformat=2 -Wundef \
            -Wvla -Wcast-qual -Wwrite-strings -Wstrict-prototypes \
            -Wmissing-prototypes -Wdouble-promotion $(if $(WERROR),-Werror)
release   = $(test:-O2=-O3) -DNDEBUG $(lto)
test      = -O2 -g $(harden)
train     = $(test:-O2=-O3) -DNDEBUG -fprofile-generate -fprofile-update=atomic
debug    := -Og -g3
asan     := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
            -fsanitize=address,undefined
fuzz     := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
            -fsanitize=fuzzer-no-link,address,undefined
mode      = $($(MODE))
# A replay calls across files at every event, so that gcc compiles a release
# when it links; clang would need another linker for it.
lto      := $(if $(findstring clang,$(CC)),,-flto=auto)
# It is optimized by counts of how often branches are taken, which a build that
# counts (MODE=train) writes there.  They are made once; those that no longer
# suit a function that was changed are left out, until `make clean`.
counts   := build/counts-$(notdir $(CC))
counted  := $(if $(and $(TRAIN),$(lto),$(filter release,$(MODE))),-fprofile-use \
            -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch)
# The name of the counts of an object, by which static functions are known, too.
named     = $(if $(counted)$(filter train,$(MODE)),-dumpdir $(counts)/$(dir $<) \
            -dumpbase $(notdir $<) -dumpbase-ext .c)
included  = -MMD -MP -MF $(@:.o=.d)
AR       := $(if $(filter default,$(origin AR)),$(if $(lto),gcc-ar,ar),$(AR))

cflags    = $(std) $(warn) $(mode) -ffp-contract=off -fPIC \
            -DGSIM_VERSION='"$(VERSION)"' \
            $(shell pkg-config --cflags $(PKGS)) $(CFLAGS)
ldflags   = $(filter -fsanitize=% -flto% -fprofile%,$(mode)) $(relro) $(LDFLAGS)
ldlibs    = $(shell pkg-config --libs $(PKGS)) -lm -ldl -lpthread

# What a release is hardened with.  Level 3 of _FORTIFY_SOURCE needs a compiler
# that knows it, which is asked once, when it is first needed.
fortify   = $(eval fortify := $(shell printf '\043include <string.h>\n' | \
            $(CC) -O2 -D_FORTIFY_SOURCE=3 -Werror -fsyntax-only -xc - \
            2>/dev/null && echo 3 || echo 2))$(fortify)
harden    = -fstack-protector-strong -U_FORTIFY_SOURCE \
            -D_FORTIFY_SOURCE=$(fortify)
relro    := -Wl,-z,relro,-z,now,-z,noexecstack
pie      := -pie

# One library for each floor with its rooms, in link order; libgsched.a is what
# a live scheduler links.
floors   := sim reports import policies traces topology base
src       = $(filter-out sim/cli/main.c policies/example/%, \
            $(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c))
obj       = $(patsubst %.c,$(B)/%.o,$(call src,$(1)))
lib       = $(B)/lib$(1).a
# Files of share/ as C: text that is data goes into files of its own kind.
share    := $(patsubst %,$(B)/%.o,$(filter-out %.h,$(wildcard share/*/*)))
libs     := $(foreach f,$(floors),$(call lib,$(f))) $(B)/libshare.a
# What is in it reads no files, so that it needs neither YAML nor compression.
gsched   := $(filter-out $(B)/policies/profile/profile_file.o,$(call obj,policies)) \
            $(patsubst %.c,$(B)/%.o,$(wildcard traces/workload/*.c) \
            $(addprefix topology/,cluster.c devices.c node_fit.c groups.c label_index.c \
            labels.c models.c mig.c mix_suits.c task_mix.c outage.c resources.c \
            transaction.c tree.c) \
            $(addprefix base/,arena.c array.c bitset.c duration.c err.c \
            far.c filehead.c hash.c pages.c quantity.c rng.c strtab.c text.c yamlfields.c \
            yamlplain.c)) $(B)/share/policies/presets.yaml.o
# What a host includes; of the functions, these headers export all.
hostincs := policies/scheduler.h policies/profile/profile.h \
            $(addprefix topology/,cluster.h labels.h mig.h task_mix.h resources.h \
            topology.h) \
            $(addprefix traces/workload/,accounts.h budgets.h dependencies.h \
            limits.h pools.h queue_terms.h quotas.h records.h reservations.h \
            workload.h) \
            $(addprefix base/,arena.h err.h strtab.h)
soname   := libgsched.so.$(firstword $(subst ., ,$(VERSION)))
tests    := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/*/test_*.c))
testlib  := $(B)/tests/libtests.a
live     := $(patsubst %,$(B)/tests/host/%.o,stream drive caller) $(testlib)
fuzzers  := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
sources  := $(sort share/share.h $(foreach d,$(floors) tests,$(wildcard $(d)/*.[ch] $(d)/*/*.[ch] $(d)/*/*/*.[ch])))
# FILE:MODULE of each built-in module, its name as in C.
modules  := $(shell grep -o '^const struct gsp_module gsp_module_[a-z0-9_]*' \
            policies/modules/*.c | sed 's/:.* gsp_module_/:/')
# Suites, by their names:
#   tests/*/test_*.c      make test: quick, no package but CUnit; random rounds
#                         are few, SEEDS times as many in check-long
#   tests/cli/t*.sh       make check: the command
#   tests/cli/long-*.sh   make check-long: minutes, a browser, Slurm
CLI      := $(sort $(wildcard tests/cli/t[0-9]*.sh))
CLI_LONG := $(sort $(wildcard tests/cli/long-*.sh))
# Not worth their time under sanitizers: what runs make, compilers and documents;
# in make check, neither what replays for long.
no_asan  := %-docs.sh %-lint.sh %-make.sh
slow     := %-whatif.sh %-sweep.sh %-modules.sh %-placements.sh %-inputs.sh \
            %-output.sh
JOBS     := $(shell nproc 2>/dev/null || echo 2)
# A make that was not told how many jobs it may run has this many.
parallel  = --no-print-directory $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

# The packages that the goals need: of a build, of test, of check, of check-long.
lean     := all demo gate modules-so install clean help build/%/gsim \
            build/%/libgsched.a
need      = $(if $(filter check-long asan-long fuzz fuzzers,$(1)),-long,$(if \
            $(filter-out $(lean) test build/%,$(1))$(filter clang%,$(notdir $(CC))),-check,$(if \
            $(filter-out $(lean),$(1)),-test)))
DEPS     := deps$(call need,$(MAKECMDGOALS))

# `  CC  file` for each command; V=1 shows the commands themselves.
V        ?=
run       = $(if $(V),,@printf '  %-4s %s\n' $(1) $(2);)

# Objects of tests are kept.  Without names it would take whatever is missing
# for up to date.
.SECONDARY: $(share:.o=.c) $(tests:=.o) $(fuzzers:=.o)
.DELETE_ON_ERROR:
.PHONY: deps deps-test deps-check deps-long all demo test check check-cli check-clang \
        check-long asan asan-long gate golden docs bench lint fmt fuzz fuzzers \
        modules-so install clean help
all: $(B)/gsim $(B)/libgsched.a $(B)/$(soname) ## build the simulator and the scheduler library

# Asked each time, for no file in build/ knows what is installed here.
deps:
	@scripts/install-deps
deps-test deps-check deps-long: deps-%:
	@scripts/install-deps $*

$(B)/gsim: $(B)/sim/cli/main.o $(libs)
	$(call run,LD,$@) $(CC) $(pie) $(ldflags) -o $@ $^ $(ldlibs)

# One object with machine code in it, which any linker takes.
$(B)/libgsched.a: $(B)/gsched.o
	@rm -f $@
	$(call run,AR,$@) $(AR) rcsD $@ $^

$(B)/gsched.o: $(gsched)
	$(call run,LD,$@) $(CC) -r -nostdlib $(filter -O% -flto%,$(mode)) \
	    $(if $(filter -flto%,$(mode)),-flinker-output=nolto-rel) -o $@ $^

# Sanitizers are of the program that loads it.
$(B)/$(soname): $(B)/gsched.o
	$(call run,LD,$@) $(CC) -shared $(ldflags) -Wl,-soname,$(soname) \
	    $(if $(filter asan fuzz,$(MODE)),,-Wl,-z,defs) -o $@ $^ -lm -ldl

define library
$(call lib,$(1)): $(call obj,$(1))
	@rm -f $$@
	$$(call run,AR,$$@) $$(AR) rcsD $$@ $$^
endef
$(foreach f,$(floors),$(eval $(call library,$(f))))

$(B)/libshare.a: $(share)
	@rm -f $@
	$(call run,AR,$@) $(AR) rcsD $@ $^

$(B)/share/%.c: share/% scripts/embed
	@mkdir -p $(@D)
	$(call run,GEN,$<) scripts/embed $< >$@

$(B)/share/%.o: $(B)/share/%.c share/share.h Makefile | $(DEPS)
	$(call run,CC,$<) $(CC) $(cflags) -fvisibility=hidden -c -o $@ $<

# The sources that are built in, each as a user's module would be built.
define shared
modules-so: $(B)/modules/$(subst _,-,$(2)).so
$(B)/modules/$(subst _,-,$(2)).so: $(1) policies/policy.h $(wildcard policies/policy/*.h) \
                                   $(wildcard policies/modules/*.h) | $(DEPS)
	@mkdir -p $$(@D)
	$$(call run,CC,$$<) $$(CC) $$(cflags) $$(ldflags) -shared -Dgsp_module_$(2)=gsp_module \
	    -o $$@ $$< -lm
endef
$(foreach m,$(modules),$(eval $(call shared,$(firstword $(subst :, ,$(m))),$(lastword $(subst :, ,$(m))))))

$(B)/%.o: %.c Makefile | $(DEPS) $(if $(counted),$(counts)/made)
	@mkdir -p $(@D)
	$(call run,CC,$<) $(CC) $(cflags) $(counted) $(named) -fvisibility=hidden $(included) -c -o $@ $<

$(counts)/made: | $(DEPS)
	@$(MAKE) $(parallel) MODE=train build/train-$(notdir $(CC))/gsim
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call run,RUN,scripts/train) scripts/train build/train-$(notdir $(CC))/gsim $(@D)/replays
	@touch $@

# What suites share: worlds, hosts, checks of what always holds.
$(testlib): $(patsubst %.c,$(B)/%.o,$(wildcard tests/lib/*.c))
	@rm -f $@
	$(call run,AR,$@) $(AR) rcsD $@ $^

$(B)/tests/%: $(B)/tests/%.o $(testlib) $(libs)
	$(call run,LD,$@) $(CC) $(pie) $(ldflags) -o $@ $^ $(ldlibs) -lcunit

# As a live scheduler would: with the scheduler library, and readers of files
# for a host that needs them.
files    := $(call lib,policies) $(call lib,traces) $(call lib,topology) \
            $(call lib,base)
$(B)/tests/policies/%: $(B)/tests/policies/%.o $(testlib) \
                       $(B)/libgsched.a $(files)
	$(call run,LD,$@) $(CC) $(pie) $(ldflags) -o $@ $^ $(ldlibs) -lcunit

# ... and such a scheduler, with objects of its own; record writes what it is
# compared with, from what passes the door in the simulator.
$(filter $(B)/tests/host/%,$(tests)): %: %.o $(live) $(testlib) \
    $(B)/libgsched.a $(files)
	$(call run,LD,$@) $(CC) $(pie) $(ldflags) -o $@ $^ $(ldlibs) -lcunit

$(B)/tests/host/record: $(B)/tests/host/record.o $(testlib) $(libs)
	$(call run,LD,$@) $(CC) $(pie) $(ldflags) -Wl,--wrap=gsched_cycle,--wrap=gsched_tasks_created \
	    -o $@ $^ $(ldlibs)

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(testlib) $(libs)
	$(call run,LD,$@) $(CC) $(ldflags) -fsanitize=fuzzer -o $@ $^ $(ldlibs)

demo: all                       ## replay a real trace, compare, plot
	@scripts/demo $(B)/gsim

# Tests send signals, also where they are run by nohup or in the background.
signals  := env --default-signal=INT,TERM,HUP

test: $(DEPS)                   ## quick suites, side by side: under a minute
check: $(DEPS)                  ## test, lint, command line, clang, sanitizers
	@for goal in test lint golden check-cli check-clang asan; do \
	    $(MAKE) $(parallel) $$goal || exit 1; done
# What check leaves out; SEEDS (20) times the random rounds, under sanitizers
check-long: $(DEPS)             ## what check leaves out: many seeds, browser, Slurm, fuzz
	@$(MAKE) $(parallel) asan-long SEEDS=$(or $(SEEDS),20)
	@$(MAKE) $(parallel) MODE=test check-cli CLI='$(CLI_LONG)'
	@$(MAKE) $(parallel) fuzz
# A call that is compiled when it is linked may be inlined, so that --wrap of the
# recorder does not see it.
ifeq ($(MODE),release)
golden:
	@$(MAKE) $(parallel) MODE=test $@
test:
	@$(MAKE) $(parallel) MODE=test $@
check-cli: $(DEPS)
	@$(MAKE) $(parallel) MODE=test $@
else
golden: $(B)/tests/host/record
	@scripts/golden $< tests/data/host $(B)/golden $(ACCEPT)
test: $(tests)
	@$(signals) scripts/run-tests $(JOBS) $(tests)
check-cli: all modules-so
	@GSIM=$(B)/gsim $(signals) scripts/run-tests $(JOBS) $(CLI)
endif
check-clang: all                ## clang with -Werror gives the same rows
	@$(MAKE) $(parallel) CC=clang WERROR=1 all
	@scripts/check-same $(B)/gsim build/$(MODE)-clang/gsim
asan: $(DEPS)                   ## unit and quick command tests under sanitizers
	@$(MAKE) $(parallel) MODE=asan WERROR=1 test
	@$(MAKE) $(parallel) MODE=asan WERROR=1 check-cli \
	    CLI='$(filter-out $(no_asan) $(slow),$(CLI))'
asan-long: $(DEPS)              # the command tests that asan leaves out, too
	@$(MAKE) $(parallel) MODE=asan WERROR=1 test
	@$(MAKE) $(parallel) MODE=asan WERROR=1 check-cli \
	    CLI='$(filter-out $(no_asan),$(filter $(slow),$(CLI)))'
gate: all                       ## shipped scenarios against their baseline
	@$(B)/gsim gate --suite tests/gate
docs: all                       ## what the documents show, as it is printed now
	@scripts/docs $(B)/gsim --update
golden: $(DEPS)                 ## what recordings would change; ACCEPT=1: do so
modules-so:                     ## every built-in module as a shared object
bench: all                      ## figures beside their budgets
	@scripts/bench $(B)/gsim
fuzz: $(DEPS)                   ## every reader, FUZZ_SECONDS (60) each
	@$(MAKE) $(parallel) CC=clang MODE=fuzz fuzzers
	@scripts/fuzz build/fuzz-clang/tests/fuzz
fuzzers: $(fuzzers)
lint: all                       ## layers, headers, symbols, hardening, format, shell
	@scripts/check-layers
	@scripts/check-words $$(git ls-files '*.c' '*.h' '*.md' '*.sh' '*.1' Makefile 2>/dev/null)
	@scripts/check-headers $(PKGS)
	@# a release's objects do not name all that they call before they are linked
	@$(MAKE) $(parallel) MODE=test all
	@scripts/check-symbols build/test-$(notdir $(CC))
	@$(if $(filter release,$(MODE)),scripts/check-hardening $(B)/gsim $(B)/libgsched.a)
	@mandoc -T lint -W warning gsim.1
	@clang-format --dry-run --Werror $(sources)
	@# clang-format leaves comments as long as they are
	@awk 'length > 80 && !/"/ && !/\\$$/ { print FILENAME ":" FNR ": more than 80 columns"; \
	    n++ } END { exit n > 0 }' $(sources)
	@# the array may move while its index is made
	@! grep -nE '(->|\.)[a-z_]+\[[a-z_]*_(put|add|new)\(' $(filter-out tests/%,$(sources))
	@shellcheck $$(grep -lE '^#!.*[/ ](ba)?sh$$' scripts/*) tests/cli/*.sh .ci/run
fmt: $(DEPS)                    ## lay the sources out
	@clang-format -i $(sources)
install: all                    ## into PREFIX (/usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/gsim $(DESTDIR)$(PREFIX)/bin/gsim
	install -m 644 gsim.1 $(DESTDIR)$(PREFIX)/share/man/man1/gsim.1
	for s in bash:bash-completion/completions/gsim \
	    zsh:zsh/site-functions/_gsim fish:fish/vendor_completions.d/gsim.fish; do \
	    $(B)/gsim completion $${s%%:*} >$(B)/completion && \
	    install -D -m 644 $(B)/completion \
	        $(DESTDIR)$(PREFIX)/share/$${s#*:} || exit 1; \
	done
	for h in $(hostincs); do \
	    install -D -m 644 $$h $(DESTDIR)$(PREFIX)/include/gsim/$$h || exit 1; \
	done
	for h in policies/policy.h $(wildcard policies/policy/*.h); do \
	    install -D -m 644 $$h \
	        $(DESTDIR)$(PREFIX)/include/gsim/$${h#policies/} || exit 1; \
	done
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 $(B)/libgsched.a $(DESTDIR)$(PREFIX)/lib/libgsched.a
	install -m 755 $(B)/$(soname) $(DESTDIR)$(PREFIX)/lib/$(soname)
	ln -sf $(soname) $(DESTDIR)$(PREFIX)/lib/libgsched.so
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' \
	    'includedir=$${prefix}/include/gsim' '' 'Name: gsched' \
	    'Description: scheduler of GPU clusters, as a library' \
	    'Version: $(VERSION)' 'Libs: -L$${libdir} -lgsched' \
	    'Libs.private: -lm -ldl' 'Cflags: -I$${includedir}' \
	    >$(DESTDIR)$(PREFIX)/lib/pkgconfig/libgsched.pc
clean:                          ## remove build/
	rm -rf build
help:                           ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16

-include $(shell find build -name '*.d' 2>/dev/null)

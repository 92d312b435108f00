# Decal: build, test and install. `make help` lists the targets.

SWIFT ?= swift
PREFIX ?= /usr/local
# Not every shell expands PREFIX=~/.local.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
DOCC := $(if $(filter Darwin,$(shell uname -s)),xcrun) docc
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
VENV := .venv
PYTHON := $(VENV)/bin/python
BENCH_VENV := .venv-bench
BENCH_PYTHON := $(BENCH_VENV)/bin/python
BENCH_DIR := .build/bench-animation
# Commands and the Debian packages that have them.
BENCH_TOOLS := apngasm=apngasm apngopt=apngopt ffmpeg=ffmpeg vips=libvips-tools identify=imagemagick optipng=optipng
# Clips and a script that makes a pack may lie beside the project.
BENCH_SHARED ?= ../shared/bench

APT_LIBRARIES := pkg-config libpng-dev libjpeg-dev libwebp-dev liblcms2-dev libdeflate-dev
BREW_LIBRARIES := pkgconf libpng jpeg-turbo webp little-cms2 libdeflate
PKG_CONFIG_NAMES := libpng libjpeg libwebpdemux lcms2 libdeflate

# Homebrew keeps headers outside the compiler's own search path.
BREW_PREFIX := $(shell command -v brew >/dev/null 2>&1 && brew --prefix)
PLATFORM_FLAGS := $(if $(BREW_PREFIX),-Xcc -I$(BREW_PREFIX)/include -Xlinker -L$(BREW_PREFIX)/lib)
STATIC_FLAGS := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
SHARE = $(DESTDIR)$(PREFIX)/share
RELEASE := -c release $(STATIC_FLAGS) $(PLATFORM_FLAGS)
# Tests run optimized: pixel loops are fifty times slower in a debug build.
TESTING := -c release -Xswiftc -enable-testing --scratch-path .build/testing $(PLATFORM_FLAGS)

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "%-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## install the system libraries where pkg-config does not find them (apt or brew)
	@if command -v pkg-config >/dev/null && pkg-config --exists $(PKG_CONFIG_NAMES); then \
	  echo "system libraries: found"; \
	elif command -v apt-get >/dev/null; then \
	  $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y --no-install-recommends $(APT_LIBRARIES); \
	elif command -v brew >/dev/null; then brew install $(BREW_LIBRARIES); \
	else echo "install by hand: $(APT_LIBRARIES)"; exit 1; fi

.PHONY: build
build: deps ## build the release binary
	$(SWIFT) build $(RELEASE) --product decal

.PHONY: demo
demo: build ## press the example pack
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/decal" build examples/fox
	@echo "the pack is in examples/fox/out: open Stickers.xcstickers in Xcode"

.PHONY: install
install: build ## install decal to PREFIX/bin, with man page, completions and templates
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" \
	  "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d" "$(SHARE)/decal/art"
	install -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/decal" "$(DESTDIR)$(PREFIX)/bin/decal"
	"$(DESTDIR)$(PREFIX)/bin/decal" help --man > "$(SHARE)/man/man1/decal.1"
	"$(DESTDIR)$(PREFIX)/bin/decal" completions bash > "$(SHARE)/bash-completion/completions/decal"
	"$(DESTDIR)$(PREFIX)/bin/decal" completions zsh > "$(SHARE)/zsh/site-functions/_decal"
	"$(DESTDIR)$(PREFIX)/bin/decal" completions fish > "$(SHARE)/fish/vendor_completions.d/decal.fish"
	install -m 644 templates/decal.mk templates/github-actions.yml templates/*.schema.json "$(SHARE)/decal"
	install -m 644 templates/art/*.svg "$(SHARE)/decal/art"

.PHONY: uninstall
uninstall: ## remove what install put there
	rm -f "$(DESTDIR)$(PREFIX)/bin/decal" "$(SHARE)/man/man1/decal.1" "$(SHARE)/bash-completion/completions/decal" \
	  "$(SHARE)/zsh/site-functions/_decal" "$(SHARE)/fish/vendor_completions.d/decal.fish"
	rm -rf "$(SHARE)/decal"

.PHONY: test
test: ## build and pass the tests; FILTER=Name runs a part
	$(SWIFT) build --build-tests $(TESTING)
	$(SWIFT) test --skip-build $(TESTING) $(if $(FILTER),--filter '$(FILTER)')

.PHONY: test-deps
test-deps: ## install what only tests need: FFmpeg, Chromium, shells, groff, Python packages in .venv
	@for tool in ffmpeg zsh fish groff; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	if [ -n "$$missing" ]; then \
	  if command -v apt-get >/dev/null; then \
	    $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y --no-install-recommends $$missing; \
	  else brew install $$missing; fi; fi
	@if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then \
	  if command -v apt-get >/dev/null; then $(SUDO) apt-get install -y --no-install-recommends chromium || true; fi; fi
	@[ -x $(PYTHON) ] || python3 -m venv $(VENV) || { \
	  rm -rf $(VENV); $(SUDO) apt-get install -y --no-install-recommends python3-venv && python3 -m venv $(VENV); }
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r Tests/requirements.txt

.PHONY: check
check: ## press the examples again and compare with their committed manifests; UPDATE=1 rewrites those
	$(SWIFT) build --build-tests $(TESTING)
	$(if $(UPDATE),DECAL_UPDATE=1) $(SWIFT) test --skip-build $(TESTING) --filter ExamplesTests

# What the compiler has to know to read the library's interface: the maps of the C modules behind it.
DOC_MAPS = $(foreach module,CCodecs Templates,-Xcc -fmodule-map-file="$$bin/$(module).build/module.modulemap") \
  $(foreach module,CPNG CJPEG CWebP CLCMS CDeflate,-Xcc -fmodule-map-file=Sources/$(module)/module.modulemap)

.PHONY: docs
docs: build ## render the library's documentation into .build/docs; a warning is an error
	rm -rf .build/docs && mkdir -p .build/docs/symbols
	bin="$$($(SWIFT) build $(RELEASE) --show-bin-path)"; \
	target="$$($(SWIFT) -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)"; \
	$(SWIFT) symbolgraph-extract -module-name Pipeline -minimum-access-level public -output-dir .build/docs/symbols \
	  -target "$$target" $(if $(filter Darwin,$(shell uname -s)),-sdk "$$(xcrun --show-sdk-path)") \
	  -I "$$bin/Modules" $(DOC_MAPS)
	$(DOCC) convert Sources/Pipeline/Pipeline.docc --additional-symbol-graph-dir .build/docs/symbols --warnings-as-errors \
	  --fallback-display-name Pipeline --fallback-bundle-identifier decal.Pipeline --output-path .build/docs/Pipeline.doccarchive

.PHONY: conformance
conformance: ## compare every file of the public test suites with its reference; CORPUS=DIR says where they are
	$(SWIFT) build $(TESTING) --product DecalBench
	$(SWIFT) run --skip-build $(TESTING) DecalBench conformance $(CORPUS)

.PHONY: bench-build
bench-build: build ## time builds that have little to do beside ninja, and what watching costs
	$(SWIFT) build $(TESTING) --product DecalBench
	$(SWIFT) run --skip-build $(TESTING) DecalBench build "$$($(SWIFT) build $(RELEASE) --show-bin-path)/decal"

.PHONY: fuzz
fuzz: ## feed every decoder and parser with changed files for SECONDS each (60)
	Tests/Fuzz/run.sh $(or $(SECONDS),60) $(TARGETS)

.PHONY: sanitize
sanitize: ## read every file of the public test suites under the address and undefined behavior sanitizers
	Tests/Fuzz/run.sh sanitize

.PHONY: hostile
hostile: ## measure memory and time of every file that was made to do harm; CORPUS=DIR says where they are
	$(SWIFT) build $(TESTING) --product DecalBench
	$(SWIFT) run --skip-build $(TESTING) DecalBench hostile $(CORPUS)

.PHONY: bench-deps
bench-deps: # what only the benchmarks need: the peers, FFmpeg, and Python packages in .venv-bench
	@if command -v apt-get >/dev/null; then for tool in $(BENCH_TOOLS); do \
	  command -v $${tool%%=*} >/dev/null || missing="$$missing $${tool##*=}"; done; \
	  [ -z "$$missing" ] || { $(SUDO) apt-get update -qq && \
	  $(SUDO) apt-get install -y --no-install-recommends $$missing; }; fi
	@[ -x $(BENCH_PYTHON) ] || python3 -m venv $(BENCH_VENV)
	@$(BENCH_PYTHON) -m pip install --quiet --disable-pip-version-check -r Tests/tools/bench-requirements.txt
	$(SWIFT) build $(RELEASE) --product decal
	$(SWIFT) build $(TESTING) --product DecalBench

.PHONY: bench
bench: bench-deps ## compare time and memory with other tools, write PERFORMANCE.md; ROWS= runs a part
	decal="$$($(SWIFT) build $(RELEASE) --show-bin-path)/decal"; \
	bench="$$($(SWIFT) build $(TESTING) --show-bin-path)/DecalBench"; \
	$(BENCH_PYTHON) Tests/tools/bench_speed.py --decal "$$decal" --bench "$$bench" \
	  --corpus $(BENCH_SHARED)/../corpus --pack $(BENCH_SHARED)/gen_pack.py --only "$(ROWS)"

.PHONY: bench-animation
bench-animation: bench-deps ## compare animations with other tools, write BENCHMARKS.md; CLIPS=, TOOLS= run a part
	decal="$$($(SWIFT) build $(RELEASE) --show-bin-path)/decal"; \
	bench="$$($(SWIFT) build $(TESTING) --show-bin-path)/DecalBench"; \
	"$$bench" clips $(BENCH_DIR)/clips && \
	$(BENCH_PYTHON) Tests/tools/bench_animation.py --decal "$$decal" --bench "$$bench" \
	  --work $(BENCH_DIR) --clips $(BENCH_SHARED)/clips $(BENCH_DIR)/clips --pack $(BENCH_SHARED)/gen_pack.py \
	  --only "$(CLIPS)" --tools "$(TOOLS)"

.PHONY: bench-quality
bench-quality: bench-deps ## check the quality measure against SSIMULACRA2; ART="FILE..." adds clips
	decal="$$($(SWIFT) build $(RELEASE) --show-bin-path)/decal"; \
	bench="$$($(SWIFT) build $(TESTING) --show-bin-path)/DecalBench"; \
	"$$bench" clips $(BENCH_DIR)/clips && \
	$(BENCH_PYTHON) Tests/tools/quality_pairs.py "$$decal" $(BENCH_DIR)/quality $(BENCH_DIR)/clips/* \
	  $(wildcard $(BENCH_SHARED)/clips/*) $(ART) && \
	$(BENCH_PYTHON) Tests/tools/quality_check.py "$$bench" $(BENCH_DIR)/quality

.PHONY: lint
lint: ## check the format of all Swift sources, strictly
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

.PHONY: format
format: ## format all Swift sources in place
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

.PHONY: clean
clean: ## remove what was built
	rm -rf .build $(VENV) $(BENCH_VENV)

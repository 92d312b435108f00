# Sticker packs as targets of make. From the Makefile of an art repository:
#
#   DECAL_PACKS := packs/fox packs/owl     # folders with a decal.json; "." by default
#   include decal.mk
#
# `make stickers` presses what changed, `make -j` several packs side by side. out/manifest.json is newer after a build only
# where the result is another one: let what needs the pack depend on that. Folder names must be without spaces.

DECAL ?= decal
DECAL_FLAGS ?=
DECAL_PACKS ?= .
# The output folder in each pack, as its decal.json has it.
DECAL_OUT ?= out

.PHONY: stickers clean-stickers decal-again
stickers: $(DECAL_PACKS:%=%/$(DECAL_OUT)/.decal-stamp)

clean-stickers:
	$(foreach pack,$(DECAL_PACKS),$(DECAL) clean $(pack) && rm -f $(pack)/$(DECAL_OUT)/.decal-stamp &&) true

define decal_pack
# The empty recipe has make look whether the manifest became newer.
$(1)/$(DECAL_OUT)/manifest.json: $(1)/$(DECAL_OUT)/.decal-stamp ;

$(1)/$(DECAL_OUT)/.decal-stamp: $(1)/decal.json $(if $(wildcard $(1)/$(DECAL_OUT)/manifest.json),,decal-again)
	$$(DECAL) build $$(DECAL_FLAGS) --depfile $(1)/$(DECAL_OUT)/.decal.d --stamp $$@ $(1)

-include $(1)/$(DECAL_OUT)/.decal.d
endef

$(foreach pack,$(DECAL_PACKS),$(eval $(call decal_pack,$(pack))))

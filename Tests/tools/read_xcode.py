"""Reads an Xcode project that `decal init --xcode` made with parsers that share no code with it; prints what is wrong.

read_xcode.py FOLDER NAME: the folder of the pack, and the pack's name.
"""

import glob
import os
import plistlib
import re
import sys

import yaml
from pbxproj import XcodeProject

APP = "com.apple.product-type.application.messages"
EXTENSION = "com.apple.product-type.app-extension.messages-sticker-pack"


def check(truth, what):
    if not truth:
        print(what)


def read_project(folder, name):
    paths = glob.glob(glob.escape(folder) + "/*.xcodeproj/project.pbxproj")
    check([os.path.basename(os.path.dirname(p)) for p in paths] == [name + ".xcodeproj"], f"projects: {paths}")
    project = XcodeProject.load(paths[0])
    objects = {key: project.objects[key] for key in project.objects.get_keys()}
    check(len(objects) >= 25, f"{len(objects)} objects")
    check(all(re.fullmatch("[0-9A-F]{24}", key) for key in objects), "ids")
    # Whatever looks like an id leads to an object.
    text = open(paths[0], encoding="utf-8").read()
    bare = re.sub(r"/\*.*?\*/", "", text)
    for key in set(re.findall(r"\b[0-9A-F]{24}\b", bare)):
        check(key in objects, f"{key} leads nowhere")
    check("DEVELOPMENT_TEAM" not in text, "a team")
    check(not re.search(r'= "?/', bare), "an absolute path")
    return project, objects


def read_targets(project, objects, name):
    targets = {t.productType: t for t in project.objects.get_targets()}
    check(set(targets) == {APP, EXTENSION}, f"types {set(targets)}")
    app, extension = targets[APP], targets[EXTENSION]
    check(app.name == name, f"app {app.name!r}")
    check(extension.name == name + " StickerPackExtension", f"extension {extension.name!r}")
    catalogs = []
    for target in (app, extension):
        phases = [objects[key] for key in target.buildPhases]
        kinds = sorted(phase.isa for phase in phases)
        wanted = ["PBXCopyFilesBuildPhase"] if target is app else []
        check(kinds == wanted + ["PBXResourcesBuildPhase"], f"phases {kinds}")
        for phase in phases:
            files = [objects[key] for key in phase.files]
            if phase.isa == "PBXResourcesBuildPhase":
                catalogs += [objects[file.fileRef] for file in files]
            else:
                check(str(phase.dstSubfolderSpec) == "13", "the extension's place")
                check([file.fileRef for file in files] == [extension.productReference], "what is embedded")
                check(list(files[0].settings.ATTRIBUTES) == ["RemoveHeadersOnCopy"], "attributes")
    check(len(catalogs) == 2 and catalogs[0] is catalogs[1], "one catalog in both")
    check(catalogs[0].lastKnownFileType == "folder.stickers", "the catalog's type")
    dependencies = [objects[key] for key in app.dependencies]
    check([objects[d.target] for d in dependencies] == [extension], "dependencies")
    return catalogs[0].path, {target: settings(objects, target) for target in (app, extension)}, app, extension


def settings(objects, owner):
    lists = objects[owner.buildConfigurationList]
    found = [objects[key] for key in lists.buildConfigurations]
    check([c.name for c in found] == ["Debug", "Release"], "configurations")
    values = [{key: c.buildSettings[key] for key in c.buildSettings.get_keys()} for c in found]
    check(values[0] == values[1], "Debug and Release")
    return values[0]


def read_plists(folder, name, by_target, app, extension):
    plists = {}
    for target in (app, extension):
        chosen = by_target[target]
        check(chosen["ASSETCATALOG_COMPILER_APPICON_NAME"] == "iMessage App Icon", "icon name")
        check(re.fullmatch("[A-Za-z0-9 _-]+", chosen["PRODUCT_NAME"]), f"product {chosen['PRODUCT_NAME']!r}")
        check(re.fullmatch(r"[A-Za-z0-9.-]+", chosen["PRODUCT_BUNDLE_IDENTIFIER"]), "bundle id")
        with open(os.path.join(folder, chosen["INFOPLIST_FILE"]), "rb") as file:
            plists[target] = plistlib.load(file, fmt=plistlib.FMT_XML)
        check(plists[target]["CFBundleDisplayName"] == name, "display name")
        check(plists[target]["CFBundleIdentifier"] == "$(PRODUCT_BUNDLE_IDENTIFIER)", "identifier")
    own, inner = (by_target[t]["PRODUCT_BUNDLE_IDENTIFIER"] for t in (app, extension))
    check(inner.rsplit(".", 1)[0] == own, f"bundle ids {own} {inner}")
    for key in ("CFBundleShortVersionString", "CFBundleVersion"):
        check(plists[app][key] == plists[extension][key], key)
    check(plists[app]["LSApplicationLaunchProhibited"] is True, "launch")
    check(plists[extension]["NSStickerSharingLevel"] == "OS", "sharing level")
    check(
        plists[extension]["NSExtension"]
        == {
            "NSExtensionPointIdentifier": "com.apple.message-payload-provider",
            "NSExtensionPrincipalClass": "StickerBrowserViewController",
        },
        "extension",
    )


def read_xcodegen(folder, name, catalog, by_target, app, extension):
    with open(folder + "/project.yml", encoding="utf-8") as file:
        spec = yaml.safe_load(file)
    check(spec["name"] == name, "name")
    check(set(spec["targets"]) == {app.name, extension.name}, "targets")
    types = {app: "application.messages", extension: "app-extension.messages-sticker-pack"}
    for target, kind in types.items():
        entry = spec["targets"][target.name]
        check(entry["type"] == kind and entry["platform"] == "iOS", f"type {entry['type']}")
        check([source["path"] for source in entry["sources"]] == [catalog], "sources")
        check(entry["settings"]["base"] == by_target[target], f"settings {entry['settings']}")
    check(spec["targets"][app.name]["dependencies"] == [{"target": extension.name}], "dependencies")


def main():
    folder, name = sys.argv[1:]
    project, objects = read_project(folder, name)
    catalog, by_target, app, extension = read_targets(project, objects, name)
    check(os.path.isdir(os.path.join(folder, catalog)), f"no catalog at {catalog}")
    read_plists(folder, name, by_target, app, extension)
    read_xcodegen(folder, name, catalog, by_target, app, extension)


main()

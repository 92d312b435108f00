#!/bin/sh
# Builds the fuzzer and feeds each part of Decal for some seconds: run.sh SECONDS [TARGET...]
# run.sh sanitize reads every file of the corpus once, with the address and undefined behavior sanitizers.
# Findings are left in .build/fuzz/TARGET-*; a minimal input of our own goes to Tests/Fuzz/regressions with the mend.
set -e
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=${*:-png apng gif jpeg webp facts configuration}
corpus=${DECAL_CORPUS:-../shared/corpus}
[ -d "$corpus" ] || corpus=../../shared/corpus
out=.build/fuzz
mkdir -p $out
export SWIFT_BACKTRACE=enable=no

modules="libpng libjpeg libwebpdemux lcms2 libdeflate"
flags="-O -g -sanitize=fuzzer,address -parse-as-library -swift-version 6 -I $out"
flags="$flags -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility"
flags="$flags -enable-upcoming-feature InternalImportsByDefault -package-name decal"
for library in CPNG CJPEG CWebP CLCMS CDeflate; do flags="$flags -Xcc -fmodule-map-file=Sources/$library/module.modulemap"; done
for module in CCodecs Templates; do
  flags="$flags -Xcc -fmodule-map-file=$out/$module.modulemap"
  printf 'module %s { umbrella "%s/Sources/%s/include" export * }\n' $module "$PWD" $module >$out/$module.modulemap
done
for flag in $(pkg-config --cflags $modules); do flags="$flags -Xcc $flag"; done

# Modules in the order in which they need each other.
objects=""
clang=$(dirname "$(command -v swiftc)")/clang
[ -x "$clang" ] || clang=clang
for file in Sources/CCodecs/*.c Sources/Templates/*.c; do
  object=$out/$(basename "$file" .c).o
  $clang -c -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fsanitize-trap=undefined \
    -I "$(dirname "$file")/include" $(pkg-config --cflags $modules) "$file" -o "$object"
  objects="$objects $object"
done
for module in Imaging Codecs AssetCatalog Pipeline; do
  newest=$(find Sources/$module Sources/CCodecs -type f -newer $out/$module.o 2>/dev/null | head -1)
  if [ ! -e $out/$module.o ] || [ -n "$newest" ] || [ -n "$rebuilt" ]; then
    rebuilt=yes
    swiftc $flags -Xcc -I -Xcc Sources/CCodecs/include -whole-module-optimization -module-name $module \
      -emit-module -emit-module-path $out/$module.swiftmodule -c $(find Sources/$module -name '*.swift') -o $out/$module.o
  fi
  objects="$objects $out/$module.o"
done
swiftc $flags -Xcc -I -Xcc Sources/CCodecs/include -module-name Fuzz Tests/Fuzz/FuzzTargets.swift $objects \
  $(pkg-config --libs $modules) -o $out/fuzz >$out/link.log 2>&1 || { cat $out/link.log; exit 1; }

# Patterns below are for find, not for the shell.
set -f
if [ "$seconds" = sanitize ]; then
  [ -d "$corpus" ] || { echo "no corpus at $corpus; DECAL_CORPUS says where it is"; exit 1; }
  find "$corpus/conformance" "$corpus/hostile" Tests/Fuzz/regressions -type f >$out/files
  # Inputs are judged one by one, so that a finding is named.
  DECAL_FUZZ=all xargs -d '\n' $out/fuzz -timeout=60 -rss_limit_mb=4096 -artifact_prefix=$out/sanitize- \
    <$out/files >$out/sanitize.log 2>&1 || { tail -40 $out/sanitize.log; exit 1; }
  echo "$(grep -c '^Executed' $out/sanitize.log) files read, no finding"
  exit 0
fi

# What each part begins with: the small files of the corpus.
seed() {
  mkdir -p "$out/$1-seeds" "$out/$1-found"
  [ -d "$corpus" ] || return 0
  shift_to=$1
  find "$corpus/conformance" "$corpus/hostile" -type f -size -24k \( $2 \) | sort | while read -r file; do
    cp "$file" "$out/$shift_to-seeds/$(echo "$file" | cksum | cut -d' ' -f1)"
  done
}
status=0
for target in $targets; do
  case $target in
    png) names="-path *png*.png" ;;
    apng) names="-path *apng*.png" ;;
    gif) names="-name *.gif" ;;
    jpeg) names="-name *.jpg -o -name *.jpeg" ;;
    webp) names="-name *.webp" ;;
    facts) names="-name *.png -o -name *.gif -o -name *.jpg -o -name *.webp" ;;
    *) names="-name decal.json" ;;
  esac
  seed "$target" "$names"
  if [ "$target" = configuration ]; then
    find examples templates -name '*.json' -not -name manifest.json -exec cp {} "$out/$target-seeds/" \;
  fi
  echo "== $target"
  DECAL_FUZZ=$target $out/fuzz "$out/$target-found" "$out/$target-seeds" "Tests/Fuzz/regressions" -max_total_time="$seconds" \
    -max_len=32768 -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 -verbosity=0 -artifact_prefix="$out/$target-" \
    2>"$out/$target.log" || status=1
  grep -E "stat::number_of_executed_units|stat::peak_rss|SUMMARY|ERROR|Test unit written" "$out/$target.log" || tail -5 "$out/$target.log"
done
exit $status

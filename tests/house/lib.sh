# Shared by tests/run, .ci/run and tests/house/empty-root; sourced, never run by itself.

house_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$house_dir/../.." && pwd)

# The oldest that work. Rust's is the one in Cargo.toml.
least_node=20
least_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$repository/Cargo.toml")

# Where built and installed things live, so that one machine pays for them once. tests/editors uses the same folder.
cache_dir=${COSTLENS_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/costlens-tests}

# at_least LEAST VERSION
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# The folder that cargo builds into: one per lock file and compiler, whatever checkout it is built from.
target_folder() {
  if [ -n "${CARGO_TARGET_DIR:-}" ]; then
    realpath -m "$CARGO_TARGET_DIR"
  else
    printf '%s/cargo-%s\n' "$cache_dir" "$( (cat "$repository/Cargo.lock" && rustc -vV) | sha256sum | cut -c1-12)"
  fi
}

# The program that the tests build; editors and scores use the same one.
program() { printf '%s/ci/costlens\n' "$(target_folder)"; }

# Where random changes of programs begin: a number of the commit, 0 where there is none.
mutant_seed() {
  local commit
  commit=$(git -C "$repository" rev-parse --short=8 HEAD 2>/dev/null) || commit=0
  echo $((16#${commit:0:6} % 1000000))
}

# Before a long run: a cache that has grown through many lock files starts anew.
trim_cache() {
  local folder
  for folder in "$cache_dir"/cargo-*/; do
    [ -d "$folder" ] || continue
    if [ "${folder%/}" != "$(target_folder)" ] && [ -z "$(find "$folder" -maxdepth 1 -newermt '-14 days' -print -quit)" ]; then
      rm -rf "$folder"
    fi
  done
  folder=$(target_folder)
  case $folder in
    "$cache_dir"/*)
      if [ -d "$folder" ] && [ "$(du -sm "$folder" | cut -f1)" -gt 8192 ]; then rm -rf "$folder"; fi ;;
  esac
}

# What a test runner wrote, as `PASSED FAILED SKIPPED`.
count_node() {
  awk '$2 ~ /^(pass|fail|cancelled|skipped|todo)$/ && $3 ~ /^[0-9]+$/ { n[$2] = $3 }
    END { print n["pass"] + 0, n["fail"] + n["cancelled"] + 0, n["skipped"] + n["todo"] + 0 }'
}

# Likewise, and a fourth number: test programs that began and told no result, which is what a crash looks like.
count_cargo() {
  awk '/^ +(Running|Doc-tests) / { begun++ }
    /^test result: / { ended++; p += $4; f += $6; s += $8 }
    END { print p + 0, f + 0, s + 0, begun - ended }'
}

# The programs of `cargo test` that took longest, with their seconds.
longest_cargo() {
  awk '/^ +(Running|Doc-tests) / { name = $0; sub(/^ +Running /, "", name); sub(/ \(.*\/deps\//, " ", name); sub(/-[0-9a-f]+\)$/, "", name) }
    /^test result: / && match($0, /finished in [0-9.]+s/) { printf "%8.1f s  %s\n", substr($0, RSTART + 12, RLENGTH - 13), name }' | sort -rn | head -10
}

# Of a runner whose last line is like our own.
count_last_line() {
  awk '/^[0-9]+ passed, [0-9]+ failed/ { p = $1; f = $3; s = $5 } END { print p + 0, f + 0, s + 0 }'
}

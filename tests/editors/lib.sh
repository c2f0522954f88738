# Shared by the setup scripts and by `run`; sourced, never run by itself.

editors_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Where installed editors live, so that one machine pays for them once.
cache_dir=${COSTLENS_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/costlens-tests}

say() { printf '[editors] %s\n' "$*" >&2; }

# Exit code of the setup scripts where an editor cannot be had on this machine (as opposed to a broken script).
readonly cannot_install=3

# key FILE… : a short name for exactly these contents.
key() { cat "$@" | sha256sum | cut -c1-12; }

# need_packages COMMAND:PACKAGE… : installs with apt what is missing, or says what a person has to install.
need_packages() {
  local entry missing=()
  for entry in "$@"; do
    case ${entry%%:*} in
      /*) [ -e "${entry%%:*}" ] || missing+=("${entry##*:}") ;;
      *) command -v "${entry%%:*}" >/dev/null 2>&1 || missing+=("${entry##*:}") ;;
    esac
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local root=()
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
      root=(sudo)
    else
      say "missing packages: ${missing[*]}; install them as root, then run this again: apt-get install ${missing[*]}"
      exit "$cannot_install"
    fi
  fi
  if ! command -v apt-get >/dev/null 2>&1; then
    say "missing: ${missing[*]}, and there is no apt-get here to install them with"
    exit "$cannot_install"
  fi
  say "apt: ${missing[*]}"
  local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq)
  "${apt[@]}" update
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
}

# one_at_a_time NAME : the rest of the script runs alone, also where two test runs start at once.
one_at_a_time() {
  mkdir -p "$cache_dir"
  exec 9>"$cache_dir/$1.lock"
  flock 9
}

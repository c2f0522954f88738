#!/usr/bin/env bash
# Unpacks a current Neovim from a newer Debian suite, with its own C library, into one folder of the cache; nothing newer
# than the machine's own suite is installed into the system. Needs apt alone. Prints the path of `nvim` on standard output.
#
#   COSTLENS_NVIM=PATH      use this one instead (0.11 or newer)
#   COSTLENS_NVIM_SUITE=…   the Debian suite, default forky (testing: its version moves)
set -euo pipefail
source "$(dirname "$0")/lib.sh"
suite=${COSTLENS_NVIM_SUITE:-forky}
least=0.11.0 # vim.lsp.config and vim.lsp.enable

version_of() { "$1" --version 2>/dev/null | sed -n '1s/NVIM v\([0-9.]*\).*/\1/p'; }
new_enough() { [ "$(printf '%s\n%s\n' "$least" "$(version_of "$1")" | sort -V | head -1)" = "$least" ]; }

for candidate in "${COSTLENS_NVIM:-}" "$(command -v nvim || true)"; do
  if [ -n "$candidate" ] && new_enough "$candidate"; then
    printf '%s\n' "$candidate"
    exit 0
  fi
done
if [ -n "${COSTLENS_NVIM:-}" ]; then
  say "COSTLENS_NVIM=$COSTLENS_NVIM is older than $least or does not run"
  exit "$cannot_install"
fi
if [ ! -e /usr/share/keyrings/debian-archive-keyring.gpg ]; then
  say "no Neovim >= $least here, and this is no Debian to unpack one from: install it, or set COSTLENS_NVIM"
  exit "$cannot_install"
fi
need_packages patchelf:patchelf flock:util-linux dpkg:dpkg

one_at_a_time neovim
home=$cache_dir/neovim-$suite-$(key "$0")
if [ ! -e "$home/.ready" ]; then
  started=$SECONDS
  rm -rf "$home"
  mkdir -p "$home"

  # A private apt state that knows this suite alone, on the mirror that the machine is set up for.
  apt=$home/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs"
  mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | awk '
    /^URIs:/ { for (i = 2; i <= NF; i++) if ($i !~ /security/) { print $i; exit } }
    /^deb /  { for (i = 2; i <= NF; i++) if ($i ~ /^(https?|file|mirror\+).*:/ && $i !~ /security/) { print $i; exit } }' || true)
  if [ -z "$mirror" ]; then
    say "no Debian mirror in /etc/apt"
    exit "$cannot_install"
  fi
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$mirror" "$suite" >"$apt/sources.list"
  : >"$apt/status"
  # A mirror that stands still at some date is good enough here, hence no Valid-Until; signatures are checked.
  cat >"$apt/apt.conf" <<CONF
Dir::State "$apt"; Dir::State::lists "$apt/lists"; Dir::State::status "$apt/status"; Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list"; Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null"; Dir::Etc::preferences "/dev/null";
Acquire::Check-Valid-Until "false"; Acquire::Languages "none"; APT::Sandbox::User "root";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";
CONF
  private_apt() { APT_CONFIG=$apt/apt.conf "$@"; }
  say "apt: neovim of $suite, unpacked aside"
  private_apt apt-get -qq update >&2
  packages=$(private_apt apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances neovim | sed -n 's/^\([a-z0-9][^ :]*\).*/\1/p' | sort -u | grep -vE '^(gcc-.*-base|libc-gconv.*|debconf.*)$')
  (
    cd "$apt/debs"
    # shellcheck disable=SC2086 # one word per package
    private_apt apt-get -qq download $packages >&2
    for deb in *.deb; do dpkg -x "$deb" "$home"; done
  )

  # The program gets its own loader and library path inside itself. A wrapper around ld.so would not do: Neovim runs
  # its own executable again.
  libraries=$(dirname "$(find "$home" -name libuv.so.1 | head -1)")
  loader=$(find "$home" -name 'ld-linux-*.so.*' | head -1)
  program=$home/usr/bin/nvim
  patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$program"
  for library in "$libraries"/*.so*; do
    [ -L "$library" ] && continue
    case $library in */ld-linux* | */libc.so*) continue ;; esac
    patchelf --force-rpath --set-rpath "$libraries" "$library" 2>/dev/null || true
  done
  printf '#!/bin/sh\nVIMRUNTIME=%q exec %q "$@"\n' "$home/usr/share/nvim/runtime" "$program" >"$home/nvim"
  chmod +x "$home/nvim"
  rm -rf "$apt"
  if ! new_enough "$home/nvim"; then
    say "$suite has Neovim $(version_of "$home/nvim"), the plugin needs $least"
    exit "$cannot_install"
  fi
  touch "$home/.ready"
  say "Neovim $(version_of "$home/nvim") installed in $((SECONDS - started)) s, $(du -sh "$home" | cut -f1)"
fi
printf '%s\n' "$home/nvim"

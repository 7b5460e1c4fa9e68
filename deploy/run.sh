#!/bin/sh
# run.sh [web|worker]: runs a build of the shop, as `npm start` does but without building or fetching anything.
# run.sh FILE [argument…]: runs one of its programs, as server/src/cli/ledger-recover.ts.
set -eu
cd "$(dirname "$0")/.."
node=$(echo .runtime/node_modules/node-*/bin/node)
[ -x "$node" ] || node=node
# The same as in tools/server-program.ts, which says why.
export NODE_ENV="${NODE_ENV:-production}"
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/.runtime/compile-cache}"
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
case "${1:-web}" in
  web) program=main ;;
  worker) program=worker ;;
  *) exec "$node" "$@" ;;
esac
exec "$node" --max-semi-space-size=4 "server/dist/$(cat server/dist/newest)/$program.js"

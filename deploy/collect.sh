#!/bin/sh
# collect.sh FROM TO: copies what a built checkout needs to run, without tests, pages' sources and tools for building.
set -eu
from=$1 to=$2
node=$(echo "$from"/.runtime/node_modules/node-*/bin/node)
mkdir -p "$to"
cd "$from"
for file in package.json package-lock.json LICENSE NOTICE README.md deploy/run.sh deploy/healthcheck.mjs \
  server/package.json server/src server/sample server/content server/dist/newest "server/dist/$(cat server/dist/newest)" \
  web/package.json web/dist/newest "web/dist/$(cat web/dist/newest)" \
  domain/package.json domain/src provenance/package.json provenance/src \
  contract/package.json contract/abi.ts e2e/package.json bench/package.json \
  "${node#"$from"/}"
do
  mkdir -p "$to/$(dirname "$file")"
  cp -R "$file" "$to/$file"
done
find "$to" -name '*.test.ts' -delete
rm -rf "$to/server/src/testing"
cd "$to"
# Under the pinned Node, since npm leaves out native packages that need a newer one than it runs under.
# What the build installed is in npm’s cache.
PATH="$(dirname "$node"):$PATH" npm ci --omit=dev --workspace=@befaqt/server --ignore-scripts --no-audit --no-fund --prefer-offline
# The compiler comes along as a peer of a package, for its types.
rm -rf node_modules/typescript node_modules/@typescript
# Maps, sources, types and documents are a third of what packages weigh, and nothing reads them: Node runs no TypeScript in
# node_modules.
find node_modules \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -type f -delete

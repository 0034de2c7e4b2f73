#!/usr/bin/env bash
# Makes rulerun-VERSION.vsix in this folder. Needs node 20 or later; "npm ci" fetches what package-lock.json names.
set -euo pipefail
cd "$(dirname "$0")"

[ -d node_modules ] || npm ci --no-audit --no-fund
rm -rf dist schemas ./*.vsix
mkdir schemas
cp ../../../boards/board.schema.json schemas/
cp ../../../LICENSE LICENSE
npm run --silent bundle
node_modules/.bin/vsce package --no-dependencies --no-update-package-json

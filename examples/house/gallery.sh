#!/usr/bin/env bash
# Plays every comparison of the gallery, draws it, and writes the section "What they do to the game" of README.md.
#   examples/house/gallery.sh                          some minutes; rewrites README.md and gallery/*.svg
#   examples/house/gallery.sh --games 100 --to DIR     quickly, with little certainty, into another folder
set -euo pipefail
cd "$(dirname "$0")/../.."
exec go run ./examples/house "$@"

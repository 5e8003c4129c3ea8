#!/usr/bin/env bash
# Proves that a backup brings the service back: takes one of the running service (or the one that is named), restores it
# into an empty place, starts a node on it that delivers and sends nothing, and compares what it serves. The service that
# runs is only read. Run it from time to time, on another machine if you can: it needs the backup and the key.
#
#   deploy/disaster-test.sh [BACKUP]
#
# Settings are those of the service: WAYPOST_DATA_DIR, or DATABASE_URL with SCRATCH_DATABASE_URL, the address of an empty
# PostgreSQL database that is filled and left for you to drop. WAYPOST is the command, `npx waypost` unless told.
set -euo pipefail

read -ra waypost <<<"${WAYPOST:-npx waypost}"
backup=${1:-}
named=$backup
scratch=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; fi
  rm -rf "$scratch"
}
trap finish EXIT
fail() { echo "disaster test: $*" >&2; exit 1; }
say() { echo "disaster test: $*"; }

# Applications with their numbers of grants, one line each.
holdings() { "${waypost[@]}" apps list --json | grep -oE '"(application_id|grant_count)": ?("[^"]*"|[0-9]+)' | sort; }

begun=$SECONDS
if [ -n "${DATABASE_URL:-}" ]; then
  [ -n "${SCRATCH_DATABASE_URL:-}" ] || fail "SCRATCH_DATABASE_URL must name an empty PostgreSQL database"
  [ "$SCRATCH_DATABASE_URL" != "$DATABASE_URL" ] || fail "SCRATCH_DATABASE_URL must not be the database of the service"
  [ -n "${WAYPOST_SECRET_KEY:-}" ] || fail "WAYPOST_SECRET_KEY must be the key of the service"
  before=$(holdings)
  if [ -z "$backup" ]; then
    backup=$scratch/waypost.dump
    pg_dump --format=custom --file="$backup" "$DATABASE_URL"
  fi
  pg_restore --exit-on-error --no-owner --dbname="$SCRATCH_DATABASE_URL" "$backup"
  export DATABASE_URL=$SCRATCH_DATABASE_URL
else
  data=${WAYPOST_DATA_DIR:-./data}
  before=$(holdings)
  if [ -z "$backup" ]; then
    backup=$scratch/waypost.db
    "${waypost[@]}" backup "$backup" >/dev/null
  fi
  mkdir -p "$scratch/data"
  if [ -z "${WAYPOST_SECRET_KEY:-}" ]; then install -m 600 "$data/secret.key" "$scratch/data/secret.key"; fi
  export WAYPOST_DATA_DIR=$scratch/data
  "${waypost[@]}" restore "$backup" >/dev/null
fi
say "restored $(wc -c <"$backup") bytes after $((SECONDS - begun)) s"

# A node without the role of a worker delivers, watches and sends nothing.
export WAYPOST_ROLES=api WAYPOST_HOST=127.0.0.1 WAYPOST_PORT="${DISASTER_TEST_PORT:-31999}"
unset WAYPOST_BASE_URL
"${waypost[@]}" serve >"$scratch/log" 2>&1 &
server=$!
for _ in $(seq 600); do
  if curl -sf "http://127.0.0.1:$WAYPOST_PORT/ready" >/dev/null; then break; fi
  kill -0 "$server" 2>/dev/null || { cat "$scratch/log" >&2; fail "the restored service did not start"; }
  sleep 0.2
done
curl -sf "http://127.0.0.1:$WAYPOST_PORT/ready" >/dev/null || fail "the restored service is not ready"

after=$(holdings)
if [ "$before" != "$after" ]; then
  difference=$(diff <(echo "$before") <(echo "$after") || true)
  # What happened since an older backup is not in it.
  [ -n "$named" ] || fail "the restored service holds other applications or grants than the running one:
$difference"
  say "since the backup, the service changed:
$difference"
fi
say "passed: $(grep -c application_id <<<"$after") applications are served again, $((SECONDS - begun)) s in all"

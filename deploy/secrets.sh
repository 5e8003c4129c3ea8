#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, once; what is there stays. The folder is closed to others; the files in it
# are open, because a container reads them as a user of its own.
set -eu
folder=${1:-secrets}
mkdir -p "$folder"
chmod 700 "$folder"
put() { [ -e "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"; chmod 644 "$folder/$1"; }

put postgres_password "$(openssl rand -hex 24)"
put database_url "postgres://waypost:$(cat "$folder/postgres_password")@postgres:5432/waypost"
put secret_key "$(openssl rand -base64 32)"
echo "$folder: database_url, postgres_password, secret_key"

#!/bin/sh
# make-secrets.sh [FOLDER]: writes the secrets of compose.replicas.yaml, once; what is there stays.
# Containers see each file by itself and as another user, so files are readable and the folder is not.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
write() {
  [ -e "$folder/$1" ] || (umask 222 && printf '%s\n' "$2" >"$folder/$1")
}
write postgres_password "$(random)"
write database_url "postgres://befaqt:$(cat "$folder/postgres_password")@postgres:5432/befaqt"
# One line for the shop, and one for each device: BOX:PASSWORD.
write mqtt_passwords "befaqt:$(random)"
write mqtt_url "mqtt://befaqt:$(sed -n 's/^befaqt://p' "$folder/mqtt_passwords")@mosquitto:1883"

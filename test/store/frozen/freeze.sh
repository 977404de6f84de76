#!/usr/bin/env bash
# Makes a frozen data folder (README.md describes its content). Run it in a built clone of the version (npm run build):
#   test/store/frozen/freeze.sh <new folder> [address of a PostgreSQL server whose user may create databases]
# Needs curl, jq and the free ports 4710 to 4712; for PostgreSQL also psql and pg_dump.
set -euo pipefail
OUT=$(realpath -m "$1") server=${2:-}
export DATA_DIR="$OUT/data" MARKETPLACE=etsy ETSY_API_URL=http://127.0.0.1:4710 ETSY_AUTH_URL=http://127.0.0.1:4710 \
  ETSY_KEYSTRING=sandbox0keystring0notreal ETSY_SHARED_SECRET=sandbox0secret PORT=4711 BASE_URL=http://127.0.0.1:4711 \
  ORDER_POLL_SECONDS=1 RATE_LIMIT_PER_SECOND=50 EGRESS_ALLOW_CIDRS=127.0.0.0/8 WEBHOOK_ALLOW_HTTP=on LOG_LEVEL=silent
scratch=$(mktemp -d)
if [ -n "$server" ]; then
  psql -q "$server" -c 'DROP DATABASE IF EXISTS listing_freeze' -c 'CREATE DATABASE listing_freeze TEMPLATE template0'
  export DATABASE_URL="${server%/*}/listing_freeze"
fi
service() { node dist/src/cli.js "$@"; }
api() { curl -sS --fail-with-body -X "$1" "$BASE_URL/api/v1$2" -H "x-service-api-key: $key" "${@:3}"; }
json=(-H 'content-type: application/json')
sqlite() { node --input-type=module -e "const { openAddon } = await import('$PWD/.build/src/sqlite.js'); const sqlite = openAddon('$1'); $2"; }
control() { curl -sS --fail-with-body "http://127.0.0.1:4710/_sandbox$1" "${@:2}"; }
wait_for() { until curl -sf -o "$scratch/page" "$1"; do sleep 0.1; done; }

# The marketplace, and a webhook receiver that accepts deliveries until the file `refusing` exists.
mkdir -p "$DATA_DIR" "$scratch/sandbox" && chmod 700 "$DATA_DIR"
env -u DATABASE_URL DATA_DIR="$scratch/sandbox" MARKETPLACE=sandbox node dist/src/cli.js sandbox --port 4710 --control > "$scratch/sandbox.log" &
sandbox=$!
node -e "require('http').createServer((request, response) => response.writeHead(require('fs').existsSync('$scratch/refusing') ? 500 : 200).end()).listen(4712)" &
receiver=$!
trap 'kill $sandbox $receiver ${serve:-} 2> "$scratch/ended" || true' EXIT
wait_for http://127.0.0.1:4710/_sandbox/state
# Poll orders every second.
control /settings -d '{"rate_per_day":100000000}' > "$scratch/answer"

# A master key, three accounts, and keys: full, revoked, read-only for 30 days, and one of each further account.
head -c 32 /dev/urandom | base64 > "$DATA_DIR/master.key" && chmod 600 "$DATA_DIR/master.key"
make_key() { service keys create --json "$@"; }
whole=$(make_key --name whole) revoked=$(make_key --name revoked)
read_only=$(make_key --name "read only" --read-only --expires-in 30d)
second=$(make_key --account second --name second)
jobs=$(make_key --account jobs --name jobs)
service keys revoke "$(jq -r .key_id <<< "$revoked")"

# Connect the shops as a seller does in a browser.
submit() { # the form of $scratch/page, to $1, with further fields
  local fields=() line
  while read -r line; do fields+=(--data-urlencode "$line"); done < <(
    grep -o '<input type="hidden" name="[^"]*" value="[^"]*"' "$scratch/page" |
      sed -E 's/.*name="([^"]*)" value="([^"]*)"/\1=\2/; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g'
  )
  curl -sS -b "$scratch/jar" -c "$scratch/jar" -H "origin: $(cut -d/ -f1-3 <<< "$1")" -o "$scratch/answer" \
    -w '%{redirect_url}' "$1" "${fields[@]}" "${@:2}"
}
for owner in 'default 731204418' 'default 806551203' 'second 806551203' 'jobs 731204418' 'jobs 806551203'; do
  : > "$scratch/connect"
  service connect --account "${owner% *}" --no-browser > "$scratch/connect" 2>&1 &
  connecting=$!
  until grep -q '^http' "$scratch/connect"; do sleep 0.1; done
  curl -sS -o "$scratch/page" "$(grep '^http' "$scratch/connect")"
  action=$(grep -o 'action="[^"]*"' "$scratch/page" | cut -d'"' -f2 | sed 's/&amp;/\&/g')
  curl -sS -o "$scratch/answer" "$(submit "http://127.0.0.1:4710$action" -d "user_id=${owner#* }" -d decision=allow)"
  wait $connecting
done

# First run: stops cleanly.
node dist/src/cli.js serve > "$scratch/serve.log" &
serve=$!
wait_for "$BASE_URL/healthz"
key=$(jq -r .key <<< "$whole")
upload=$(api POST /uploads -F file=@test/fixtures/photo-01.jpg -F type=image)
secret=$(api PUT /webhooks/endpoint "${json[@]}" -d '{"url":"http://127.0.0.1:4712/"}' | jq -r .secret)
shops='[{"shop_id":48213377,"shipping_profile_id":211740301,"return_policy_id":1142500101},
  {"shop_id":52660914,"shipping_profile_id":SHIPPING,"return_policy_id":RETURNS}]'
linen=$(api POST /stores/52660914/sync)
shops=${shops/SHIPPING/$(jq .shipping_profiles[0].shipping_profile_id <<< "$linen")}
shops=${shops/RETURNS/$(jq .return_policies[0].return_policy_id <<< "$linen")}
mug() { # title, state
  jq -n --arg title "$1" --arg state "$2" --argjson shops "$shops" --argjson upload "$upload" '{
    state: $state, shops: $shops, images: [{url: $upload.url}],
    listing: {title: $title, description: ("A mug: " + $title), listing_type: "physical", taxonomy_id: 1062, price: 24.5,
      quantity: 4, who_made: "i_did", when_made: "made_to_order", is_supply: false}}'
}
create() { api POST /listings/create "${json[@]}" -H "idempotency-key: $1" -d "$(mug "$2" "$3")"; }
draft=$(create first-draft 'Saved mug' draft)
create second-draft 'Another saved mug' draft > "$scratch/answer"
completed=$(create first-job 'Published mug' active)
sleep 1
key=$(jq -r .key <<< "$second") api POST /listings/create "${json[@]}" -d "$(mug "Mug of the second account" draft | jq "del(.images, .shops[0])")" > "$scratch/answer"

# The account `jobs`: three uploads, listings for the second run to change, an update to undo and a publish to retry.
key=$(jq -r .key <<< "$jobs")
uploads=$(for number in 1 2 3; do api POST /uploads -F "file=@test/fixtures/photo-0$number.jpg" -F type=image; done | jq -cs 'map({url})')
one_shop() { # title, state, index of the shop, jq filter over the request
  api POST /listings/create "${json[@]}" -d "$(mug "$1" "$2" | jq --argjson uploads "$uploads" --argjson shop "$3" \
    ".shops |= [.[\$shop]] | .images = \$uploads[:1] | ${4:-.}")"
}
change() { api PATCH "/listings/$1" "${json[@]}" -d "$2"; }
updated=$(one_shop 'Updated mug' active 0 | jq .listing_pk)
undone_update=$(change "$updated" '{"changes":{"listing":{"title":"Mug with a new title","price":31}}}' | jq -r .job_id)
repriced=$(one_shop 'Repriced mug' active 0 | jq .listing_pk)
returned=$(one_shop 'Returned mug' active 1 | jq .listing_pk)
change "$returned" '{"changes":{"listing":{"title":"Mug whose title is taken back"}}}' > "$scratch/answer"
copied=$(one_shop 'Copied mug' active 0 | jq .listing_pk)
taken_off=$(one_shop 'Mug off sale' active 0 | jq .listing_pk)
control /faults -d '{"rules":[{"operation":"uploadListingImage","times":20,"action":{"type":"status","status":400,"body":{"error":"not this photo"}}}]}' > "$scratch/answer"
failed=$(one_shop 'Failed mug' active 1 | jq .listing_pk)
control /faults -X DELETE
imported=$(control /listings -d '{"shop_id":48213377,"count":1}' | jq .listing_ids[0])
key=$(jq -r .key <<< "$whole")

# An order that is delivered, and a delivery that fails.
sleep 3
order() { control /receipts -d '{"shop_id":48213377,"is_paid":true}' | jq .receipt_id; }
deliveries() { api GET "/webhooks/deliveries?status=$1" | jq .total; }
wait_deliveries() { until [ "$(deliveries "$1")" -ge "$2" ]; do sleep 0.6; done; }
told=$(order)
wait_deliveries success 1
touch "$scratch/refusing"
api POST /webhooks/test > "$scratch/answer"
wait_deliveries failed 1

# A dashboard session, and an authorized assistant.
session_at="$BASE_URL/dashboard/sign-in"
: > "$scratch/page"
submit "$session_at" --data-urlencode "key=$key" -d to=/dashboard > "$scratch/redirect"
client_id=$(curl -sS "$BASE_URL/oauth/register" "${json[@]}" \
  -d '{"client_name":"Frozen assistant","redirect_uris":["http://localhost:4713/callback"]}' | jq -r .client_id)
verifier=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_' | tr -d '=')
asked="$BASE_URL/oauth/authorize?client_id=$client_id&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A4713%2Fcallback"
asked+="&code_challenge=$challenge&code_challenge_method=S256&resource=http%3A%2F%2F127.0.0.1%3A4711%2Fmcp&state=frozen"
curl -sS -b "$scratch/jar" -o "$scratch/page" "$asked"
code=$(submit "$asked" -d decision=allow | sed -E 's/.*[?&]code=([^&]*).*/\1/')
tokens=$(curl -sS --fail-with-body "$BASE_URL/oauth/token" -d grant_type=authorization_code -d "client_id=$client_id" -d "code=$code" \
  -d "code_verifier=$verifier" -d redirect_uri=http://localhost:4713/callback --data-urlencode "resource=$BASE_URL/mcp")
kill $serve && wait $serve || true

# Second run: each job makes its call, whose answer never arrives; then the process is killed.
node dist/src/cli.js serve > "$scratch/serve.log" &
serve=$!
wait_for "$BASE_URL/healthz"
wait_call() { until [ "$(control /faults | jq '[.rules[].remaining] | add')" = 0 ]; do sleep 0.1; done; }
lose() { # what the call must match, then the command that makes it
  control /faults -d "{\"rules\":[{$1,\"action\":{\"type\":\"commit_then_slow\",\"ms\":600000}}]}" > "$scratch/answer"
  "${@:2}" > "$scratch/lost" 2>&1 &
  wait_call
}
lose '"operation":"createDraftListing","shop_id":52660914' create job-in-flight 'Mug in flight' active
key=$(jq -r .key <<< "$jobs")
lose '"operation":"createDraftListing"' one_shop 'Lost create' active 0
lose '"operation":"uploadListingImage","after":1' one_shop 'Half-sent photo' active 0 '.images = $uploads'
# shellcheck disable=SC2016
varied='.variations = {properties: [{property_id: 513, name: "Glaze", values: ["White", "Ochre"]}],
  offerings: [{glaze: "White", price: 20, quantity: 3, sku: "W"}, {glaze: "Ochre", price: 22, quantity: 4, sku: "O"}]}'
lose '"operation":"updateListingInventory"' one_shop 'Lost inventory' active 0 "$varied"
lose '"operation":"updateListing","shop_id":52660914' one_shop 'Lost activation' active 1
lose '"operation":"updateListingInventory"' change "$repriced" '{"changes":{"listing":{"price":29}}}'
lose '"operation":"updateListing"' api POST "/listings/$returned/undo" "${json[@]}" -d '{}'
lose '"operation":"createDraftListing"' api POST "/listings/$copied/copy" "${json[@]}" \
  -d "$(jq -n --argjson shops "$shops" '{shops: $shops[1:], changes: {listing: {price: 31}}, state: "active"}')"
lose '"operation":"updateListing"' api POST "/listings/$taken_off/publish" "${json[@]}" -d '{"state":"inactive"}'
lose '"method":"GET","path":"/listings/'"$imported"'/"' api POST /listings/import "${json[@]}" \
  -d "{\"shop_id\":48213377,\"listing_ids\":[$imported]}"
# And an order whose delivery still has to be retried.
key=$(jq -r .key <<< "$whole")
pending=$(order)
wait_deliveries failed 2
kill -KILL $serve && wait $serve || true
kill $receiver $sandbox && wait || true

if [ -n "$server" ]; then
  # One statement per row and no psql commands, so that a test can load it through its own client.
  pg_dump --no-owner --no-privileges --rows-per-insert=1000 "$DATABASE_URL" | grep -v '^\\' | gzip -9n > "$OUT/dump.sql.gz"
  psql -q "$server" -c 'DROP DATABASE listing_freeze'
else
  for file in service rates; do
    sqlite "$DATA_DIR/$file.db" "sqlite.pragma('wal_checkpoint(TRUNCATE)')"
  done
fi
cp "$scratch/sandbox/sandbox.db" "$OUT/sandbox.db"
sqlite "$OUT/sandbox.db" "sqlite.exec('DELETE FROM faults; VACUUM'); sqlite.pragma('wal_checkpoint(TRUNCATE)')"
rm -rf "$OUT"/sandbox.db-* "$DATA_DIR"/*.db-* "$DATA_DIR/staging"
gzip -9n "$OUT/sandbox.db"
if [ -z "$server" ]; then gzip -9n "$DATA_DIR/service.db"; fi
jq -n --arg left_at "$(date -u +%Y-%m-%dT%H:%M:%S.000Z)" --argjson whole "$whole" --argjson revoked "$revoked" \
  --argjson read_only "$read_only" --argjson second "$second" --arg secret "$secret" --argjson upload "$upload" \
  --argjson draft "$draft" --argjson completed "$completed" --argjson told "$told" --argjson pending "$pending" \
  --arg session "$(awk '/session/ { print $6 "=" $7 }' "$scratch/jar")" --argjson tokens "$tokens" \
  --argjson updated "$updated" --arg undone_update "$undone_update" --argjson repriced "$repriced" --argjson returned "$returned" \
  --argjson failed "$failed" --argjson imported "$imported" --argjson copied "$copied" --argjson taken_off "$taken_off" \
  --argjson request "$(mug 'Published mug' active)" --arg client_id "$client_id" '{
    $left_at, keys: {whole: $whole.key, revoked: $revoked.key, read_only: $read_only.key, second: $second.key},
    webhook_secret: $secret, upload: $upload.url, draft: $draft.listing_pk,
    completed: {listing_pk: $completed.listing_pk, job_id: $completed.job_id}, $request,
    orders: {told: $told, pending: $pending}, session_cookie: $session,
    grant: {client_id: $client_id, access_token: $tokens.access_token, refresh_token: $tokens.refresh_token},
    jobs: {updated: {listing_pk: $updated, job_id: $undone_update}, $repriced, $returned, $failed, $copied, $taken_off, imported_listing_id: $imported}
  }' > "$OUT/known.json"
rm -r "$scratch"
trap - EXIT

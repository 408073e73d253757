"""A short tour of the simulator with Cloudflare's own Python SDK, which knows nothing of it."""

import os

import cloudflare

client = cloudflare.Cloudflare(
    base_url=os.environ["SIM_URL"], api_token=os.environ["SIM_TOKEN"], max_retries=0
)
account = os.environ["SIM_ACCOUNT"]

zones = list(client.zones.list())
print("zones", len(zones))
zone = zones[0].id

made = client.dns.records.create(zone_id=zone, type="A", name="python", content="192.0.2.1", ttl=1)
print("created", made.name, made.type, made.content)

batch = client.dns.records.batch(
    zone_id=zone,
    deletes=[{"id": made.id}],
    posts=[
        {"type": "TXT", "name": "t1", "content": "one", "ttl": 1},
        {"type": "TXT", "name": "t2", "content": "two", "ttl": 1},
    ],
)
print("batch", len(batch.deletes), len(batch.posts))
for record in client.dns.records.list(zone_id=zone, per_page=1):
    print("record", record.name, record.content)

tunnels = client.zero_trust.tunnels.cloudflared
tunnel = tunnels.create(account_id=account, name="python", config_src="cloudflare")
config = tunnels.configurations.update(
    tunnel.id,
    account_id=account,
    config={
        "ingress": [
            {"hostname": "a.example.com", "service": "http://a:80"},
            {"hostname": "", "service": "http_status:404"},
        ]
    },
)
print("tunnel", tunnel.name, "version", config.version, "rules", len(config.config.ingress))
try:
    tunnels.create(account_id=account, name="python")
except cloudflare.ConflictError as error:
    print("refused", error.status_code, error.body["errors"][0]["code"])
else:
    raise SystemExit("a second tunnel of the same name was not refused")

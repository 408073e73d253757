// A tour with external-dns: its provider for Cloudflare, its TXT registry and its plan, unmodified. The address comes from
// CLOUDFLARE_BASE_URL and the token from CF_API_TOKEN, as in a Deployment of it.
package main

import (
	"context"
	"fmt"
	"os"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/plan"
	"sigs.k8s.io/external-dns/provider/cloudflare"
	"sigs.k8s.io/external-dns/registry"
	"sigs.k8s.io/external-dns/registry/txt"
)

func main() {
	ctx := context.Background()
	config := externaldns.NewConfig()
	config.TXTOwnerID = "tour"
	config.TXTPrefix = "%{record_type}-of-"
	config.ManagedDNSRecordTypes = []string{"A", "AAAA", "CNAME"}
	config.CloudflareDNSRecordsComment = "made by external-dns"
	domains := endpoint.NewDomainFilter([]string{"example.com"})
	provider, err := cloudflare.New(ctx, config, domains)
	check("provider", err)
	records, err := txt.New(config, provider)
	check("registry", err)

	sync := func(step string, wanted ...*endpoint.Endpoint) {
		for round, changes := 1, 1; changes > 0; round++ {
			if round > 2 {
				fail("%s: a second look still finds changes", step)
			}
			changes = syncOnce(ctx, records, config, domains, wanted)
			fmt.Printf("%s, round %d: %d changes\n", step, round, changes)
		}
	}
	many := []*endpoint.Endpoint{}
	for i := range 30 {
		many = append(many, endpoint.NewEndpoint(fmt.Sprintf("a%d.example.com", i), "A", fmt.Sprintf("192.0.2.%d", i+1)))
	}
	one := endpoint.NewEndpoint("shop.example.com", "CNAME", "origin.example.net")
	proxied := endpoint.NewEndpoint("app.example.com", "A", "192.0.2.80", "192.0.2.81")
	proxied.WithProviderSpecific("external-dns.alpha.kubernetes.io/cloudflare-proxied", "true")
	sync("create", append(many, one, proxied)...)
	moved := endpoint.NewEndpoint("shop.example.com", "CNAME", "elsewhere.example.net")
	sync("change", append(many[:10], moved, proxied)...)
	sync("delete")
	left, err := provider.Records(ctx)
	check("records", err)
	fmt.Printf("left: %d records\n", len(left))
}

func syncOnce(ctx context.Context, records registry.Registry, config *externaldns.Config, domains *endpoint.DomainFilter, wanted []*endpoint.Endpoint) int {
	current, err := records.Records(ctx)
	check("read", err)
	wanted, err = records.AdjustEndpoints(wanted)
	check("adjust", err)
	changes := (&plan.Plan{
		Policies:       []plan.Policy{&plan.SyncPolicy{}},
		Current:        current,
		Desired:        wanted,
		DomainFilter:   endpoint.MatchAllDomainFilters{domains, records.GetDomainFilter()},
		ManagedRecords: config.ManagedDNSRecordTypes,
		OwnerID:        records.OwnerID(),
	}).Calculate().Changes
	count := len(changes.Create) + len(changes.UpdateNew) + len(changes.Delete)
	if count > 0 {
		check("apply", records.ApplyChanges(ctx, changes))
	}
	return count
}

func check(step string, err error) {
	if err != nil {
		fail("%s: %v", step, err)
	}
}

func fail(format string, values ...any) {
	fmt.Printf(format+"\n", values...)
	os.Exit(1)
}

// A short tour of the simulator with Cloudflare's own Go SDK, which knows nothing of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/cloudflare/cloudflare-go/v6"
	"github.com/cloudflare/cloudflare-go/v6/dns"
	"github.com/cloudflare/cloudflare-go/v6/option"
	"github.com/cloudflare/cloudflare-go/v6/zero_trust"
	"github.com/cloudflare/cloudflare-go/v6/zones"
)

func main() {
	if err := tour(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func tour(ctx context.Context) error {
	client := cloudflare.NewClient(
		option.WithBaseURL(os.Getenv("SIM_URL")+"/"),
		option.WithAPIToken(os.Getenv("SIM_TOKEN")),
		option.WithMaxRetries(0),
	)
	list, err := client.Zones.List(ctx, zones.ZoneListParams{})
	if err != nil {
		return fmt.Errorf("zones: %w", err)
	}
	fmt.Println("zones", len(list.Result))
	zone := cloudflare.F(list.Result[0].ID)
	made, err := client.DNS.Records.New(ctx, dns.RecordNewParams{ZoneID: zone, Body: dns.ARecordParam{
		Name: cloudflare.F("go"), TTL: cloudflare.F(dns.TTL(1)), Type: cloudflare.F(dns.ARecordTypeA), Content: cloudflare.F("192.0.2.1"),
	}})
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	fmt.Println("created", made.Name, made.Type, made.Content)
	batch, err := client.DNS.Records.Batch(ctx, dns.RecordBatchParams{
		ZoneID:  zone,
		Deletes: cloudflare.F([]dns.RecordBatchParamsDelete{{ID: cloudflare.F(made.ID)}}),
		Posts: cloudflare.F([]dns.RecordBatchParamsPostUnion{
			dns.TXTRecordParam{Name: cloudflare.F("t1"), TTL: cloudflare.F(dns.TTL(1)), Type: cloudflare.F(dns.TXTRecordTypeTXT), Content: cloudflare.F("one")},
			dns.TXTRecordParam{Name: cloudflare.F("t2"), TTL: cloudflare.F(dns.TTL(1)), Type: cloudflare.F(dns.TXTRecordTypeTXT), Content: cloudflare.F("two")},
		}),
	})
	if err != nil {
		return fmt.Errorf("batch: %w", err)
	}
	fmt.Println("batch", len(batch.Deletes), len(batch.Posts))
	pages := client.DNS.Records.ListAutoPaging(ctx, dns.RecordListParams{ZoneID: zone, PerPage: cloudflare.F(1.0)})
	for pages.Next() {
		fmt.Println("record", pages.Current().Name, pages.Current().Content)
	}
	if err := pages.Err(); err != nil {
		return fmt.Errorf("list: %w", err)
	}
	return tunnel(ctx, client, os.Getenv("SIM_ACCOUNT"))
}

func tunnel(ctx context.Context, client *cloudflare.Client, accountID string) error {
	account := cloudflare.F(accountID)
	api := client.ZeroTrust.Tunnels.Cloudflared
	made, err := api.New(ctx, zero_trust.TunnelCloudflaredNewParams{
		AccountID: account, Name: cloudflare.F("go"), ConfigSrc: cloudflare.F(zero_trust.TunnelCloudflaredNewParamsConfigSrcCloudflare),
	})
	if err != nil {
		return fmt.Errorf("tunnel: %w", err)
	}
	config, err := api.Configurations.Update(ctx, made.ID, zero_trust.TunnelCloudflaredConfigurationUpdateParams{
		AccountID: account,
		Config: cloudflare.F(zero_trust.TunnelCloudflaredConfigurationUpdateParamsConfig{
			Ingress: cloudflare.F([]zero_trust.TunnelCloudflaredConfigurationUpdateParamsConfigIngress{
				{Hostname: cloudflare.F("a.example.com"), Service: cloudflare.F("http://a:80")},
				{Hostname: cloudflare.F(""), Service: cloudflare.F("http_status:404")},
			}),
		}),
	})
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	fmt.Println("tunnel", made.Name, "version", config.Version, "rules", len(config.Config.Ingress))
	_, err = api.New(ctx, zero_trust.TunnelCloudflaredNewParams{AccountID: account, Name: cloudflare.F("go")})
	var refused *cloudflare.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("a second tunnel of the same name: %w", err)
	}
	fmt.Println("refused", refused.StatusCode, refused.Errors[0].Code)
	return nil
}

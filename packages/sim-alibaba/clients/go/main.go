// A tour of the simulated VPC API with the Go SDK that signs with HMAC-SHA1 (signature version 1.0).
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/aliyun/alibaba-cloud-sdk-go/sdk/errors"
	"github.com/aliyun/alibaba-cloud-sdk-go/sdk/requests"
	"github.com/aliyun/alibaba-cloud-sdk-go/services/vpc"
)

type tour struct {
	client *vpc.Client
	region string
}

func main() {
	region := os.Getenv("SIM_REGION")
	client, err := vpc.NewClientWithAccessKey(region, os.Getenv("SIM_ACCESS_KEY_ID"), os.Getenv("SIM_ACCESS_KEY_SECRET"))
	check("client", err)
	client.Domain = os.Getenv("SIM_ENDPOINT")
	t := tour{client: client, region: region}

	id := t.allocate("tour-token")
	if again := t.allocate("tour-token"); again != id {
		log.Fatalf("the same token gave %s and %s", id, again)
	}
	fmt.Println("allocated", id, "once for two calls with one token")

	modify := vpc.CreateModifyEipAddressAttributeRequest()
	modify.Scheme = "http"
	modify.AllocationId = id
	modify.Bandwidth = "20"
	modify.Description = "a+b (c)* ü 地址"
	_, err = client.ModifyEipAddressAttribute(modify)
	check("modify", err)

	tag := vpc.CreateTagResourcesRequest()
	tag.Scheme = "http"
	tag.ResourceType = "EIP"
	tag.ResourceId = &[]string{id}
	tag.Tag = &[]vpc.TagResourcesTag{{Key: "tour", Value: "go"}}
	_, err = client.TagResources(tag)
	check("tag", err)

	eip := t.describe(id)
	if len(eip) != 1 || eip[0].Bandwidth != "20" || eip[0].Description != modify.Description || eip[0].Tags.Tag[0].Value != "go" {
		log.Fatalf("described as %+v", eip)
	}
	fmt.Println("described", eip[0].IpAddress, eip[0].Status)

	t.release(id)
	for len(t.describe(id)) > 0 {
		time.Sleep(200 * time.Millisecond)
	}
	fmt.Println("released and gone")

	release := vpc.CreateReleaseEipAddressRequest()
	release.Scheme = "http"
	release.AllocationId = id
	_, err = client.ReleaseEipAddress(release)
	refusal, ok := err.(*errors.ServerError)
	if !ok || refusal.ErrorCode() != "InvalidAllocationId.NotFound" || refusal.HttpStatus() != 404 {
		log.Fatalf("a second release gave %v", err)
	}
	fmt.Println("refused", refusal.HttpStatus(), refusal.ErrorCode())

	client, err = vpc.NewClientWithAccessKey(region, os.Getenv("SIM_ACCESS_KEY_ID"), "wrong")
	check("client", err)
	client.Domain = os.Getenv("SIM_ENDPOINT")
	describe := vpc.CreateDescribeEipAddressesRequest()
	describe.Scheme = "http"
	_, err = client.DescribeEipAddresses(describe)
	if err == nil || !strings.Contains(err.Error(), "SignatureDoesNotMatch") {
		log.Fatalf("a wrong secret gave %v", err)
	}
	fmt.Println("refused a wrong secret")
}

func (t tour) allocate(token string) string {
	request := vpc.CreateAllocateEipAddressRequest()
	request.Scheme = "http"
	request.ClientToken = token
	request.Bandwidth = "10"
	request.InternetChargeType = "PayByTraffic"
	response, err := t.client.AllocateEipAddress(request)
	check("allocate", err)
	return response.AllocationId
}

func (t tour) describe(id string) []vpc.EipAddress {
	request := vpc.CreateDescribeEipAddressesRequest()
	request.Scheme = "http"
	request.AllocationId = id
	request.PageSize = requests.NewInteger(50)
	response, err := t.client.DescribeEipAddresses(request)
	check("describe", err)
	return response.EipAddresses.EipAddress
}

func (t tour) release(id string) {
	request := vpc.CreateReleaseEipAddressRequest()
	request.Scheme = "http"
	request.AllocationId = id
	_, err := t.client.ReleaseEipAddress(request)
	check("release", err)
}

func check(step string, err error) {
	if err != nil {
		log.Fatalf("%s: %v", step, err)
	}
}

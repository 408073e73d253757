"""A tour of the simulated VPC API with both of the provider's SDKs for Python: the newer signs with
ACS3-HMAC-SHA256, the older one with HMAC-SHA1."""

import json
import os
import time

from alibabacloud_tea_openapi.models import Config
from alibabacloud_vpc20160428 import models
from alibabacloud_vpc20160428.client import Client
from aliyunsdkcore.acs_exception.exceptions import ServerException
from aliyunsdkcore.client import AcsClient
from aliyunsdkvpc.request.v20160428.DescribeEipAddressesRequest import DescribeEipAddressesRequest
from aliyunsdkvpc.request.v20160428.ReleaseEipAddressRequest import ReleaseEipAddressRequest
from Tea.exceptions import TeaException

REGION = os.environ["SIM_REGION"]
ENDPOINT = os.environ["SIM_ENDPOINT"]
KEY = (os.environ["SIM_ACCESS_KEY_ID"], os.environ["SIM_ACCESS_KEY_SECRET"])
DESCRIPTION = "a+b (c)* ü 地址"


def newer() -> str:
    client = Client(
        Config(
            access_key_id=KEY[0], access_key_secret=KEY[1], region_id=REGION, endpoint=ENDPOINT, protocol="http"
        )
    )
    asked = models.AllocateEipAddressRequest(
        region_id=REGION,
        bandwidth="10",
        internet_charge_type="PayByTraffic",
        description=DESCRIPTION,
        client_token="python-tour",
        tag=[models.AllocateEipAddressRequestTag(key="tour", value="python")],
    )
    made = client.allocate_eip_address(asked).body
    again = client.allocate_eip_address(asked).body
    assert made.allocation_id == again.allocation_id
    found = client.describe_eip_addresses(
        models.DescribeEipAddressesRequest(region_id=REGION, allocation_id=made.allocation_id)
    ).body
    (eip,) = found.eip_addresses.eip_address
    assert (eip.status, eip.bandwidth, eip.description) == ("Available", "10", DESCRIPTION)
    assert eip.tags.tag[0].value == "python"
    try:
        client.allocate_eip_address(
            models.AllocateEipAddressRequest(region_id=REGION, bandwidth="11", client_token="python-tour")
        )
        raise AssertionError("another request with the same token was taken")
    except TeaException as refusal:
        assert refusal.code == "IdempotentParameterMismatch", refusal.code
    print("the newer SDK allocated and described", made.allocation_id)
    return made.allocation_id


def older(allocation_id: str) -> None:
    client = AcsClient(KEY[0], KEY[1], REGION)

    def ask(request):
        request.set_endpoint(ENDPOINT)
        return json.loads(client.do_action_with_exception(request))

    def describe():
        request = DescribeEipAddressesRequest()
        request.set_AllocationId(allocation_id)
        return ask(request)["EipAddresses"]["EipAddress"]

    def release():
        request = ReleaseEipAddressRequest()
        request.set_AllocationId(allocation_id)
        return ask(request)

    assert describe()[0]["Description"] == DESCRIPTION
    release()
    while describe():
        time.sleep(0.2)
    try:
        release()
        raise AssertionError("released twice")
    except ServerException as refusal:
        assert (refusal.get_http_status(), refusal.get_error_code()) == (404, "InvalidAllocationId.NotFound")
    print("the older SDK described and released it")


older(newer())

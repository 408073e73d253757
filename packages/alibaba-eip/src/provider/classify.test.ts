import { describe, expect, test } from 'vitest';
import { classifyAnswer, toVpcError } from './classify.ts';
import type { VpcErrorClass } from './vpc-error.ts';
import { isDefinitive } from './vpc-error.ts';
import type { VpcAction } from './vpc-send.ts';

/** Every code that the provider documents for what we call, by what it means. */
const table: Readonly<Record<string, Readonly<Partial<Record<VpcErrorClass, string>>>>> = {
  AllocateEipAddress: {
    terminal:
      'QuotaExceeded.Eip InsufficientBalance InvalidParameter QueryParameter.Illegal InvalidBandwidth.Malformed InvalidRegion.NotSupport COMMODITY.INVALID_COMPONENT COMMODITY_NO_EXIST OrderError.EIP SomethingNobodyWroteDown',
    mismatch: 'IdempotentParameterMismatch',
    busy: 'ReserveIpFail FrequentPurchase.EIP OperationConflict LastTokenProcessing OperationFailed.LastTokenProcessing IncorrectStatus SystemBusy',
    unknown: 'ServiceUnavailable InternalError',
  },
  ReleaseEipAddress: {
    terminal:
      'Forbidden.ChargeTypeIsPrepaid InvalidOperation.DeletionProtection OperationUnsupported.ServiceManaged Forbbiden Forbidden.RegionNotFound',
    busy: 'IncorrectEipStatus TaskConflict.AssociateGlobalAccelerationInstance OperationConflict LastTokenProcessing SystemBusy',
    done: 'InvalidAllocationId.NotFound',
  },
  ModifyEipAddressAttribute: {
    terminal:
      'InvalidParameter Forbidden.ChargeTypeIsPrepaid InsufficientBalance.Eip InvalidBandwidth.OutOfMaxTrafficBindedOnNatgw QuotaExceeded.LargeSpecEip OrderError.EIP InvalidAllocationId.NotFound',
    busy: 'IncorrectEipStatus IncorrectStatus.ResourceStatus VPC_TASK_CONFLICT OperationConflict LastTokenProcessing SystemBusy',
  },
  AddCommonBandwidthPackageIp: {
    terminal:
      'InvalidBandwidthPackageId.NotFound InvalidRegionId.NotFound OperationDenied.SecurityProtectionTypesInconsistent',
    busy: 'BandwidthPackageOperation.conflict EipOperation.TooFrequently IncorrectStatus.Eip TaskConflict OperationConflict LastTokenProcessing SystemBusy',
  },
  RemoveCommonBandwidthPackageIp: {
    busy: 'BandwidthPackageOperation.conflict EipOperation.TooFrequently IncorrectStatus.Eip TaskConflict OperationConflict',
    done: 'OperationUnsupported.IpNotInCbwp',
  },
  DescribeEipAddresses: {
    terminal: 'MissingParameter',
    auth: 'InvalidAccessKeyId.NotFound SignatureDoesNotMatch IncompleteSignature IllegalTimestamp InvalidTimeStamp.Expired Forbidden.RAM Forbidden.RiskControl',
    throttled:
      'Throttling Throttling.User Throttling.Api Rejected.Throttling Throttling.DeepPageSkip RequestLimitExceeded',
    busy: 'SignatureNonceUsed InvalidBindingStatus IncorrectInstanceStatus IncorrectStatus.NatGateway InvalidStatus.EcsStatusNotSupport InvalidStatus.EniStatusNotSupport InvalidStatus.InstanceHasBandWidth OperationFailed.EcsMigrating IncorrectHaVipStatus InvalidIpStatus.HasBeenUsedBySnatTable InvalidIpStatus.HasBeenUsedByForwardEntry InvalidStatus.SnatOrDnat InvalidStatus.NotAllow',
  },
};

const rows = Object.entries(table).flatMap(([action, classes]) =>
  Object.entries(classes).flatMap(([meaning, codes]) => codes.split(' ').map((code) => ({ action, code, meaning }))),
);

test.each(rows)('$action: $code is $meaning', ({ action, code, meaning }) => {
  expect(classifyAnswer(action as VpcAction, { status: 400, body: { Code: code } })).toBe(meaning);
});

describe('without a code', () => {
  test.each([
    [200, {}, undefined],
    [502, {}, 'unknown'],
    [400, {}, 'unknown'],
    [403, { Code: 'Whatever' }, 'auth'],
    [503, { Code: 'Whatever' }, 'unknown'],
    [500, { Code: 'Throttling.User' }, 'throttled'],
  ])('HTTP %i %o', (status, body, meaning) => {
    expect(classifyAnswer('DescribeEipAddresses', { status, body })).toBe(meaning);
  });
});

test.each([
  ['terminal', 'QuotaExceeded.Eip', true],
  ['mismatch', 'IdempotentParameterMismatch', true],
  ['busy', 'ReserveIpFail', true],
  ['busy', 'LastTokenProcessing', false],
  ['throttled', 'Throttling', false],
  ['auth', 'Forbidden.RAM', false],
  ['unknown', 'InternalError', false],
] as const)('after %s (%s) the token is spent: %s', (errorClass, Code, spent) => {
  expect(isDefinitive(toVpcError('AllocateEipAddress', { status: 400, body: { Code } }, errorClass))).toBe(spent);
});

/** Regions of the provider; the one of the endpoint counts whatever its name. */
const regions = new Set([
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-southeast-1',
  'ap-southeast-3',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'cn-beijing',
  'cn-chengdu',
  'cn-fuzhou',
  'cn-guangzhou',
  'cn-hangzhou',
  'cn-heyuan',
  'cn-hongkong',
  'cn-huhehaote',
  'cn-nanjing',
  'cn-qingdao',
  'cn-shanghai',
  'cn-shenzhen',
  'cn-wulanchabu',
  'cn-zhangjiakou',
  'eu-central-1',
  'eu-west-1',
  'me-central-1',
  'me-east-1',
  'us-east-1',
  'us-west-1',
]);

export function isRegion(regionId: string): boolean {
  return regions.has(regionId);
}

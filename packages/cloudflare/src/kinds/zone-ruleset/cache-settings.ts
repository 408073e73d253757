import { z } from 'zod';
import { toSnakeCase } from '../../refs/snake-case.ts';

const flag = z.boolean().optional();
const number = z.int32().optional();
const list = z.array(z.string()).optional();
const mode = z.enum(['respect_origin', 'bypass_by_default', 'override_origin']).optional();

const statusCodeTtl = z
  .array(
    z.object({
      statusCodeRange: z.object({ from: z.int32(), to: z.int32() }).optional(),
      statusCodeValue: number.describe('A single status'),
      value: z.int32().describe('In seconds; 0 is no-cache, -1 is no-store'),
    }),
  )
  .optional();

const ttl = z.object({ mode, default: number, statusCodeTtl }).optional();
const query = z.object({ list, all: flag }).optional();

export const cacheSettings = z.object({
  cache: flag.describe('Whether it may be cached at all'),
  respectStrongEtags: flag,
  originErrorPagePassthru: flag,
  edgeTtl: ttl,
  browserTtl: ttl,
  cacheKey: z
    .object({
      ignoreQueryStringsOrder: flag,
      cacheDeceptionArmor: flag,
      queryString: z.object({ include: query, exclude: query }).optional(),
      header: z.object({ include: list, checkPresence: list, excludeOrigin: flag }).optional(),
      cookie: z.object({ include: list, checkPresence: list }).optional(),
      user: z.object({ deviceType: flag, geo: flag, lang: flag }).optional(),
      host: z.object({ resolved: flag }).optional(),
    })
    .optional(),
});

type CacheSettings = z.output<typeof cacheSettings>;

/** As the API has them: not an object of their own, and most of the cache key one level deeper. */
export function toCacheParameters({ edgeTtl, browserTtl, cacheKey, ...rest }: CacheSettings): object {
  return toSnakeCase({
    ...rest,
    edgeTtl: edgeTtl && { ...edgeTtl, statusCodeTtl: edgeTtl.statusCodeTtl?.map(toStatusTtl) },
    browserTtl: browserTtl && { mode: browserTtl.mode, default: browserTtl.default },
    cacheKey: cacheKey && toCacheKey(cacheKey),
  }) as object;
}

export function cacheProblems({ edgeTtl, browserTtl }: CacheSettings): readonly string[] {
  return [
    ...(browserTtl?.statusCodeTtl?.length ? ['browserTtl.statusCodeTtl: browsers have one time for all statuses'] : []),
    ...(edgeTtl?.statusCodeTtl ?? []).flatMap(({ statusCodeRange, statusCodeValue }, index) =>
      (statusCodeRange === undefined) === (statusCodeValue === undefined)
        ? [`edgeTtl.statusCodeTtl[${index}]: one of statusCodeRange and statusCodeValue must be given, and not both`]
        : [],
    ),
  ];
}

type StatusTtl = NonNullable<NonNullable<CacheSettings['edgeTtl']>['statusCodeTtl']>[number];

function toStatusTtl({ statusCodeValue, ...rest }: StatusTtl): object {
  return { ...rest, statusCode: statusCodeValue };
}

function toCacheKey(key: NonNullable<CacheSettings['cacheKey']>): object {
  const { ignoreQueryStringsOrder, cacheDeceptionArmor, queryString, ...parts } = key;
  const custom = { ...parts, queryString: queryString && toQueryString(queryString) };
  const isCustom = Object.values(custom).some((part) => part !== undefined);
  return { ignoreQueryStringsOrder, cacheDeceptionArmor, ...(isCustom && { customKey: custom }) };
}

type QueryString = NonNullable<NonNullable<CacheSettings['cacheKey']>['queryString']>;

/** `all` is true or not there. */
function toQueryString({ include, exclude }: QueryString): object {
  const part = (given: QueryString['include']): object | undefined =>
    given && { list: given.list, all: given.all || undefined };
  return { include: part(include), exclude: part(exclude) };
}

import type { Call } from '../../engine/l5-sync/target.ts';
import type { FileSource } from './contract.ts';
import type { Fetched } from './fetched.ts';
import { answerOf, bytesOf, secretAt, unfetched } from './fetch-http.ts';

type OciSource = Extract<FileSource, { readonly type: 'oci' }>;
type Login = { readonly username: string; readonly password: string };
type Manifest = { readonly layers?: readonly { readonly digest: string }[] };

const manifests = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** The first layer of an artifact in a registry. */
export async function fetchOci({ image, insecure, credentials }: OciSource, call: Call): Promise<Fetched> {
  const { registry, repository, reference } = parseImage(image);
  const login = credentials && toLogin(await secretAt(credentials, call), registry);
  const base = `${insecure ? 'http' : 'https'}://${registry}/v2/${repository}`;
  const get = await authorized(`${base}/manifests/${reference}`, login, call);
  const manifest = (await (await get(`${base}/manifests/${reference}`)).json()) as Manifest;
  const digest = manifest.layers?.[0]?.digest;
  if (!digest) throw unfetched(`${image} has no layer`);
  return { bytes: await bytesOf(await get(`${base}/blobs/${digest}`), image), name: image };
}

export function parseImage(image: string): {
  readonly registry: string;
  readonly repository: string;
  readonly reference: string;
} {
  const [host = '', ...path] = image.replace(/^oci:\/\//, '').split('/');
  const isHost = path.length > 0 && (/[.:]/.test(host) || host === 'localhost');
  const rest = isHost ? path.join('/') : [host, ...path].join('/');
  const [, repository = rest, reference = 'latest'] =
    /^(.+?)(?:@(sha256:.+)|:([^:/]+))?$/.exec(rest)?.filter(Boolean) ?? [];
  return { registry: isHost ? host : 'registry-1.docker.io', repository, reference };
}

type Get = (url: string) => Promise<Response>;

/** A registry says where to get a token; it is asked once, and the token is used from then on. */
async function authorized(first: string, login: Login | undefined, call: Call): Promise<Get> {
  const basic = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  const send = async (url: string, authorization: string | undefined): Promise<Response> => {
    const headers = { accept: manifests.join(', '), ...(authorization && { authorization }) };
    return call.download(url, { headers, signal: call.signal });
  };
  const tried = await answerOf(send(first, undefined), first, [401]);
  const challenge = tried.status === 401 ? (tried.headers.get('www-authenticate') ?? '') : '';
  const token = /^bearer/i.test(challenge) ? await fetchToken(challenge, basic, send) : undefined;
  const authorization = token ? `Bearer ${token}` : basic;
  return async (url) => answerOf(send(url, authorization), url);
}

async function fetchToken(
  challenge: string,
  basic: string | undefined,
  send: (url: string, authorization: string | undefined) => Promise<Response>,
): Promise<string> {
  const fields = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
  const url = new URL(fields.get('realm') ?? '');
  for (const name of ['service', 'scope']) if (fields.has(name)) url.searchParams.set(name, fields.get(name) ?? '');
  const answer = (await (await answerOf(send(url.href, basic), url.origin)).json()) as Readonly<Record<string, string>>;
  return answer['token'] ?? answer['access_token'] ?? '';
}

type DockerConfig = {
  readonly auths?: Readonly<
    Record<string, { readonly auth?: string; readonly username?: string; readonly password?: string }>
  >;
};

function toLogin(secret: Readonly<Record<string, string>>, registry: string): Login | undefined {
  const docker = secret['.dockerconfigjson'];
  if (docker === undefined) return { username: secret['username'] ?? '', password: secret['password'] ?? '' };
  const { auths = {} } = JSON.parse(docker) as DockerConfig;
  const found = Object.entries(auths).find(
    ([host]) => host.replace(/^https?:\/\//, '').split('/')[0] === registry,
  )?.[1];
  if (!found) return undefined;
  const [username = '', ...password] = Buffer.from(found.auth ?? '', 'base64')
    .toString()
    .split(':');
  return { username: found.username ?? username, password: found.password ?? password.join(':') };
}

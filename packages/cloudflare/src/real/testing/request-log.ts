import type { HttpRequest, Transport } from '@tributary/runtime';

/** A request as RBAC sees it: `patch apps/deployments`. */
export type Asked = { readonly what: string; readonly status: number };

/** Notes what is asked of an API server, and what it answers. */
export function noteRequests(transport: Transport, noted: Asked[]): Transport {
  return {
    ...transport,
    request: async (request) => {
      const response = await transport.request(request);
      noted.push({ what: toWords(request), status: response.status });
      return response;
    },
    stream: async (request, handler) =>
      transport.stream(request, {
        ...handler,
        onHead: (head) => {
          noted.push({ what: toWords(request), status: head.status });
          handler.onHead(head);
        },
      }),
  };
}

function toWords({ method, path }: HttpRequest): string {
  const url = new URL(path, 'https://server');
  const [root, ...rest] = url.pathname.split('/').filter((part) => part !== '');
  const group = root === 'api' ? '' : (rest[0] ?? '');
  const parts = rest.slice(root === 'api' ? 1 : 2);
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2;
  const [plural = '', name, subresource] = isNamespaced ? parts.slice(2) : parts;
  const verb = method === 'GET' ? toReading(url, name !== undefined) : (writing[method] ?? method);
  return `${verb} ${group}/${plural}${subresource ? `/${subresource}` : ''}`;
}

const writing: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

function toReading({ searchParams }: URL, isSingle: boolean): string {
  if (isSingle) return 'get';
  return ['1', 'true'].includes(searchParams.get('watch') ?? '') ? 'watch' : 'list';
}

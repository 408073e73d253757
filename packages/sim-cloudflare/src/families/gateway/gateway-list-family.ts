import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { collectionRoutes, findRow } from '../collection-routes.ts';
import type { Collection } from '../collection-routes.ts';
import { gatewayLists, gatewayRules } from './gateway-tables.ts';
import type { GatewayList, GatewayListItem } from './gateway-tables.ts';

const types = new Set(['SERIAL', 'URL', 'DOMAIN', 'EMAIL', 'IP', 'CATEGORY', 'LOCATION', 'DEVICE', 'AAGUID']);
const most = { lists: 100, items: 1000 };

const collection: Collection<GatewayList> = {
  path: 'gateway/lists',
  access: accountAccess('Zero Trust'),
  table: gatewayLists,
  notFound: { status: 404, code: 2218, message: 'list not found' },
  build,
  toView,
  beforeDelete: ({ id }, call) => {
    const rules = [...call.state.rows(gatewayRules, param(call, 'account')).values()];
    const user = rules.find(({ definition }) => JSON.stringify(definition).includes(id.replaceAll('-', '')));
    if (user) throw refusal(400, 2219, `list is used by the rule ${user.name}`);
  },
};

const one = '/accounts/:account/gateway/lists/:id';

export const gatewayListFamily: Family = {
  name: 'gateway-lists',
  routes: [
    ...collectionRoutes(collection),
    { method: 'PATCH', path: one, access: collection.access, run: editItems },
    { method: 'GET', path: `${one}/items`, access: collection.access, run: listItems },
  ],
};

function build(call: Call, old: GatewayList | undefined): GatewayList {
  const fields = toFields(call.body);
  const name = textOf(fields['name']) ?? '';
  if (name === '') throw refusal(400, 2210, 'name is required');
  const type = old?.type ?? textOf(fields['type']) ?? '';
  if (!types.has(type)) throw refusal(400, 2212, 'invalid list type');
  if (!old && call.state.rows(gatewayLists, param(call, 'account')).size >= most.lists)
    throw refusal(400, 2213, 'too many lists');
  const now = timestamp(call.world);
  const items = toItems(fields['items'], type, now);
  return {
    id: old?.id ?? call.world.ids.uuid(),
    name,
    type,
    description: textOf(fields['description']) ?? old?.description ?? '',
    // A PUT without items, or with none, leaves those that are there.
    items: old && items.length === 0 ? old.items : checkSize(items),
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
  };
}

function toItems(value: unknown, type: string, createdAt: string): readonly GatewayListItem[] {
  const given = Array.isArray(value) ? value.filter(isFields) : [];
  const byValue = new Map(
    given.map((item) => {
      const text = normalise(textOf(item['value']) ?? '', type);
      return [text, { value: text, description: textOf(item['description']) ?? '', createdAt }] as const;
    }),
  );
  return [...byValue.values()];
}

function normalise(value: string, type: string): string {
  if (value === '') throw refusal(400, 2214, 'an item needs a value');
  if (type === 'DOMAIN' || type === 'EMAIL') return value.toLowerCase();
  if (type !== 'URL') return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url) throw refusal(400, 2215, `${value} is not a URL`);
  return url.href;
}

function checkSize(items: readonly GatewayListItem[]): readonly GatewayListItem[] {
  if (items.length > most.items) throw refusal(400, 2216, `a list holds at most ${most.items} items`);
  return items;
}

function editItems(call: Call): Reply {
  const list = findRow(collection, call);
  const { append, remove } = toFields(call.body);
  const gone = new Set((Array.isArray(remove) ? remove : []).map((value) => normalise(String(value), list.type)));
  const added = toItems(append, list.type, timestamp(call.world));
  const values = new Set(added.map(({ value }) => value));
  const kept = list.items.filter(({ value }) => !gone.has(value) && !values.has(value));
  const next = { ...list, items: checkSize([...kept, ...added]), updatedAt: timestamp(call.world) };
  call.state.put(gatewayLists, param(call, 'account'), next.id, next);
  return { result: toView(next) };
}

function listItems(call: Call): Reply {
  const { items } = findRow(collection, call);
  return toPage(call.query, items.map(toItem), { defaultSize: 50, maxSize: 1000 });
}

function toItem({ value, description, createdAt }: GatewayListItem): object {
  return { value, ...(description !== '' && { description }), created_at: createdAt };
}

/** The number of items, not the items. */
function toView({ id, name, type, description, items, createdAt, updatedAt }: GatewayList): object {
  return { id, name, type, description, count: items.length, created_at: createdAt, updated_at: updatedAt };
}

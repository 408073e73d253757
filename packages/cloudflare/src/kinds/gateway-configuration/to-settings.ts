import { snakeCase } from '../../refs/snake-case.ts';
import type { GatewaySettings } from './resource.ts';

type Values = Readonly<Record<string, string | boolean>>;
type Tree = { readonly [name: string]: string | boolean | Tree | undefined };

/** The settings by their paths in the names of the API: those that are said, and no others. */
export function toSettings(settings: GatewaySettings): Values {
  const { antiVirus, browserIsolation, nonIdentityBrowserIsolation: older, ...rest } = settings;
  const isolation = { ...(older && { nonIdentityEnabled: older.enabled }), ...defined(browserIsolation ?? {}) };
  return {
    ...flatten(rest),
    ...(antiVirus && flatten({ antivirus: toAntivirus(antiVirus) })),
    ...flatten({ browserIsolation: { ...isolation, ...(older?.enabled && { nonIdentityEnabled: true }) } }),
  };
}

/** The API has no switch but those of the two phases. */
function toAntivirus(given: NonNullable<GatewaySettings['antiVirus']>): Tree {
  const { enabled, enabledDownloadPhase, enabledUploadPhase, failClosed, notificationSettings: notice } = given;
  const both = { enabledDownloadPhase: enabled, enabledUploadPhase: enabled };
  const neither = enabledDownloadPhase === undefined && enabledUploadPhase === undefined;
  return {
    ...(!enabled || neither ? both : { enabledDownloadPhase, enabledUploadPhase }),
    failClosed,
    ...(notice && {
      notificationSettings: { enabled: notice.enabled, msg: notice.message, supportUrl: notice.supportUrl },
    }),
  };
}

function flatten(tree: Tree, prefix = ''): Values {
  const entries = Object.entries(defined(tree)).flatMap(([name, value]) => {
    const path = `${prefix}${snakeCase(name)}`;
    return typeof value === 'object' ? Object.entries(flatten(value, `${path}.`)) : [[path, value] as const];
  });
  return Object.fromEntries(entries);
}

function defined(tree: Tree): Readonly<Record<string, string | boolean | Tree>> {
  const entries = Object.entries(tree).filter((entry): entry is [string, string | boolean | Tree] => {
    const [, value] = entry;
    return value !== undefined;
  });
  return Object.fromEntries(entries);
}

import { Option } from 'commander';
import type { Command } from 'commander';
import { toYaml } from '@tributary/runtime';
import type { AnyObject } from '@tributary/runtime';
import type { CommandShell } from '../command-shell.ts';
import { toCount, toList } from '../flags.ts';

type Flags = { readonly namespace?: string; readonly image?: string; readonly replicas?: number };
type EipFlags = Flags & { readonly region?: string };
type TopdownFlags = Flags & {
  readonly cluster: 'virtual' | 'physical';
  readonly clusterBindingName?: string;
  readonly clusterId?: string;
  readonly physicalNamespace?: string;
  readonly mountNamespace?: string;
  readonly csiSecretNamespaces?: readonly string[];
};

type Objects = readonly AnyObject[];

/** What each operator needs on a cluster, and its CRDs. Loaded when asked for. */
const crdsOf: Readonly<Record<string, () => Promise<Objects>>> = {
  cloudflare: async () => (await import('@tributary/cloudflare')).cloudflareManifests(),
  'alibaba-eip': async () => (await import('@tributary/alibaba-eip')).eipManifests(),
  'topdown-syncer': async () => {
    const { virtual, physical } = (await import('@tributary/topdown-syncer')).topdownManifests();
    return [...virtual, ...physical];
  },
};

export function addPrintManifests(program: Command, { say }: Pick<CommandShell, 'say'>): void {
  const crds = program.command('crds').description('print the CustomResourceDefinitions of an operator as YAML');
  for (const [name, objectsOf] of Object.entries(crdsOf)) {
    crds.command(name).action(async () => {
      const objects = await objectsOf();
      say(toDocuments(objects.filter(({ kind }) => kind === 'CustomResourceDefinition')));
    });
  }
  const manifests = program.command('manifests').description('print all that an operator needs on a cluster as YAML');
  addCloudflare(manifests, say);
  addAlibabaEip(manifests, say);
  addTopdownSyncer(manifests, say);
}

function addCloudflare(manifests: Command, say: CommandShell['say']): void {
  addFlags(manifests.command('cloudflare')).action(async (flags: Flags) => {
    const { cloudflareManifests } = await import('@tributary/cloudflare');
    say(toDocuments(cloudflareManifests(flags)));
  });
}

function addAlibabaEip(manifests: Command, say: CommandShell['say']): void {
  addFlags(manifests.command('alibaba-eip'))
    .option('--region <id>', 'where the addresses are')
    .action(async ({ region, ...flags }: EipFlags) => {
      const { eipManifests } = await import('@tributary/alibaba-eip');
      say(toDocuments(eipManifests({ ...flags, ...(region !== undefined && { regionId: region }) })));
    });
}

function addTopdownSyncer(manifests: Command, say: CommandShell['say']): void {
  const which = new Option('--cluster <which>', 'for which of its two clusters').choices(['virtual', 'physical']);
  addFlags(manifests.command('topdown-syncer'))
    .addOption(which.makeOptionMandatory())
    .option('--cluster-binding-name <name>', 'the ClusterBinding that it serves')
    .option('--cluster-id <id>', 'of the physical cluster')
    .option('--physical-namespace <name>', 'where its account is in the physical cluster')
    .option('--mount-namespace <name>', 'where pods and what they mount go in the physical cluster')
    .option('--csi-secret-namespaces <names>', 'where it may write Secrets of volumes, separated by commas', toList)
    .action(async ({ cluster, ...flags }: TopdownFlags) => {
      const { topdownManifests } = await import('@tributary/topdown-syncer');
      say(toDocuments(topdownManifests(flags)[cluster]));
    });
}

function addFlags(command: Command): Command {
  return command
    .option('--namespace <name>', 'where the operator runs')
    .option('--image <image>', 'the image that runs it')
    .option('--replicas <count>', 'how many', toCount);
}

function toDocuments(objects: Objects): string {
  return objects.map((object) => toYaml(object).trimEnd()).join('\n---\n');
}

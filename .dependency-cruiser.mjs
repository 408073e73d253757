// The import rules of the style guide. `npm run rules` runs them and proves how many modules it scanned;
// tools/rules/rules.test.ts sees each one fire on a planted violation.
const providers = 'cloudflare-api|cloudflare|alibaba-eip|topdown-syncer';
const tests = '(\\.(test|conformance)\\.ts$|/testing/|/conformance/|/test-[^/]+\\.ts$)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'runtime-knows-no-one',
      comment: 'The controller runtime stands on its own: no provider, no simulator.',
      severity: 'error',
      from: { path: '^packages/runtime/src/', pathNot: tests },
      to: { path: '^packages/(?!runtime/)' },
    },
    {
      name: 'simulators-know-no-operator',
      comment: 'A simulator is built from facts about the provider, never from what an operator expects.',
      severity: 'error',
      from: { path: '^packages/sim-[^/]+/' },
      to: { path: `^packages/(${providers}|cli|dashboard)/` },
    },
    {
      name: 'operators-ship-no-simulator',
      comment: 'What runs on a cluster must not carry simulators or the test kit.',
      severity: 'error',
      from: { path: `^packages/(${providers})/src/`, pathNot: tests },
      to: { path: '^packages/(sim-[^/]+|testkit)/' },
    },
    {
      name: 'operators-are-independent',
      comment: 'The three operators share the runtime and nothing else.',
      severity: 'error',
      from: { path: '^packages/(cloudflare|alibaba-eip|topdown-syncer)/' },
      to: {
        path: '^packages/(cloudflare|cloudflare-api|alibaba-eip|topdown-syncer)/',
        pathNot: '^packages/($1|$1-api)/',
      },
    },
    {
      name: 'one-caller',
      comment: 'Only targets, L5 and the wiring (main.ts, operator.ts) may import the Cloudflare client.',
      severity: 'error',
      from: {
        path: '^packages/cloudflare/src/',
        pathNot: [
          '^packages/cloudflare/src/targets/',
          '^packages/cloudflare/src/engine/l5-',
          '^packages/cloudflare/src/(main|operator)\\.ts$',
          tests,
        ],
      },
      to: { path: '^packages/cloudflare-api/' },
    },
    {
      name: 'one-caller-transitively',
      comment: 'Kinds, references and L2 to L4 cannot even reach the client, not through a third file.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/(kinds|refs|engine/l[234]-)', pathNot: tests },
      to: { path: '^packages/cloudflare-api/', reachable: true },
    },
    {
      name: 'kinds-see-contracts-only',
      comment: 'Of a target a kind sees its contract.ts.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/kinds/', pathNot: tests },
      to: { path: '^packages/cloudflare/src/targets/', pathNot: '/contract\\.ts$' },
    },
    {
      name: 'kinds-do-not-import-kinds',
      comment: 'What two kinds share belongs in the engine or in refs.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/kinds/([^/]+)/' },
      to: { path: '^packages/cloudflare/src/kinds/[^/]+/', pathNot: '^packages/cloudflare/src/kinds/$1/' },
    },
    {
      name: 'targets-do-not-import-targets',
      comment: 'What two targets share belongs in the engine.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/targets/([^/]+)/' },
      to: { path: '^packages/cloudflare/src/targets/[^/]+/', pathNot: '^packages/cloudflare/src/targets/$1/' },
    },
    {
      name: 'engine-knows-no-kind',
      comment: 'The engine never asks which kind or target it has.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/engine/', pathNot: tests },
      to: { path: '^packages/cloudflare/src/(kinds|targets)/' },
    },
    {
      name: 'layers-point-one-way',
      comment: 'l2 → l3 → l4 ← l5.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/engine/l([345])-', pathNot: tests },
      to: {
        path: '^packages/cloudflare/src/engine/l[2345]-',
        pathNot: ['^packages/cloudflare/src/engine/l$1-', '^packages/cloudflare/src/engine/l4-'],
      },
    },
    {
      name: 'layer-2-cannot-see-layer-5',
      comment: 'Layer 2 registers with layer 3 and reads layer 4.',
      severity: 'error',
      from: { path: '^packages/cloudflare/src/engine/l2-', pathNot: tests },
      to: { path: '^packages/cloudflare/src/engine/l5-' },
    },
    {
      name: 'through-the-front-door',
      comment: 'A package is used by what it exports, not by its files.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: tests },
      to: {
        path: '^packages/[^/]+/',
        pathNot: '^packages/$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased-workspace'],
      },
    },
    {
      name: 'no-tests-in-code',
      comment: 'Code never imports a test.',
      severity: 'error',
      from: { pathNot: tests },
      to: { path: '\\.(test|conformance)\\.ts$' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(fixtures|wire|golden)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};

import type { ScalarTag, Tags } from 'yaml';

/**
 * How kubectl reads a plain scalar: YAML 1.1 booleans and octals, `0o14` of YAML 1.2, underscores in numbers,
 * but neither sexagesimal numbers nor timestamps, which stay strings. First match wins.
 */
export function kubectlTags(): Tags {
  return [nullTag, boolTag, ...intTags, floatTag, notANumberTag, binaryTag, 'merge'];
}

const prefix = 'tag:yaml.org,2002:';
const trueWords = 'y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON';
const falseWords = 'n|N|no|No|NO|false|False|FALSE|off|Off|OFF';
const isTrue = new RegExp(`^(?:${trueWords})$`, 'u');

const nullTag: ScalarTag = {
  tag: `${prefix}null`,
  default: true,
  test: /^(?:~|null|Null|NULL)?$/u,
  identify: (value) => value === null || value === undefined,
  resolve: () => null,
  stringify: () => 'null',
};

const boolTag: ScalarTag = {
  tag: `${prefix}bool`,
  default: true,
  test: new RegExp(`^(?:${trueWords}|${falseWords})$`, 'u'),
  identify: (value) => typeof value === 'boolean',
  resolve: (text) => isTrue.test(text),
  stringify: ({ value }) => (value === true ? 'true' : 'false'),
};

const intTags: ScalarTag[] = [
  intTag(/^[-+]?0_*[xX]_*[0-9a-fA-F][0-9a-fA-F_]*$/u, 16),
  intTag(/^[-+]?0_*[bB]_*[01][01_]*$/u, 2),
  intTag(/^[-+]?0_*[oO]?_*[0-7][0-7_]*$/u, 8),
  // A leading zero before an 8 or a 9 is no octal; kubectl then reads decimal.
  intTag(/^[-+]?[0-9][0-9_]*$/u, 10),
];

function intTag(test: RegExp, radix: 2 | 8 | 10 | 16): ScalarTag {
  return {
    tag: `${prefix}int`,
    default: true,
    test,
    identify: (value) => radix === 10 && (Number.isInteger(value) || typeof value === 'bigint'),
    resolve: (text) => toInteger(text, radix),
    stringify: ({ value }) => String(value),
  };
}

function toInteger(text: string, radix: number): number {
  const digits = text.replaceAll('_', '').replace(/^[-+]/u, '');
  const value = Number.parseInt(radix === 10 ? digits : digits.replace(/^0[xXbBoO]/u, ''), radix);
  return text.startsWith('-') && value !== 0 ? -value : value;
}

const floatTag: ScalarTag = {
  tag: `${prefix}float`,
  default: true,
  test: /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/u,
  identify: (value) => typeof value === 'number',
  resolve: (text) => {
    const value = Number(text.replaceAll('_', ''));
    // What does not fit a float stays the text it was.
    return Number.isFinite(value) ? value : text;
  },
  stringify: ({ value }) => String(value),
};

const notANumberTag: ScalarTag = {
  tag: `${prefix}float`,
  default: true,
  test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/u,
  resolve: (text, onError) => {
    onError(`${text} cannot be a value of a Kubernetes object`);
    return text;
  },
};

const binaryTag: ScalarTag = {
  tag: `${prefix}binary`,
  default: false,
  resolve: (text) => Buffer.from(text, 'base64').toString('utf8'),
};

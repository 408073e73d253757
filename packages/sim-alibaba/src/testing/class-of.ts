/**
 * The SDKs are CommonJS: for Node and the type checker their default export is the whole namespace with the class one
 * step further, for a bundler it is the class.
 */
export function classOf<Class>(exported: { readonly default: Class }): Class {
  const given: unknown = exported;
  return typeof given === 'function' ? (given as Class) : exported.default;
}

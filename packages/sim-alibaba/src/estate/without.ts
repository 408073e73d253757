/** The same without one of its fields. */
export function without<Value extends object, Name extends keyof Value>(value: Value, name: Name): Omit<Value, Name> {
  const rest = { ...value };
  delete rest[name];
  return rest;
}

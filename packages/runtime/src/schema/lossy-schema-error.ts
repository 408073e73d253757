/**
 * A definition says something that the API server would not enforce, or would enforce differently. It is thrown
 * while a kind is defined, so that the build fails and not a user's object.
 */
export class LossySchemaError extends Error {
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.name = 'LossySchemaError';
    this.path = path;
  }
}

/** Thrown by a handler, or a layer around it, to break the connection without an answer. */
export class ConnectionReset extends Error {
  readonly code = 'ECONNRESET';

  constructor(message = 'the connection was reset') {
    super(message);
    this.name = 'ConnectionReset';
  }
}

/** JSON whose shape the test asserts, so that reading it needs no casts. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

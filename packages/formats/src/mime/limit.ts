/**
 * Limits for one message. Messages are untrusted, so each kind of work has a limit that no legitimate message
 * reaches.
 */

export const MAX_RAW_BYTES = 40 * 1024 * 1024
export const MAX_PARTS = 1_000
export const MAX_DEPTH = 50
export const MAX_HEADER_BYTES = 1024 * 1024
export const MAX_TEXT_BYTES = 10 * 1024 * 1024

/** A message exceeds a limit, which the error message names. */
export class MimeLimit extends Error {
  override readonly name = 'MimeLimit'
  /** How the parser thread distinguishes a limit from a bug. */
  readonly reason = 'limit'
}

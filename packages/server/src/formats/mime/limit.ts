// What one message may ask for. Everything in a message is foreign, so that each kind of work has a bound that no honest
// message meets.

export const MAX_RAW_BYTES = 40 * 1024 * 1024
export const MAX_PARTS = 1_000
export const MAX_DEPTH = 50
export const MAX_HEADER_BYTES = 1024 * 1024
export const MAX_TEXT_BYTES = 10 * 1024 * 1024

/** A message is larger, deeper or more broken up than we read; the message of the error names the limit. */
export class MimeLimit extends Error {
  override readonly name = 'MimeLimit'
  /** How the thread that parses tells a limit from a fault. */
  readonly reason = 'limit'
}

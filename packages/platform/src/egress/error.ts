import errors from 'undici/lib/core/errors.js'

/** Responses with more header bytes than this are refused. */
export const MAX_HEADER_BYTES = 16_384

export type EgressReason =
  | 'refused_url'
  | 'refused_address'
  | 'refused_port'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'overloaded'
  | 'timeout'
  | 'protocol_error'
  | 'too_large'
  | 'aborted'

/**
 * Why an outgoing connection was refused or failed.
 *
 * With `refused_*`, `dns_failed`, `connect_failed`, `tls_failed` and `overloaded` no byte of the request was sent, so
 * it is safe to retry. `overloaded` says nothing about the server. The message names the host and the remedy. It
 * contains neither path, query or userinfo nor anything the server said. `cause` is for the operator's log and may
 * name the addresses that a host resolved to.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason

  constructor(reason: EgressReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Translates an error of undici or a socket during an exchange with `host`. */
export function egressError(error: unknown, host: string): EgressError {
  if (error instanceof EgressError) return error
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return new EgressError('timeout', `${host} stopped answering; make it answer sooner`, { cause: error })
  }
  if (error instanceof errors.HeadersOverflowError) {
    return new EgressError('too_large', `${host} answered with more than ${MAX_HEADER_BYTES} bytes of headers`)
  }
  // A parser error carries the bytes that caused it. They come from the server and stay out of logs.
  const cause = error instanceof errors.HTTPParserError ? new Error(`${error.code}: ${error.message}`) : error
  return new EgressError('protocol_error', `The exchange with ${host} broke off; it must speak HTTP/1.1`, { cause })
}

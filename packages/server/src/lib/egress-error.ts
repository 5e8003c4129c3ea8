export type EgressReason =
  | 'refused_url'
  | 'refused_address'
  | 'refused_port'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'protocol_error'
  | 'too_large'
  | 'aborted'

/**
 * Why a way out was refused or failed.
 *
 * With `refused_*`, `dns_failed`, `connect_failed` and `tls_failed` no byte of the request was sent, so sending it again
 * is safe. The message names the host and the remedy and holds neither path, query, userinfo nor anything the peer said;
 * `cause` is for the operator's log and may name the addresses a host resolved to.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason

  constructor(reason: EgressReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * Authentication schemes: Basic, which costs nothing, or NTLM, which costs a round trip for each new connection. A
 * server lists its schemes in a refusal (401), and a node caches them.
 *
 * On a private connection (TLS, or the local machine) Basic is preferred if it is offered. Elsewhere, in a network
 * where an operator allows plain HTTP, NTLM is preferred. An account that the first one refused is tried with the
 * other one, once: Basic needs a domain that a server may not add, and NTLM a connection that a proxy may split.
 * `Negotiate` is NTLM under another name; Kerberos is not supported.
 */
export type Scheme = 'Basic' | 'NTLM' | 'Negotiate'

const known: readonly Scheme[] = ['Basic', 'NTLM', 'Negotiate']

/** The schemes in the headers of a refusal. */
export const offeredIn = (headers: readonly string[]): Scheme[] =>
  known.filter((scheme) => headers.some((header) => new RegExp(`^${scheme}(\\s|$)`, 'i').test(header.trim())))

/** Whether the connection to a URL cannot be intercepted. */
export const isPrivateConnection = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/** The preferred scheme; a refused one comes last. */
export function chosen(offered: readonly Scheme[], isPrivate: boolean, refused?: Scheme): Scheme | undefined {
  const order: readonly Scheme[] = isPrivate ? ['Basic', 'NTLM', 'Negotiate'] : ['NTLM', 'Negotiate', 'Basic']
  const possible = order.filter((scheme) => offered.includes(scheme))
  // Negotiate is the same handshake as NTLM, so it is not an alternative.
  const isOther = (scheme: Scheme): boolean => (scheme === 'Basic') !== (refused === 'Basic')
  return (refused === undefined ? undefined : possible.find(isOther)) ?? possible[0]
}

const maxOrigins = 10_000

/** The schemes of servers, by origin. */
export class OfferedSchemes {
  readonly #offered = new Map<string, readonly Scheme[]>()

  of(origin: string): readonly Scheme[] | undefined {
    return this.#offered.get(origin)
  }

  note(origin: string, offered: readonly Scheme[]): void {
    if (this.#offered.size >= maxOrigins) this.#offered.clear()
    this.#offered.set(origin, offered)
  }
}

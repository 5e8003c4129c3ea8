/**
 * How accounts sign in: with Basic, which costs nothing, or with NTLM, which costs a round trip for each new connection.
 * Which ones a server offers it says in its refusals (401), and a node remembers it.
 *
 * Where nobody can listen (TLS, or this very machine) Basic comes first if it is offered; elsewhere, in a network where an
 * operator allows plain HTTP, NTLM does. An account that the first one refused is tried with the other one, once: Basic
 * needs a domain that a server may not fill in, and NTLM a connection that a proxy may take apart. `Negotiate` is NTLM
 * under another name: of Kerberos there is nothing here.
 */
export type Scheme = 'Basic' | 'NTLM' | 'Negotiate'

const known: readonly Scheme[] = ['Basic', 'NTLM', 'Negotiate']

/** The schemes that the headers of a refusal offer. */
export const offeredIn = (headers: readonly string[]): Scheme[] =>
  known.filter((scheme) => headers.some((header) => new RegExp(`^${scheme}(\\s|$)`, 'i').test(header.trim())))

/** Whether nobody else can listen on the way to a URL. */
export const isPrivateWay = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/** In which order they are tried; a refused one comes last. */
export function chosen(offered: readonly Scheme[], isPrivate: boolean, refused?: Scheme): Scheme | undefined {
  const order: readonly Scheme[] = isPrivate ? ['Basic', 'NTLM', 'Negotiate'] : ['NTLM', 'Negotiate', 'Basic']
  const possible = order.filter((scheme) => offered.includes(scheme))
  // Negotiate is the same handshake as NTLM: it is no other way.
  const isOther = (scheme: Scheme): boolean => (scheme === 'Basic') !== (refused === 'Basic')
  return (refused === undefined ? undefined : possible.find(isOther)) ?? possible[0]
}

const mostOrigins = 10_000

/** What servers offer, by their origins. */
export class OfferedSchemes {
  readonly #offered = new Map<string, readonly Scheme[]>()

  of(origin: string): readonly Scheme[] | undefined {
    return this.#offered.get(origin)
  }

  note(origin: string, offered: readonly Scheme[]): void {
    if (this.#offered.size >= mostOrigins) this.#offered.clear()
    this.#offered.set(origin, offered)
  }
}

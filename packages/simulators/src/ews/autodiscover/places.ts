// Where Autodiscover sends the users of an address.
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'

export interface AutodiscoverOptions {
  /** What EWS is said to be at, from outside; default `https://mail.<domain of the address>/EWS/Exchange.asmx`. */
  readonly ewsUrl?: string
  /** Where an unauthenticated GET is redirected to; default: it is refused. */
  readonly redirectUrl?: string
}

/** Another address, or another Autodiscover, to ask. */
export type Redirect = { readonly address: string } | { readonly url: string }

export type Place =
  | { readonly kind: 'settings'; readonly account: Account; readonly external: string; readonly internal: string }
  | { readonly kind: 'redirect'; readonly redirect: Redirect }
  | { readonly kind: 'unknown' }

export interface Places {
  find(address: string): Place
  /** From now on an address is sent elsewhere; undefined ends it. */
  redirect(address: string, to: Redirect | undefined): void
}

export function createPlaces(world: World, { ewsUrl }: AutodiscoverOptions): Places {
  const redirects = new Map<string, Redirect>()
  return {
    find(address) {
      const redirect = redirects.get(address.toLowerCase())
      if (redirect !== undefined) return { kind: 'redirect', redirect }
      const account = world.findAccount(address)
      if (account === undefined) return { kind: 'unknown' }
      const domain = account.email.slice(account.email.indexOf('@') + 1)
      const external = ewsUrl ?? `https://mail.${domain}/EWS/Exchange.asmx`
      return { kind: 'settings', account, external, internal: `https://exch01.corp.${domain}/EWS/Exchange.asmx` }
    },
    redirect(address, to) {
      if (to === undefined) redirects.delete(address.toLowerCase())
      else redirects.set(address.toLowerCase(), to)
    },
  }
}

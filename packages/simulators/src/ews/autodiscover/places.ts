// The URLs and redirects that Autodiscover returns for an address.
import type { World } from '../model.ts'
import type { Account } from '../owner.ts'

export interface AutodiscoverOptions {
  /** The external EWS URL; default `https://mail.<domain of the address>/EWS/Exchange.asmx`. */
  readonly ewsUrl?: string
  /** The redirect target of an unauthenticated GET; default: it is rejected. */
  readonly redirectUrl?: string
}

/** A redirect to another address or another Autodiscover URL. */
export type Redirect = { readonly address: string } | { readonly url: string }

export type Place =
  | { readonly kind: 'settings'; readonly account: Account; readonly external: string; readonly internal: string }
  | { readonly kind: 'redirect'; readonly redirect: Redirect }
  | { readonly kind: 'unknown' }

export interface Places {
  find(address: string): Place
  /** Redirects an address from now on; undefined ends the redirect. */
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

/** What the address brings along behind its mark: a one-time link, an invitation, or how a sign-in elsewhere ended. */

export interface Brought {
  link?: string
  invitation?: string
  /** Whether a link was tried: it is told where nobody is signed in for all that. */
  linkFailed?: boolean
  /** Why a sign-in with OpenID Connect came to nothing. */
  oidc?: string
}

/** Taken once: it leaves the address, and with it the history, before it is used. */
export function takeFromAddress(): Brought {
  const [, name, value] = /^#(link|invitation|oidc)=(.+)$/.exec(window.location.hash) ?? []
  if (name === undefined || value === undefined) return {}
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
  return { [name]: decoded(value) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

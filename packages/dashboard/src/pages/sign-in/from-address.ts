/** Values from the URL fragment: a one-time link, an invitation, or the result of an OpenID Connect sign-in. */

export interface Brought {
  link?: string
  invitation?: string
  /** A one-time link was tried. If nobody is signed in afterwards, the page reports that it failed. */
  linkFailed?: boolean
  /** Why a sign-in with OpenID Connect failed. */
  oidc?: string
}

/** Reads the fragment once and removes it from the URL, and so from the history, before it is used. */
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

// Scopes by their short names: `https://graph.microsoft.com/Mail.Read` is `Mail.Read`.

const PREFIX = /^https:\/\/graph\.microsoft\.com\//i
/** Those of signing in itself: they are no permissions of Graph. */
const SIGN_IN = ['openid', 'profile', 'email', 'offline_access']

export function shortScope(scope: string): string {
  const bare = scope.replace(PREFIX, '')
  return SIGN_IN.find((name) => name === bare.toLowerCase()) ?? bare
}

/** The scopes of a `scope` parameter, each once. */
export function parseScopes(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean).map(shortScope))]
}

export function isSignInScope(scope: string): boolean {
  return SIGN_IN.includes(scope)
}

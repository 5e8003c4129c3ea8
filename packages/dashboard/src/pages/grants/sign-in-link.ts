/** Hosted sign-ins that begin on this page, and how they come back to it. */
import { baseUrl } from '../../api.ts'

export const connectedUri = `${baseUrl}/dashboard/connected`
const key = 'waypost-sign-in'

interface SignInFacts {
  application: string
  provider: string
  /** The address of a grant that is authenticated again. */
  loginHint?: string
  redirectUri: string
  state?: string
}

/** The address where a person signs in. */
export function signInUrl({ application, provider, loginHint, redirectUri, state }: SignInFacts): string {
  const query = new URLSearchParams({
    client_id: application,
    redirect_uri: redirectUri,
    response_type: 'code',
    access_type: 'offline',
    provider,
  })
  if (loginHint !== undefined) query.set('login_hint', loginHint)
  if (state !== undefined) query.set('state', state)
  return `${baseUrl}/v3/connect/auth?${query}`
}

/** Leaves for the sign-in. What comes back must carry the state that is kept here: a code from elsewhere is not taken. */
export function beginSignIn(facts: Omit<SignInFacts, 'redirectUri' | 'state'>): void {
  const state = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  sessionStorage.setItem(key, JSON.stringify({ application: facts.application, state }))
  window.location.assign(signInUrl({ ...facts, redirectUri: connectedUri, state }))
}

/** The application of the sign-in that was begun with this state; it can be asked for once. */
export function endSignIn(state: string | null): string | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  sessionStorage.removeItem(key)
  if (typeof kept !== 'object' || kept === null || !('state' in kept) || !('application' in kept)) return undefined
  return kept.state === state && typeof kept.application === 'string' ? kept.application : undefined
}

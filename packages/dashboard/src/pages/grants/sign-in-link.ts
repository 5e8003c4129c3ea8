/** Hosted sign-ins started from the dashboard, and their return. */
import { baseUrl } from '../../api.ts'

export const connectedUri = `${baseUrl}/dashboard/connected`
const key = 'waypost-sign-in'

interface SignInFacts {
  application: string
  provider: string
  /** Address of the grant to authenticate again. */
  loginHint?: string
  redirectUri: string
  state?: string
  /** The S256 challenge of PKCE (RFC 7636). */
  challenge?: string
}

/** The URL where a person signs in. */
export function signInUrl({ application, provider, loginHint, redirectUri, state, challenge }: SignInFacts): string {
  const query = new URLSearchParams({
    client_id: application,
    redirect_uri: redirectUri,
    response_type: 'code',
    access_type: 'offline',
    provider,
  })
  if (loginHint !== undefined) query.set('login_hint', loginHint)
  if (state !== undefined) query.set('state', state)
  if (challenge !== undefined) {
    query.set('code_challenge', challenge)
    query.set('code_challenge_method', 'S256')
  }
  return `${baseUrl}/v3/connect/auth?${query}`
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const randomHex = (bytes: number): string => hexOf(crypto.getRandomValues(new Uint8Array(bytes)))

/** A PKCE verifier and challenge. Undefined on plain http, where browsers offer no digest functions. */
async function newProofKey(): Promise<{ verifier: string; challenge: string } | undefined> {
  if (!window.isSecureContext) return undefined
  const verifier = randomHex(32)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  const base64 = btoa(String.fromCharCode(...digest))
  return { verifier, challenge: base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') }
}

/** Opens the sign-in page. The response must carry the state stored here, so that a foreign code is rejected. */
export async function beginSignIn(facts: Omit<SignInFacts, 'redirectUri' | 'state' | 'challenge'>): Promise<void> {
  const state = randomHex(16)
  const proof = await newProofKey()
  sessionStorage.setItem(key, JSON.stringify({ application: facts.application, state, verifier: proof?.verifier }))
  const challenge = proof && { challenge: proof.challenge }
  window.location.assign(signInUrl({ ...facts, redirectUri: connectedUri, state, ...challenge }))
}

/** A sign-in started from the dashboard. */
export interface BegunSignIn {
  application: string
  verifier?: string
}

/** Returns the sign-in that was started with this state, once. */
export function endSignIn(state: string | null): BegunSignIn | undefined {
  const retained: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
  sessionStorage.removeItem(key)
  if (typeof retained !== 'object' || retained === null || !('state' in retained) || !('application' in retained))
    return undefined
  if (retained.state !== state || typeof retained.application !== 'string') return undefined
  const verifier =
    'verifier' in retained && typeof retained.verifier === 'string' ? { verifier: retained.verifier } : {}
  return { application: retained.application, ...verifier }
}

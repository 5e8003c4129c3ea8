/** People who administer a service: invited, signed in, with or without a second factor. */
import type { Person, PersonDraft } from '@waypost/contract'
import { expect } from 'vitest'
import { codeAt, stepOf } from '../src/applications/second-factor.ts'
import type { Answer, CallOptions, TestService } from './harness.ts'

/** The headers that the service's own pages send. */
export const ownPage = { 'sec-fetch-site': 'same-origin' }
export const goodPassword = 'slow-otters-cross-the-quay'

export const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
export const basicOf = (email: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
})

/** A call without credentials, except for those in the headers. */
export const bare = (service: TestService, method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  service.call(method, path, { key: null, ...options, headers: { ...ownPage, ...options.headers } })

export async function invite(
  service: TestService,
  draft: Pick<PersonDraft, 'email' | 'role'> & Partial<PersonDraft>,
): Promise<{ person: Person; token: string }> {
  const answer = await service.call('POST', '/v3/admin/people', { admin: true, body: draft })
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  const { invitation_link: link, ...person } = answer.body.data
  return { person, token: link.slice(link.indexOf('#invitation=') + '#invitation='.length) }
}

export const accept = (service: TestService, body: Record<string, unknown>, headers = {}): Promise<Answer> =>
  bare(service, 'POST', '/v3/admin/invitation/accept', { body: { password: goodPassword, ...body }, headers })

export const signInAs = (service: TestService, body: Record<string, unknown>, headers = {}): Promise<Answer> =>
  bare(service, 'POST', '/v3/admin/session', { body: { password: goodPassword, ...body }, headers })

export interface SignedInPerson {
  id: string
  email: string
  /** Sent with each call of the session. */
  headers: Record<string, string>
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

/** A person who accepted an invitation, with a session. */
export async function signedInPerson(
  service: TestService,
  draft: Pick<PersonDraft, 'email' | 'role'> & Partial<PersonDraft>,
): Promise<SignedInPerson> {
  const { person, token } = await invite(service, draft)
  const accepted = await accept(service, { token })
  expect([accepted.status, accepted.body.error]).toEqual([200, undefined])
  const headers = { ...ownPage, cookie: cookieOf(accepted) }
  const call: SignedInPerson['call'] = (method, path, options = {}) =>
    bare(service, method, path, { ...options, headers: { ...headers, ...options.headers } })
  return { id: person.id, email: person.email, headers, call }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Decodes base32, as an authenticator app does. */
export function bytesOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** The code that an authenticator app shows at a time. */
export const appCode = (secret: string, now: number): string => codeAt(bytesOf(secret), stepOf(now))

/** Sets up a second factor. Returns its secret and the recovery codes. */
export async function setUpTotp(
  person: SignedInPerson,
  now: () => number,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await person.call('POST', '/v3/admin/account/totp', { body: { current_password: goodPassword } })
  expect([begun.status, begun.body.error]).toEqual([200, undefined])
  const { secret } = begun.body.data
  const confirmed = await person.call('POST', '/v3/admin/account/totp/confirm', {
    body: { code: appCode(secret, now()) },
  })
  expect([confirmed.status, confirmed.body.error]).toEqual([200, undefined])
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes }
}

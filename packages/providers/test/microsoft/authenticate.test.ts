/** Responses of the identity platform: permissions of an application, addresses of users, and readable errors. */
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderClient } from '../../src/identity.ts'
import { explain } from '../../src/microsoft/aadsts.ts'
import { authenticate } from '../../src/microsoft/authenticate.ts'
import { identify, oauth } from '../../src/microsoft/oauth.ts'
import { shortScope } from '../../src/microsoft/scopes.ts'
import { openProviderPeer, type ProviderPeer } from '../shared/provider-peer.ts'

let peer: ProviderPeer
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())

const connector: ProviderClient = { type: 'connector', data: { client_id: 'c', client_secret: 's' }, settings: {} }
const tokens = { accessToken: 'at', expiresAt: 0, refreshToken: 'rt', scope: ['Mail.Read', 'User.Read'] }

test('an application has the permissions of its token, whether or not it may read the directory', async () => {
  const roles = ['Mail.Read', 'Calendars.ReadWrite']
  const token = await new SignJWT({ roles }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
  const client: ProviderClient = {
    ...connector,
    type: 'adminconsent',
    data: { ...connector.data, tenant: 'a.example' },
  }
  peer.reply({ body: { access_token: token, expires_in: 3599 } }, { status: 403, body: { error: { code: 'denied' } } })
  const settings = { email_address: 'ada@a.example' }
  expect(await authenticate(settings, peer.io, { client, scope: undefined })).toMatchObject({
    email: 'ada@a.example',
    providerUserId: null,
    scope: roles,
    credentials: settings,
  })
  const [requested] = peer.requested()
  expect(requested?.target).toBe('/a.example/oauth2/v2.0/token')
  expect(Object.fromEntries(new URLSearchParams(requested?.body))).toMatchObject({
    grant_type: 'client_credentials',
    scope: 'https://graph.microsoft.com/.default',
  })
})

describe('a user', () => {
  const idToken = (claims: Record<string, string>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))

  test.each([
    [{ mail: 'ada@contoso.example', userPrincipalName: 'a.lovelace@contoso.example' }, 'ada@contoso.example'],
    [{ mail: null, userPrincipalName: 'ada@outlook.example' }, 'ada@outlook.example'],
  ])('is identified by the mailbox address, or else by the account name: %o', async (who, email) => {
    peer.reply({ body: { id: 'u1', displayName: 'Ada', ...who } })
    const found = await identify(connector, tokens, peer.io)
    expect(found).toMatchObject({ email, name: 'Ada', providerUserId: 'u1', credentials: { refresh_token: 'rt' } })
    // Microsoft's response does not contain the scope that allows later use of the account.
    expect(found.scope).toEqual(['Mail.Read', 'User.Read', 'offline_access'])
  })

  test('who is a guest without a mailbox has no address', async () => {
    peer.reply({ body: { id: 'u1', mail: null, userPrincipalName: 'ada_a.example#EXT#@contoso.onmicrosoft.com' } })
    await expect(identify(connector, tokens, peer.io)).rejects.toMatchObject({ code: 'authentication_failed' })
  })

  test('that Graph may not return is identified by the ID token', async () => {
    peer.reply({ status: 403, body: { error: { code: 'ErrorAccessDenied' } } })
    const token = await idToken({ preferred_username: 'ada@contoso.example', oid: 'o1', name: 'Ada' })
    const found = await identify(connector, { ...tokens, idToken: token }, peer.io)
    expect(found).toMatchObject({ email: 'ada@contoso.example', providerUserId: 'o1', name: 'Ada' })
    expect(found.scope).toEqual(expect.arrayContaining(['openid', 'profile', 'email', 'offline_access']))
  })

  test('that is temporarily unavailable is not an account failure', async () => {
    peer.reply({ status: 503 })
    await expect(identify(connector, tokens, peer.io)).rejects.toMatchObject({ code: 'provider_unavailable' })
  })
})

test.each([
  ['https://graph.microsoft.com/Mail.Read', 'Mail.Read'],
  ['HTTPS://GRAPH.MICROSOFT.COM/mail.readwrite', 'Mail.ReadWrite'],
  [' OpenID ', 'openid'],
  ['Files.Read', 'Files.Read'],
  ['https://outlook.office.com/IMAP.AccessAsUser.All', 'https://outlook.office.com/IMAP.AccessAsUser.All'],
])('the scope %s is %s', (given, short) => {
  expect(shortScope(given)).toBe(short)
})

test.each([
  ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', true],
  ['https://login.microsoftonline.com', true],
  ['https://login.microsoftonline.com.evil.test/v2.0', false],
  ['http://login.microsoftonline.com/x/v2.0', false],
  ['nonsense', false],
])('%s is a valid issuer: %s', (issuer, expected) => {
  expect(oauth.isIssuer(issuer, { providerUrl: undefined })).toBe(expected)
})

test('errors are explained by their numbers, or by what they require of the user', () => {
  const by = (said: Record<string, unknown>) => explain(said)
  expect(by({ error: 'invalid_grant', error_codes: [700082] })).toMatchObject({ needsSignIn: true })
  expect(by({ error: 'invalid_client', error_description: 'AADSTS7000222: The secret keys are expired.' })).toEqual({
    words: expect.stringMatching(/client_secret .* has expired.*\(AADSTS7000222\)/),
  })
  expect(by({ error: 'interaction_required' })).toMatchObject({ needsSignIn: true })
  expect(by({ error: 'invalid_grant', suberror: 'additional_action' })).toMatchObject({ needsSignIn: true })
  expect(by({ error: 'invalid_grant', error_codes: [1] })).toBeUndefined()
  expect(by({ error: 'invalid_client', error_codes: ['x'], error_description: 7 })).toBeUndefined()
})

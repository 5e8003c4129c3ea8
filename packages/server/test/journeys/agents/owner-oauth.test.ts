/** Sign-in of owners whose provider has its own sign-in page. */

import { getGrant, updateGrant } from '@waypost/store/tables/grants/grants'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'
import { openMicrosoft, openMicrosoftService } from '../../peers/microsoft.ts'
import { consent, googleClient, signIn, trade } from '../sign-in/hosted-google.ts'
import { authUrl, newClient, resultOf, type Seen, type Visitor, visitorOf } from '../sign-in/hosted-visitor.ts'

let google: GooglePeer
let service: TestService
let client: { id: string; key: string }
const own = 'owner@gmail.com'
const other = 'other@gmail.com'
beforeAll(async () => {
  google = await openGoogle()
  service = await openGoogleService(google.simulator)
  client = await googleClient(service, google.simulator)
  for (const email of [own, other]) google.simulator.addAccount({ email, name: email })
  const { code } = await signIn(service, client.id, { account: own })
  expect((await trade(service, client, code ?? '')).status).toBe(200)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await google?.[Symbol.asyncDispose]()
})

const page = (id = client.id) => `/account?client_id=${id}`

/** From the sign-in page of the service to the page of the provider. */
async function leave(visitor: Visitor, path = page()): Promise<URL> {
  let seen: Seen = await visitor.get(path)
  for (let hops = 0; seen.location?.startsWith('/') && hops < 5; hops++) seen = await visitor.get(seen.location)
  return new URL(seen.location ?? '')
}

test('proves the account with the scopes of the identity alone, and changes nothing about the grant', async () => {
  const grants = async () => (await service.call('GET', '/v3/grants', { key: client.key })).body.data
  const before = await grants()
  const visitor = visitorOf(service)
  const requested = await leave(visitor)
  expect(requested.origin).toBe(google.simulator.url)
  expect(requested.searchParams.get('scope')).not.toContain('calendar')
  expect(requested.searchParams.get('prompt')).toBeNull()
  expect(requested.searchParams.get('include_granted_scopes')).toBeNull()
  const back = await visitor.get(await consent(requested.href, { account: own }))
  const arrived = await visitor.get(back.location ?? '')
  expect(arrived.status).toBe(303)
  expect((await visitor.get(arrived.location ?? '')).text).toContain(own)
  expect(await grants()).toEqual(before)
})

test('does not prove an account that is not connected, and makes no grant for it', async () => {
  const visitor = visitorOf(service)
  const back = await visitor.get(await consent((await leave(visitor)).href, { account: other }))
  const arrived = await visitor.get(back.location ?? '')
  expect(arrived.status).toBe(403)
  expect(arrived.text).toContain('The sign-in did not succeed')
  expect((await visitor.get(page())).status).toBe(302)
  const { body } = await service.call('GET', '/v3/grants', { key: client.key })
  expect(body.data.map(({ email }: { email: string }) => email)).toEqual([own])
})

test('does not prove anything if the person declines', async () => {
  const visitor = visitorOf(service)
  const back = await visitor.get(await consent((await leave(visitor)).href, { account: own, decision: 'deny' }))
  const arrived = await visitor.get(back.location ?? '')
  expect(arrived.status).toBe(403)
  expect((await visitor.get(page())).status).toBe(302)
})

test('does not prove an account whose address belongs to another user of the provider now', async () => {
  const { database } = service.services.storage
  const { body } = await service.call('GET', '/v3/grants', { key: client.key })
  const record = await getGrant(database, client.id, body.data[0].id)
  if (!record) throw new Error('no grant')
  await updateGrant(database, { ...record, grant: { ...record.grant, provider_user_id: 'somebody else' } })
  const visitor = visitorOf(service)
  const back = await visitor.get(await consent((await leave(visitor)).href, { account: own }))
  expect((await visitor.get(back.location ?? '')).status).toBe(403)
  await updateGrant(database, record)
})

test('proves an account at Microsoft', async () => {
  await using peer = await openMicrosoft()
  await using other = await openMicrosoftService(peer.simulator)
  const application = await newClient(other)
  const { id: client_id, secret: client_secret } = peer.simulator.client
  const connector = { provider: 'microsoft', settings: { client_id, client_secret }, scope: ['Mail.Read'] }
  await other.call('POST', '/v3/connectors', { key: application.key, body: connector })
  const { email } = peer.simulator.addAccount({ email: 'ada@contoso.example', name: 'Ada' })
  const first = visitorOf(other)
  const left = await first.get(authUrl(application.id, { provider: 'microsoft' }))
  const returned = await first.get(String(await peer.simulator.consent(left.location ?? '', { email })))
  const { code } = resultOf(returned.location)
  expect((await trade(other, application, code ?? '')).status).toBe(200)

  const visitor = visitorOf(other)
  const requested = await leave(visitor, page(application.id))
  expect(requested.searchParams.get('scope')).not.toContain('Mail.Read')
  const back = await visitor.get(String(await peer.simulator.consent(requested.href, { email })))
  const arrived = await visitor.get(back.location ?? '')
  expect(arrived.status).toBe(303)
  expect((await visitor.get(arrived.location ?? '')).text).toContain(email)
})

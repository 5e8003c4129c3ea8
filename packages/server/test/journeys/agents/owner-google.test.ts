/** The owner of an account at a provider with its own sign-in page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'
import { consent, googleClient, signIn, trade } from '../sign-in/hosted-google.ts'
import { type Seen, type Visitor, visitorOf } from '../sign-in/hosted-visitor.ts'

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

const page = () => `/account?client_id=${client.id}`

/** From the page to Google, through the choice of the provider if there is one. */
async function leave(visitor: Visitor): Promise<URL> {
  let seen: Seen = await visitor.get(page())
  for (let hops = 0; seen.location?.startsWith('/') && hops < 5; hops++) seen = await visitor.get(seen.location)
  return new URL(seen.location ?? '')
}

test('proves the account with the scopes of the identity alone, and changes nothing about the grant', async () => {
  const grants = async () => (await service.call('GET', '/v3/grants', { key: client.key })).body.data
  const before = await grants()
  const visitor = visitorOf(service)
  const asked = await leave(visitor)
  expect(asked.origin).toBe(google.simulator.url)
  expect(asked.searchParams.get('scope')).not.toContain('calendar')
  expect(asked.searchParams.get('prompt')).toBeNull()
  expect(asked.searchParams.get('include_granted_scopes')).toBeNull()
  const back = await visitor.get(await consent(asked.href, { account: own }))
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

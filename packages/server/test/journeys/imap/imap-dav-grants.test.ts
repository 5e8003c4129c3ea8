/** Mailboxes with calendars and contacts: discovery, errors, and the resulting grants. */

import { createEgress } from '@waypost/platform/egress/egress'
import { freePort } from '@waypost/testing/peers/daemon'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { authUrl, fieldsOf, newClient, resultOf, visitorOf } from '../sign-in/hosted-visitor.ts'

let mail: MailServer
let radicale: Radicale
let service: TestService
beforeAll(async () => {
  ;[mail, radicale] = await Promise.all([sharedDovecot(), sharedRadicale()])
  service = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [mail.ca] }) } })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await radicale?.[Symbol.asyncDispose]()
  await mail?.[Symbol.asyncDispose]()
})

let client: { id: string; key: string }
let mailbox: Mailbox
/** The same user on both servers, with the same password. */
beforeEach(async () => {
  client = await newClient(service)
  expectStatus(await call('POST', '/v3/connectors', { provider: 'imap' }), 201)
  mailbox = await mail.addUser()
  await radicale.addDavUser(mailbox.user.split('@')[0], mailbox.password)
})

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
const connect = (more: Fields): Promise<Answer> =>
  call('POST', '/v3/connect/custom', { provider: 'imap', settings: { ...imapSettings(mail, mailbox), ...more } })
const connected = async (more: Fields): Promise<Json> => expectStatus(await connect(more), 201).body.data
const both = (): Fields => ({ caldav_url: radicale.davUrl, carddav_url: radicale.davUrl })
const calendars = (grantId: string): Promise<Answer> => call('GET', `/v3/grants/${grantId}/calendars`)

describe('a mailbox with the addresses of its calendars and contacts', () => {
  test('has them, and its settings show it', async () => {
    const grant = await connected(both())
    expect(grant.settings).toMatchObject({
      caldav_url: expect.stringContaining(radicale.davUrl),
      carddav_url: expect.stringContaining(radicale.davUrl),
    })
    expect(expectStatus(await calendars(grant.id), 200).body.data).toHaveLength(1)
    expectStatus(await call('GET', `/v3/grants/${grant.id}/messages`), 200)
  })

  test('without them has no calendars, and has the contacts stored by Waypost', async () => {
    const grant = await connected({})
    expect(Object.keys(grant.settings).filter((name) => /dav/.test(name))).toEqual([])
    const refused = await calendars(grant.id)
    expect(refused).toMatchObject({ status: 422, body: { error: { type: 'not_supported_by_provider' } } })
    expectStatus(await call('GET', `/v3/grants/${grant.id}/contacts`), 200)
  })

  test('may have only one of them, with another user name and password', async () => {
    const other = await radicale.addDavUser()
    const login = { dav_username: other.user, dav_password: other.password }
    const answer = await connect({ caldav_url: radicale.davUrl, ...login })
    const grant = expectStatus(answer, 201).body.data
    expect(JSON.stringify(grant)).not.toContain(other.password)
    expect(grant.settings).toMatchObject({ dav_username: other.user })
    expect(grant.settings.carddav_url).toBeUndefined()
    const url = `${radicale.calendarHome(other.user)}second/`
    expect((await radicale.request(other, 'MKCALENDAR', url)).status).toBe(201)
    expect(expectStatus(await calendars(grant.id), 200).body.data).toHaveLength(2)
  })

  test('is rejected with the name of the setting if an address does not work', async () => {
    const nobody = { caldav_url: `http://127.0.0.1:${await freePort()}/` }
    expect((await connect(nobody)).body.error).toMatchObject({
      type: 'provider_error',
      message: expect.stringContaining('settings.caldav_url: '),
    })
    const stranger = await connect({ carddav_url: radicale.davUrl, dav_password: 'wrong-CANARY' })
    expect(stranger).toMatchObject({ status: 400, body: { error: { type: 'grant.invalid_authentication' } } })
    expect(stranger.body.error.message).toContain('settings.carddav_url: ')
    expect(JSON.stringify(stranger.body) + service.logs()).not.toContain('wrong-CANARY')
    for (const url of ['cloud.example.org', 'http://cloud.example.org/', 'https://me:secret@cloud.example.org/']) {
      expectRefusal(await connect({ caldav_url: url }), /settings\.caldav_url/)
    }
    expect((await call('GET', '/v3/grants')).body.data).toEqual([])
  })

  test('that is connected again is the same grant, and keeps or loses them as requested', async () => {
    const grant = await connected(both())
    const changed = { imap_password: mailbox.password }
    const retained = expectStatus(await call('PATCH', `/v3/grants/${grant.id}`, { settings: changed }), 200).body.data
    expect(retained.settings).toMatchObject({ caldav_url: grant.settings.caldav_url })
    const without = await connected({ caldav_url: 'none' })
    expect(without).toMatchObject({ id: grant.id, settings: { caldav_url: 'none' } })
    expect(without.settings.carddav_url).toBeUndefined()
    expect((await calendars(grant.id)).status).toBe(422)
    expectStatus(await calendars((await connected(both())).id), 200)
  })

  test('whose domain has no DAV records is connected with its mail, and the response says so', async () => {
    const grant = await connected({ caldav_url: 'auto' })
    expect(grant.settings).toMatchObject({ caldav_problem: expect.any(String) })
    expect(grant.settings.caldav_url).toBeUndefined()
    expect((await calendars(grant.id)).status).toBe(422)
  })

  test('stays valid if the calendar server rejects the password but the mail server accepts it', async () => {
    const other = await radicale.addDavUser()
    const login = { dav_username: other.user, dav_password: other.password }
    const grant = await connected({ caldav_url: radicale.davUrl, ...login })
    await radicale.removeDavUser(other.user)
    const refused = await calendars(grant.id)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body.error.message).toContain('authenticate the grant again')
    expect((await call('GET', `/v3/grants/${grant.id}`)).body.data.grant_status).toBe('valid')
    expectStatus(await call('GET', `/v3/grants/${grant.id}/messages`), 200)
  })
})

describe('the form for a mailbox', () => {
  test('accepts the addresses, names a wrong one, and keeps those of an existing grant', async () => {
    const visitor = visitorOf(service)
    const begin = async () => {
      const begun = await visitor.get(authUrl(client.id, { provider: 'imap', login_hint: mailbox.user }))
      const page = new URL(begun.location ?? '', 'http://x').pathname
      return { page, seen: await visitor.get(begun.location ?? '') }
    }
    const { imap_username: _, ...settings } = imapSettings(mail, mailbox)
    const given = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
    const { page, seen } = await begin()
    expect(seen.text).toContain('<legend>Calendars and contacts</legend>')
    const wrong = await visitor.post(page, { ...fieldsOf(seen.text), ...given, caldav_url: 'nowhere' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/field-caldav_url-wrong">Enter an address that starts with https/)
    const right = { ...fieldsOf(wrong.text), ...given, caldav_url: radicale.davUrl }
    const done = await visitor.post(page, right)
    const answer = await trade(service, client, resultOf(done.location).code ?? '')
    expectStatus(await calendars(answer.body.grant_id), 200)
    const again = await begin()
    const other = await radicale.addDavUser()
    const elsewhere = { ...given, caldav_url: radicale.calendarHome(other.user) }
    const login = { dav_username: other.user, dav_password: other.password }
    const moved = await visitor.post(again.page, { ...fieldsOf(again.seen.text), ...elsewhere, ...login })
    expect(resultOf(moved.location)).toMatchObject({ error: expect.stringContaining('reauth') })
  })
})

/**
 * Puts a word into every field of mail, events and contacts that the service receives or reads. The word is in no
 * table, file, dump, log or metric. Only data that applications store with the service is found, in the places that
 * docs/security.md lists.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEgress } from '@waypost/platform/egress/egress'
import { oneEngineFor } from '@waypost/testing/engines'
import { answerWell, type Listener, openListener } from '@waypost/testing/listener'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import { type SinkOptions, type SmtpSink, startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dsn } from '../../../../formats/test/dsn/bounce-samples.ts'
import { beat } from '../../../src/node.ts'
import { type Account, accountOf, type Call, expectStatus, type Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { createExchangeGrant, exchangePassword, openExchange } from '../../peers/exchange.ts'
import { createGoogleGrant, openGoogle } from '../../peers/google.ts'
import { createMicrosoftGrant, openMicrosoft } from '../../peers/microsoft.ts'
import {
  filesAsText,
  findsIn,
  formsOf,
  type PostgresFiles,
  type Searched,
  tablesAsText,
  watchPostgresFiles,
} from '../../store/stored.ts'
import { until } from '../mail/mail-servers.ts'

/** Lower-case letters and digits, so that lower-casing an address does not hide it. */
const word = `kanarie${randomBytes(4).toString('hex')}`
/** Data that an application stores with the service itself: it is in these tables, and the sweep finds it there. */
const retained = `behalten${randomBytes(4).toString('hex')}`
const exceptions = ['message_metadata', 'object_metadata', 'templates']

const forms = formsOf(word)
/** A mail server that accepts every sign-in. */
const login: SinkOptions = {
  ...{ disabledCommands: ['STARTTLS'], authOptional: false, allowInsecureAuth: true },
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
}
const person = (field: string) => ({ name: `${word} ${field}`, email: `${word}-${field}@example.org` })

/** A message with the word in every field, in the encodings of mail. */
const mimeMessage = (id: string, more = ''): string => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const encoded = (text: string) => `=?utf-8?B?${base64(text)}?=`
  const address = (field: string) => `"${word} ${field}" <${word}-${field}@example.org>`
  return `From: ${address('from')}
To: ${address('to')}
Cc: ${address('cc')}
Bcc: ${address('bcc')}
Reply-To: ${address('reply')}
Subject: ${encoded(`${word} süßes`)}
Message-ID: <${id}@example.org>
X-Canary: ${word} header
${more}MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b1"

--b1
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

${word} text =C3=A9
--b1
Content-Type: text/html; charset=utf-8

<p>${word} html</p>
--b1
Content-Type: text/csv; name="${word}.csv"
Content-Disposition: attachment; filename="${word}.csv"
Content-Transfer-Encoding: base64

${base64(`${word},content`)}
--b1--
`.replaceAll('\n', '\r\n')
}

describe.each(oneEngineFor(import.meta.url))('a word in every field, on %s', (engine) => {
  const resources = new AsyncDisposableStack()
  let service: TestService
  let server: MailServer
  let radicale: Radicale
  let calendared: Account
  let sink: SmtpSink
  let refusing: SmtpSink
  let listener: Listener
  let postgres: PostgresFiles | undefined
  let dataDir: string
  let mailbox: Account
  let google: Account
  let microsoft: Account & { deliver(source: string): void; addEvent(event: Json): void }
  let exchange: Account & { deliver(source: string): void }
  let call: Call
  const subscribed: string[] = []
  let ahead = 0
  /** Runs by itself; contacts are polled every five minutes. */
  const clock = { now: () => Date.now() + ahead }
  /** Responses to clients, which prove that the word passed through. */
  const answered: string[] = []

  beforeAll(async () => {
    dataDir = resources.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-sweep-'))).path
    const databaseUrl = engine === 'postgresql' ? await freshDatabaseUrl() : undefined
    server = resources.use(await sharedDovecot())
    radicale = resources.use(await sharedRadicale())
    sink = resources.use(await startSmtpSink(login))
    refusing = resources.use(
      await startSmtpSink({
        ...login,
        onTake: () => {
          throw Object.assign(new Error(`5.7.1 ${word} is not wanted here`), { responseCode: 550 })
        },
      }),
    )
    const { simulator } = resources.use(await openGoogle())
    const { simulator: graph } = resources.use(await openMicrosoft())
    const { simulator: onPremises } = resources.use(await openExchange())
    listener = resources.use(await openListener())
    listener.answer = (response, heard) => {
      if (heard.method === 'GET') return answerWell(response, heard)
      response.statusCode = heard.target.startsWith('/bad') ? 500 : 200
      response.end(heard.body)
    }
    service = await openService({
      dataDir,
      ...(databaseUrl ? { databaseUrl } : {}),
      env: {
        ...{ WAYPOST_LOG_LEVEL: 'trace', WAYPOST_POLL_SECONDS: '1', WAYPOST_EGRESS: 'private' },
        WAYPOST_GOOGLE_URL: simulator.url,
        WAYPOST_MICROSOFT_URL: graph.url,
        WAYPOST_EWS_URL: onPremises.url,
      },
      overrides: {
        egress: createEgress({ mode: 'private', ca: [server.ca], trustLoopback: true }),
        serving: true,
        clock,
      },
    })
    if (databaseUrl) postgres = await watchPostgresFiles(service.services.storage.database, databaseUrl)
    await service.listen()
    const { key } = await service.createApplication('Sweep')
    call = async (method, target, rest) => {
      const answer = await service.call(method, target, { key, ...rest })
      answered.push(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
      return answer
    }
    const triggers = ['message', 'event', 'folder'].flatMap((kind) => [`${kind}.created`, `${kind}.updated`])
    const others = ['message.send_success', 'message.send_failed', 'message.bounce_detected', 'message.opened']
    const trigger_types = [...triggers, ...others, 'contact.updated', 'message.link_clicked', 'thread.replied']
    for (const name of ['ok', 'bad']) {
      const body = { webhook_url: `${listener.url}/${name}`, trigger_types }
      subscribed.push(expectStatus(await call('POST', '/v3/webhooks', { body }), 200).body.data.id)
    }
    await call('POST', '/v3/connectors', { body: { provider: 'imap' } })
    mailbox = await imapAccount(sink)
    calendared = await imapAccount(sink, radicale)
    simulator.addAccount({ email: 'gina@example.com', name: 'Gina', timezone: 'UTC' })
    const grant = await createGoogleGrant(service, simulator, { email: 'gina@example.com', key })
    google = accountOf(call, { grantId: grant.id, email: 'gina@example.com' })
    const { mail, calendar } = graph.addAccount({ email: 'mia@contoso.example', name: 'Mia' })
    mail.createFolder(`${word} folder`)
    const mia = await createMicrosoftGrant(service, graph, { email: 'mia@contoso.example', key })
    microsoft = {
      ...accountOf(call, { grantId: mia.id, email: 'mia@contoso.example' }),
      deliver: (source) => void mail.deliver(source),
      addEvent: (event) => void calendar.addEvent(event),
    }
    const atExchange = 'eve@exchange.example'
    const eve = onPremises.addAccount({ email: atExchange, name: 'Eve', password: exchangePassword })
    const { id: evesGrant } = await createExchangeGrant(service, { email: atExchange, key })
    exchange = {
      ...accountOf(call, { grantId: evesGrant, email: atExchange }),
      deliver: (source) => void eve.mail.deliver(Buffer.from(source.replaceAll(/\r?\n/g, '\r\n'))),
    }
    const account = simulator.accounts().find(({ email }) => email === 'gina@example.com')
    if (!account) throw new Error('no account')
    const reported = async (trigger: string) => expect((await notified(trigger)).length).toBeGreaterThan(0)
    // The first poll sets the baseline: additions after it are notified.
    await until(async () => expect(await watched(grant.id)).toBe(true))
    const day = (hour: number) => ({ dateTime: new Date(Date.now() + hour * 3_600_000).toISOString() })
    account.calendar.addEvent({
      ...{ summary: `${word} summary`, description: `${word} description`, location: `${word} place` },
      ...{ start: day(24), end: day(25), attendees: [{ email: `${word}-guest@example.org`, displayName: word }] },
    })
    account.contacts.addContact({
      names: [{ givenName: word, familyName: `${word} family` }],
      emailAddresses: [{ value: `${word}-contact@example.org` }],
      organizations: [{ name: `${word} organization` }],
      biographies: [{ value: `${word} notes` }],
    })
    await until(() => reported('event.created'))
    ahead += 301_000
    await until(() => reported('contact.updated'))
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await resources.disposeAsync()
  })

  async function imapAccount(smtp: SmtpSink, dav?: Radicale): Promise<Account> {
    const { user, password } = await server.addUser()
    await dav?.addDavUser(user.split('@')[0], password)
    const imap = { imap_username: user, imap_password: password, imap_host: server.host, imap_port: server.imapsPort }
    const beside = dav ? { caldav_url: dav.davUrl, carddav_url: dav.davUrl } : {}
    const settings = { ...imap, ...beside, smtp_host: '127.0.0.1', smtp_port: smtp.port }
    const made = await call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings } })
    const { id } = expectStatus(made, 201).body.data
    await until(async () => expect(await watched(id)).toBe(true))
    return accountOf(call, { grantId: id, email: user })
  }
  const watched = async (grantId: string): Promise<boolean> => {
    const rows = await service.services.storage.database.all(
      sql<{ grant_id: string }>('', 'select grant_id from watches'),
    )
    return rows.some((row) => row.grant_id === grantId)
  }
  const notified = async (trigger: string): Promise<Json[]> => {
    const { body } = await call('GET', '/v3/notifications?limit=200')
    return body.data.filter(({ type }: Json) => type.startsWith(trigger))
  }
  const notificationsOf = (trigger: string): Promise<Json[]> =>
    until(async () => {
      const found = await notified(trigger)
      expect(found.map(({ type }) => type)).not.toEqual([])
      return found
    })

  test('mail that is read, listed, searched and changed', async () => {
    const { grantId } = mailbox
    const at = `/v3/grants/${grantId}`
    expectStatus(await mailbox.post('/folders', { name: `${word} folder` }), 200)
    await mailbox.post('/folders', { name: `${word} folder` })
    await server.deliver(mailbox.email, mimeMessage('one'), { flags: [`${word}flag`] })
    await server.deliver(mailbox.email, mimeMessage('two'), { folder: `${word} folder` })
    const [message] = await notificationsOf('message.created')
    const { id } = message.data.object
    for (const target of [
      '/messages?limit=10',
      `/messages?subject=${word}`,
      `/messages?from=${word}-from@example.org`,
      `/messages?in=${word}-nothing`,
      `/messages/${id}?fields=include_headers`,
      `/messages/${id}?fields=raw_mime`,
      `/messages/${word}`,
      '/threads',
      '/folders',
      `/folders/${encodeURIComponent(`${word} folder`)}`,
    ]) {
      await call('GET', `${at}${target}`)
    }
    const { body } = await call('GET', `${at}/messages/${id}`)
    const [file] = body.data.attachments
    const download = `${at}/attachments/${file.id}/download?message_id=${id}`
    expect(String((await call('GET', download)).body)).toContain(word)
    await call('PUT', `${at}/messages/clean`, { body: { message_id: [id] } })
    expectStatus(
      await call('PUT', `${at}/messages/${id}`, { body: { starred: true, metadata: { key1: retained } } }),
      200,
    )
    const person = { given_name: word, notes: `${word} notes`, emails: [{ email: `${word}-known@example.org` }] }
    const group = expectStatus(await call('POST', `${at}/contacts/groups`, { body: { name: `${word} group` } }), 200)
    const groups = [{ id: group.body.data.id }]
    const made = expectStatus(await call('POST', `${at}/contacts`, { body: { ...person, groups } }), 200).body.data
    expectStatus(await call('PUT', `${at}/contacts/${made.id}`, { body: { nickname: `${word} nickname` } }), 200)
    await call('GET', `${at}/contacts?email=${word}-known@example.org&group=${groups[0]?.id}`)
    // Contacts are gathered from the addresses in the mail.
    await until(async () => {
      const { body: found } = await call('GET', `${at}/contacts?source=inbox&email=${word}-from@example.org`)
      expect(found.data).toMatchObject([{ given_name: word, surname: 'from' }])
    })
    await notificationsOf('message.updated')
  })

  test('calendars, events and contacts on DAV servers', async () => {
    const at = `/v3/grants/${calendared.grantId}`
    const made = await call('POST', `${at}/calendars`, { body: { name: `${word} calendar`, description: word } })
    const calendar_id = expectStatus(made, 200).body.data.id
    const start = Math.floor(Date.now() / 1000) + 86_400
    const event = {
      ...{ title: `${word} title`, description: `${word} description`, location: `${word} place` },
      when: { start_time: start, end_time: start + 3600 },
      participants: [person('guest')],
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    }
    const { body } = expectStatus(await call('POST', `${at}/events?calendar_id=${calendar_id}`, { body: event }), 200)
    const place = `${at}/events/${body.data.id}?calendar_id=${calendar_id}`
    expectStatus(await call('PUT', place, { body: { title: `${word} changed` } }), 200)
    expectStatus(await call('GET', `${at}/events?calendar_id=${calendar_id}&title=${word}`), 200)
    await call('GET', `${at}/events/${word}?calendar_id=${word}`)
    const contact = { given_name: word, notes: `${word} notes`, emails: [{ email: `${word}-card@example.org` }] }
    const known = expectStatus(await call('POST', `${at}/contacts`, { body: contact }), 200).body.data
    expectStatus(await call('PUT', `${at}/contacts/${known.id}`, { body: { nickname: `${word} nickname` } }), 200)
    expectStatus(await call('GET', `${at}/contacts?email=${word}-card@example.org`), 200)
    await call('POST', `${at}/contacts/groups`, { body: { name: `${word} group` } })
    await until(async () => {
      const reported = [...(await notified('event.')), ...(await notified('contact.'))]
      const own = reported.filter(({ data }) => data.object?.grant_id === calendared.grantId)
      expect(own.map(({ data }) => data.object.object)).toEqual(expect.arrayContaining(['event', 'contact']))
    })
  })

  test('drafts, and messages that are sent, scheduled, tracked, bounced and refused', async () => {
    const at = `/v3/grants/${mailbox.grantId}`
    const attachments = [
      {
        ...{ filename: `${word}.txt`, content_type: 'text/plain' },
        content: Buffer.from(`${word} file`).toString('base64'),
      },
    ]
    const message = {
      ...{ to: [person('to')], cc: [person('cc')], bcc: [person('bcc')], reply_to: [person('reply')] },
      ...{ subject: `${word} subject`, body: `<p>${word} body <a href="https://${word}.example.org/">x</a></p>` },
      ...{ custom_headers: [{ name: 'X-Canary', value: `${word} header` }], attachments },
    }
    const draft = expectStatus(await call('POST', `${at}/drafts`, { body: message }), 200).body.data
    await call('PUT', `${at}/drafts/${draft.id}`, { body: { ...message, subject: `${word} changed` } })
    await call('GET', `${at}/drafts`)
    expectStatus(await call('POST', `${at}/drafts/${draft.id}`), 200)
    const tracking_options = { opens: true, links: true, thread_replies: true, label: `${word} label` }
    const headers = { 'idempotency-key': `${word} key` }
    for (let n = 0; n < 2; n++) {
      const sent = await call('POST', `${at}/messages/send`, { body: { ...message, tracking_options }, headers })
      expectStatus(sent, 200)
    }
    const send_at = Math.floor(Date.now() / 1000) + 3_600
    expect((await call('POST', `${at}/messages/send`, { body: { ...message, send_at } })).status).toBeLessThan(300)
    await call('GET', `${at}/messages/schedules`)
    await call('POST', `${at}/templates`, { body: { name: 'own', subject: retained, body: retained } })

    const mail = sink.taken.map(({ source }) => source.toString('latin1'))
    const tracked = mail.find((source) => source.includes('/t/c/')) ?? mail.at(-1) ?? ''
    const text = tracked.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const visits = Array.from(text.matchAll(/(?:href|src)="(http:\/\/[^"]+)"/g), ([, url = '']) => new URL(url))
    expect(visits.length).toBeGreaterThanOrEqual(2)
    for (const { pathname } of visits) {
      await service.app.request(pathname, {
        headers: { 'user-agent': `Mozilla/5.0 (X11) Gecko Firefox/140.0 ${word}` },
      })
    }
    await notificationsOf('message.link_clicked')

    const [, messageId = ''] = /^Message-ID: <(.*?)>/im.exec(tracked) ?? []
    await server.deliver(
      mailbox.email,
      mimeMessage('reply', `In-Reply-To: <${messageId}>\nReferences: <${messageId}>\n`),
    )
    await notificationsOf('thread.replied')
    const block = `Final-Recipient: rfc822; ${word}-to@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 ${word} unknown`
    const third = `Content-Type: text/rfc822-headers\n\nMessage-ID: <${messageId}>\nSubject: ${word}`
    await server.deliver(mailbox.email, dsn({ blocks: [block], third, text: `${word} came back` }))
    await notificationsOf('message.bounce_detected')

    const unlucky = await imapAccount(refusing)
    const refused = await call('POST', `/v3/grants/${unlucky.grantId}/messages/send`, { body: message })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(refused.body)).toContain(word)
  })

  test('events and contacts at a provider, read and changed', async () => {
    const at = `/v3/grants/${google.grantId}`
    const { body: events } = expectStatus(await call('GET', `${at}/events?calendar_id=primary`), 200)
    const [event] = events.data
    expect(event.title).toBe(`${word} summary`)
    const changed = { title: `${word} new`, description: `${word} more`, metadata: { key1: retained } }
    expectStatus(await call('PUT', `${at}/events/${event.id}?calendar_id=primary`, { body: changed }), 200)
    const { body: contacts } = expectStatus(await call('GET', `${at}/contacts`), 200)
    const [contact] = contacts.data
    expect(contact.given_name).toBe(word)
    expectStatus(await call('PUT', `${at}/contacts/${contact.id}`, { body: { notes: `${word} new notes` } }), 200)
    await call('GET', `${at}/events/${word}?calendar_id=primary`)
    await notificationsOf('event.updated')
    ahead += 301_000
    await until(async () => expect((await notified('contact.updated')).length).toBeGreaterThan(1))
  })

  test('mail, events and contacts at Microsoft, read and changed', async () => {
    microsoft.deliver(mimeMessage('three'))
    const ofGrant = ({ data }: Json): boolean => data.object.grant_id === microsoft.grantId
    await until(async () => expect((await notified('message.created')).filter(ofGrant)).toHaveLength(1))
    const { data } = expectStatus(await microsoft.get('/messages', { search_query_native: word }), 200).body
    expect(data).toHaveLength(1)
    const [{ id }] = data
    const at = `/messages/${id}`
    expectStatus(await microsoft.get(at, { fields: 'include_headers' }), 200)
    expectStatus(await microsoft.get('/threads'), 200)
    expectStatus(await microsoft.get('/folders'), 200)
    expectStatus(await microsoft.put(at, { starred: true, metadata: { key1: retained } }), 200)
    const draft = await microsoft.post('/drafts', { to: [person('to')], subject: word, body: `${word} draft` })
    expectStatus(await microsoft.post(`/drafts/${expectStatus(draft, 200).body.data.id}`, {}), 200)
    const made = await microsoft.post('/contacts', {
      given_name: word,
      notes: `${word} notes`,
      emails: [person('own')],
    })
    expectStatus(await microsoft.put(`/contacts/${expectStatus(made, 200).body.data.id}`, { job_title: word }), 200)
    const time = (hours: number) => ({
      dateTime: new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19),
      timeZone: 'UTC',
    })
    microsoft.addEvent({
      ...{ subject: `${word} subject`, body: { contentType: 'html', content: `<p>${word} text</p>` } },
      ...{ start: time(24), end: time(25), location: { displayName: `${word} place` } },
      attendees: [{ emailAddress: { name: word, address: `${word}-guest@example.org` } }],
      recurrence: {
        pattern: { type: 'daily', interval: 1 },
        range: { type: 'numbered', startDate: time(24).dateTime.slice(0, 10), numberOfOccurrences: 3 },
      },
    })
    await until(async () => expect((await notified('event.created')).filter(ofGrant)).toHaveLength(1))
    const primary = { calendar_id: 'primary' }
    const { data: events } = expectStatus(await microsoft.get('/events', primary), 200).body
    expect(events[0].title).toBe(`${word} subject`)
    const conferencing = { provider: 'Zoom Meeting', details: { url: `https://zoom.us/j/${word}` } }
    const changed = { title: `${word} new`, conferencing, metadata: { key1: retained } }
    expectStatus(await microsoft.put(`/events/${events[0].id}`, changed, primary), 200)
    expectStatus(await microsoft.post('/calendars', { name: `${word} calendar` }), 200)
    expectStatus(await microsoft.get(`/events/${word}`, primary), 404)
    await until(async () => expect((await notified('event.updated')).filter(ofGrant)).toHaveLength(1))
    expectStatus(await microsoft.get('/messages', { search_query_native: `$filter=${word} eq 1` }), 400)
    expectStatus(await microsoft.get(`/contacts/${word}`), 404)
    await until(async () => expect((await notified('message.updated')).filter(ofGrant).length).toBeGreaterThan(0))
    ahead += 301_000
    await until(async () => expect((await notified('contact.updated')).filter(ofGrant).length).toBeGreaterThan(0))
  })

  test('mail, events and contacts at Exchange, read and changed', async () => {
    exchange.deliver(mimeMessage('four'))
    const { data } = expectStatus(await exchange.get('/messages', { search_query_native: word }), 200).body
    const at = `/messages/${data.find(({ subject }: Json) => subject.startsWith(word)).id}`
    expectStatus(await exchange.get(at, { fields: 'include_headers' }), 200)
    expectStatus(await exchange.get('/threads'), 200)
    expectStatus(await exchange.post('/folders', { name: `${word} folder` }), 200)
    expectStatus(await exchange.put(at, { starred: true, metadata: { key1: retained } }), 200)
    const draft = await exchange.post('/drafts', { to: [person('to')], subject: word, body: `${word} draft` })
    expectStatus(await exchange.post(`/drafts/${expectStatus(draft, 200).body.data.id}`, {}), 200)
    const contact = { given_name: word, notes: `${word} notes`, emails: [person('own')] }
    const made = expectStatus(await exchange.post('/contacts', contact), 200).body.data
    expectStatus(await exchange.put(`/contacts/${made.id}`, { job_title: word }), 200)
    const primary = { calendar_id: 'primary' }
    const from = Math.floor(Date.now() / 1000) + 86_400
    const event = {
      ...{ title: `${word} title`, description: `${word} text`, location: `${word} place` },
      ...{ when: { start_time: from, end_time: from + 3600 }, participants: [person('guest')] },
      ...{ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], metadata: { key1: retained } },
    }
    const { id } = expectStatus(await exchange.post('/events', event, primary), 200).body.data
    expectStatus(await exchange.put(`/events/${id}`, { title: `${word} new` }, primary), 200)
    expectStatus(await exchange.get('/events', primary), 200)
    expectStatus(await exchange.get(`/events/${word}`, primary), 404)
    expectStatus(await exchange.get(`/contacts/${word}`), 404)
    expectStatus(await exchange.get(`/messages/${word}`), 404)
  })

  test('is in no table, file, dump, log or metric except where the application stores it', async () => {
    // Everything was notified, and came back from both receivers.
    for (const id of subscribed) {
      await until(async () => {
        const { body } = await call('GET', `/v3/webhooks/${id}/attempts?limit=200`)
        expect(body.data.filter(({ answer }: Json) => answer?.includes(word)).length).toBeGreaterThan(8)
      })
    }
    await beat(service.services)
    expect(answered.filter((text) => text.includes(word)).length).toBeGreaterThan(20)
    const figures = await service.call('GET', '/metrics', { admin: true })
    expect(figures.status).toBe(200)
    const found: Record<string, string[]> = {}
    const where = new Set<string>()
    const search = ([place, text]: Searched): void => {
      const finds = findsIn(text, forms)
      if (finds.length > 0) found[place] = finds
      if (text.includes(retained)) where.add(place)
    }
    for (const table of await tablesAsText(service.services.storage.database)) search(table)
    const tables = [...where]
    for await (const file of filesAsText(dataDir)) search(file)
    if (postgres) {
      for await (const file of postgres.files()) search(file)
      search(['the dump', await postgres.dump()])
    }
    search(['the log', service.logs()])
    search(['the figures', String(figures.body)])
    expect(found).toEqual({})
    // Proof that the sweep works: it finds the data that applications store in clear, in the tables and in the files.
    expect(tables.toSorted()).toEqual(exceptions)
    expect(where.size).toBeGreaterThan(tables.length)
    expect(service.logs()).toContain('a message was not sent')
  })
})

test('the search finds the word in every form', () => {
  for (let before = 0; before < 3; before++) {
    const text = `${'x'.repeat(before)}${word} and more`
    for (const encoding of ['latin1', 'hex', 'base64', 'base64url'] as const) {
      expect(findsIn(`a ${Buffer.from(text).toString(encoding)} b`, forms), `${encoding} ${before}`).toHaveLength(1)
    }
  }
  expect(findsIn('nothing here', forms)).toEqual([])
})

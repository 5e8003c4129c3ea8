/**
 * Idempotency-Key for changes that a provider stores. The node may die after the provider has made the change and
 * before the response is stored; then the request is repeated.
 */
import { randomUUID } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { SendFailed } from '@waypost/providers/provider'
import { type Engine, enginesFor } from '@waypost/testing/engines'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { createGoogleGrant, type GooglePeer, openGoogle } from '../../peers/google.ts'
import { createMicrosoftGrant, type MicrosoftPeer, openMicrosoft } from '../../peers/microsoft.ts'
import { openSendingService } from '../../sending/fake-mail-server.ts'

/** The state after a node died between the provider's response and its own. */
const loseAnswers = sql(
  'test.loseAnswers',
  "update idempotency_keys set status = null, headers = null, sealed_body = null, owner = 'dead'",
)
const isReplay = (answer: Answer): boolean => answer.headers.get('idempotent-response') === 'true'

let mail: MailServer
let google: GooglePeer
let microsoft: MicrosoftPeer
beforeAll(async () => {
  mail = await sharedDovecot()
  google = await openGoogle()
  microsoft = await openMicrosoft()
})
afterAll(async () => {
  await mail?.[Symbol.asyncDispose]()
  await google?.[Symbol.asyncDispose]()
  await microsoft?.[Symbol.asyncDispose]()
})

type Kind = 'imap' | 'google' | 'microsoft'
interface Account {
  service: TestService
  call(method: string, path: string, body?: object, key?: string): Promise<Answer>
  /** Sends a request whose response is lost, and repeats it. */
  twice(method: string, path: string, body?: object): Promise<{ first: Answer; again: Answer }>
  count(path: string): Promise<number>
}

describe.for(enginesFor(import.meta.url))('on %s', (engine) => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({
      engine: engine as Engine,
      env: {
        WAYPOST_GOOGLE_URL: google.simulator.url,
        WAYPOST_MICROSOFT_URL: microsoft.simulator.url,
        WAYPOST_EGRESS: 'private',
      },
      overrides: { egress: createEgress({ mode: 'private', ca: [mail.ca], trustLoopback: true }) },
    })
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  async function openAccount(kind: Kind): Promise<Account> {
    const { key } = await service.createApplication('Repeating')
    let grant: { id: string }
    if (kind === 'google') {
      const email = `${randomUUID()}@gmail.test`
      google.simulator.addAccount({ email, name: 'User' })
      grant = await createGoogleGrant(service, google.simulator, { email, key })
    } else if (kind === 'microsoft') {
      const email = `${randomUUID()}@contoso.example`
      microsoft.simulator.addAccount({ email, name: 'User' })
      grant = await createMicrosoftGrant(service, microsoft.simulator, { email, key })
    } else {
      await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
      const settings = { ...imapSettings(mail, await mail.addUser()), watch: false }
      const made = await service.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
      grant = expectStatus(made, 201).body.data
    }
    const call: Account['call'] = (method, path, body, idempotencyKey) =>
      service.call(method, `/v3/grants/${grant.id}${path}`, {
        key,
        ...(body ? { body } : {}),
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      })
    return {
      service,
      call,
      async twice(method, path, body) {
        const name = randomUUID()
        const first = await call(method, path, body, name)
        await service.services.storage.database.run(loseAnswers)
        const again = await call(method, path, body, name)
        expect([isReplay(first), isReplay(again)]).toEqual([false, false])
        const third = await call(method, path, body, name)
        expect([third.status, isReplay(third), third.body]).toEqual([again.status, true, again.body])
        return { first, again }
      },
      count: async (path) => expectStatus(await call('GET', path), 200).body.data.length,
    }
  }

  describe.for<Kind>(['imap', 'google', 'microsoft'])('a change at %s that was done, but not answered', (kind) => {
    let account: Account
    beforeAll(async () => {
      account = await openAccount(kind)
    })

    test('creates one draft', async () => {
      const body = { subject: `Draft ${randomUUID()}`, body: 'Text', to: [{ email: 'ann@example.com' }] }
      const { first, again } = await account.twice('POST', '/drafts', body)
      expectStatus(first, 200)
      expectStatus(again, 200)
      expect(again.body.data.id).toBe(first.body.data.id)
      expect(await account.count(`/drafts?subject=${encodeURIComponent(body.subject)}`)).toBe(1)
    })

    test('changes a draft', async () => {
      const made = expectStatus(await account.call('POST', '/drafts', { subject: 'Before', body: 'Text' }), 200)
      const { id } = made.body.data
      const { first, again } = await account.twice('PUT', `/drafts/${id}`, { subject: 'After' })
      expect([first.status, again.status, again.body.data.subject]).toEqual([200, 200, 'After'])
      expect(again.body.data.id).toBe(first.body.data.id)
    })

    test('deletes once: the retry of a successful DELETE succeeds', async () => {
      const made = expectStatus(await account.call('POST', '/drafts', { subject: 'Gone', body: 'Text' }), 200)
      const { first, again } = await account.twice('DELETE', `/drafts/${made.body.data.id}`)
      expect([first.status, again.status]).toEqual([200, 200])
      expect((await account.call('DELETE', `/drafts/${made.body.data.id}`)).status).toBe(404)
      expect((await account.call('DELETE', '/drafts/none-of-this-id', undefined, randomUUID())).status).toBe(404)
    })

    test('creates, renames and deletes one folder', async () => {
      const name = `Folder ${randomUUID().slice(0, 8)}`
      const { first, again } = await account.twice('POST', '/folders', { name })
      expect([first.status, again.status, again.body.data.id]).toEqual([200, 200, first.body.data.id])
      const renamed = await account.twice('PUT', `/folders/${first.body.data.id}`, { name: `${name} too` })
      expect([renamed.first.status, renamed.again.status]).toEqual([200, 200])
      expect(renamed.again.body.data).toMatchObject({ id: renamed.first.body.data.id, name: `${name} too` })
      const gone = await account.twice('DELETE', `/folders/${renamed.first.body.data.id}`)
      expect([gone.first.status, gone.again.status]).toEqual([200, 200])
      // Without an earlier attempt, a name that is taken is rejected.
      await account.call('POST', '/folders', { name })
      expect((await account.call('POST', '/folders', { name }, randomUUID())).status).toBe(409)
    })
  })

  describe.for<Kind>(['google', 'microsoft'])('a change at %s beside mail that was done, but not answered', (kind) => {
    let account: Account
    beforeAll(async () => {
      account = await openAccount(kind)
    })
    const when = { start_time: 1_900_000_000, end_time: 1_900_003_600 }

    test('creates, changes and deletes one event', async () => {
      const body = { title: `Event ${randomUUID()}`, when }
      const { first, again } = await account.twice('POST', '/events?calendar_id=primary', body)
      expect([first.status, again.status]).toEqual([200, 200])
      expect(again.body.data.id).toBe(first.body.data.id)
      const list = `/events?calendar_id=primary&start=1899990000&end=1900010000&title=${encodeURIComponent(body.title)}`
      expect(await account.count(list)).toBe(1)
      const at = `/events/${first.body.data.id}?calendar_id=primary`
      const changed = await account.twice('PUT', at, { location: 'Here' })
      expect([changed.again.status, changed.again.body.data.location]).toEqual([200, 'Here'])
      const gone = await account.twice('DELETE', at)
      expect([gone.first.status, gone.again.status]).toEqual([200, 200])
    })

    test('creates one event with one key, and another with another key', async () => {
      const made = async (key: string): Promise<Json> =>
        (await account.call('POST', '/events?calendar_id=primary', { title: 'Same', when }, key)).body.data.id
      expect(await made('one')).not.toBe(await made('two'))
    })

    test.runIf(kind === 'microsoft')(
      'creates one calendar, and finds an event that its server does not return',
      async () => {
        const name = `Calendar ${randomUUID()}`
        const calendar = await account.twice('POST', '/calendars', { name, metadata: { key1: 'x' } })
        expect([calendar.first.status, calendar.again.status]).toEqual([200, 200])
        expect(calendar.again.body.data).toMatchObject({ id: calendar.first.body.data.id, metadata: { key1: 'x' } })
        // Without an earlier attempt, a name that is taken is rejected.
        expect((await account.call('POST', '/calendars', { name }, randomUUID())).status).toBe(409)

        // The event is found only by its place: it is in another time zone and next to other events.
        const zoned = { start_timezone: 'Pacific/Auckland', end_timezone: 'Pacific/Auckland' }
        const body = { title: 'Hidden', when: { ...when, ...zoned }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
        const target = '/events?calendar_id=primary'
        const repeat = async (after: (id: string) => Promise<unknown>): Promise<[string, Answer]> => {
          const key = randomUUID()
          const first = expectStatus(await account.call('POST', target, body, key), 200).body.data
          await account.service.services.storage.database.run(loseAnswers)
          await after(first.id)
          microsoft.simulator.fail(
            { method: 'POST', path: /\/events$/ },
            { status: 409, code: 'ErrorDuplicateTransactionId' },
          )
          return [first.id, await account.call('POST', target, body, key)]
        }
        await account.call('POST', target, { ...body, title: 'Other' })
        const [id, found] = await repeat(async () => undefined)
        expect([found.status, found.body.data]).toMatchObject([200, { id, title: 'Hidden' }])
        const [, gone] = await repeat((made) => account.call('DELETE', `/events/${made}?calendar_id=primary`))
        expect([gone.status, gone.body.error.message]).toEqual([409, expect.stringContaining('deleted since')])
      },
    )

    test('creates one contact group', async () => {
      const { first, again } = await account.twice('POST', '/contacts/groups', { name: `Group ${randomUUID()}` })
      expect([first.status, again.status, again.body.data?.id]).toEqual([200, 200, first.body.data.id])
    })

    test('retries a request with its key if the provider was temporarily unavailable', async () => {
      const times = 5
      const match = { method: 'POST', path: /\/events$/, times }
      if (kind === 'google') google.simulator.fail(match, { status: 503, reason: 'backendError' })
      else microsoft.simulator.fail(match, { status: 503, code: 'serviceNotAvailable' })
      const body = { title: 'Later', when }
      const failed = await account.call('POST', '/events?calendar_id=primary', body, 'later')
      expect(failed.status).toBeGreaterThanOrEqual(500)
      let next = failed
      for (let tries = 0; tries < times && next.status >= 500; tries++)
        next = await account.call('POST', '/events?calendar_id=primary', body, 'later')
      expect([next.status, isReplay(next)]).toEqual([200, false])
      const other = await account.call('POST', '/events?calendar_id=primary', { ...body, title: 'Other' }, 'later')
      expect([other.status, other.body.error.type]).toEqual([409, 'api.invalid_idempotent_request'])
    })
  })

  describe('a message', () => {
    const mimeMessage = { to: [{ email: 'ann@example.com' }], subject: 'Hello', body: 'Text' }

    test('is delivered once by a retry after a failed send', async () => {
      await using sending = await openSendingService({ engine: engine as Engine })
      const send = (key: string): Promise<Answer> =>
        sending.service.call('POST', `/v3/grants/${sending.grantId}/messages/send`, {
          key: sending.key,
          body: mimeMessage,
          headers: { 'idempotency-key': key },
        })
      const usual = sending.mailServer.send
      sending.mailServer.send = async () => {
        throw new SendFailed('no route to host')
      }
      for (let tries = 0; tries < 2; tries++) {
        const refused = await send('retry')
        expect([refused.status, isReplay(refused), refused.body.error.type]).toEqual([503, false, expect.any(String)])
      }
      sending.mailServer.send = usual
      const sent = await send('retry')
      expect([sent.status, isReplay(sent)]).toEqual([200, false])
      const again = await send('retry')
      expect([again.status, isReplay(again), again.body]).toEqual([200, true, sent.body])
      expect(sending.mailServer.taken).toHaveLength(1)
    })

    test('is not sent by a retry if the server rejected it permanently or its outcome is unknown', async () => {
      await using sending = await openSendingService({ engine: engine as Engine })
      const send = (key: string): Promise<Answer> =>
        sending.service.call('POST', `/v3/grants/${sending.grantId}/messages/send`, {
          key: sending.key,
          body: mimeMessage,
          headers: { 'idempotency-key': key },
        })
      const usual = sending.mailServer.send
      sending.mailServer.send = async () => {
        throw new SendFailed('no such user', { permanent: true, status: 550 })
      }
      const refused = await send('refused')
      expect(refused.status).toBe(402)
      sending.mailServer.send = async (_message, begin) => {
        await begin()
        throw new SendFailed('the connection broke', { maybeSent: true })
      }
      const unknown = await send('unknown')
      expect([unknown.status, unknown.body.error.type]).toEqual([504, expect.any(String)])
      sending.mailServer.send = usual
      const repeated = await send('refused')
      expect([repeated.status, isReplay(repeated)]).toEqual([402, true])
      expect((await send('unknown')).status).toBe(504)
      expect(sending.mailServer.taken).toEqual([])
    })
  })
})

/** Messages with large files at Google: resumable uploads that break, and the largest message. */
import { randomBytes, randomUUID } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Account, accountOf, expectStatus } from '../../conformance/accounts.ts'
import { digest, uploaded } from '../../conformance/uploads.ts'
import type { TestService } from '../../harness.ts'
import { createGoogleGrant, type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'

const sending = '/upload/gmail/v1/users/me/messages/send'

describe('large files at Google', () => {
  const resources = new AsyncDisposableStack()
  let simulator: GooglePeer['simulator']
  let service: TestService
  let account: Account
  let mail: ReturnType<GooglePeer['simulator']['account']>['mail']
  beforeAll(async () => {
    ;({ simulator } = resources.use(await openGoogle()))
    service = resources.use(await openGoogleService(simulator))
  })
  beforeEach(async () => {
    const { key } = await service.createApplication('Files')
    const email = `${randomUUID()}@people.test`
    mail = simulator.addAccount({ email }).mail
    const { id } = await createGoogleGrant(service, simulator, { email, key })
    account = accountOf((method, path, rest) => service.call(method, path, { key, ...rest }), { grantId: id, email })
    simulator.clearCalls()
  })
  afterAll(() => resources.disposeAsync())

  const pieces = () => simulator.calls.filter(({ method, path }) => method === 'PUT' && path === sending)
  const sent = () => mail.list().filter(({ labels }) => labels.includes('SENT'))

  test('are sent once and byte for byte though connections break at every kind of piece', async () => {
    const bytes = randomBytes(4_000_000)
    const attachments = [await uploaded(service, account, bytes)]
    simulator.fail({ method: 'PUT', path: sending }, { drop: 'before' })
    simulator.fail({ method: 'PUT', path: sending }, { drop: 'after' })
    simulator.fail({ method: 'PUT', path: sending }, { status: 503, reason: 'backendError' })
    const body = { to: [{ email: 'bob@people.test' }], subject: 'Pieces', body: 'x', attachments }
    const { data } = expectStatus(await account.post('/messages/send', body), 200).body
    expect(sent().map(({ id }) => id)).toEqual([data.id])
    const { attachments: files } = await simpleParser(Buffer.from(mail.read(data.id).raw))
    expect(files.map(({ content }) => digest(content))).toEqual([digest(bytes)])
    expect(pieces().length).toBeGreaterThan(4)
  })

  test('are sent once if the answer to the last piece is lost', async () => {
    const attachments = [await uploaded(service, account, randomBytes(1_600_000))]
    // The message has two pieces.
    const last = (number: number): void =>
      simulator.fail({ method: 'PUT', path: sending, times: number }, { drop: 'after' })
    last(2)
    const body = { to: [{ email: 'bob@people.test' }], subject: 'Lost', body: 'x', attachments }
    expectStatus(await account.post('/messages/send', body), 200)
    expect(sent()).toHaveLength(1)
  })

  test('that exceed the limit of Google are refused before anything is sent, with the remedy', async () => {
    const attachments = [
      await uploaded(service, account, randomBytes(14_000_000)),
      await uploaded(service, account, randomBytes(14_000_000)),
    ]
    const body = { to: [{ email: 'bob@people.test' }], subject: 'Too large', attachments }
    simulator.clearCalls()
    for (const path of ['/messages/send', '/drafts']) {
      const { error } = expectStatus(await account.post(path, body), 413).body
      expect(error.message).toMatch(/Google accepts at most 36700160.*link/s)
    }
    expect(simulator.calls.filter(({ path }) => path.includes('/upload/'))).toEqual([])
  })
})

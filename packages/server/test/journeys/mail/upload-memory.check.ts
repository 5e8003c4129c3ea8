/**
 * Large files through a real node, whose peak of resident memory is measured in each step: 150 MB through exim and dovecot
 * and through a simulated Microsoft, 25 MB through simulated servers of Google and Exchange. Each is sent and read back.
 * The simulators are in the process of the test, which is not measured. Below `check:full`, the mail servers are used on
 * PostgreSQL and the other providers on SQLite, so that each store and each provider has a large file.
 *
 * Peaks of several runs in MB: start 195, sending by SMTP and IMAP 276 to 341, download by IMAP 334 to 360, sending to
 * Microsoft 362 to 386, download from Microsoft 248 to 385, Google 277 to 367, Exchange 283 to 388. The aim of 250 is not
 * met. No step holds a whole file: pieces that are no longer used wait for the collector, also those of earlier steps.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { limits } from '@waypost/contract'
import { isFull } from '@waypost/testing/level'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { startExim } from '@waypost/testing/peers/exim'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startExchange, startGoogle, startMicrosoft } from '../../../../simulators/src/index.ts'
import type { Json } from '../../conformance/accounts.ts'
import { startNode } from '../../faults/node.ts'
import { exchangePassword } from '../../peers/exchange.ts'
import { everyScope as everyGoogleScope } from '../../peers/google.ts'
import { everyScope } from '../../peers/microsoft.ts'

/** The limit of each step, in MB: the measured maximum, plus a quarter for a busy machine. */
const maxMb = {
  start: 245,
  'SMTP and IMAP': 425,
  'download by IMAP': 450,
  Microsoft: 480,
  'download from Microsoft': 480,
  Google: 450,
  'download from Google': 460,
  Exchange: 480,
  'download from Exchange': 480,
}
const pieceBytes = 1_048_576
/** What Google and Exchange accept in a message. */
const fittingBytes = 25_000_000

/** A generated file that is never in memory as a whole: each piece depends only on its number. */
function* pieces(size: number): Generator<Buffer> {
  for (let from = 0; from < size; from += pieceBytes) {
    yield Buffer.alloc(Math.min(pieceBytes, size - from), createHash('sha256').update(String(from)).digest())
  }
}
const digest = (size: number): string => {
  const hash = createHash('sha256')
  for (const piece of pieces(size)) hash.update(piece)
  return hash.digest('hex')
}
/** The last bytes of a file. */
const endOf = (size: number, length: number): string =>
  Buffer.from([...pieces(size)].at(-1) ?? [])
    .subarray(-length)
    .toString('hex')

describe.each(['sqlite', 'postgresql'])('large files with %s', { timeout: 1_800_000 }, (engine) => {
  const resources = new AsyncDisposableStack()
  const adminPassword = 'a long enough password'
  let key = ''
  let base: string
  let pid = 0
  type Answered = Promise<{ status: number; body: Json }>
  let call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Answered
  let dovecot: Awaited<ReturnType<typeof sharedDovecot>>
  let exim: Awaited<ReturnType<typeof startExim>>
  let microsoft: Awaited<ReturnType<typeof startMicrosoft>>
  let google: Awaited<ReturnType<typeof startGoogle>>
  let exchange: Awaited<ReturnType<typeof startExchange>>

  const peaks: string[] = []
  /** Checks the largest resident memory of the node in a step, and begins the next step. */
  function endStep(step: keyof typeof maxMb): void {
    const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    peaks.push(`${step} ${peakMb.toFixed(0)} MB`)
    console.log(`${engine}: peaks: ${peaks.join(', ')}`)
    expect(peakMb, `resident memory of the node, step by step: ${peaks.join(', ')}`).toBeLessThan(maxMb[step])
  }

  beforeAll(async () => {
    dovecot = resources.use(await sharedDovecot())
    exim = resources.use(await startExim({ lmtp: dovecot.lmtpPort ?? 0, sizeLimit: '250M' }))
    microsoft = resources.use(await startMicrosoft({ maxMessageBytes: 250 * 1024 * 1024 }))
    google = resources.use(await startGoogle())
    exchange = resources.use(await startExchange())
    const folder = await mkdtemp(path.join(tmpdir(), 'waypost-uploads-'))
    resources.defer(() => rm(folder, { recursive: true, force: true }))
    const node = resources.use(
      await startNode(['api', 'worker'], {
        // The same limits as in the image, in the unit of systemd and in `npm start`.
        ...{ MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' },
        ...{ WAYPOST_DATA_DIR: folder, WAYPOST_ADMIN_PASSWORD: adminPassword },
        ...{ WAYPOST_MICROSOFT_URL: microsoft.url, WAYPOST_GOOGLE_URL: google.url, WAYPOST_EWS_URL: exchange.url },
        ...(engine === 'sqlite' ? {} : { DATABASE_URL: await freshDatabaseUrl() }),
      }),
    )
    base = node.base
    pid = node.pid
    const basic = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`
    call = async (method, path, body, headers = {}) => {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: key === '' ? basic : `Bearer ${key}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    }
    const { application_id: id } = (await call('POST', '/v3/admin/applications', { name: 'Uploads' })).body.data
    key = (await call('POST', `/v3/admin/applications/${id}/api-keys`, { name: 'key' })).body.data.api_key
    endStep('start')
  })
  afterAll(() => resources.disposeAsync())

  async function connect(provider: string, settings: object, connector: object = {}): Promise<string> {
    await call('POST', '/v3/connectors', { provider, ...connector })
    const made = await call('POST', '/v3/connect/custom', { provider, settings })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.data.id
  }

  async function upload(grantId: string, size: number): Promise<string> {
    const file = { filename: 'large.bin', content_type: 'application/octet-stream', size }
    const made = await call('POST', `/v3/grants/${grantId}/attachment-uploads`, file)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { attachment_id: id, url } = made.body.data
    const put = await fetch(`${base}${new URL(url).pathname}`, {
      ...{ method: 'PUT', duplex: 'half', body: Readable.toWeb(Readable.from(pieces(size))) as ReadableStream },
      headers: { 'content-type': 'application/octet-stream' },
    } as RequestInit)
    expect(put.status, await put.text()).toBe(200)
    expect((await call('POST', `/v3/grants/${grantId}/attachment-uploads/${id}/complete`, {})).status).toBe(200)
    return id
  }

  /**
   * Uploads and sends a file; returns the id of the sent message. A slow machine may need more time than a request has,
   * so the request is repeated under its key.
   */
  async function send(grantId: string, to: string, size: number): Promise<string> {
    const attachments = [{ id: await upload(grantId, size) }]
    const body = { to: [{ email: to }], subject: 'Large', body: 'See file', attachments }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    let id = ''
    const sent = async (): Promise<number> => {
      const { status, body: answer } = await call('POST', `/v3/grants/${grantId}/messages/send`, body, headers)
      if (status === 200) id = answer.data.id
      return status
    }
    await expect.poll(sent, { timeout: 300_000, interval: 1_000 }).toBe(200)
    return id
  }

  /** A request for the file of a message. */
  async function readerOf(grantId: string, messageId: string): Promise<(headers?: object) => Promise<Response>> {
    const { data } = (await call('GET', `/v3/grants/${grantId}/messages/${encodeURIComponent(messageId)}`)).body
    const [{ id }] = data.attachments
    const query = `message_id=${encodeURIComponent(messageId)}`
    const url = `${base}/v3/grants/${grantId}/attachments/${encodeURIComponent(id)}/download?${query}`
    return (headers) => fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } })
  }

  async function readWhole(grantId: string, messageId: string, size: number): Promise<void> {
    const read = await readerOf(grantId, messageId)
    const whole = await read()
    expect(whole.status).toBe(200)
    const hash = createHash('sha256')
    for await (const piece of whole.body ?? []) hash.update(piece)
    expect(hash.digest('hex')).toBe(digest(size))
  }

  async function readEnd(grantId: string, messageId: string, size: number): Promise<void> {
    const read = await readerOf(grantId, messageId)
    const part = await read({ range: `bytes=${size - 1_000}-` })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${size - 1_000}-${size - 1}/${size}`])
    expect(Buffer.from(await part.arrayBuffer()).toString('hex')).toBe(endOf(size, 1_000))
  }

  /** The hash of the attached file in the only message of a folder, read in pieces from the server. */
  async function attachedIn(user: string, folder: string): Promise<string> {
    await using client = await dovecot.client(user)
    const count = async (): Promise<number | undefined> =>
      ((await client.status(folder, { messages: true }).catch(() => undefined)) || undefined)?.messages
    await expect.poll(count, { timeout: 240_000, interval: 500 }).toBe(1)
    await client.mailboxOpen(folder, { readOnly: true })
    const { content } = await client.download('1', '2', { chunkSize: 4 * pieceBytes })
    const hash = createHash('sha256')
    for await (const piece of content ?? []) hash.update(piece)
    return hash.digest('hex')
  }

  const title = 'of 150 MB arrive through SMTP and in the sent folder, and the memory of the node stays small'
  test.runIf(isFull || engine === 'postgresql')(title, async () => {
    const size = limits.uploadBytes
    const [ann, bob] = [await dovecot.addUser(), await dovecot.addUser()]
    const grantId = await connect('imap', {
      ...{ imap_username: ann.user, imap_password: ann.password, imap_host: dovecot.host },
      ...{ imap_port: dovecot.imapsPort, smtp_host: exim.host, smtp_port: exim.smtpPort },
    })
    await send(grantId, bob.user, size)
    endStep('SMTP and IMAP')
    expect(await attachedIn(bob.user, 'INBOX')).toBe(digest(size))
    expect(await attachedIn(ann.user, 'Sent')).toBe(digest(size))
    const { data: folders } = (await call('GET', `/v3/grants/${grantId}/folders`)).body
    const { id: folder } = folders.find(({ name }: Json) => name === 'Sent')
    const [sent] = (await call('GET', `/v3/grants/${grantId}/messages?in=${encodeURIComponent(folder)}`)).body.data
    await readWhole(grantId, sent.id, size)
    endStep('download by IMAP')
  })

  test.runIf(engine === 'sqlite')('of 150 MB are sent through Microsoft in an upload session', async () => {
    const size = limits.uploadBytes
    const email = 'large@contoso.example'
    microsoft.addAccount({ email, name: 'Large', kind: 'work' })
    const client = { client_id: microsoft.client.id, client_secret: microsoft.client.secret }
    const { refreshToken } = microsoft.grantToken(email, [...everyScope])
    const grantId = await connect('microsoft', { refresh_token: refreshToken }, { settings: client })
    const id = await send(grantId, 'bob@people.test', size)
    endStep('Microsoft')
    await readWhole(grantId, id, size)
    endStep('download from Microsoft')
  })

  test.runIf(engine === 'sqlite')('of 25 MB are sent through Google in a resumable upload', async () => {
    const email = 'large@people.test'
    google.addAccount({ email })
    const client = { client_id: google.client.id, client_secret: google.client.secret }
    const { refreshToken } = google.grantToken(email, everyGoogleScope)
    const grantId = await connect('google', { refresh_token: refreshToken }, { settings: client })
    const tooLarge = { filename: 'a', content_type: 'video/mp4', size: limits.uploadBytes }
    const refused = await call('POST', `/v3/grants/${grantId}/attachment-uploads`, tooLarge)
    expect([refused.status, refused.body.error.message]).toEqual([413, expect.stringContaining('36700160')])
    const id = await send(grantId, 'bob@people.test', fittingBytes)
    endStep('Google')
    await readWhole(grantId, id, fittingBytes)
    await readEnd(grantId, id, fittingBytes)
    endStep('download from Google')
  })

  test.runIf(engine === 'sqlite')('of 25 MB are sent through Exchange as a stream', async () => {
    const email = 'large@exchange.test'
    exchange.addAccount({ email, password: exchangePassword, name: email })
    const account = { ews_username: email, ews_password: exchangePassword, ews_host: 'mail.exchange.example', email }
    const grantId = await connect('ews', account)
    const id = await send(grantId, 'bob@people.test', fittingBytes)
    endStep('Exchange')
    await readWhole(grantId, id, fittingBytes)
    await readEnd(grantId, id, fittingBytes)
    endStep('download from Exchange')
  })
})

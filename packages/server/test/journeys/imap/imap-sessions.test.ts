/** Connections to a mailbox: few, opened on demand, and replaced without a failed request when they break. */
import { once } from 'node:events'
import net from 'node:net'
import { createEgress } from '@waypost/platform/egress/egress'
import { startDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

/**
 * A proxy that counts connections, and that can make them half open: it then accepts everything and answers nothing.
 */
async function openProxy(port: number) {
  const pairs = new Set<{ near: net.Socket; far: net.Socket }>()
  let opened = 0
  let max = 0
  const server = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1')
    const pair = { near, far }
    opened++
    pairs.add(pair)
    max = Math.max(max, pairs.size)
    near.pipe(far).pipe(near)
    const end = (): void => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    get opened() {
      return opened
    },
    get open() {
      return pairs.size
    },
    get max() {
      return max
    },
    /** Makes the open connections half open. */
    playDead() {
      for (const { near, far } of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        far.destroy()
        near.removeAllListeners('close')
        near.resume()
      }
      pairs.clear()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
    },
  }
}

describe('connections to a mailbox', () => {
  let server: MailServer
  let service: TestService
  beforeAll(async () => {
    server = await startDovecot({ connectionsPerUser: 2 })
    service = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [server.ca] }) } })
    await service.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  async function newAccount(port = server.imapPort) {
    const { user, password } = await server.addUser()
    const settings = {
      imap_username: user,
      imap_password: password,
      imap_host: 'localhost',
      imap_port: port,
      watch: false,
    }
    const { key } = await service.createApplication()
    await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
    const made = await service.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
    expect(made.body).toMatchObject({ data: { grant_status: 'valid' } })
    const call = (method: string, rest: string, body?: unknown) =>
      service.call(method, `/v3/grants/${made.body.data.id}${rest}`, { key, ...(body === undefined ? {} : { body }) })
    /** The streamed response, over a port. */
    const stream = async (rest: string) =>
      fetch(`${await service.listen()}/v3/grants/${made.body.data.id}${rest}`, {
        headers: { authorization: `Bearer ${key}` },
      })
    return { user, call, stream }
  }
  const mail = (number: number, attachment = ''): string =>
    `From: a@example.com\r\nSubject: Message ${number}\r\nMessage-ID: <${number}-${Math.random()}@example.com>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nText ${number}\r\n${attachment}--b--\r\n`
  const attached = (bytes: number): string =>
    `--b\r\nContent-Type: application/octet-stream; name=large.bin\r\nContent-Disposition: attachment; filename=large.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.alloc(
      bytes,
      'x',
    )
      .toString('base64')
      .replace(/.{76}/g, '$&\r\n')}\r\n`

  test('are opened on demand, shared by requests, and limited to what the server allows', async () => {
    await using proxy = await openProxy(server.imapPort)
    const account = await newAccount(proxy.port)
    for (let number = 0; number < 5; number++) await server.deliver(account.user, mail(number))
    expect(proxy.open).toBe(0)
    const before = proxy.opened
    const answers = await Promise.all(Array.from({ length: 20 }, () => account.call('GET', '/messages')))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body.data).toHaveLength(5)
    }
    expect(proxy.opened - before).toBeLessThanOrEqual(5)
    const opened = proxy.opened
    for (let turn = 0; turn < 5; turn++) expect((await account.call('GET', '/messages')).status).toBe(200)
    expect(proxy.opened).toBe(opened)
  })

  test('that are half open are detected, and the request uses a new one', async () => {
    await using proxy = await openProxy(server.imapPort)
    const account = await newAccount(proxy.port)
    await server.deliver(account.user, mail(1))
    expect((await account.call('GET', '/messages')).body.data).toHaveLength(1)
    proxy.playDead()
    // Idle for longer than a connection is used without a check.
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000)
    const answer = await account.call('GET', '/messages').finally(() => later.mockRestore())
    expect(answer).toMatchObject({ status: 200, body: { data: [{ subject: 'Message 1' }] } })
  })

  test('that the server ends with BYE are replaced', async () => {
    const account = await newAccount()
    await server.deliver(account.user, mail(1))
    for (let turn = 0; turn < 3; turn++) {
      expect((await account.call('GET', '/messages')).body.data).toHaveLength(1)
      await server.kick(account.user)
    }
    expect((await account.call('GET', '/messages')).status).toBe(200)
  })

  test('a long download leaves a connection for a list, and releases its own when the client disconnects', async () => {
    const account = await newAccount()
    await server.deliver(account.user, mail(1, attached(8 * 1024 * 1024)))
    const { body } = await account.call('GET', '/messages')
    const [message] = body.data
    const [attachment] = message.attachments
    expect(attachment).toMatchObject({
      filename: 'large.bin',
      content_type: expect.stringContaining('application/octet-stream'),
    })
    const target = `/attachments/${attachment.id}/download?message_id=${message.id}`
    const first = await downloadOf(account, target)
    // The server allows two connections: the second download must wait for the first, the list need not.
    const second = downloadOf(account, target)
    expect((await account.call('GET', '/messages')).status).toBe(200)
    await first.cancel()
    await (await second).cancel()
    const whole = await downloadOf(account, target)
    expect((await whole.rest()).byteLength).toBe(8 * 1024 * 1024)
  })

  /** Starts a download without finishing it. */
  async function downloadOf(account: Awaited<ReturnType<typeof newAccount>>, target: string) {
    const response = await account.stream(target)
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    if (!reader) throw new Error('no body')
    const first = await reader.read()
    return {
      cancel: () => reader.cancel(),
      async rest(): Promise<Buffer> {
        const chunks = [Buffer.from(first.value ?? [])]
        for (let next = await reader.read(); !next.done; next = await reader.read())
          chunks.push(Buffer.from(next.value))
        return Buffer.concat(chunks)
      },
    }
  }
})

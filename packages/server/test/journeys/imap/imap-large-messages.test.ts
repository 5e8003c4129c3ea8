/** Messages that are larger than the limit of one response of a mail server. */
import { createHash } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../conformance/accounts.ts'
import { mboxMessages, zipEntries } from '../../exports/readers.ts'
import { openService, type TestService } from '../../harness.ts'

const bytes = 56 * 1024 * 1024
const line = `${'A line of a large file. '.repeat(3)}\n`
const source = Buffer.from(`Subject: A large message\nFrom: ada@example.com\n\n${line.repeat(bytes / line.length)}`)
  .toString('latin1')
  .replaceAll('\n', '\r\n')
const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

let server: MailServer
let service: TestService
let at: string
let key: string
beforeAll(async () => {
  server = await sharedDovecot({})
  service = await openService({ overrides: { egress: createEgress({ mode: 'private', ca: [server.ca] }) } })
  key = (await service.createApplication()).key
  await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
  const box = await server.addUser()
  await server.deliver(box.user, 'Subject: A small message\r\nFrom: ada@example.com\r\n\r\nText\r\n')
  await server.deliver(box.user, source)
  const named = { imap_username: box.user, imap_password: box.password, imap_host: 'localhost' }
  const body = { provider: 'imap', settings: { ...named, imap_port: server.imapPort, watch: false } }
  const made = expectStatus(await service.call('POST', '/v3/connect/custom', { key, body }), 201)
  at = `/v3/grants/${made.body.data.id}`
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const exported = async (format: string): Promise<Buffer> => {
  const response = await service.app.request(`${at}/messages/export?format=${format}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

test('an export has a message of more than 48 MiB, equal to the byte', async () => {
  const read = mboxMessages(await exported('mbox'))
  expect(read.map(({ subject }) => subject).toSorted()).toEqual(['A large message', 'A small message'])
  const large = read.find(({ subject }) => subject === 'A large message')
  expect(digestOf(large?.source ?? '')).toBe(digestOf(source.replaceAll('\r\n', '\n')))
  const digests = zipEntries(await exported('eml'))
    .values()
    .map((entry) => digestOf(entry))
    .toArray()
  expect(digests).toContain(digestOf(source))
})

test('raw_mime has a message of more than 48 MiB, equal to the byte', async () => {
  const { body } = await service.call('GET', `${at}/messages`, { key })
  const { id } = body.data.find(({ subject }: { subject: string }) => subject === 'A large message')
  const raw = expectStatus(await service.call('GET', `${at}/messages/${id}?fields=raw_mime`, { key }), 200)
  expect(digestOf(Buffer.from(raw.body.data.raw_mime, 'base64url'))).toBe(digestOf(source))
})

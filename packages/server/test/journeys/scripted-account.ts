/** Accounts at a scripted mail server, each with a service, a grant and messages to fill it with. */
import { createEgress } from '@waypost/platform/egress/egress'
import { type ScriptedImap, type ScriptedOptions, startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { type Account, accountOf, type Call, expectStatus, type Json } from '../conformance/accounts.ts'
import { openService, type TestService } from '../harness.ts'

export const openScriptedService = (): Promise<TestService> =>
  openService({ overrides: { egress: createEgress({ mode: 'private', trustLoopback: true }) } })

/** Tries to connect an account of the server. */
export async function attempt(service: TestService, server: ScriptedImap, { watch = false } = {}) {
  const { key } = await service.createApplication()
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
  const named = { imap_username: 'mira@mail.test', imap_password: 'secret', imap_host: 'localhost' }
  const body = { provider: 'imap', settings: { ...named, imap_port: server.port, watch } }
  return { call, answer: await call('POST', '/v3/connect/custom', { body }) }
}

let numbers = 0
export const mimeMessage = (subject: string, { headers = '', text = `Text of ${subject}` } = {}): string =>
  `From: Ada <ada@example.com>\r\nTo: mira@mail.test\r\nSubject: ${subject}\r\nDate: Mon, 01 Jun 2026 12:00:00 +0000\r\nMessage-ID: <${++numbers}@example.com>\r\n${headers}\r\n${text}\r\n`

/** A server with letters of these subjects, a minute apart, and an account of it. */
export async function openScripted(service: TestService, options: ScriptedOptions, subjects: readonly string[] = []) {
  const server = await startScriptedImap(options)
  for (const [place, subject] of subjects.entries())
    server.add(mimeMessage(subject), { date: new Date(Date.UTC(2026, 5, 1, 12, place)) })
  const { call, answer } = await attempt(service, server)
  const { id } = expectStatus(answer, 201).body.data
  const account: Account & { call: Call } = { ...accountOf(call, { grantId: id, email: 'mira@mail.test' }), call }
  return { server, account, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

export const messages = async (account: Account, query = {}): Promise<Json[]> =>
  expectStatus(await account.get('/messages', query), 200).body.data
export const subjectsOf = async (account: Account, query = {}): Promise<string[]> =>
  (await messages(account, query)).map(({ subject }) => subject)

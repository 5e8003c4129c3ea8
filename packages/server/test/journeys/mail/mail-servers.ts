/**
 * A service with accounts on a real dovecot that send through a real exim. One account receives what another one
 * sends.
 */
import { randomUUID } from 'node:crypto'
import { createEgress } from '@waypost/platform/egress/egress'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { type Exim, type EximOptions, startExim } from '@waypost/testing/peers/exim'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import type { TestClock } from '@waypost/testing/test-clock'
import { expect, vi } from 'vitest'
import { type Account, accountOf, type Call, expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'

export interface Stored {
  source: Buffer
  flags: ReadonlySet<string>
}

export interface PostAccount extends Account {
  /** The messages in a folder, as stored on the server. */
  mail(folder?: string): Promise<Stored[]>
  /** Waits for the only message of a folder. */
  received(folder?: string): Promise<Stored>
  /** Sends a message and expects success. */
  send(fields: Fields, headers?: Record<string, string>): Promise<Json>
  /** The notifications about the account with this trigger. */
  reported(trigger: string): Promise<Json[]>
}

export interface MailServers extends AsyncDisposable {
  service: TestService
  server: MailServer
  exim: Exim
  key: string
  /** The address of the API. */
  url: string
  /** Runs by itself, and can be advanced. */
  clock: TestClock
  /** With calendars too if a calendar server is given. */
  newAccount(calendars?: DavServer): Promise<PostAccount>
}

export const until = <T>(check: () => T | Promise<T>, timeout = 30_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

function movableClock(): TestClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}

export async function openMailServers(limits: Pick<EximOptions, 'sizeLimit'> = {}): Promise<MailServers> {
  await using resources = new AsyncDisposableStack()
  const server = resources.use(await sharedDovecot())
  const { lmtpPort } = server
  if (lmtpPort === undefined) throw new Error('This server takes no mail by LMTP')
  const exim = resources.use(await startExim({ lmtp: lmtpPort, ...limits }))
  const clock = movableClock()
  const egress = createEgress({ mode: 'private', ca: [server.ca] })
  const service = resources.use(
    await openService({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { egress, clock, serving: true } }),
  )
  const url = await service.listen()
  const { key } = await service.createApplication('Post')
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  expectStatus(await call('POST', '/v3/connectors', { body: { provider: 'imap' } }), 201)
  const open = resources.move()
  return {
    ...{ service, server, exim, key, url, clock },
    newAccount: (calendars) => newAccount({ server, exim, call, calendars }),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function newAccount({
  server,
  exim,
  call,
  calendars,
}: {
  server: MailServer
  exim: Exim
  call: Call
  calendars: DavServer | undefined
}): Promise<PostAccount> {
  const { user, password } = await server.addUser()
  await calendars?.addDavUser(user.split('@')[0], password)
  const settings = {
    ...{ imap_username: user, imap_password: password, imap_host: server.host, imap_port: server.imapsPort },
    ...{ smtp_host: exim.host, smtp_port: exim.smtpPort },
    ...(calendars ? { caldav_url: calendars.davUrl } : {}),
  }
  const made = await call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings } })
  const account = accountOf(call, { grantId: expectStatus(made, 201).body.data.id, email: user })
  const mail: PostAccount['mail'] = async (folder = 'INBOX') => {
    await using client = await server.client(user)
    const { exists } = await client.mailboxOpen(folder, { readOnly: true })
    if (exists === 0) return []
    const messages = await client.fetchAll('1:*', { source: true, flags: true })
    return messages.map(({ source = Buffer.alloc(0), flags = new Set() }) => ({ source, flags }))
  }
  return {
    ...account,
    mail,
    received: (folder) =>
      until(async () => {
        const [first, ...others] = await mail(folder)
        if (!first || others.length > 0) throw new Error(`there are ${others.length + (first ? 1 : 0)} messages`)
        return first
      }),
    send: async (fields, headers) =>
      expectStatus(await account.post('/messages/send', fields, {}, headers), 200).body.data,
    async reported(trigger) {
      const { body } = expectStatus(await call('GET', `/v3/notifications?limit=200`), 200)
      return body.data.filter(
        ({ type, data }: Json) => type === trigger && (data.grant_id ?? data.object?.grant_id) === account.grantId,
      )
    },
  }
}

/**
 * Sends a message from the account to itself and waits until it has arrived and is filed. Returns the other messages
 * of a folder.
 */
export async function othersAfterMarker(account: PostAccount, folder: string): Promise<Stored[]> {
  const subject = `Marker ${randomUUID()}`
  await account.send({ to: [{ email: account.email }], subject, body: 'x' })
  const isMarker = ({ source }: Stored): boolean => source.includes('Subject: Marker ')
  const arrived = async (name: string): Promise<Stored[]> => {
    const all = await account.mail(name)
    expect(all.some(({ source }) => source.includes(subject))).toBe(true)
    return all.filter((each) => !isMarker(each))
  }
  for (const name of ['INBOX', 'Sent']) await until(() => arrived(name))
  return arrived(folder)
}

/** A second copy would have arrived before a message that is sent later. */
export const expectOnce = async (account: PostAccount, folder: string): Promise<void> =>
  expect(await othersAfterMarker(account, folder)).toHaveLength(1)

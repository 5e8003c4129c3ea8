/**
 * Accounts on a real mail server, watched by the nodes of a site; a destination for their notifications; and a sender
 * that delivers mail at a steady rate. The final content of the mailboxes is what must have been notified.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { sql } from '@waypost/testing/statement'
import { openPostgresql } from '../../../store/src/engine/postgresql.ts'
import { startReceivers } from './receivers.ts'
import type { Site } from './site.ts'

export interface Mailboxes extends AsyncDisposable {
  /** The number of grants. */
  readonly size: number
  /** Delivers this many messages a second to the mailboxes in turn, until it is stopped. */
  send(rate: number): { stop(): Promise<void> }
  /** The nodes with shards, and the number of each. */
  owners(): Promise<Map<string, number>>
  /** Waits until a message that arrives from now on was notified for every account; returns how long each took. */
  untilReported(deadlineMs?: number): Promise<{ times: number[]; missing: number }>
  /** Compares the notifications with the content of the mailboxes. */
  judge(): Promise<{ sent: number; reported: number; lost: number; twice: number; broken: string[] }>
}

const ownersNow = sql<{ owner: string; shards: number }>(
  'test.owners',
  'select owner, count(*) as shards from watch_shards where owner is not null group by owner',
)

/** Connects this many accounts to a site that has an API node and has settled. */
export async function openMailboxes(site: Site, databaseUrl: string, count: number): Promise<Mailboxes> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await sharedDovecot())
  const receivers = stack.use(await startReceivers(1))
  const database = stack.use(openPostgresql(databaseUrl, () => undefined))

  async function make(target: string, body: unknown): Promise<Record<string, string>> {
    const answer = await site.call('POST', target, { body })
    if (answer.status >= 300) throw new Error(`POST ${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  await make('/v3/connectors', { provider: 'imap' })
  const { webhook_secret: secret = '' } = await make('/v3/webhooks', {
    webhook_url: receivers.urls[0],
    trigger_types: ['message.created', 'message.updated'],
  })
  receivers.setSecret(0, secret)
  const accounts: { user: string; grantId: string }[] = []
  for (let index = 0; index < count; index++) {
    const { user, password } = await server.addUser()
    const { id: grantId = '' } = await make('/v3/connect/custom', {
      provider: 'imap',
      settings: {
        imap_username: user,
        imap_password: password,
        imap_host: server.host,
        imap_port: server.imapsPort,
      },
    })
    accounts.push({ user, grantId })
  }

  let sent = 0
  async function deliver(index: number): Promise<void> {
    const { user = '' } = accounts[index % accounts.length] ?? {}
    sent++
    await server.deliver(
      user,
      `From: sender@example.com\r\nTo: ${user}\r\nSubject: ${sent}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${randomUUID()}@example.com>\r\n\r\nText\r\n`,
    )
  }

  async function messagesOf(grantId: string): Promise<string[]> {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = cursor ? `&page_token=${encodeURIComponent(cursor)}` : ''
      const { status, body } = await site.call('GET', `/v3/grants/${grantId}/messages?limit=200${page}`)
      if (status !== 200) throw new Error(`messages cannot be listed: ${status} ${JSON.stringify(body)}`)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor
    } while (cursor)
    return ids
  }

  const reportedSince = (from: number): Map<string, number> => {
    const first = new Map<string, number>()
    for (const { grantId, at } of receivers.arrivals) {
      if (at >= from && !first.has(grantId)) first.set(grantId, at - from)
    }
    return first
  }

  const retained = stack.move()
  return {
    size: accounts.length,
    send(rate) {
      let stopped = false
      const sending = (async () => {
        for (let index = 0; !stopped; index++) {
          await deliver(index)
          await sleep(1_000 / rate)
        }
      })()
      return {
        async stop() {
          stopped = true
          await sending
        },
      }
    },
    owners: async () => new Map((await database.all(ownersNow)).map(({ owner, shards }) => [owner, shards])),
    async untilReported(deadlineMs = 120_000) {
      const from = performance.now()
      for (;;) {
        const times = [...reportedSince(from).values()]
        const missing = accounts.length - times.length
        if (missing === 0 || performance.now() - from > deadlineMs) return { times, missing }
        await sleep(50)
      }
    },
    async judge() {
      const held = new Map<string, string>()
      for (const { grantId } of accounts) for (const id of await messagesOf(grantId)) held.set(id, grantId)
      const deadline = performance.now() + 120_000
      const isReported = (id: string): boolean => receivers.arrivals.some(({ objectId }) => objectId === id)
      while (performance.now() < deadline && ![...held.keys()].every(isReported)) await sleep(100)
      // A duplicate notification would arrive now.
      await sleep(1_000)
      const come = receivers.arrivals.filter(({ type }) => type === 'message.created')
      const notifications = new Map(come.map(({ id, objectId }) => [id, objectId]))
      const byMessage = Map.groupBy(notifications, ([, objectId]) => objectId)
      const changed = receivers.arrivals.length - come.length
      const lost = [...held.keys()].filter((id) => !byMessage.has(id)).length
      const twice = [...byMessage.values()].filter((same) => same.length > 1).length
      const strange = [...byMessage.keys()].filter((id) => !held.has(id)).length
      const broken = [
        ...(held.size === sent ? [] : [`${sent} messages were sent, and the mailboxes hold ${held.size}`]),
        ...(lost === 0 ? [] : [`${lost} messages were not told`]),
        ...(twice === 0 ? [] : [`${twice} messages were told more than once`]),
        ...(changed === 0 ? [] : [`${changed} messages were told as changed, though nobody changed any`]),
        ...(strange === 0 ? [] : [`${strange} messages were told that are not there`]),
        ...(receivers.arrivals.every(({ signed }) => signed) ? [] : ['wrong signatures']),
      ]
      return { sent, reported: notifications.size, lost, twice, broken }
    },
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}

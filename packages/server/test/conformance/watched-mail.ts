/** Mailboxes at a simulated provider that Waypost watches, each with its own application. */
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { openSubscriber, type Subscriber } from '../journeys/subscriber.ts'
import { callOf, expectStatus, type Json } from './accounts.ts'
import type { AccountWish, MailAccount, SimulatedMail } from './mail-subject.ts'
import { subjects } from './mail-subject.ts'
import type { Simulated } from './mail-tables.ts'
import { type MessageFields, newMessageId } from './mime-messages.ts'

export const until = <T>(check: () => T | Promise<T>, timeout = 40_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

/** It is no longer watched once it is disposed of, so that polls of it cost nothing. */
export interface WatchedAccount extends MailAccount, AsyncDisposable {
  key: string
  /** The Message-ID of the message that was notified first, with the subject `first`. */
  firstMessageId: string
  /** A message arrives now. Returns its Message-ID. */
  arrive(mail: MessageFields, folder?: string): Promise<string>
  /** The notifications whose type begins so, oldest first. */
  reported(type?: string): Promise<Json[]>
  objects(type: string): Promise<Json[]>
  /** Subjects of the messages that were notified as created. */
  created(): Promise<string[]>
  /** Waits until a message with this subject was notified as created, and returns that. */
  createdAs(subject: string): Promise<Json>
  /** Reads a message without the changes that the subject makes to answers. */
  readPlain(id: string): Promise<Json>
}

export interface Watching<Simulator extends Simulated> {
  /** A service that watches accounts. */
  open(): Promise<SimulatedMail<Simulator>>
  /** The scopes of accounts; with those of mail only, Waypost looks for no other changes. */
  scopes?: readonly string[]
}

export interface WatchedMail<Simulator extends Simulated> {
  open(): SimulatedMail<Simulator>
  subscriber(): Subscriber
  newAccount(wish?: Omit<AccountWish, 'key'>): Promise<WatchedAccount>
  /** An account whose first message was notified. */
  watched(wish?: Omit<AccountWish, 'key'>): Promise<WatchedAccount>
}

/** Call it in a suite: opens the mail before its first test, and closes it after the last one. */
export function watchedMail<Simulator extends Simulated>({
  open: openMail,
  scopes,
}: Watching<Simulator>): WatchedMail<Simulator> {
  let open: SimulatedMail<Simulator>
  let subscriber: Subscriber
  beforeAll(async () => {
    open = await openMail()
    await open.service.listen()
    subscriber = await openSubscriber(open.service)
  })
  afterAll(async () => {
    await open?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  async function newAccount(wish: AccountWish = {}): Promise<WatchedAccount> {
    const { key } = await open.service.createApplication()
    const call = callOf(open.service, key)
    const account = await open.newAccount({ ...(scopes && { scopes }), ...wish, key })
    const reported = async (type = ''): Promise<Json[]> => {
      const found: Json[] = []
      for (let path = '/v3/notifications?limit=200'; ; ) {
        const { body } = await call('GET', path)
        found.push(...body.data)
        if (body.data.length < 200) return found.filter((each) => each.type.startsWith(type))
        path = `/v3/notifications?limit=200&page_token=${body.next_cursor}`
      }
    }
    const objects = async (type: string): Promise<Json[]> => (await reported(type)).map(({ data }) => data.object)
    const created = async (): Promise<string[]> => subjects(await objects('message.created'))
    return {
      ...account,
      key,
      firstMessageId: newMessageId(),
      async arrive({ messageId = newMessageId(), ...mail }, folder = 'inbox') {
        await account.deliver({ ...mail, messageId }, { folder, date: Date.now() / 1000 })
        return messageId ?? ''
      },
      reported,
      objects,
      created,
      createdAs: (subject) =>
        until(async () => {
          const found = await objects('message.created')
          expect(subjects(found)).toContain(subject)
          return found.find((each) => each.subject === subject)
        }),
      readPlain: async (id) =>
        expectStatus(await call('GET', `/v3/grants/${account.grantId}/messages/${id}`), 200).body.data,
      async [Symbol.asyncDispose]() {
        await call('DELETE', `/v3/grants/${account.grantId}`)
      },
    }
  }
  return {
    open: () => open,
    subscriber: () => subscriber,
    newAccount,
    async watched(wish) {
      const account = await newAccount(wish)
      await account.arrive({ subject: 'first', messageId: account.firstMessageId })
      await account.createdAs('first')
      return account
    },
  }
}

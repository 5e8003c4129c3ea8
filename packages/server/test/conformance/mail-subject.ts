/** What the mail suites need from a provider: accounts with an empty mailbox, incoming mail, and another client. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { ServiceOptions, TestService } from '../harness.ts'
import { type Account, at, type Call, expectStatus, type Json, pagesOf, type Query, span } from './accounts.ts'
import type { MailTable, Simulated } from './mail-tables.ts'
import type { MessageFields } from './mime-messages.ts'
import { mimeMessage, newMessageId } from './mime-messages.ts'

/** Features that a provider may lack. Their tests are left out; the rest applies to every provider. */
export type MailLack =
  /** There are only folders. `describeProvider` knows this from the operations table. */
  | 'messages'
  /** A message is in one folder only. */
  | 'several-folders'
  /** Folders are all on one level. */
  | 'nested-folders'
  /** The id of a message changes when it is moved; the previous one still finds it. */
  | 'stable-ids'
  /** Times are returned and compared by day. */
  | 'seconds'
  | 'bcc-filter'
  /** Threads depend on more than the headers of their messages. */
  | 'reference-threads'
  /** A message joins an existing thread when it arrives, and is not joined later. */
  | 'late-threads'
  /** There is no archive folder: the accounts create one. */
  | 'archive'
  /** Messages in Sent or Drafts stay there, even if added to other folders. */
  | 'leaving-sent'
  /** A folder is a label on messages, which remain when it is deleted. */
  | 'folders-with-messages'
  /** Messages in the trash also stay in custom folders. */
  | 'trash-alone'
  /** The server names a file without a name. */
  | 'names-of-nameless-files'

/** A folder that every account has, or the name of another one. */
export type Place = 'inbox' | 'sent' | 'drafts' | 'trash' | 'junk' | 'archive' | (string & {})

export interface Arrival {
  /** Default: inbox. */
  folder?: Place
  /** When the server received it. Default: 2026-06-01, noon in UTC. */
  date?: number
  seen?: boolean
  starred?: boolean
  /** Marked as deleted, but not expunged. */
  deleted?: boolean
}

/** A message at a place, as another client sees it. */
export interface Found {
  folder: string
  seen: boolean
  starred: boolean
  /** Only if it is marked so. */
  deleted?: true
}

/** Operations of another program on the mailbox; messages are identified by Message-ID. */
export interface OtherClient {
  move(messageId: string, from: Place, to: Place): Promise<void>
  copy(messageId: string, from: Place, to: Place): Promise<void>
  mark(messageId: string, folder: Place, marks: { seen: boolean; starred: boolean }): Promise<void>
  /** Deletes it permanently. */
  erase(messageId: string, folder: Place): Promise<void>
  createFolder(name: string): Promise<void>
  renameFolder(name: string, to: string): Promise<void>
  /** Deletes it with its messages. */
  deleteFolder(name: string): Promise<void>
  /** The folders of the message, and its flags there. */
  find(messageId: string): Promise<Found[]>
  /** The names of all folders. */
  folders(): Promise<string[]>
}

export interface MailAccount extends Account {
  /** The id of the archive folder, if the provider has none of its own. */
  archive?: string
  /** Puts a message into the mailbox; fields are composed into one. */
  deliver(mail: MessageFields | string | Buffer, arrival?: Arrival): Promise<void>
  other: OtherClient
  /** Breaks every connection between the server and the provider for this account. */
  disconnect(): Promise<void>
}

/** For accounts of simulated providers. */
export interface AccountWish {
  /** The key of another application than that of the other accounts. */
  key?: string
  scopes?: readonly string[]
  /** The subjects of messages that are in the mailbox before Waypost knows it. */
  before?: readonly string[]
  /** Further options of the account of the simulator. */
  seed?: object
}

export interface OpenMail extends AsyncDisposable {
  service: TestService
  /** The application of the accounts: its key, and calls on its behalf. */
  key: string
  call: Call
  newAccount(wish?: AccountWish): Promise<MailAccount>
  simulator?: Simulated
  /** Another account invites this one. Returns the id of the event in its main calendar, if only guests can answer. */
  invite?(account: MailAccount): Promise<string>
}

/** Accounts whose provider is a simulator. */
export interface SimulatedMail<Simulator extends Simulated> extends OpenMail {
  simulator: Simulator
}

/** Options of the service and of the simulator. */
export type OpenSimulated<Options> = ServiceOptions & { provider?: Options }

/** What may differ between a server and the one that all cases of the protocol run on. */
export type MailDifference =
  /** Names, roles and hierarchy of folders. */
  | 'folder names'
  /** How accounts sign in. */
  | 'sign-in'
  /** How many connections an account may have. */
  | 'connections'
  /** How messages are moved, copied and expunged. */
  | 'moving'
  /** How the server finds and sorts messages. */
  | 'searching'
  /** How the server says what changed in a folder. */
  | 'noticing changes'

export interface MailSubject {
  name: string
  lacks?: readonly MailLack[]
  /** For a further server of a protocol: what differs. Only the suites that touch a difference run below `check:full`. */
  differs?: readonly MailDifference[]
  /** Messages are identified by their bytes, so messages that look alike are tested too. */
  identity?: 'bytes'
  /** The separator in the name of a nested folder; if absent, a folder has a parent id. */
  separator?: string
  /** Prefix of the names of folders that an account creates. */
  prefix?: string
  /** Names that no folder can have. */
  refusedNames?: readonly string[]
  /** The provider's native search. */
  search: {
    subject(word: string): string
    /** Queries that the provider does not accept. */
    wrong: readonly string[]
    /** Whether it can be combined only with the folder filter. */
    alone?: boolean
    /** Whether it finds only whole words. */
    words?: boolean
  }
  /** For a simulated provider. */
  table?: MailTable
  open(): Promise<OpenMail>
}

/** Opens the subject for the tests of a suite, and gives each test its own account. */
export function withNewAccounts(
  subject: MailSubject,
  give: (account: MailAccount, open: OpenMail) => void | Promise<void>,
): void {
  let open: OpenMail
  beforeAll(async () => {
    open = await subject.open()
  })
  beforeEach(async () => give(await open.newAccount(), open))
  afterAll(() => open?.[Symbol.asyncDispose]())
}

const noMessages = async (): Promise<never> => {
  throw new Error('The provider has no messages')
}
/** What an account needs for its messages, for a provider that has only folders. */
export const withoutMessages: Pick<MailAccount, 'deliver' | 'disconnect'> & {
  other: Pick<OtherClient, 'move' | 'copy' | 'mark' | 'erase' | 'find'>
} = {
  deliver: noMessages,
  disconnect: async () => undefined,
  other: { move: noMessages, copy: noMessages, mark: noMessages, erase: noMessages, find: noMessages },
}

/** 2026-06-01, noon in UTC. */
export const noon = 1_780_315_200

export const sourceOf = (mail: MessageFields | string | Buffer): string | Buffer =>
  typeof mail === 'string' || Buffer.isBuffer(mail) ? mail : mimeMessage(mail)

/** Messages that arrived two minutes ago. */
export function deliverEarlier(
  mail: { deliver(source: string, options: { at: number }): unknown },
  names: readonly string[],
): void {
  for (const subject of names) mail.deliver(mimeMessage({ subject }), { at: Date.now() - 120_000 })
}

export const roles = {
  inbox: '\\Inbox',
  sent: '\\Sent',
  drafts: '\\Drafts',
  trash: '\\Trash',
  junk: '\\Junk',
  archive: '\\Archive',
} as const

/** One account invites another, and returns the id of the event in the main calendar of the guest. */
export async function invitationOf(organizer: Account, guest: Account): Promise<string> {
  await organizer.create('primary', {
    title: 'Invitation',
    when: span('2026-06-02T09:00'),
    participants: [{ email: guest.email }],
  })
  const window = { start: at('2026-06-01T00:00'), end: at('2026-06-04T00:00'), title: 'Invitation' }
  const [{ id }] = await guest.listAll('primary', window)
  return id
}

/** The ids of the folders that every account has. */
export async function folderIds(account: Account & { archive?: string }): Promise<Record<keyof typeof roles, string>> {
  const folders = (await pagesOf(account, '/folders', {})).flat()
  const idOf = (attribute: string): string => {
    const found = folders.filter(({ attributes }: Json) => attributes.includes(attribute))
    expect(found, `folders with ${attribute} in ${JSON.stringify(folders)}`).toHaveLength(1)
    return found[0].id
  }
  return {
    inbox: idOf(roles.inbox),
    sent: idOf(roles.sent),
    drafts: idOf(roles.drafts),
    trash: idOf(roles.trash),
    junk: idOf(roles.junk),
    archive: account.archive ?? idOf(roles.archive),
  }
}

export const messagePath = (id: string): string => `/messages/${encodeURIComponent(id)}`
export const threadPath = (id: string): string => `/threads/${encodeURIComponent(id)}`
export const folderPath = (id: string): string => `/folders/${encodeURIComponent(id)}`

/** All messages that match, from all pages. */
export const messagesOf = async (account: Account, query: Query = {}): Promise<Json[]> =>
  (await pagesOf(account, '/messages', query)).flat()

export const readMessage = async (account: Account, id: string, query: Query = {}): Promise<Json> =>
  expectStatus(await account.get(messagePath(id), query), 200).body.data

export const changeMessage = async (account: Account, id: string, change: object): Promise<Json> =>
  expectStatus(await account.put(messagePath(id), change), 200).body.data

/** The one message with this subject. */
export async function messageBySubject(account: Account, subject: string): Promise<Json> {
  const found = (await messagesOf(account)).filter((message) => message.subject === subject)
  expect(found, `messages with the subject ${subject}`).toHaveLength(1)
  return found[0]
}

export const subjects = (messages: readonly Json[]): string[] => messages.map(({ subject }) => subject)

const people = expect.arrayContaining([])

/** Expects every field that clients rely on. */
export function expectMessage(message: Json, grantId: string): void {
  expect(message).toMatchObject({
    id: expect.stringMatching(/./),
    grant_id: grantId,
    object: 'message',
    thread_id: expect.stringMatching(/./),
    subject: expect.any(String),
    from: people,
    to: people,
    cc: people,
    bcc: people,
    reply_to: people,
    date: expect.any(Number),
    unread: expect.any(Boolean),
    starred: expect.any(Boolean),
    snippet: expect.any(String),
    body: expect.any(String),
    folders: expect.any(Array),
    attachments: expect.any(Array),
  })
  expect(Number.isInteger(message.date)).toBe(true)
  expect(message.snippet.length).toBeLessThanOrEqual(100)
  expect(message.folders.length).toBeGreaterThan(0)
  expect(new Set(message.folders).size).toBe(message.folders.length)
  // Clients decode ids once too often.
  expect(message.id).toBe(decodeURIComponent(message.id))
}

/** Ann asks, we answer from Sent, Ann thanks: `[question, answer, thanks]` by their Message-IDs. */
export async function deliverConversation(
  account: MailAccount,
  name = 'Plan',
  start = noon,
): Promise<[string, string, string]> {
  const [question, answer, thanks] = [newMessageId(), newMessageId(), newMessageId()]
  const file = { name: 'plan.pdf', type: 'application/pdf', content: 'PDF' }
  await account.deliver(
    { subject: name, messageId: question, to: 'Me <me@people.test>', text: 'Shall we?' },
    { date: start, seen: true },
  )
  await account.deliver(
    {
      subject: `Re: ${name}`,
      messageId: answer,
      inReplyTo: question,
      references: [question],
      from: 'Me <me@people.test>',
      to: 'ann@people.test',
      text: 'Yes',
      files: [file],
    },
    { date: start + 60, folder: 'sent', seen: true },
  )
  await account.deliver(
    {
      subject: `Re: ${name}`,
      messageId: thanks,
      inReplyTo: answer,
      references: [question, answer],
      to: 'Me <me@people.test>',
      cc: 'Cleo <cleo@people.test>',
      text: 'Thanks',
    },
    { date: start + 120 },
  )
  return [question, answer, thanks]
}

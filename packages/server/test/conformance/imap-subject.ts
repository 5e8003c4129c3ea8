/** Mail accounts on a real IMAP server, for the mail suites. */
import { createEgress } from '@waypost/platform/egress/egress'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { openService } from '../harness.ts'
import { accountOf, type Call, expectStatus, type Fields } from './accounts.ts'
import {
  type Found,
  type MailAccount,
  type MailSubject,
  noon,
  type OpenMail,
  type OtherClient,
  type Place,
  sourceOf,
} from './mail-subject.ts'

export interface ImapLayout<M extends MailServer = MailServer> {
  separator: string
  /** Prefix of every folder name but the inbox. */
  prefix: string
  refusedNames?: readonly string[]
  /** The names of the folders that every account has, if they are unusual. */
  folderNames?: Record<string, string>
  /** How accounts are connected; by default as a generic IMAP mailbox. */
  kind?: MailKind<M>
}

/** A kind of provider with mail on an IMAP server. */
export interface MailKind<M extends MailServer = MailServer> {
  provider: string
  /** Settings of the service for its servers. */
  env(server: M): Record<string, string>
  settings(server: M, mailbox: Mailbox): Fields
  /** The settings of its connector, if any. */
  connector?(): Fields
}

/** No suite sends: an account that can send signs in to two servers, with three connections. */
const plainMail: MailKind = {
  provider: 'imap',
  env: () => ({}),
  settings(server, mailbox) {
    const { smtp_host: _host, smtp_port: _port, ...settings } = imapSettings(server, mailbox)
    return settings
  },
}

const special: Record<string, string> = {
  sent: 'Sent',
  drafts: 'Drafts',
  trash: 'Trash',
  junk: 'Junk',
  archive: 'Archive',
}

type Names = Pick<ImapLayout, 'prefix' | 'folderNames'>

/** The path of a folder on the server, and its inverse. */
const pathOf = ({ prefix, folderNames }: Names, place: Place): string =>
  place === 'inbox' ? 'INBOX' : `${prefix}${folderNames?.[place] ?? special[place] ?? place}`
function placeOf({ prefix, folderNames }: Names, path: string): string {
  if (path === 'INBOX') return 'inbox'
  const name = path.slice(prefix.length)
  const names: Record<string, string> = { ...special, ...folderNames }
  return Object.keys(names).find((place) => names[place] === name) ?? name
}

export function imapSubject<M extends MailServer>(
  name: string,
  start: () => Promise<M>,
  layout: ImapLayout<M>,
): MailSubject {
  return {
    name,
    separator: layout.separator,
    prefix: layout.prefix,
    identity: 'bytes',
    refusedNames: layout.refusedNames ?? [],
    search: {
      subject: (word) => `SUBJECT "${word}"`,
      wrong: ['FROBNICATE', 'OR UNSEEN', 'SUBJECT "open', '(UNSEEN', 'UNSEEN\r\nX LOGOUT'],
    },
    open: () => openImap(start, layout),
  }
}

async function openImap<M extends MailServer>(start: () => Promise<M>, layout: ImapLayout<M>): Promise<OpenMail> {
  await using resources = new AsyncDisposableStack()
  const server = resources.use(await start())
  const egress = createEgress({ mode: 'private', ca: [server.ca] })
  const { kind = plainMail } = layout
  const service = resources.use(await openService({ env: kind.env(server), overrides: { egress } }))
  const { key } = await service.createApplication('Mail')
  const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
  const connector = { provider: kind.provider, ...(kind.connector ? { settings: kind.connector() } : {}) }
  expectStatus(await call('POST', '/v3/connectors', { body: connector }), 201)
  const open = resources.move()
  return {
    service,
    key,
    call,
    newAccount: () => newAccount(server, layout, call),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

type ImapSettings = {
  imap_username: string
  imap_password: string
  imap_host: string
  imap_port: number
  smtp_host?: string
  smtp_port?: number
}

/** Custom authentication with the credentials of a new user. */
export function imapSettings(server: MailServer, { user, password }: { user: string; password: string }): ImapSettings {
  return {
    imap_username: user,
    imap_password: password,
    imap_host: server.host,
    imap_port: server.imapsPort,
    ...(server.smtpPort === undefined ? {} : { smtp_host: server.host, smtp_port: server.smtpPort }),
  }
}

async function newAccount<M extends MailServer>(server: M, layout: ImapLayout<M>, call: Call): Promise<MailAccount> {
  const mailbox = await server.addUser()
  const { provider, settings } = layout.kind ?? plainMail
  const body = { provider, settings: settings(server, mailbox) }
  const { data } = expectStatus(await call('POST', '/v3/connect/custom', { body }), 201).body
  return {
    ...accountOf(call, { grantId: data.id, email: mailbox.user }),
    deliver: (mail, { folder = 'inbox', date = noon, seen = false, starred = false, deleted = false } = {}) =>
      server.deliver(mailbox.user, sourceOf(mail), {
        folder: pathOf(layout, folder),
        date: new Date(date * 1000),
        flags: [...(seen ? ['\\Seen'] : []), ...(starred ? ['\\Flagged'] : []), ...(deleted ? ['\\Deleted'] : [])],
      }),
    other: otherClient(server, layout, mailbox.user),
    disconnect: () => server.kick(mailbox.user),
  }
}

function otherClient(server: MailServer, layout: Names, user: string): OtherClient {
  const path = (place: Place): string => pathOf(layout, place)
  /** Works on the message in the folder, which must exist. */
  async function withMessage(
    messageId: string,
    place: Place,
    act: (client: Awaited<ReturnType<MailServer['client']>>, uids: number[]) => Promise<unknown>,
  ): Promise<void> {
    await using client = await server.client(user)
    await client.mailboxOpen(path(place))
    const uids = await client.search({ header: { 'message-id': `<${messageId}>` } }, { uid: true })
    if (!uids || uids.length === 0) throw new Error(`There is no message ${messageId} in ${place}`)
    if (!(await act(client, uids))) throw new Error(`The server did nothing with ${messageId} in ${place}`)
  }
  return {
    move: (messageId, from, to) =>
      withMessage(messageId, from, (client, uids) => client.messageMove(uids, path(to), { uid: true })),
    copy: (messageId, from, to) =>
      withMessage(messageId, from, (client, uids) => client.messageCopy(uids, path(to), { uid: true })),
    mark: (messageId, place, { seen, starred }) =>
      withMessage(messageId, place, async (client, uids) => {
        const flags = [...(seen ? ['\\Seen'] : []), ...(starred ? ['\\Flagged'] : [])]
        return client.messageFlagsSet(uids, flags, { uid: true })
      }),
    erase: (messageId, place) =>
      withMessage(messageId, place, (client, uids) => client.messageDelete(uids, { uid: true })),
    async createFolder(name) {
      await using client = await server.client(user)
      await client.mailboxCreate(path(name))
    },
    async renameFolder(name, to) {
      await using client = await server.client(user)
      await client.mailboxRename(path(name), path(to))
    },
    async deleteFolder(name) {
      await using client = await server.client(user)
      await client.mailboxDelete(path(name))
    },
    async find(messageId) {
      await using client = await server.client(user)
      const found: Found[] = []
      for (const { path: folder, flags } of await client.list()) {
        if (flags.has('\\Noselect') || flags.has('\\NonExistent')) continue
        await client.mailboxOpen(folder, { readOnly: true })
        const uids = await client.search({ header: { 'message-id': `<${messageId}>` } }, { uid: true })
        if (!uids || uids.length === 0) continue
        for (const message of await client.fetchAll(uids, { flags: true }, { uid: true })) {
          const has = (flag: string) => message.flags?.has(flag) ?? false
          found.push({
            folder: placeOf(layout, folder),
            seen: has('\\Seen'),
            starred: has('\\Flagged'),
            ...(has('\\Deleted') ? { deleted: true } : {}),
          })
        }
      }
      return found
    },
    async folders() {
      await using client = await server.client(user)
      return (await client.list()).map(({ path: folder }) => placeOf(layout, folder))
    },
  }
}

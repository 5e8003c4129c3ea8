/** A mailbox in memory that implements the interface of the adapters and records its calls. */
import type { Attachment, Draft, Folder, Grant, Message, MessageChange, Thread } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { SessionIo } from '@waypost/providers/io'
import { defineLimits, unsupported } from '@waypost/providers/limits'
import type { FileContent, OutgoingDraft } from '@waypost/providers/operations'
import { defineProvider, type Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { openService, type ServiceOptions, type TestService } from '../../harness.ts'

interface Session {
  grant: Grant
  io: SessionIo
}

export interface Mailbox {
  messages: Map<string, Message>
  folders: Map<string, Folder>
  drafts: Map<string, Draft>
  /** The ids of the attachments; any id if absent. */
  attachments?: Set<string>
  /** Every operation with its arguments after the session, in order. */
  calls: { operation: string; given: unknown[] }[]
  /** The bytes of messages; all others have one letter. */
  sources: Map<string, Buffer>
  /** The content of a download. */
  download(at: { attachment_id: string; message_id: string }): FileContent | Promise<FileContent>
  /** Runs before each operation. A test can make it wait or fail. */
  before(operation: string, given: unknown[]): void | Promise<void>
  /** The number of operations in progress. */
  busy: number
}

/** A stream of texts. */
export const streamOf = (...texts: string[]): ReadableStream<Uint8Array> =>
  ReadableStream.from(texts.map((text) => new TextEncoder().encode(text)))

export function createMailbox(): Mailbox {
  return {
    messages: new Map(),
    folders: new Map(),
    drafts: new Map(),
    calls: [],
    sources: new Map(),
    download: () => ({ content: streamOf('hello, ', 'world'), contentType: 'text/plain', filename: 'hello.txt' }),
    before: () => undefined,
    busy: 0,
  }
}

export const messageOf = (id: string, changes: Partial<Message> = {}): Message => ({
  id,
  grant_id: '',
  object: 'message',
  thread_id: `thread of ${id}`,
  date: 1_790_000_000,
  subject: `Subject of ${id}`,
  from: [{ email: 'ada@mail.test' }],
  to: [{ email: 'bob@mail.test' }],
  body: 'Text',
  snippet: 'Text',
  unread: true,
  starred: false,
  folders: ['INBOX'],
  attachments: [],
  ...changes,
})

const threadOf = (message: Message): Thread => ({
  id: message.thread_id ?? '',
  grant_id: message.grant_id,
  object: 'thread',
  latest_draft_or_message: message,
  has_attachments: false,
  has_drafts: false,
  starred: message.starred ?? false,
  unread: message.unread ?? false,
  earliest_message_date: message.date ?? 0,
  participants: [],
  message_ids: [message.id],
  draft_ids: [],
  folders: message.folders ?? [],
})

/** The adapter of mailboxes, one for each grant, of the kind `imap`. */
export function mailProvider(mailboxOf: (grantId: string) => Mailbox) {
  const requested = async ({ grant }: Session, operation: string, given: unknown[]): Promise<void> => {
    const mailbox = mailboxOf(grant.id)
    mailbox.calls.push({ operation, given })
    mailbox.busy++
    try {
      await mailbox.before(operation, given)
    } finally {
      mailbox.busy--
    }
  }
  const need = <T>(found: T | undefined): T => {
    if (found === undefined) throw new ApiError('not_found')
    return found
  }
  const read = (session: Session, id: string): Message => ({
    ...need(mailboxOf(session.grant.id).messages.get(id)),
    grant_id: session.grant.id,
  })
  const byThread = (session: Session, id: string): Message =>
    read(
      session,
      need([...mailboxOf(session.grant.id).messages.values()].find((message) => message.thread_id === id)).id,
    )
  const needAttachment = (session: Session, at: { attachment_id: string; message_id: string }): void => {
    read(session, at.message_id)
    const { attachments } = mailboxOf(session.grant.id)
    if (attachments && !attachments.has(at.attachment_id)) throw new ApiError('not_found')
  }
  const page = <T>(items: T[], limit: number, position: unknown): { items: T[]; next?: number } => {
    const start = typeof position === 'number' ? position : 0
    const end = start + limit
    return { items: items.slice(start, end), ...(end < items.length ? { next: end } : {}) }
  }
  const apply = (session: Session, id: string, { unread, starred, folders }: MessageChange): Message => {
    const message = read(session, id)
    const changed = {
      ...message,
      unread: unread ?? message.unread,
      starred: starred ?? message.starred,
      folders: folders ?? message.folders,
    }
    mailboxOf(session.grant.id).messages.set(id, changed)
    return changed
  }
  const folder = (session: Session, id: string, name: string): Folder => {
    const made: Folder = { id, grant_id: session.grant.id, object: 'folder', name, attributes: [] }
    mailboxOf(session.grant.id).folders.set(id, made)
    return made
  }
  const keep = (session: Session, id: string, given: OutgoingDraft): Draft => {
    const made: Draft = {
      ...messageOf(id, { thread_id: '', unread: false, folders: ['Drafts'], starred: given.starred ?? false }),
      object: 'draft',
      date: 1_790_000_000,
      grant_id: session.grant.id,
      subject: Buffer.from(given.source).toString(),
    }
    mailboxOf(session.grant.id).drafts.set(id, made)
    return made
  }
  return defineProvider<Session>()({
    kind: 'imap',
    limits: defineLimits({ 'messages.send': { body: { use_draft: unsupported('there is no way') } } }),
    authenticate: async (settings) => ({
      email: String(settings.imap_username),
      name: null,
      providerUserId: null,
      scope: [],
      settings: { imap_username: settings.imap_username },
    }),
    open: (grant, io) => ({ grant, io }),
    messages: {
      async list(session, query, position) {
        await requested(session, 'messages.list', [query, position])
        const all = [...mailboxOf(session.grant.id).messages.keys()].map((id) => read(session, id))
        return page(all, query.limit, position)
      },
      async clean(session, at, wanted) {
        await requested(session, 'messages.clean', [at, wanted])
        return wanted.message_id.map((id) => ({ ...read(session, id), conversation: 'Text' }))
      },
      async get(session, at) {
        await requested(session, 'messages.get', [at])
        const message = read(session, at.message_id)
        if (at.fields !== 'raw_mime') return message
        const source = mailboxOf(session.grant.id).sources.get(message.id) ?? Buffer.from('a')
        return { id: message.id, grant_id: message.grant_id, object: 'message', raw_mime: source.toString('base64url') }
      },
      async send(session, message, begin) {
        await requested(session, 'messages.send', [message])
        await begin()
        return { id: `sent ${message.messageId}` }
      },
      async update(session, at, change) {
        await requested(session, 'messages.update', [at, change])
        return apply(session, at.message_id, change)
      },
      async delete(session, at) {
        await requested(session, 'messages.delete', [at])
        if (at.hard_delete) mailboxOf(session.grant.id).messages.delete(read(session, at.message_id).id)
        else apply(session, at.message_id, { folders: ['Trash'] })
      },
    },
    drafts: {
      async list(session, query, position) {
        await requested(session, 'drafts.list', [query, position])
        return page([...mailboxOf(session.grant.id).drafts.values()], query.limit, position)
      },
      async get(session, at) {
        await requested(session, 'drafts.get', [at])
        return need(mailboxOf(session.grant.id).drafts.get(at.draft_id))
      },
      async create(session, draft) {
        await requested(session, 'drafts.create', [draft])
        return keep(session, `r${draft.messageId}`, draft)
      },
      async update(session, at, draft) {
        await requested(session, 'drafts.update', [at, draft])
        need(mailboxOf(session.grant.id).drafts.get(at.draft_id))
        return keep(session, at.draft_id, draft)
      },
      async delete(session, at) {
        await requested(session, 'drafts.delete', [at])
        if (!mailboxOf(session.grant.id).drafts.delete(at.draft_id)) throw new ApiError('not_found')
      },
    },
    threads: {
      async list(session, query, position) {
        await requested(session, 'threads.list', [query, position])
        const all = [...mailboxOf(session.grant.id).messages.keys()].map((id) => threadOf(read(session, id)))
        return page(all, query.limit, position)
      },
      async get(session, at) {
        await requested(session, 'threads.get', [at])
        return threadOf(byThread(session, at.thread_id))
      },
      async update(session, at, change) {
        await requested(session, 'threads.update', [at, change])
        return threadOf(apply(session, byThread(session, at.thread_id).id, change))
      },
      async delete(session, at) {
        await requested(session, 'threads.delete', [at])
        apply(session, byThread(session, at.thread_id).id, { folders: ['Trash'] })
      },
    },
    folders: {
      async list(session, query, position) {
        await requested(session, 'folders.list', [query, position])
        return page([...mailboxOf(session.grant.id).folders.values()], query.limit, position)
      },
      async get(session, at) {
        await requested(session, 'folders.get', [at])
        return need(mailboxOf(session.grant.id).folders.get(at.folder_id))
      },
      async create(session, at, draft) {
        await requested(session, 'folders.create', [at, draft])
        return folder(session, `id of ${draft.name}`, draft.name)
      },
      async update(session, at, change) {
        await requested(session, 'folders.update', [at, change])
        const { name } = need(mailboxOf(session.grant.id).folders.get(at.folder_id))
        return folder(session, at.folder_id, change.name ?? name)
      },
      async delete(session, at) {
        await requested(session, 'folders.delete', [at])
        if (!mailboxOf(session.grant.id).folders.delete(at.folder_id)) throw new ApiError('not_found')
      },
    },
    attachments: {
      async list(session, at) {
        await requested(session, 'attachments.list', [at])
        read(session, at.message_id)
        const file = { filename: 'hello.txt', content_type: 'text/plain', size: 12 }
        return [{ id: 'p2', grant_id: session.grant.id, ...file }]
      },
      async get(session, at): Promise<Attachment> {
        await requested(session, 'attachments.get', [at])
        needAttachment(session, at)
        return {
          id: at.attachment_id,
          grant_id: session.grant.id,
          filename: 'hello.txt',
          content_type: 'text/plain',
          size: 12,
        }
      },
      async download(session, at) {
        await requested(session, 'attachments.download', [at])
        needAttachment(session, at)
        return mailboxOf(session.grant.id).download(at)
      },
    },
  })
}

export interface MailService extends AsyncDisposable {
  service: TestService
  mailbox: Mailbox
  grantId: string
  /** The path of the grant. */
  at: string
}

/** A service with one grant whose mailbox is in memory; `facts` are further properties of the adapter. */
export async function openMailService(
  options: ServiceOptions = {},
  facts: Partial<Provider> = {},
): Promise<MailService> {
  const mailbox = createMailbox()
  const imap: Provider = { ...mailProvider(() => mailbox), ...facts }
  const overrides = { ...options.overrides, providers: { ...providers, imap } }
  const service = await openService({ ...options, overrides })
  const grantId = await connectMail(service, 'ada@mail.test')
  return {
    service,
    mailbox,
    grantId,
    at: `/v3/grants/${grantId}`,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Creates a grant of the kind `imap`. */
export async function connectMail(service: TestService, email: string, key?: string): Promise<string> {
  await service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
  const made = await service.call('POST', '/v3/connect/custom', {
    key,
    body: { provider: 'imap', settings: { imap_username: email, imap_password: 'secret', imap_host: 'mail.test' } },
  })
  if (made.status !== 201) throw new Error(`no grant: ${JSON.stringify(made.body)}`)
  return made.body.data.id
}

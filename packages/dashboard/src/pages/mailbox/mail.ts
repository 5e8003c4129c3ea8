/** Queries of a mailbox. */
import { useQuery } from '@tanstack/react-query'
import type { Attachment, Draft, Folder, Message, MessageChange, Thread, WaypostClient } from '@waypost/sdk'
import { api } from '../../api.ts'
import { refresh, useData, usePages } from '../../queries.ts'
import { type MailFilter, messagesQuery, threadsQuery } from './mail-filter.ts'

/** The grant whose mailbox is shown. */
export interface Mailbox {
  application: string
  grant: string
  /** The account's own address. */
  address: string
  /** Whether the account can send messages. */
  sends: boolean
}

const client = ({ application }: Mailbox): WaypostClient => api(application)
const keyOf = ({ application, grant }: Mailbox): unknown[] => ['mail', application, grant]

/** Reloads the visible data of a mailbox. */
export const refreshMail = (mailbox: Mailbox): Promise<void> => refresh(...keyOf(mailbox))

export const useFolders = (mailbox: Mailbox) =>
  useQuery({
    queryKey: [...keyOf(mailbox), 'folders'],
    queryFn: async ({ signal }): Promise<Folder[]> => {
      const folders: Folder[] = []
      let page_token: string | undefined
      do {
        const query = { limit: 200, ...(page_token ? { page_token } : {}) }
        const page = await client(mailbox).folders.list({ grant_id: mailbox.grant, query, signal })
        folders.push(...page.data)
        page_token = page.nextCursor
      } while (page_token !== undefined && folders.length < 2000)
      return folders
    },
    staleTime: 30_000,
  })

interface ListedMessage {
  folder: string | undefined
  filter: MailFilter
}

export const useThreads = (mailbox: Mailbox, { folder, filter }: ListedMessage, enabled: boolean) =>
  usePages<Thread>(
    [...keyOf(mailbox), 'threads', folder, filter],
    (page_token, signal) =>
      client(mailbox).threads.list({
        grant_id: mailbox.grant,
        query: { ...threadsQuery(filter, folder), limit: 20, ...(page_token ? { page_token } : {}) },
        signal,
      }),
    { enabled },
  )

/** Message fields read for lists. Bodies are read when a message is opened. */
const listed = 'id,grant_id,object,thread_id,date,subject,from,to,cc,snippet,unread,starred,folders,attachments'.split(
  ',',
)

export const useMessages = (mailbox: Mailbox, { folder, filter }: ListedMessage, enabled: boolean) =>
  usePages<Message>(
    [...keyOf(mailbox), 'messages', folder, filter],
    (page_token, signal) =>
      client(mailbox).messages.list({
        grant_id: mailbox.grant,
        query: { ...messagesQuery(filter, folder), select: listed, limit: 30, ...(page_token ? { page_token } : {}) },
        signal,
      }),
    { enabled },
  )

export const useDrafts = (mailbox: Mailbox, enabled: boolean) =>
  usePages<Draft>(
    [...keyOf(mailbox), 'drafts'],
    (page_token, signal) =>
      client(mailbox).drafts.list({
        grant_id: mailbox.grant,
        query: { limit: 30, ...(page_token ? { page_token } : {}) },
        signal,
      }),
    { enabled },
  )

/** The messages of a thread, oldest first, without bodies. */
export const useConversation = (mailbox: Mailbox, thread: string) =>
  useQuery({
    queryKey: [...keyOf(mailbox), 'conversation', thread],
    queryFn: async ({ signal }): Promise<Message[]> => {
      const query = { thread_id: thread, select: listed, limit: 200 }
      const { data } = await client(mailbox).messages.list({ grant_id: mailbox.grant, query, signal })
      return data.toSorted((a, b) => (a.date ?? 0) - (b.date ?? 0))
    },
  })

export const useMessage = (mailbox: Mailbox, id: string) =>
  useData(
    [...keyOf(mailbox), 'message', id],
    (signal) => client(mailbox).messages.get({ grant_id: mailbox.grant, message_id: id, signal }),
    { staleTime: 60_000 },
  )

export const useDraft = (mailbox: Mailbox, id: string) =>
  useData([...keyOf(mailbox), 'draft', id], (signal) =>
    client(mailbox).drafts.get({ grant_id: mailbox.grant, draft_id: id, signal }),
  )

export const useHeaders = (mailbox: Mailbox, id: string) =>
  useQuery({
    queryKey: [...keyOf(mailbox), 'headers', id],
    queryFn: async ({ signal }) => {
      const query = { fields: 'include_headers' as const, select: ['id', 'headers'] }
      const { data } = await client(mailbox).messages.get({ grant_id: mailbox.grant, message_id: id, query, signal })
      return data.headers ?? []
    },
    staleTime: Infinity,
  })

/** The raw source of a message. */
export const useSource = (mailbox: Mailbox, id: string) =>
  useQuery({
    queryKey: [...keyOf(mailbox), 'source', id],
    queryFn: async ({ signal }) => {
      const query = { fields: 'raw_mime' as const }
      const { data } = await client(mailbox).messages.get({ grant_id: mailbox.grant, message_id: id, query, signal })
      return bytesOf(data.raw_mime ?? '')
    },
    staleTime: Infinity,
  })

/** Decodes base64 or base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

export async function changeMessage(mailbox: Mailbox, id: string, body: MessageChange): Promise<void> {
  await client(mailbox).messages.update({ grant_id: mailbox.grant, message_id: id, body })
  await refreshMail(mailbox)
}

export async function changeThread(mailbox: Mailbox, id: string, body: Omit<MessageChange, 'metadata'>): Promise<void> {
  await client(mailbox).threads.update({ grant_id: mailbox.grant, thread_id: id, body })
  await refreshMail(mailbox)
}

export async function deleteMessage(mailbox: Mailbox, id: string): Promise<void> {
  await client(mailbox).messages.delete({ grant_id: mailbox.grant, message_id: id })
  await refreshMail(mailbox)
}

export async function deleteThread(mailbox: Mailbox, id: string): Promise<void> {
  await client(mailbox).threads.delete({ grant_id: mailbox.grant, thread_id: id })
  await refreshMail(mailbox)
}

export async function deleteDraft(mailbox: Mailbox, id: string): Promise<void> {
  await client(mailbox).drafts.delete({ grant_id: mailbox.grant, draft_id: id })
  await refreshMail(mailbox)
}

export async function sendDraft(mailbox: Mailbox, id: string): Promise<void> {
  await client(mailbox).drafts.send({ grant_id: mailbox.grant, draft_id: id })
  await refreshMail(mailbox)
}

/** The content of an attachment. */
export async function readAttachment(mailbox: Mailbox, message: string, attachment: Attachment): Promise<Blob> {
  const query = { message_id: message }
  const file = await client(mailbox).attachments.download({
    grant_id: mailbox.grant,
    attachment_id: attachment.id,
    query,
  })
  return new Blob([await file.bytes()], { type: attachment.content_type.split(';', 1)[0]?.trim() ?? '' })
}

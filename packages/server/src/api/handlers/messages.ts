/** Messages, and what mailboxes have besides: threads, folders and attachments. */
import type { Message, MessageQuery, Thread } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import {
  findTaggedMessages,
  forgetMessageMetadata,
  keepMessageMetadata,
  removeMessageMetadata,
  withMetadata,
} from '@waypost/store/tables/mail/message-metadata'
import { readTrackedOptions } from '@waypost/store/tables/mail/tracked-lookups'
import { allowsHardDelete } from '../../applications/settings.ts'
import { plain } from '../../exports/account.ts'
import { mailboxOf } from '../../grants/locator.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { type GrantReading, useFor } from '../pipeline/request-operations.ts'
import { exportsOf } from './exports.ts'
import { areTagged, tagMessages, tagThreads } from './metadata.ts'
import { sendMessage } from './send-message.ts'
import { listTagged } from './tagged-objects.ts'

const reading = { resource: 'messages', operation: 'get' } as const

export const messages = (
  services: Pick<Services, 'config' | 'storage' | 'accounts' | 'mail'>,
): Handlers['messages'] => {
  const { database, seals, clock } = services.storage
  const { sessions } = services.accounts
  /** Reads messages of a grant for a route that has another operation. */
  const readerOf = (context: GrantReading, queries: Queries) => {
    const read = sessions.operation(context.grant, reading, useFor(context, queries))
    const whole = { select: undefined, fields: undefined, query_imap: undefined }
    return (message_id: string, query: Partial<MessageQuery>) => read({ ...whole, ...query, message_id })
  }

  /** Adds tracking results, if requested; they are stored here. */
  const withTracking = async <M extends Message>(
    record: GrantRecord,
    message: M,
    fields: string | undefined,
  ): Promise<M> => {
    if (fields !== 'include_tracking_options') return message
    const options = await readTrackedOptions(database, mailboxOf(record), message.id, seals)
    return options ? { ...message, tracking_options: { ...message.tracking_options, ...options } } : message
  }

  return {
    list: async (context) => {
      const { grant, op, query, position } = context
      const { metadata_pair: pairs, limit, fields, select } = query
      if (!pairs) {
        const [page, mayBeTagged] = await Promise.all([op(query, position), areTagged(database, grant, query)])
        const items = mayBeTagged ? await tagMessages(database, grant, page.items, query) : page.items
        if (fields !== 'include_tracking_options') return { ...page, items }
        return { ...page, items: await Promise.all(items.map((item) => withTracking(grant, plain(item), fields))) }
      }
      const read = readerOf(context, database)
      const at = mailboxOf(grant)
      const page = await listTagged<Message>({
        limit,
        position,
        find: (after, max) => findTaggedMessages(database, at, pairs, { after, limit: max }),
        forget: (message) => forgetMessageMetadata(database, at, message),
        read: (id) => read(id, { fields, select }),
        signal: context.signal,
      })
      return { ...page, items: await tagMessages(database, grant, page.items, query) }
    },
    send: sendMessage(services),
    export: exportsOf(services).messages,
    clean: async ({ grant, op, query, body }) => tagMessages(database, grant, await op(query, body), query),
    get: async ({ grant, op, params, query }) => {
      const message = await op({ ...query, ...params })
      if (query.fields === 'raw_mime') return message
      return withTracking(grant, await withMetadata(database, mailboxOf(grant), message), query.fields)
    },
    update: async (context) => {
      const { grant, params, query, body, change } = context
      const { metadata, ...rest } = body
      const at = { ...query, ...params }
      const changes = Object.values(rest).some((value) => value !== undefined)
      if (metadata === undefined) {
        return change(async (op, queries) => withMetadata(queries, mailboxOf(grant), await op(at, rest)))
      }
      return change(
        // Metadata is stored here: the provider only confirms that the message exists.
        (op, queries) => (changes ? op(at, rest) : readerOf(context, queries)(params.message_id, query)),
        async (tx, { metadata: _, ...message }) => {
          const retained = metadata ?? {}
          const row = { messageId: message.id, metadata: retained, now: clock.now() }
          if (!(await keepMessageMetadata(tx, mailboxOf(grant), row))) throw new ApiError('grant_not_found')
          return Object.keys(retained).length > 0 ? { ...message, metadata: retained } : message
        },
      )
    },
    delete: async ({ application, grant, params, query, change }) => {
      const at = { ...query, ...params }
      if (!query.hard_delete) return change((op) => op(at))
      if (!allowsHardDelete(application.settings)) {
        throw new ApiError(
          'not_allowed_by_application',
          'hard_delete: the application does not allow it; set allow_hard_delete with PATCH /v3/applications',
        )
      }
      return change(
        (op) => op(at),
        (tx) => removeMessageMetadata(tx, mailboxOf(grant), params.message_id),
      )
    },
  }
}

export const attachments: Handlers['attachments'] = {
  list: ({ op, params }) => op(params),
  get: ({ op, params, query }) => op({ ...query, ...params }),
  download: ({ op, params, query }) => op({ ...query, ...params }),
}

export const folders: Handlers['folders'] = {
  list: ({ op, query, position }) => op(query, position),
  create: ({ change, query, body, once }) => change((op) => op({ ...query, once }, body)),
  get: ({ op, params, query }) => op({ ...query, ...params }),
  update: ({ change, params, query, body, once }) => change((op) => op({ ...query, ...params, once }, body)),
  delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
}

async function tagOne(queries: Queries, record: GrantRecord, thread: Thread, query: { select?: string[] | undefined }) {
  const [tagged] = await tagThreads(queries, record, [thread], query)
  return tagged ?? thread
}

export const threads = ({ storage: { database } }: Pick<Services, 'storage'>): Handlers['threads'] => ({
  list: async ({ grant, op, query, position }) => {
    const requested = areTagged(database, grant, query, 'latest_draft_or_message')
    const [page, mayBeTagged] = await Promise.all([op(query, position), requested])
    return mayBeTagged ? { ...page, items: await tagThreads(database, grant, page.items, query) } : page
  },
  get: async ({ grant, op, params, query }) => tagOne(database, grant, await op({ ...query, ...params }), query),
  update: ({ grant, change, params, query, body }) =>
    change(async (op, queries) => tagOne(queries, grant, await op({ ...query, ...params }, body), query)),
  delete: ({ change, params, query }) => change((op) => op({ ...query, ...params })),
})

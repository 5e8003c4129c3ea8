import type { Draft, DraftChange, TrackingRequest } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonText } from '@waypost/platform/json/values'
import { needOperation } from '@waypost/providers/registry'
import type { Queries } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import {
  type DraftNote,
  findTaggedDrafts,
  forgetDraftNote,
  keepDraftNote,
  readDraftNote,
  readDraftNotes,
  removeDraftNote,
} from '@waypost/store/tables/mail/draft-notes'
import { plain } from '../../exports/account.ts'
import { mailboxOf } from '../../grants/locator.ts'
import { checkTracking, filesOf, signatureOf, textOf } from '../../sending/requests/outgoing.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { useFor } from '../pipeline/request-operations.ts'
import { sentEnvelope } from './send-message.ts'
import { listTagged } from './tagged-objects.ts'

const reading = { resource: 'drafts', operation: 'get' } as const
const noted = ['metadata', 'tracking_options', 'reply_to_message_id'] as const

/** A draft with the fields that we store for it. */
function withNote(
  draft: Draft,
  { metadata, tracking_options: tracking, reply_to_message_id: parent }: DraftNote,
): Draft {
  const { opens, links, thread_replies, label } = tracking ?? {}
  return {
    ...draft,
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(tracking ? { tracking_options: { opens, links, thread_replies, label } } : {}),
    ...(parent === undefined ? {} : { reply_to_message_id: parent }),
  }
}

/** Tracking after a change: merged; undefined once all of it is turned off. */
function trackingAfter(old: TrackingRequest | undefined, change: TrackingRequest | undefined) {
  if (!change) return old
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const merged: TrackingRequest = { ...(old ?? change), ...given }
  return merged.opens || merged.links || merged.thread_replies ? merged : undefined
}

/** Whether a change concerns the message itself, not only the fields that we store. */
const changesMessage = ({ metadata: _m, tracking_options: _t, unread: _u, ...message }: DraftChange): boolean =>
  Object.values(message).some((value) => value !== undefined && value !== null)

export const drafts = ({
  storage: { database, clock },
  accounts: { sessions },
  mail: { sending, uploads },
  config,
}: Pick<Services, 'config' | 'storage' | 'accounts' | 'mail'>): Handlers['drafts'] => {
  const host = new URL(config.baseUrl).hostname
  const keepNote = async (tx: Queries, record: GrantRecord, draftId: string, note: DraftNote): Promise<void> => {
    const retained = await keepDraftNote(tx, mailboxOf(record), { draftId, note, now: clock.now() })
    if (!retained) throw new ApiError('grant_not_found')
  }
  const withNotes = async (record: GrantRecord, items: readonly (Draft | JsonText<Draft>)[], select?: string[]) => {
    if (select?.length && !noted.some((name) => select.includes(name))) return items
    const whole = items.map(plain)
    const ids = whole.map(({ id }) => id)
    const notes = await readDraftNotes(database, mailboxOf(record), ids)
    return whole.map((draft) => withNote(draft, notes.get(draft.id) ?? {}))
  }

  return {
    list: async (context) => {
      const { grant, op, query, position, responseHeaders } = context
      const { metadata_pair: pairs, limit, select } = query
      if (!pairs) {
        const page = await op(query, position)
        return { ...page, items: await withNotes(grant, page.items, select) }
      }
      const at = mailboxOf(grant)
      const read = sessions.operation(grant, reading, useFor(context, database, responseHeaders))
      const page = await listTagged<Draft>({
        limit,
        position,
        find: (after, max) => findTaggedDrafts(database, at, pairs, { after, limit: max }),
        forget: (draft) => forgetDraftNote(database, at, draft),
        read: (draft_id) => read({ draft_id }),
        signal: context.signal,
      })
      return { ...page, items: await withNotes(grant, page.items, select) }
    },
    create: async (context) => {
      const { grant, body, change, responseHeaders, once } = context
      const at = mailboxOf(grant)
      const { template: _t, signature_id, attachments = [], tracking_options, ...rest } = body
      const note = {
        metadata: body.metadata,
        tracking_options: checkTracking(tracking_options, host),
        reply_to_message_id: body.reply_to_message_id,
      }
      const files = await filesOf({ uploads }, at, { attachments, parts: context.files })
      const signature = await signatureOf(database, at, signature_id)
      const draft = await sending.composeDraft({
        grant,
        request: { ...rest, ...(await textOf(database, at, body)) },
        files,
        signature: body.is_plaintext ? undefined : signature,
        responseHeaders,
        signal: context.signal,
        calls: context.calls,
        once,
      })
      return change(
        (op) => op({ ...draft, starred: body.starred ?? false, once, replyToMessageId: body.reply_to_message_id }),
        async (tx, draft) => {
          await keepNote(tx, grant, draft.id, note)
          return withNote(draft, note)
        },
      )
    },
    get: async ({ grant, op, params }) =>
      withNote(await op(params), await readDraftNote(database, mailboxOf(grant), params.draft_id)),
    update: async (context) => {
      const { grant, params, body, change, responseHeaders, once } = context
      const at = mailboxOf(grant)
      const { attachments, tracking_options } = body
      const old = await readDraftNote(database, at, params.draft_id)
      const note = {
        ...old,
        metadata: body.metadata === undefined ? old.metadata : (body.metadata ?? {}),
        tracking_options: checkTracking(trackingAfter(old.tracking_options, tracking_options), host),
      }
      const replaces = attachments !== undefined || context.files.length > 0
      const given = { attachments: attachments ?? [], parts: context.files }
      const files = replaces ? await filesOf({ uploads }, at, given) : undefined
      const text = await textOf(database, at, body)
      const use = useFor(context, database, responseHeaders)
      return change(
        async (op) => {
          if (!files && !changesMessage(body)) return sessions.operation(grant, reading, use)(params)
          const draft = await sending.changeDraft({
            grant,
            draftId: params.draft_id,
            change: { ...body, ...text, attachments: undefined, template: undefined },
            files,
            responseHeaders,
            signal: context.signal,
            calls: context.calls,
          })
          const replyToMessageId = old.reply_to_message_id
          return op(params, {
            ...draft,
            ...(body.starred === undefined ? {} : { starred: body.starred }),
            keepsFiles: files === undefined,
            once,
            replyToMessageId,
          })
        },
        async (tx, draft) => {
          await keepNote(tx, grant, draft.id, note)
          // Some providers change the id of a draft with every update.
          if (draft.id !== params.draft_id) await removeDraftNote(tx, at, params.draft_id)
          return withNote(draft, note)
        },
      )
    },
    delete: ({ grant, params, change }) =>
      change(
        (op) => op(params),
        (tx) => removeDraftNote(tx, mailboxOf(grant), params.draft_id),
      ),
    send: async (context) => {
      const { grant, params, body, responseHeaders, idempotencyKey, write } = context
      const at = mailboxOf(grant)
      const provider = sessions.providerOf(grant, 'drafts.send')
      for (const needed of [reading, { resource: 'messages', operation: 'send' }]) {
        needOperation(provider, { id: 'drafts.send', ...needed })
      }
      const note = await readDraftNote(database, at, params.draft_id)
      const sent = await sending.sendDraft({
        grant,
        draftId: params.draft_id,
        signature: await signatureOf(database, at, body.signature_id),
        tracking: note.tracking_options,
        replyToMessageId: note.reply_to_message_id,
        metadata: note.metadata,
        idempotencyKey,
        onlyAs: context.onlyAs,
        responseHeaders,
        signal: context.signal,
        calls: context.calls,
        write: async (work) => (await write(async (tx) => sentEnvelope(grant, await work(tx)))).data,
      })
      return write(async (tx) => {
        await removeDraftNote(tx, at, params.draft_id)
        return sentEnvelope(grant, sent)
      })
    },
  }
}

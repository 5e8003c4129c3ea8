/** Composes drafts, unpacks them for changes and prepares them for sending. The provider stores them. */
import { hash } from 'node:crypto'
import type { ParsedMessage } from '@waypost/formats/mime/mime'
import { isWrittenAnew } from '@waypost/formats/mime/outline'
import type { Unpacked } from '@waypost/formats/mime/unpack'
import type { WholeMessage } from '@waypost/formats/mime/whole'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import { canonicalJson } from '@waypost/platform/json/values'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import { withOutline } from '@waypost/providers/mail/outline'
import type { OutgoingDraft } from '@waypost/providers/operations'
import type { Database } from '@waypost/store/engine/database'
import type { Sessions } from '../../grants/sessions.ts'
import { accountOf, newMessageId } from '../ledger/send-keys.ts'
import type { MessageRequest } from '../message-request.ts'
import type { Parent } from '../replies/reply.ts'
import { findParent } from '../replies/reply-parent.ts'
import type {
  DraftChangeOrder,
  DraftExamination,
  DraftOrder,
  DraftSendOrder,
  ExaminedDraft,
  Order,
} from '../sending.ts'
import type { TrackingPlan } from '../tracking/tracking.ts'
import { largeFilesOf, type UploadReader } from '../uploads/upload-reader.ts'
import type { Composed } from './compose.ts'
import type { Composer } from './composer.ts'
import { composeFromDraft, type ReadMessage } from './raw.ts'

type PlanOf = (request: MessageRequest) => Promise<TrackingPlan | undefined>

export interface DraftComposer {
  compose(order: DraftOrder): Promise<OutgoingDraft>
  change(order: DraftChangeOrder): Promise<OutgoingDraft>
  /** The message to send for a draft. `plan` says what is tracked. */
  toSend(order: DraftSendOrder, plan: PlanOf): Promise<{ composed: Composed; plan: TrackingPlan | undefined }>
  /** See `Sending.examineDraft`. */
  examine(order: DraftExamination): Promise<ExaminedDraft>
  /** Stores a message among the drafts until it is sent; returns the draft id. */
  keep(order: Order, message: Pick<Composed, 'messageId' | 'source' | 'attachments'>): Promise<string>
  remove(order: Order & { draftId: string }): Promise<void>
  /** Parses messages in a worker thread. */
  reading(order: Order): ReadMessage
}

interface DraftComposerOptions {
  clock: Clock
  sessions: Sessions
  database: Database
  parse: ParsePool
  composer: Composer
  uploads: UploadReader
}

export function createDraftComposer({
  clock,
  sessions,
  database,
  parse,
  composer,
  uploads,
}: DraftComposerOptions): DraftComposer {
  async function read<T>(kind: string, input: object, signal: AbortSignal): Promise<T> {
    const [outcome] = await parse.run<object, T>(kind, [input], { signal })
    if (!outcome?.ok) throw new ApiError('invalid_request', `the message cannot be read: ${outcome?.message ?? ''}`)
    return outcome.value
  }

  const useOf = ({ signal, responseHeaders, calls }: Order) => ({
    queries: database,
    signal: () => signal,
    responseHeaders,
    calls,
  })

  async function sourceOf(order: Order, draftId: string): Promise<Uint8Array> {
    const { grant } = order
    const provider = sessions.providerOf(grant, 'drafts.get')
    if (!provider.draftSource) {
      throw new ApiError('not_supported_by_provider', undefined, {
        fields: { provider: provider.kind, capability: 'drafts.update' },
      })
    }
    try {
      return await provider.draftSource(sessions.open(grant, 'drafts.get', useOf(order)), { draft_id: draftId })
    } catch (error) {
      throw await sessions.judge(grant, error)
    }
  }

  const draftOf = (
    { signal, grant }: Order,
    { messageId, source, attachments }: Pick<Composed, 'messageId' | 'source' | 'attachments'>,
    starred?: boolean | null,
  ): OutgoingDraft => {
    const largeFiles = largeFilesOf(uploads, grant.applicationId, attachments)
    return withOutline({ messageId, source, largeFiles, ...(starred == null ? {} : { starred }) }, { parse, signal })
  }

  const unpacked = (source: Uint8Array, { signal }: Order): Promise<Unpacked> =>
    read<Unpacked>('parts', { source }, signal)

  const readingFor =
    ({ signal }: Order): ReadMessage =>
    (source) =>
      read<ParsedMessage>('message', { source, headers: false }, signal)

  /** A draft as its source, or composed anew where something is added to it. */
  async function composeSource(
    order: DraftExamination,
    source: Uint8Array,
    planOf: PlanOf,
  ): Promise<{ composed: Composed; plan: TrackingPlan | undefined }> {
    const { grant, signature, tracking } = order
    const identity = { account: accountOf(grant), date: new Date(clock.now()) }
    const messageId = newMessageId(grant)
    if (signature === undefined && tracking === undefined) {
      const composed = await composeFromDraft({ source, ...identity, messageId, field: 'draft' }, readingFor(order))
      return { composed, plan: undefined }
    }
    const old = await unpacked(source, order)
    const request = requestOf(old)
    const plan = await planOf(request)
    const rest = { files: old.files, ...identity, reply: parentOf(old), signature, tracking: plan }
    const input = { request, messageId: old.messageId ?? messageId, ...rest }
    return { composed: await composer.compose(input, order.signal), plan }
  }

  const digestOf = async (order: DraftExamination, source: Uint8Array): Promise<string> =>
    digestWith(order, await read<string>('digest', { source }, order.signal))

  return {
    reading: readingFor,

    async compose(order) {
      const { grant, request, files, signature } = order
      const reply = await findParent({ sessions, database }, order, request.reply_to_message_id)
      const date = new Date(clock.now())
      const input = { request, files, account: accountOf(grant), date, reply, signature }
      const composed = await composer.compose(
        { ...input, messageId: newMessageId(grant, order.once), keepBcc: true },
        order.signal,
      )
      return draftOf(order, composed, request.starred)
    },

    async change(order) {
      const { grant, draftId, change } = order
      const old = await unpacked(await sourceOf(order, draftId), order)
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null))
      // A plain-text draft stays plain text. An empty draft is neither plain text nor HTML.
      const isPlain = !old.isHtml && old.body.trim() !== ''
      const text = change.body == null ? {} : { is_plaintext: change.is_plaintext ?? isPlain }
      const input = {
        request: { ...requestOf(old), ...given, ...text },
        files: order.files ?? old.files,
        account: accountOf(grant),
        messageId: old.messageId ?? newMessageId(grant),
        date: new Date(clock.now()),
        reply: parentOf(old),
        keepBcc: true as const,
      }
      return draftOf(order, await composer.compose(input, order.signal), change.starred)
    },

    async toSend(order, planOf) {
      const source = await sourceOf(order, order.draftId)
      if (order.onlyAs !== undefined && order.onlyAs !== (await digestOf(order, source))) {
        throw new ApiError('conflict', 'the draft was changed after it was checked, so nothing was sent')
      }
      return composeSource(order, source, planOf)
    },

    async examine(order) {
      const source = await sourceOf(order, order.draftId)
      const digest = await digestOf(order, source)
      const { composed } = await composeSource(order, source, async () => undefined)
      return { digest, composed, whole: await read<WholeMessage>('whole', { source: composed.source }, order.signal) }
    },

    async keep(order, message) {
      const at = { resource: 'drafts', operation: 'create' } as const
      const { id } = await sessions.operation(order.grant, at, useOf(order))(draftOf(order, message))
      return id
    },

    async remove(order) {
      const at = { resource: 'drafts', operation: 'delete' } as const
      await sessions.operation(order.grant, at, useOf(order))({ draft_id: order.draftId })
    },
  }
}

/** Covers all that `composeSource` makes a message from, except for the time and new ids. */
function digestWith({ grant, signature, tracking }: DraftExamination, message: string): string {
  const { email, name } = accountOf(grant)
  return hash('sha256', canonicalJson({ message, signature, tracking, email, name }))
}

/** The fields that a message was composed from. */
const requestOf = (old: Unpacked): MessageRequest => ({
  ...(old.from.length === 1 ? { from: old.from } : {}),
  to: old.to,
  cc: old.cc,
  bcc: old.bcc,
  reply_to: old.reply_to,
  subject: old.subject,
  body: old.body,
  is_plaintext: !old.isHtml,
  custom_headers: old.headers.filter(({ name }) => !isWrittenAnew(name)).map(({ name, value }) => ({ name, value })),
})

function parentOf({ inReplyTo, references }: Unpacked): Parent | undefined {
  const [messageId] = inReplyTo
  if (messageId === undefined && references.length === 0) return undefined
  return { ...(messageId === undefined ? {} : { messageId }), references, subject: '' }
}

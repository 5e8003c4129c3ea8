/** Stores an action that needs the approval of a person, instead of carrying it out. */
import type { Approval, ApprovalKind, ApprovalPreview } from '@waypost/contract'
import { limits } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newOrderedId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { keepPart, sealPart } from '@waypost/store/tables/agents/approval-parts'
import { insertApproval, openApprovals } from '@waypost/store/tables/agents/approvals'
import { lockApplication } from '@waypost/store/tables/applications/applications'
import { holdUpload } from '@waypost/store/tables/grants/uploads'
import { addToOutbox } from '@waypost/store/tables/notifications/outbox'
import { shownDigest } from '../effects/effects.ts'
import { type ApprovalRecord, briefOf, notifyOfApproval, sealDocument } from './approval-record.ts'
import { encodeRequest, hashOf, type RequestedAction } from './stored-request.ts'
import { type ApprovalTools, expireJob, type JobPayload, jobIdOf } from './tools.ts'

export interface WantedApproval {
  applicationId: string
  grantId: string | null
  credential: { type: 'api_key' | 'agent'; id: string; name: string }
  kinds: readonly ApprovalKind[]
  preview: ApprovalPreview
  snapshot: string | null
  action: RequestedAction
  address: string
  /** The action makes no sense after this time in milliseconds, such as the send time of a message. */
  until?: number | undefined
}

const mb = 1_000_000
const cutAt = 2_000
const hour = 3_600_000

/** The order of kinds: the first is the most serious one, and names the approval. */
const seriousness: readonly ApprovalKind[] = ['send', 'invite', 'delete']

/** A preview for lists: its text is cut, and its HTML is left out. */
function cut({ html: _, ...preview }: ApprovalPreview): ApprovalPreview {
  const { text = '' } = preview
  return text.length <= cutAt ? preview : { ...preview, text: text.slice(0, cutAt).toWellFormed(), text_is_cut: true }
}

/** Refuses requests that could not be shown or stored as a whole. */
function checkSize(bytes: number, { text = '' }: ApprovalPreview): void {
  if (bytes > limits.approvalMegabytes * mb) {
    throw new ApiError(
      'payload_too_large',
      `this needs the approval of a person, and such a request has at most ${limits.approvalMegabytes} MB`,
    )
  }
  if (text.length > limits.approvalTextLength) {
    throw invalidField(
      'body',
      `needs the approval of a person, who must be able to read it: at most ${limits.approvalTextLength} characters`,
    )
  }
}

async function checkOpen(tx: Queries, { applicationId, credential }: WantedApproval, bytes: number): Promise<void> {
  const open = await openApprovals(tx, { applicationId, credentialId: credential.id })
  if (open.ofCredential >= limits.approvalsPending) {
    throw new ApiError(
      'approvals_pending',
      `${limits.approvalsPending} actions of this credential wait for approval: decide about them first`,
      { retryAfter: 60 },
    )
  }
  if (open.bytes + bytes > limits.approvalMegabytesPending * mb) {
    throw new ApiError(
      'approvals_pending',
      `the actions of the application that wait for approval have ${limits.approvalMegabytesPending} MB: decide about them first`,
      { retryAfter: 60 },
    )
  }
}

/**
 * Prepares an approval. `keep` writes it, in the transaction that also stores the response under an Idempotency-Key.
 */
export async function prepareApproval(
  tools: ApprovalTools,
  wanted: WantedApproval,
): Promise<{ approval: Approval; keep(tx: Queries): Promise<void> }> {
  const { seals, clock } = tools
  const { applicationId, grantId, credential, preview } = wanted
  const request = encodeRequest(wanted.action)
  const html = Buffer.from(preview.html ?? '')
  checkSize(request.length + html.length, preview)
  const now = clock.now()
  const at = { applicationId, id: newOrderedId() }
  const kinds = seriousness.filter((kind) => wanted.kinds.includes(kind))
  const shown = cut(preview)
  const record: ApprovalRecord = {
    ...at,
    grantId,
    credential: { type: credential.type, id: credential.id },
    kind: kinds[0] ?? 'send',
    operation: wanted.action.operation,
    status: 'pending',
    document: {
      requester: credential.name,
      kinds,
      preview: shown,
      hash: await hashOf(request),
      snapshot: wanted.snapshot,
      shown: shownDigest(preview),
      address: wanted.address,
      canDraft: isMessage(wanted.action),
    },
    outcome: undefined,
    decidedAt: null,
    expiresAt: Math.min(now + limits.approvalHours * hour, wanted.until ?? Number.MAX_SAFE_INTEGER),
    createdAt: now,
  }
  const requestPieces = await sealPart(seals, at, 'request', request)
  const textPieces = shown.text_is_cut ? await sealPart(seals, at, 'text', Buffer.from(preview.text ?? '')) : []
  const htmlPieces = html.length > 0 ? await sealPart(seals, at, 'html', html) : []
  const keep = async (tx: Queries): Promise<void> => {
    await lockApplication(tx, applicationId)
    await checkOpen(tx, wanted, request.length + html.length)
    await insertApproval(tx, {
      id: at.id,
      application_id: applicationId,
      grant_id: grantId,
      credential_type: credential.type,
      credential_id: credential.id,
      kind: record.kind,
      operation: record.operation,
      status: 'pending',
      bytes: request.length + html.length,
      sealed_document: sealDocument(seals, at, record.document),
      sealed_outcome: null,
      decided_at: null,
      expires_at: record.expiresAt,
      created_at: now,
      updated_at: now,
    })
    // A person may decide after the uploads have expired.
    for (const id of uploadsIn(wanted.action)) {
      await holdUpload(tx, { applicationId, id }, { holder: at.id, until: record.expiresAt + hour })
    }
    await keepPart(tx, at, 'request', requestPieces)
    await keepPart(tx, at, 'text', textPieces)
    await keepPart(tx, at, 'html', htmlPieces)
    const payload: JobPayload = at
    const job = { id: jobIdOf(at, expireJob), applicationId, grantId: grantId ?? '', kind: expireJob }
    await addToOutbox(tx, { ...job, payload: JSON.stringify(payload), dueAt: record.expiresAt, now })
    await notifyOfApproval(tx, tools, record)
    await tools.tellOwner?.(tx, record)
  }
  const { text_is_cut: _, ...whole } = preview
  return { approval: briefOf({ ...record, document: { ...record.document, preview: whole } }), keep }
}

/** The ids of uploaded files that a message or draft refers to. They were checked before. */
function uploadsIn({ operation, json }: RequestedAction): string[] {
  if (!/^(?:messages|drafts)\./.test(operation)) return []
  const { attachments } = (json ?? {}) as { attachments?: unknown }
  const ids = (Array.isArray(attachments) ? attachments : []).map((each: { id?: unknown } | null) => each?.id)
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}

/** Whether an action is a message that a person can edit as a draft instead. */
const isMessage = ({ operation, mime }: RequestedAction): boolean =>
  operation === 'drafts.send' || (operation === 'messages.send' && mime === undefined)

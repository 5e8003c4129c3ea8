/** An approval as the service works with it, and as the API returns it. Everything about people is sealed in the store. */
import type { Approval, ApprovalKind, ApprovalPreview, ApprovalStatus, Trigger } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'
import type { Queries } from '@waypost/store/engine/database'
import { readPart } from '@waypost/store/tables/agents/approval-parts'
import { type ApprovalAddress, type ApprovalRow, readApproval } from '@waypost/store/tables/agents/approvals'
import { getGrant } from '@waypost/store/tables/grants/grants'
import type { Notify } from '../../grants/notify.ts'
import type { Decision } from './states.ts'

/** What the approval is about. */
interface ApprovalDocument {
  /** The name of the credential at the time of the request. */
  requester: string
  kinds: ApprovalKind[]
  /** Its text is cut if it is long; the whole text is a part of its own. */
  preview: ApprovalPreview
  hash: string
  /** A digest of the object that the action is about, such as the draft; null if there is none. */
  snapshot: string | null
  /** A digest of the whole preview. Absent in approvals that a node of version 1.3.0 or earlier stored. */
  shown?: string
  /** The address that the request came from. */
  address: string
  /** Whether the message can become a draft. */
  canDraft: boolean
}

/** The decision and its outcome. */
export interface ApprovalOutcome {
  decision: Decision
  by: string
  reason: string | null
  draftId: string | null
  /** HTTP status of the action, and the ids in its response. */
  result: { status: number; ids: Record<string, string> } | null
}

export interface ApprovalRecord {
  applicationId: string
  id: string
  grantId: string | null
  credential: { type: 'api_key' | 'agent'; id: string }
  kind: ApprovalKind
  operation: string
  status: ApprovalStatus
  document: ApprovalDocument
  outcome: ApprovalOutcome | undefined
  /** Milliseconds. */
  decidedAt: number | null
  expiresAt: number
  createdAt: number
}

const sealedIn = (
  column: 'sealed_document' | 'sealed_outcome',
  { applicationId, id }: ApprovalAddress,
): SealContext => ({
  table: 'approvals',
  column,
  application: applicationId,
  row: id,
})

export const sealDocument = (seals: DataSeals, at: ApprovalAddress, document: ApprovalDocument): string =>
  seals.seal(JSON.stringify(document), sealedIn('sealed_document', at))
export const sealOutcome = (seals: DataSeals, at: ApprovalAddress, outcome: ApprovalOutcome): string =>
  seals.seal(JSON.stringify(outcome), sealedIn('sealed_outcome', at))

function recordOf(seals: DataSeals, row: ApprovalRow): ApprovalRecord {
  const at = { applicationId: row.application_id, id: row.id }
  return {
    ...at,
    grantId: row.grant_id,
    credential: { type: row.credential_type, id: row.credential_id },
    kind: row.kind,
    operation: row.operation,
    status: row.status,
    document: JSON.parse(seals.open(row.sealed_document, sealedIn('sealed_document', at))),
    outcome:
      row.sealed_outcome === null
        ? undefined
        : JSON.parse(seals.open(row.sealed_outcome, sealedIn('sealed_outcome', at))),
    decidedAt: row.decided_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}

/** Opens rows that were just read. */
export async function recordsOf(seals: DataSeals, rows: readonly ApprovalRow[]): Promise<ApprovalRecord[]> {
  await seals.learn(rows.flatMap((row) => [row.sealed_document, row.sealed_outcome]))
  return rows.map((row) => recordOf(seals, row))
}

/** An approval by its id; undefined if there is none. */
export async function findApproval(
  queries: Queries,
  seals: DataSeals,
  at: ApprovalAddress,
): Promise<ApprovalRecord | undefined> {
  const row = await readApproval(queries, at)
  return row && (await recordsOf(seals, [row]))[0]
}

/** An approval as lists and notifications have it: without the whole text and without the body of the result. */
export function briefOf({ document, outcome, ...record }: ApprovalRecord): Approval {
  const { requester, kinds, preview, hash } = document
  return {
    id: record.id,
    object: 'approval',
    grant_id: record.grantId,
    kind: record.kind,
    kinds,
    operation: record.operation,
    status: record.status,
    requested_by: { ...record.credential, name: requester },
    preview,
    hash,
    result: outcome?.result ? { status: outcome.result.status, body: outcome.result.ids } : null,
    reason: outcome?.reason ?? null,
    draft_id: outcome?.draftId ?? null,
    decided_by: outcome?.by ?? null,
    decided_at: record.decidedAt === null ? null : seconds(record.decidedAt),
    expires_at: seconds(record.expiresAt),
    created_at: seconds(record.createdAt),
  }
}

/** The whole approval: everything that a person must see, and the whole result. */
export async function wholeOf(queries: Queries, seals: DataSeals, record: ApprovalRecord): Promise<Approval> {
  const brief = briefOf(record)
  const text = brief.preview.text_is_cut ? await readPart(queries, seals, record, 'text') : undefined
  const body = brief.result ? await readPart(queries, seals, record, 'result') : undefined
  const html = await readPart(queries, seals, record, 'html')
  const { text_is_cut: _, ...uncut } = brief.preview
  const preview = text ? { ...uncut, text: text.toString('utf8') } : brief.preview
  return {
    ...brief,
    preview: html ? { ...preview, html: html.toString('utf8') } : preview,
    ...(brief.result && body ? { result: { ...brief.result, body: JSON.parse(body.toString('utf8')) } } : {}),
  }
}

/** A message that became a draft was not sent, so it counts as rejected; `status` says what it became. */
const triggers: Partial<Record<ApprovalStatus, Trigger & `approval.${string}`>> = {
  pending: 'approval.requested',
  executed: 'approval.approved',
  failed: 'approval.failed',
  rejected: 'approval.rejected',
  drafted: 'approval.rejected',
  expired: 'approval.expired',
}

/** Notifies of a change in its transaction. Notifications belong to a grant, so actions of the application cause none. */
export async function notifyOfApproval(
  tx: Queries,
  { notify }: { notify: Notify },
  record: ApprovalRecord,
): Promise<void> {
  const trigger = triggers[record.status]
  if (trigger === undefined || record.grantId === null) return
  const { applicationId, grantId } = record
  const provider = (await getGrant(tx, applicationId, grantId))?.grant.provider ?? ''
  await notify(tx, { applicationId, grantId, provider, trigger, object: briefOf(record) })
}

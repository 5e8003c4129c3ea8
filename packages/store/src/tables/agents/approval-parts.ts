/** What an approval has that may be large, encrypted, in pieces: so that no step blocks the process for long. */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { type Queries, sql } from '../../engine/database.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import type { ApprovalAddress } from './approvals.ts'

/**
 * `request`: what is carried out; `text`: the whole text of the preview; `html`: the HTML of the message; `result`: the
 * response of the action.
 */
export type ApprovalPart = 'request' | 'text' | 'html' | 'result'

const add = sql('approval_parts.add')`
   insert into approval_parts (id, application_id, approval_id, part, piece, sealed_content)
   values ($1, $2, $3, $4, $5, $6)`
const read = sql<{ id: string; sealed_content: string }>('approval_parts.read')`select id, sealed_content
   from approval_parts where application_id = $1 and approval_id = $2 and part = $3 order by piece`
const remove = sql('approval_parts.remove')`delete from approval_parts
   where application_id = $1 and approval_id = $2 and part = $3`

const pieceBytes = 262_144

const contextOf = sealedColumn('approval_parts', 'sealed_content')

export interface SealedPiece {
  id: string
  piece: number
  sealed: string
}

/** Encrypts a part before the transaction that writes it. */
export async function sealPart(
  seals: DataSeals,
  at: ApprovalAddress,
  part: ApprovalPart,
  content: Uint8Array,
): Promise<SealedPiece[]> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const othersTurn = yieldBetween()
  const pieces: SealedPiece[] = []
  for (let piece = 0; piece * pieceBytes < Math.max(bytes.length, 1); piece++) {
    const id = `${at.id}.${part}.${piece}`
    const of = bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes)
    pieces.push({ id, piece, sealed: seals.seal(of, contextOf(at.applicationId, id)) })
    await othersTurn()
  }
  return pieces
}

export async function keepPart(
  tx: Queries,
  at: ApprovalAddress,
  part: ApprovalPart,
  pieces: readonly SealedPiece[],
): Promise<void> {
  for (const { id, piece, sealed } of pieces) await tx.post(add, [id, at.applicationId, at.id, part, piece, sealed])
}

/** The bytes of a part; undefined if the approval has none. */
export async function readPart(
  queries: Queries,
  seals: DataSeals,
  at: ApprovalAddress,
  part: ApprovalPart,
): Promise<Buffer | undefined> {
  const pieces = await queries.all(read, [at.applicationId, at.id, part])
  if (pieces.length === 0) return undefined
  await seals.learn(pieces.map(({ sealed_content }) => sealed_content))
  const othersTurn = yieldBetween()
  const opened: Buffer[] = []
  for (const { id, sealed_content } of pieces) {
    opened.push(seals.openBytes(sealed_content, contextOf(at.applicationId, id)))
    await othersTurn()
  }
  return Buffer.concat(opened)
}

export const removePart = (tx: Queries, at: ApprovalAddress, part: ApprovalPart): Promise<void> =>
  tx.post(remove, [at.applicationId, at.id, part])

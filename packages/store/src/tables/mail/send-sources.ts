/**
 * The bytes of outgoing messages, encrypted, in parts. So code that iterates over all encrypted values never holds a
 * large message in memory.
 */
import type { Secrets } from '@waypost/platform/crypto/secrets'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { type Queries, sql } from '../../engine/database.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import type { SendAddress } from './sends.ts'

const add = sql('send_sources.add')`insert into send_sources (id, application_id, send_id, piece, sealed_source)
   values ($1, $2, $3, $4, $5)`
const read = sql<{ id: string; sealed_source: string }>('send_sources.read')`select id, sealed_source from send_sources
   where application_id = $1 and send_id = $2 order by piece`
const remove = sql('send_sources.remove')`delete from send_sources where application_id = $1 and send_id = $2`

const pieceBytes = 262_144

const contextOf = sealedColumn('send_sources', 'sealed_source')

export async function keepSendSource(
  tx: Queries,
  at: SendAddress,
  source: Uint8Array,
  secrets: Secrets,
): Promise<void> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const othersTurn = yieldBetween()
  for (let piece = 0; piece * pieceBytes < Math.max(bytes.length, 1); piece++) {
    const id = `${at.id}.${piece}`
    const part = bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes)
    await tx.post(add, [id, at.applicationId, at.id, piece, secrets.seal(part, contextOf(at.applicationId, id))])
    await othersTurn()
  }
}

/** The bytes, or undefined if they were deleted. */
export async function readSendSource(queries: Queries, at: SendAddress, secrets: Secrets): Promise<Buffer | undefined> {
  const pieces = await queries.all(read, [at.applicationId, at.id])
  if (pieces.length === 0) return undefined
  const othersTurn = yieldBetween()
  const opened: Buffer[] = []
  for (const { id, sealed_source } of pieces) {
    opened.push(secrets.openBytes(sealed_source, contextOf(at.applicationId, id)))
    await othersTurn()
  }
  return Buffer.concat(opened)
}

export const removeSendSource = (queries: Queries, at: SendAddress): Promise<void> =>
  queries.post(remove, [at.applicationId, at.id])

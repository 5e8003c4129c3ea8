/** The bytes of uploads, encrypted, in rows that are written, read and deleted one by one or a few at a time. */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { type Queries, sql } from '../../engine/database.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'

export interface UploadAddress {
  applicationId: string
  id: string
}

/** Bytes of a file in one row, which is a third larger. */
export const chunkBytes = 262_144

/** Rows that one statement deletes. */
const atOnce = 8

// Nothing is written once another PUT has replaced this one, or the upload is complete.
const add = sql('upload_chunks.add')`
   insert into upload_chunks (id, application_id, upload_id, put_id, piece, sealed_bytes)
   select $1, application_id, id, put_id, cast($5 as integer), $6 from uploads
   where application_id = $2 and id = $3 and put_id = $4 and state = 'uploading'`
const read = sql<{ id: string; sealed_bytes: string }>('upload_chunks.read')`select id, sealed_bytes from upload_chunks
   where application_id = $1 and upload_id = $2 and put_id = $3 and piece = $4`
const remove = sql('upload_chunks.remove')`delete from upload_chunks where application_id = $1 and id in (
     select id from upload_chunks where application_id = $1 and upload_id = $2 and put_id <> $3 limit ${atOnce})`

const removePut = sql('upload_chunks.removePut')`delete from upload_chunks where application_id = $1 and id in (
     select id from upload_chunks where application_id = $1 and upload_id = $2 and put_id = $3 limit ${atOnce})`

const contextOf = sealedColumn('upload_chunks', 'sealed_bytes')

export interface ChunkAddress extends UploadAddress {
  putId: string
  /** From 0. */
  piece: number
}

/** Stores a piece of a file. False if its PUT no longer counts. */
export async function addChunk(queries: Queries, at: ChunkAddress, bytes: Buffer, seals: DataSeals): Promise<boolean> {
  const id = `${at.putId}.${at.piece}`
  const sealed = seals.seal(bytes, contextOf(at.applicationId, id))
  return (await queries.run(add, [id, at.applicationId, at.id, at.putId, at.piece, sealed])) === 1
}

/** A piece of a file; undefined if it was deleted. */
export async function readChunk(queries: Queries, at: ChunkAddress, seals: DataSeals): Promise<Buffer | undefined> {
  const row = await queries.get(read, [at.applicationId, at.id, at.putId, at.piece])
  if (!row) return undefined
  await seals.learn([row.sealed_bytes])
  return seals.openBytes(row.sealed_bytes, contextOf(at.applicationId, row.id))
}

/** Deletes the bytes of an upload in small steps, except those of one PUT. */
export async function removeChunks(queries: Queries, at: UploadAddress, { except }: { except: string }): Promise<void> {
  while ((await queries.run(remove, [at.applicationId, at.id, except])) === atOnce);
}

/** Deletes the bytes of one PUT in small steps. */
export async function removeChunksOf(queries: Queries, at: UploadAddress, putId: string): Promise<void> {
  while ((await queries.run(removePut, [at.applicationId, at.id, putId])) === atOnce);
}

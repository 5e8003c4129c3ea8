/**
 * Uploads of large files: `uploading` until the application completes them, then `ready`, and `expired` once their bytes
 * are deleted. Each PUT has an id and replaces the bytes of the one before, so an interrupted one can be repeated.
 */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newId } from '@waypost/platform/ids'
import { type Queries, sql } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import { removeChunks, removeChunksOf, type UploadAddress } from './upload-chunks.ts'

const uploads = statementsOn('uploads')

/** What recipients see of a file. */
export interface UploadedFile {
  filename: string
  contentType: string
}

export interface UploadRow {
  id: string
  application_id: string
  grant_id: string
  state: 'uploading' | 'ready' | 'expired'
  /** The PUT that has the bytes. */
  put_id: string | null
  declared_size: number | null
  /** The bytes that have arrived; null until a PUT has arrived completely. */
  size: number | null
  sealed_file: string
  expires_at: number
  created_at: number
}

const columns = 'id, application_id, grant_id, state, put_id, declared_size, size, sealed_file, expires_at, created_at'

/**
 * Whether the holder still needs the bytes: a message that is not settled, or an approval that is not carried out. Citus
 * asks one shard only if both parts name the application by its parameter.
 */
const isHolding = (now: string, application = 'upload_holds.application_id'): string =>
  `held_until > ${now} and (exists (select 1 from send_sources
     where send_sources.application_id = ${application} and send_sources.send_id = upload_holds.holder)
   or exists (select 1 from approvals where approvals.application_id = ${application}
     and approvals.id = upload_holds.holder and approvals.status in ('pending', 'approved')))`

const add = sql('uploads.add')`
   insert into uploads (id, application_id, grant_id, state, declared_size, sealed_file, expires_at, created_at)
   values ($1, $2, $3, 'uploading', $4, $5, $6, $7)`
const read = sql<UploadRow>('uploads.read')`select ${columns} from uploads where application_id = $1 and id = $2`
const figures = sql<{ count: number; bytes: number }>('uploads.figures')`
   select count(*) as count, cast(coalesce(sum(coalesce(size, declared_size, $3)), 0) as bigint) as bytes
   from uploads where application_id = $1 and expires_at > $2`
const begin = uploads.update('begin')`set put_id = $3, size = null
   where application_id = $1 and id = $2 and state = 'uploading' and expires_at > $4`
const end = uploads.update('end')`set size = $4
   where application_id = $1 and id = $2 and put_id = $3 and state = 'uploading'`
const fail = uploads.update('fail')`set put_id = null
   where application_id = $1 and id = $2 and put_id = $3 and state = 'uploading' and size is null`
const arriving = sql<{ id: string; application_id: string; put_id: string }>('uploads.arriving')`
   select id, application_id, put_id from uploads where state = 'uploading' and size is null and put_id is not null`
const complete = uploads.update('complete')`set state = 'ready'
   where application_id = $1 and id = $2 and put_id = $3 and state = 'uploading' and size is not null and expires_at > $4`
const expireOfGrant = uploads.update('expireOfGrant')`set expires_at = 0 where application_id = $1 and grant_id = $2`
const releaseOfGrant = sql('upload_holds.releaseOfGrant')`delete from upload_holds where application_id = $1
   and upload_id in (select id from uploads where application_id = $1 and grant_id = $2)`
const due = sql<{ id: string; application_id: string }>('uploads.due')`select id, application_id from uploads
   where expires_at <= $1 and state <> 'expired' and not exists (
     select 1 from upload_holds where upload_holds.application_id = uploads.application_id
     and upload_holds.upload_id = uploads.id and ${isHolding('$1')})
   order by expires_at, id limit 20`
const expire = uploads.update('expire')`set state = 'expired', put_id = null where application_id = $1 and id = $2`
const purge = uploads.delete('purge')`where (id, application_id) in (
     select id, application_id from uploads where expires_at < $1 and state = 'expired' order by expires_at limit 1000)`
const hold = sql('upload_holds.add')`insert into upload_holds (upload_id, holder, application_id, held_until)
   values ($1, $2, $3, $4)
   on conflict (upload_id, holder, application_id) do update set held_until = excluded.held_until`
const held = sql<{ holder: string }>('upload_holds.any')`select holder from upload_holds
   where application_id = $1 and upload_id = $2 and ${isHolding('$3', '$1')} limit 1`

const contextOf = sealedColumn('uploads', 'sealed_file')

export interface NewUpload extends UploadAddress {
  grantId: string
  declaredSize: number | null
  file: UploadedFile
  expiresAt: number
  now: number
}

export async function addUpload(tx: Queries, upload: NewUpload, seals: DataSeals): Promise<void> {
  const sealed = seals.seal(JSON.stringify(upload.file), contextOf(upload.applicationId, upload.id))
  const values = [upload.id, upload.applicationId, upload.grantId, upload.declaredSize, sealed]
  await tx.run(add, [...values, upload.expiresAt, upload.now])
}

export const readUpload = (queries: Queries, at: UploadAddress): Promise<UploadRow | undefined> =>
  queries.get(read, [at.applicationId, at.id])

export async function fileOfUpload(seals: DataSeals, row: UploadRow): Promise<UploadedFile> {
  await seals.learn([row.sealed_file])
  return JSON.parse(seals.open(row.sealed_file, contextOf(row.application_id, row.id)))
}

/** The number of uploads of an application that have not expired, and their bytes. */
export async function uploadFigures(
  queries: Queries,
  applicationId: string,
  { now, assumed }: { now: number; assumed: number },
): Promise<{ count: number; bytes: number }> {
  return (await queries.get(figures, [applicationId, now, assumed])) ?? { count: 0, bytes: 0 }
}

/** Makes a PUT the one whose bytes count. False if the upload is complete or expired. */
export const beginPut = async (queries: Queries, at: UploadAddress, putId: string, now: number): Promise<boolean> =>
  (await queries.run(begin, [at.applicationId, at.id, putId, now])) === 1

/** Records that a PUT has arrived completely. False if another one has replaced it. */
export const endPut = async (queries: Queries, at: UploadAddress, putId: string, size: number): Promise<boolean> =>
  (await queries.run(end, [at.applicationId, at.id, putId, size])) === 1

/** Deletes the bytes of a PUT that will not arrive completely. One that did is left alone. */
export async function failPut(queries: Queries, at: UploadAddress, putId: string): Promise<void> {
  const isFailed = (await queries.run(fail, [at.applicationId, at.id, putId])) === 1
  const row = isFailed ? undefined : await readUpload(queries, at)
  if (row?.put_id !== putId) await removeChunksOf(queries, at, putId)
}

/** The id of a PUT says which node receives it. Nodes before 1.3.1 do not say it. */
export const putIdOf = (nodeId: string): string => `${nodeId}${nodeEnd}${newId()}`
const nodeEnd = '~'

/** Deletes the bytes of PUTs whose node has died. `isDead` is asked with undefined where the node is not known. */
export async function failPutsOf(
  queries: Queries,
  isDead: (nodeId: string | undefined) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, application_id: applicationId, put_id: putId } of await queries.all(arriving)) {
    if (signal.aborted) return
    const end = putId.indexOf(nodeEnd)
    if (isDead(end < 0 ? undefined : putId.slice(0, end))) await failPut(queries, { applicationId, id }, putId)
  }
}

/** Makes an upload ready. False if another PUT has begun meanwhile, or the upload was completed or has expired. */
export const completeUpload = async (
  tx: Queries,
  at: UploadAddress,
  { putId, now }: { putId: string; now: number },
): Promise<boolean> => (await tx.run(complete, [at.applicationId, at.id, putId, now])) === 1

/** Keeps the bytes of an upload for somebody, after it expires too. */
export const holdUpload = async (
  tx: Queries,
  at: UploadAddress,
  { holder, until }: { holder: string; until: number },
): Promise<void> => void (await tx.run(hold, [at.id, holder, at.applicationId, until]))

export const isHeldUpload = async (queries: Queries, at: UploadAddress, now: number): Promise<boolean> =>
  (await queries.get(held, [at.applicationId, at.id, now])) !== undefined

/** Lets the uploads of a deleted grant expire. Housekeeping deletes their bytes in small steps. */
export async function expireUploadsOf(tx: Queries, at: { applicationId: string; id: string }): Promise<void> {
  await tx.post(releaseOfGrant, [at.applicationId, at.id])
  await tx.post(expireOfGrant, [at.applicationId, at.id])
}

const dayMs = 86_400_000

/** Deletes the bytes of some expired uploads. A row stays for a day, so that its id is answered with 410. */
export async function purgeUploads(queries: Queries, now: number, signal: AbortSignal): Promise<boolean> {
  const rows = await queries.all(due, [now])
  for (const { id, application_id: applicationId } of rows) {
    if (signal.aborted) return false
    await removeChunks(queries, { applicationId, id }, { except: '' })
    await queries.run(expire, [applicationId, id])
  }
  if (rows.length === 0) await queries.run(purge, [now - dayMs])
  return rows.length > 0
}

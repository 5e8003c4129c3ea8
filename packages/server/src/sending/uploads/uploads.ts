/**
 * Large files on their way (docs/adr/0043-uploads.md). An application begins an upload, sends its bytes to a signed URL,
 * completes it, and names it in messages. The bytes are encrypted pieces in the store, so any node can receive, complete
 * and send them, and no node holds a whole file.
 */
import { limits, type UploadRequest } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import type { UploadAddress } from '@waypost/store/tables/grants/upload-chunks'
import {
  addUpload,
  completeUpload,
  fileOfUpload,
  isHeldUpload,
  readUpload,
  type UploadedFile,
  type UploadRow,
  uploadFigures,
} from '@waypost/store/tables/grants/uploads'
import { needNodesSince } from '../../applications/newer-nodes.ts'
import { alreadyComplete, type ReceivedBody, receivePut, type UploadsOptions } from './receive-put.ts'
import { type UploadReader, uploadReader } from './upload-reader.ts'

export interface GrantPlace {
  applicationId: string
  grantId: string
}

/** An upload that messages can refer to. */
export interface ReadyUpload extends UploadedFile {
  id: string
  size: number
  /** Its bytes in order, in pieces of at most `chunkBytes`. Can be read several times. */
  read(): AsyncIterable<Uint8Array>
}

export interface Uploads extends UploadReader {
  /** Records a new upload. Throws `upload_quota_reached` if the application has too many. */
  begin(tx: Queries, at: GrantPlace, request: UploadRequest): Promise<{ id: string; expiresAt: number }>
  /** Stores the bytes of a PUT; see `receivePut`. */
  receive(at: UploadAddress, body: ReceivedBody): Promise<void>
  /** Makes an upload ready. Throws the errors of the contract. */
  complete(tx: Queries, at: GrantPlace, id: string): Promise<void>
  /** An upload of a grant that is ready; throws if there is none, naming the field. */
  find(at: GrantPlace, id: string, field: string): Promise<ReadyUpload>
}

export function createUploads(options: UploadsOptions): Uploads {
  const { database, seals, clock } = options
  const { read } = uploadReader({ database, seals })
  return {
    async begin(tx, { applicationId, grantId }, { filename, content_type: contentType, size }) {
      const now = clock.now()
      await checkQuota(tx, applicationId, { size: size ?? limits.uploadBytes, now })
      const id = newId()
      const expiresAt = now + limits.uploadMinutes * 60_000
      const file = { filename, contentType }
      await addUpload(tx, { id, applicationId, grantId, declaredSize: size ?? null, file, expiresAt, now }, seals)
      return { id, expiresAt }
    },

    receive: (at, body) => receivePut(options, at, body),

    async complete(tx, { applicationId, grantId }, id) {
      const now = clock.now()
      const row = await readUpload(tx, { applicationId, id })
      if (!row || row.grant_id !== grantId) throw new ApiError('not_found', 'there is no such upload')
      if (row.expires_at <= now) throw new ApiError('upload_expired')
      if (row.state !== 'uploading') throw alreadyComplete()
      const putId = arrivedPut(row)
      if (!(await completeUpload(tx, { applicationId, id }, { putId, now }))) {
        throw new ApiError('conflict', 'the upload was changed at the same time: complete it again')
      }
    },

    async find({ applicationId, grantId }, id, field) {
      const now = clock.now()
      await needNodesSince(database, knownSince, { what: 'messages with uploaded files can be sent', now })
      const row = await readUpload(database, { applicationId, id })
      if (!row || row.grant_id !== grantId) {
        throw new ApiError('not_found', `${field}: the grant has no upload with this id`)
      }
      if (
        row.expires_at <= now &&
        !(row.state === 'ready' && (await isHeldUpload(database, { applicationId, id }, now)))
      ) {
        throw new ApiError('upload_expired', `${field}: the upload has expired: upload the file again`)
      }
      if (row.state !== 'ready' || row.size === null) {
        throw new ApiError('upload_incomplete', `${field}: complete the upload first`)
      }
      const { filename, contentType } = await fileOfUpload(seals, row)
      return { id, size: row.size, filename, contentType, read: () => read({ applicationId, id }) }
    },

    read,
  }
}

/** Nodes of older versions do not know uploaded files, and one of them might have to send the message. */
const knownSince = '1.3.0'

/** A small excess is possible if uploads begin at the same moment. */
async function checkQuota(
  tx: Queries,
  applicationId: string,
  { size, now }: { size: number; now: number },
): Promise<void> {
  const { count, bytes } = await uploadFigures(tx, applicationId, { now, assumed: limits.uploadBytes })
  if (count >= limits.uploads) {
    throw new ApiError(
      'upload_quota_reached',
      `the application has ${count} uploads; up to ${limits.uploads} are allowed`,
    )
  }
  if (bytes + size > limits.uploadBytesPerApplication) {
    const max = limits.uploadBytesPerApplication
    const problem = `the uploads of the application would have ${bytes + size} bytes; up to ${max} are allowed`
    throw new ApiError('upload_quota_reached', `${problem}. An upload without a size counts as ${limits.uploadBytes}`)
  }
}

/** The PUT that has arrived completely, with the declared size. */
function arrivedPut({ put_id: putId, size, declared_size: declared }: UploadRow): string {
  if (putId === null || size === null) {
    throw new ApiError('upload_incomplete', 'no file has arrived completely: send it to the URL of the upload')
  }
  if (size === 0) throw new ApiError('upload_incomplete', 'the uploaded file is empty')
  if (declared !== null && size !== declared) {
    throw new ApiError('upload_incomplete', `the uploaded file has ${size} bytes; ${declared} were declared`)
  }
  return putId
}

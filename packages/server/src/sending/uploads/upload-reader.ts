/** Reads the bytes of uploads piece by piece. */
import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Database } from '@waypost/store/engine/database'
import { chunkBytes, readChunk, type UploadAddress } from '@waypost/store/tables/grants/upload-chunks'
import { readUpload } from '@waypost/store/tables/grants/uploads'

export interface UploadReader {
  /** The bytes of an upload, in order. Fails if they are no longer stored. */
  read(at: UploadAddress): AsyncIterable<Uint8Array>
}

interface Source {
  database: Database
  seals: DataSeals
}

export const uploadReader = (source: Source): UploadReader => ({ read: (at) => bytesOf(source, at) })

async function* bytesOf({ database, seals }: Source, at: UploadAddress): AsyncGenerator<Uint8Array> {
  const row = await readUpload(database, at)
  const { put_id: putId = null, size = null } = row ?? {}
  if (putId === null || size === null) throw gone()
  for (let piece = 0; piece * chunkBytes < size; piece++) {
    const bytes = await readChunk(database, { ...at, putId, piece }, seals)
    if (!bytes) throw gone()
    yield bytes
  }
}

const gone = (): ApiError => new ApiError('upload_expired', 'the bytes of an uploaded file are no longer stored')

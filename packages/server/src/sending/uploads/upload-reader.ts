/** Reads the bytes of uploads piece by piece: those of the uploaded files of a message, when it is transmitted. */
import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { LargeFile } from '@waypost/providers/mail/large-files'
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

/** An uploaded file of a recorded message. */
interface StoredLargeFile {
  id: string
  size: number
  marker: string
}

const withReader = (
  uploads: UploadReader,
  applicationId: string,
  { id, size, marker }: StoredLargeFile,
): LargeFile => ({ id, size, marker, read: () => uploads.read({ applicationId, id }) })

/** The uploaded files of a composed message; undefined if it has none. */
export function largeFilesOf(
  uploads: UploadReader,
  applicationId: string,
  attachments: readonly { size: number; upload?: { id: string; marker: string } }[],
): LargeFile[] | undefined {
  const files = attachments.flatMap(({ upload, size }) =>
    upload ? [withReader(uploads, applicationId, { ...upload, size })] : [],
  )
  return files.length === 0 ? undefined : files
}

/** What the ledger records of them. */
export const storedLargeFiles = (files: readonly LargeFile[] | undefined): { large_files?: StoredLargeFile[] } =>
  files ? { large_files: files.map(({ id, size, marker }) => ({ id, size, marker })) } : {}

/** The uploaded files of a recorded message. */
export function recordedLargeFiles(
  uploads: UploadReader,
  { application_id, facts }: { application_id: string; facts: Readonly<Record<string, unknown>> },
): LargeFile[] | undefined {
  const { large_files: files } = facts
  return Array.isArray(files)
    ? files.map((file: StoredLargeFile) => withReader(uploads, application_id, file))
    : undefined
}

/** The uploaded files of a message, between composing and transmission. */
import type { LargeFile } from '@waypost/providers/mail/large-files'
import type { UploadReader } from './upload-reader.ts'

/** An uploaded file of a recorded message. */
export interface StoredLargeFile {
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

/** Ids, hashes and Message-IDs of sends. */
import { createHash } from 'node:crypto'
import { sha256Of } from '@waypost/platform/crypto/digest'
import { newToken } from '@waypost/platform/ids'
import type { Once } from '@waypost/providers/operations'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { SendOrder } from '../sending.ts'

/** The send id of an Idempotency-Key. `after` is the start time of an earlier send with the same key. */
export function sendIdOf(at: { applicationId: string; grantId: string }, key: string, after?: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([at.applicationId, at.grantId, key, after ?? null]))
    .digest('hex')
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join('-')
}

/** A hash that distinguishes payloads of one key. */
export const hashOf = (parts: readonly (string | Uint8Array)[]): Promise<string> =>
  sha256Of(parts.flatMap((part) => [`${part.length}:`, part]))

/**
 * Hash of the content of a message, without the signature: each request reads the signature again, and it may have
 * changed.
 */
export function hashOfMessage(given: SendOrder['content']): Promise<string> {
  if ('mime' in given) return hashOf(['mime', given.mime])
  const files = given.files.flatMap(({ filename, contentType, contentId = '', content, upload }) => [
    ...[filename, contentType, contentId],
    upload ? `upload ${upload.id}` : content,
  ])
  return hashOf(['message', JSON.stringify(given.request), ...files])
}

/**
 * A Message-ID that cannot be guessed, so a later reference to it proves knowledge of the message. Under a key, every
 * try gets the same one.
 */
export const newMessageId = ({ grant }: GrantRecord, once?: Once): string => {
  const domain = /@([\w.-]+)$/.exec(grant.email ?? '')?.[1] ?? 'localhost'
  return `${(once?.name ?? newToken()).slice(0, 32)}@${domain}`
}

export const accountOf = ({ grant }: GrantRecord): { email: string; name: string | null } => ({
  email: grant.email ?? '',
  name: grant.name ?? null,
})

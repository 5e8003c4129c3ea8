/** Names of what is sent, and who sends it. */
import { createHash } from 'node:crypto'
import { sha256Of } from '../lib/crypto/digest.ts'
import { newToken } from '../lib/ids.ts'
import type { Once } from '../providers/operations.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'
import type { SendOrder } from './sending.ts'

/** The id of the send that a key names: the first one, or the one after a send that was begun at a time. */
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

/** Tells payloads of one key apart. */
export const hashOf = (parts: readonly (string | Uint8Array)[]): Promise<string> =>
  sha256Of(parts.flatMap((part) => [`${part.length}:`, part]))

/** Of what a message is made from. A signature is looked up anew by each request, and may be another one by then. */
export function hashOfMessage(given: SendOrder['content']): Promise<string> {
  if ('mime' in given) return hashOf(['mime', given.mime])
  const files = given.files.flatMap(({ filename, contentType, contentId = '', content }) => [
    ...[filename, contentType, contentId],
    content,
  ])
  return hashOf(['message', JSON.stringify(given.request), ...files])
}

/** A name that nobody guesses: what refers to it later must know the message. Under a key it is the same for every try. */
export const newMessageId = ({ grant }: GrantRecord, once?: Once): string => {
  const domain = /@([\w.-]+)$/.exec(grant.email ?? '')?.[1] ?? 'localhost'
  return `${(once?.name ?? newToken()).slice(0, 32)}@${domain}`
}

export const accountOf = ({ grant }: GrantRecord): { email: string; name: string | null } => ({
  email: grant.email ?? '',
  name: grant.name ?? null,
})

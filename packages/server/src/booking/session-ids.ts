/**
 * Ids of scheduling sessions: `wpss_<application id>_<256 random bits>`. Browsers send one as bearer token. It names its
 * application, so that the lookup reads the rows of that application only; the random part makes it unguessable. The store
 * has only a hash.
 */

import { hash } from 'node:crypto'
import { newToken } from '@waypost/platform/ids'
import { bearerIn } from '../applications/api-keys.ts'

const prefix = 'wpss_'
const form = /^wpss_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[\w-]{43}$/

export const newSessionId = (applicationId: string): string => `${prefix}${applicationId}_${newToken()}`

/** The stored form. The random part has 256 bits, so a plain hash cannot be reversed. */
export const hashSessionId = (id: string): string => hash('sha256', id, 'hex')

/** The application of a session id; undefined for any other text. */
export const applicationOfSession = (id: string): string | undefined => form.exec(id)?.[1]

/** The bearer token of a request if it begins like a session id. */
export const sessionIdIn = (authorization: string | null): string | undefined => {
  const token = bearerIn(authorization)
  return token?.startsWith(prefix) ? token : undefined
}

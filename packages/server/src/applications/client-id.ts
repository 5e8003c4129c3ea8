/** The `client_id` of an application, and common mistakes with it. Pure. */
import { isRestrictedKey, keyPrefix } from './api-keys.ts'

/** Whether an API key was sent as the id. It is neither looked up nor repeated. */
export const looksLikeKey = (id: string): boolean => id.startsWith(keyPrefix) || isRestrictedKey(id)

/** The error for an id that no application has. */
export const noApplication = (id: string): string =>
  looksLikeKey(id)
    ? 'this is an API key: send the id of the application (GET /v3/applications), and the key as client_secret'
    : 'no application has this id: see application_id in GET /v3/applications'

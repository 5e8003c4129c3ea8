/** The `client_id` of an application, and what people send in its place. Pure. */
import { keyPrefix } from './api-keys.ts'

/** Whether somebody sent an API key as the id: it is not looked up, and not repeated. */
export const looksLikeKey = (id: string): boolean => id.startsWith(keyPrefix)

/** What is wrong with an id that no application has. */
export const noApplication = (id: string): string =>
  looksLikeKey(id)
    ? 'this is an API key: send the id of the application (GET /v3/applications), and the key as client_secret'
    : 'no application has this id: GET /v3/applications tells it as application_id'

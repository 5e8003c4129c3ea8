// Defines Gmail routes: paths begin after `/gmail/v1/users/{userId}`, and a handler receives the mailbox.

import type { Method } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { ApiAnswer, ApiCall, ApiRoute } from '../http.ts'
import type { Mailbox } from './mailbox.ts'
import { mailboxOf } from './mailboxes.ts'
import { answerUpload, readJsonUpload, type Upload } from './uploads.ts'

const USER = '/gmail/v1/users/:userId'

export const MAIL = 'https://mail.google.com/'

export interface GmailRoute {
  /** Such as `GET /messages/:id`. */
  readonly on: `${Method} ${string}`
  readonly scopes: readonly string[]
  readonly query?: readonly string[]
  readonly handle: (mailbox: Mailbox, call: ApiCall) => ApiAnswer
}

export interface UploadRoute extends Omit<GmailRoute, 'handle'> {
  readonly handle: (mailbox: Mailbox, upload: Upload, call: ApiCall) => ApiAnswer
}

export function gmailRoute({ on, scopes, query = [], handle }: GmailRoute): ApiRoute {
  const { method, path } = split(on)
  return { method, path: USER + path, scopes, query, handle: (call) => handle(calledMailbox(call), call) }
}

/** Routes of a method that takes a message as JSON or as an upload. */
export function uploadRoutes({ handle, ...route }: UploadRoute): ApiRoute[] {
  const { method, path } = split(route.on)
  const plain = gmailRoute({ ...route, handle: (mailbox, call) => handle(mailbox, readJsonUpload(call), call) })
  const uploads = ['/upload', '/resumable/upload'].flatMap((prefix) =>
    // The pieces of an upload use PUT, whichever method started it.
    [...new Set<Method>([method, 'PUT'])].map(
      (uploadMethod): ApiRoute => ({
        method: uploadMethod,
        path: prefix + USER + path,
        scopes: route.scopes,
        query: route.query ?? [],
        handle(call) {
          const mailbox = calledMailbox(call)
          return answerUpload(mailbox, call, (upload) => handle(mailbox, upload, call))
        },
      }),
    ),
  )
  return [plain, ...uploads]
}

function split(on: GmailRoute['on']): { method: Method; path: string } {
  const space = on.indexOf(' ')
  return { method: on.slice(0, space) as Method, path: on.slice(space + 1) }
}

function calledMailbox({ account, params, world }: ApiCall): Mailbox {
  const { userId = 'me' } = params
  const own = mailboxOf(world, account)
  if (userId === 'me' || own.isOwn(userId)) return own
  throw new GoogleError(403, 'forbidden', `Delegation denied for ${account.email}`)
}

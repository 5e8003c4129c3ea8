// How a part of Graph (mail, calendar, contacts, …) joins the simulator:
//
// 1. Its folder, `microsoft/<part>/`, exports a `GraphPart`: its routes, and the resources that support
//    subscriptions. `parts.ts` lists it; no other module needs its routes.
// 2. Routes below a mailbox are written once with `mailboxRoutes('GET /messages/:id', scopes, handle)` and exist
//    under `/v1.0/me` and `/v1.0/users/:userId`; `call.owner` is the owner of the mailbox. Others are plain `GraphRoute`s.
// 3. Its state belongs to an account: store it in a `WeakMap<AccountOwner, …>` of the part. `account.ts` opens it
//    with every account, and gives tests operations outside the API (`account.mail`).
// 4. `listAnswer` (`odata/collection.ts`) answers a list of an `EntityType`, `itemAnswer` one item, and
//    `deltaAnswer` (`odata/delta.ts`) a delta query over the `ChangeLog` of the collection.
// 5. A change is recorded in the `ChangeLog` of its collection and reported to subscriptions with `world.tell`.
// 6. `world.uploads` accepts content in pieces if it is too large for one request.
// 7. Failures are thrown as `GraphError`s.
import type { Method } from '../shared/http.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from './http.ts'
import type { AccountOwner } from './owner.ts'

export interface GraphPart {
  readonly routes: readonly GraphRoute[]
  readonly subscribable: readonly SubscribableResource[]
}

/** A resource below a user that supports subscriptions. */
export interface SubscribableResource {
  /** Such as `/mailFolders/:folderId/messages`. */
  readonly path: string
  /** Any one of them suffices. */
  readonly scopes: readonly string[]
  /** Its name in `ItemChange.collections`; throws a `GraphError` if the resource does not exist. */
  collection(owner: AccountOwner, params: Readonly<Record<string, string>>): string
}

export interface RouteOptions {
  readonly checksDelegates?: boolean
}

/** One method of a mailbox, such as `GET /messages/:id`, under both paths. */
export function mailboxRoutes(
  on: `${Method} ${string}`,
  scopes: readonly string[],
  handle: (call: GraphCall) => GraphAnswer | Promise<GraphAnswer>,
  options: RouteOptions = {},
): GraphRoute[] {
  const space = on.indexOf(' ')
  const method = on.slice(0, space) as Method
  const path = on.slice(space + 1)
  return ['/me', '/users/:userId'].map((root) => ({ method, path: root + path, scopes, handle, ...options }))
}

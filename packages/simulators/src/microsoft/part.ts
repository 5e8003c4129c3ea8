// How a part of Graph (mail, calendar, contacts, …) joins the simulator:
//
// 1. Its folder, `microsoft/<part>/`, exports a `GraphPart`: its routes, and the resources that subscriptions may be for.
//    `parts.ts` lists it; nothing else has to know its routes.
// 2. Routes below a mailbox are written once with `mailboxRoutes('GET /messages/:id', scopes, handle)` and are there under
//    `/v1.0/me` and `/v1.0/users/:userId`; `call.owner` is whose mailbox it is. Others are plain `GraphRoute`s.
// 3. Its state belongs to an account: keep it in a `WeakMap<AccountOwner, …>` of the part. `account.ts` opens it with
//    every account, and gives tests what they do without the API (`account.mail`).
// 4. A list is answered by `listAnswer` (`odata/collection.ts`) of an `EntityType`, one item by `itemAnswer`, a delta query by
//    `deltaAnswer` (`odata/delta.ts`) of a `ChangeLog` of the collection.
// 5. A change is recorded in the `ChangeLog` of its collection and told to subscriptions with `world.tell`.
// 6. What is too large for one request is taken in pieces by `world.uploads`.
// 7. Failures are thrown as `GraphError`s.
import type { Method } from '../shared/http.ts'
import type { GraphAnswer, GraphCall, GraphRoute } from './http.ts'
import type { AccountOwner } from './owner.ts'

export interface GraphPart {
  readonly routes: readonly GraphRoute[]
  readonly subscribable: readonly SubscribableResource[]
}

/** Something below a user that a subscription may be for. */
export interface SubscribableResource {
  /** Such as `/mailFolders/:folderId/messages`. */
  readonly path: string
  /** Any of them suffices. */
  readonly scopes: readonly string[]
  /** The name that `ItemChange.collections` has for it; throws a `GraphError` where there is no such thing. */
  collection(owner: AccountOwner, params: Readonly<Record<string, string>>): string
}

export interface RouteOptions {
  readonly checksDelegates?: boolean
}

/** One method of a mailbox, such as `GET /messages/:id`, under both its paths. */
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

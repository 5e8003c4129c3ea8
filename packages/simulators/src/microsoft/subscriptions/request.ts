// Parses and validates the request for a subscription, as Graph does.
import type { JsonObject } from '../../shared/http.ts'
import { routeTable } from '../../shared/routing.ts'
import { accessDenied, GraphError } from '../errors.ts'
import type { GraphCall } from '../http.ts'
import type { AccountOwner } from '../owner.ts'
import type { SubscribableResource } from '../part.ts'

const MINUTE = 60_000
const maxMinutes = 10_080
/** An earlier expiration is extended to this. */
const minMinutes = 45
const CHANGES = ['created', 'updated', 'deleted']
const maxClientState = 128

export interface Wanted {
  readonly resource: string
  readonly owner: AccountOwner
  readonly collection: string
  readonly changeTypes: readonly string[]
  readonly notificationUrl: string
  readonly lifecycleNotificationUrl: string | undefined
  readonly clientState: string | undefined
  readonly expiresAt: number
}

export function readWanted(call: GraphCall, resources: readonly SubscribableResource[]): Wanted {
  const json = call.json()
  const { clientState, includeResourceData } = json
  if (includeResourceData === true) throw invalid('Notifications with resource data are not simulated.')
  if (clientState !== undefined && String(clientState).length > maxClientState) {
    throw invalid(`The clientState must not have more than ${maxClientState} characters.`)
  }
  const lifecycleNotificationUrl = json.lifecycleNotificationUrl ?? undefined
  return {
    ...readResource(call, resources, required(json, 'resource')),
    changeTypes: readChanges(required(json, 'changeType')),
    notificationUrl: readUrl(required(json, 'notificationUrl')),
    lifecycleNotificationUrl:
      lifecycleNotificationUrl === undefined ? undefined : readUrl(String(lifecycleNotificationUrl)),
    clientState: clientState === undefined || clientState === null ? undefined : String(clientState),
    expiresAt: readExpiry(required(json, 'expirationDateTime'), call.now),
  }
}

export function readExpiry(text: string, now: number): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw invalid('The expirationDateTime is not valid.')
  if (at <= now) throw invalid('Subscription expiration must be in the future.')
  if (at > now + maxMinutes * MINUTE) {
    throw invalid(`Subscription expiration can only be ${maxMinutes} minutes in the future.`)
  }
  return Math.max(at, now + minMinutes * MINUTE)
}

/** Parses `me/mailFolders('inbox')/messages` or `/users/{id}/events`; the token must allow access to it. */
function readResource(
  call: GraphCall,
  resources: readonly SubscribableResource[],
  resource: string,
): Pick<Wanted, 'resource' | 'owner' | 'collection'> {
  const path = `/${resource.replace(/^\/?(?:v1\.0\/)?/, '').replace(/\('([^']*)'\)/g, '/$1')}`
  if (path.includes('?')) throw invalid('Query options of a resource are not simulated.')
  const [, root, user, below] = /^\/(?:(me)|users\/([^/]+))(\/.+)$/i.exec(path) ?? []
  if (below === undefined) throw invalid(`The resource '${resource}' is not supported.`)
  const owner = root === undefined ? call.world.findAccount(decodeURIComponent(user ?? '')) : call.caller.account
  if (owner === undefined || owner.tenant.id !== call.caller.tenant.id) {
    throw new GraphError(404, 'ErrorInvalidUser', `The requested user '${user ?? 'me'}' is invalid.`)
  }
  const match = routeTable(
    resources.map((each) => ({ ...each, method: 'SUBSCRIBE' })),
    { foldsCase: true },
  ).find('SUBSCRIBE', below)
  if (typeof match !== 'object') throw invalid(`The resource '${resource}' is not supported.`)
  const { account, scopes } = call.caller
  // Users cannot subscribe to shared mailboxes; only applications can.
  if (account !== undefined && account.oid !== owner.oid) throw accessDenied()
  if (!match.route.scopes.some((scope) => scopes.has(scope) || scopes.has(`${scope}.Shared`))) throw accessDenied()
  return { resource, owner, collection: match.route.collection(owner, match.params) }
}

function readChanges(text: string): string[] {
  const changes = text.split(',').map((each) => each.trim().toLowerCase())
  if (changes.every((each) => CHANGES.includes(each))) return changes
  throw invalid(`The changeType '${text}' is not supported.`)
}

/** https, or http on loopback. */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url?.protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'https:' || isLocal) return text
  throw invalid(`The notification URL '${text}' is not valid: it must be https.`)
}

function required(json: JsonObject, name: string): string {
  const value = json[name]
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`The property '${name}' is missing.`)
}

export function invalid(message: string): GraphError {
  return new GraphError(400, 'InvalidRequest', message)
}

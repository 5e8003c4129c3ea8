// Users in the directory: `/me` and `/users/{id or address}`. https://learn.microsoft.com/graph/api/user-get
import type { JsonObject } from '../../shared/http.ts'
import { badRequest, GraphError } from '../errors.ts'
import type { GraphCall, GraphRoute } from '../http.ts'
import { itemAnswer, listAnswer } from '../odata/collection.ts'
import type { EntityType } from '../odata/entity.ts'
import { readQuery } from '../odata/query.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import type { GraphPart } from '../part.ts'

const READ = ['User.Read', 'User.ReadWrite', 'User.Read.All', 'User.ReadBasic.All', 'Directory.Read.All']
const readAll = ['User.Read.All', 'User.ReadBasic.All', 'Directory.Read.All']

/** The properties returned without `$select`. */
const defaults = [
  'businessPhones',
  'displayName',
  'givenName',
  'jobTitle',
  'mail',
  'mobilePhone',
  'officeLocation',
  'preferredLanguage',
  'surname',
  'userPrincipalName',
  'id',
]
const BY_SELECT = ['accountEnabled', 'mailNickname', 'otherMails', 'proxyAddresses', 'userType']

const USER: EntityType = { name: 'user', properties: [...defaults, ...BY_SELECT], bySelect: BY_SELECT }

const options = { type: USER, context: 'users', json: userJson }

const routes: GraphRoute[] = [
  {
    method: 'GET',
    path: '/me',
    scopes: READ,
    handle: (call) => itemAnswer(call, call.owner, options),
  },
  {
    method: 'GET',
    path: '/users',
    scopes: readAll,
    handle: (call) => listAnswer(call, usersOf(call), { ...options, pageSize: 100, maxTop: 999, paging: 'token' }),
  },
  {
    method: 'GET',
    path: '/users/:userId',
    scopes: READ,
    handle: (call) => itemAnswer(call, findUser(call), options),
  },
  {
    method: 'POST',
    path: '/me/revokeSignInSessions',
    scopes: ['User.ReadWrite', 'User.RevokeSessions.All'],
    handle({ owner, world }) {
      world.endSessions(owner.oid)
      return { json: { '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#Edm.Boolean', value: true } }
    },
  },
]

export const directoryPart: GraphPart = { routes, subscribable: [] }

function usersOf(call: GraphCall): AccountOwner[] {
  const { world, caller } = call
  if (caller.account !== undefined && isPersonal(caller.account)) return [caller.account]
  const users = [...world.accounts.values()].filter(({ tenant }) => tenant.id === caller.tenant.id)
  const { search } = readQuery(call.query)
  return search === undefined ? users : users.filter(searchOf(call, search))
}

/** `"displayName:ada"`: some word of the property begins with the text. The search requires a header. */
function searchOf({ headers }: GraphCall, search: string): (user: AccountOwner) => boolean {
  if (headers.get('consistencylevel')?.toLowerCase() !== 'eventual') {
    throw new GraphError(
      400,
      'Request_UnsupportedQuery',
      "Request with $search query parameter only works through MSGraph with a special request header: 'ConsistencyLevel: eventual'",
    )
  }
  const [, property = '', text = ''] = /^(\w+):(.*)$/.exec(search) ?? []
  if (!['displayName', 'mail', 'userPrincipalName', 'givenName', 'surname'].includes(property)) {
    throw badRequest(`The property '${property}' cannot be searched.`)
  }
  const words = (value: unknown) =>
    String(value ?? '')
      .toLowerCase()
      .split(/[\s@.]+/)
      .filter(Boolean)
  return (user) => {
    const own = words(userJson(user)[property])
    return words(text).every((wanted) => own.some((word) => word.startsWith(wanted)))
  }
}

function findUser(call: GraphCall): AccountOwner {
  const wanted = call.params.userId ?? ''
  const user = call.world.findAccount(wanted)
  const isOwn = user !== undefined && user.oid === call.caller.account?.oid
  const seesOthers = readAll.some((scope) => call.caller.scopes.has(scope))
  if (user !== undefined && user.tenant.id === call.caller.tenant.id) {
    if (isOwn || seesOthers) return user
    throw new GraphError(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.')
  }
  throw new GraphError(
    404,
    'Request_ResourceNotFound',
    `Resource '${wanted}' does not exist or one of its queried reference-property objects are not present.`,
  )
}

function userJson(owner: AccountOwner): JsonObject {
  const { id, email, name, aliases } = owner
  const [givenName = name, ...rest] = name.split(' ')
  return {
    businessPhones: [],
    displayName: name,
    givenName,
    jobTitle: null,
    mail: email,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: isPersonal(owner) ? 'en-US' : null,
    surname: rest.length > 0 ? rest.join(' ') : null,
    userPrincipalName: email,
    id,
    accountEnabled: true,
    mailNickname: email.slice(0, email.indexOf('@')),
    otherMails: [],
    proxyAddresses: [`SMTP:${email}`, ...aliases.map((alias) => `smtp:${alias}`)],
    userType: 'Member',
  }
}

/** The choices of the consent page, and what a person chose. */
import { ApprovalKind, type KeyOperation, KeyRights } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { agentsOfClient, listAgents } from '@waypost/store/tables/agents/agents'
import { searchGrants } from '@waypost/store/tables/grants/grant-search'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { rightsOfAgent } from '../../../agents/agents.ts'
import type { AuthorizationRequest } from '../../../agents/oauth/authorization-request.ts'
import type { Consent } from '../../../agents/oauth/consent.ts'
import { agentScopes, chosenScopes } from '../../../agents/oauth/scopes.ts'
import type { AccountOwner } from '../../../agents/owner-session.ts'
import type { Acting } from '../../../applications/acting.ts'
import type { AdminAuthentication } from '../../../applications/admin-authentication.ts'
import { reaches } from '../../../applications/rights.ts'
import { prefixOf } from '../../http/base-path.ts'
import type { PageVisit } from '../../pipeline/page.ts'
import { csrfOf } from '../hosted/cookie.ts'
import type { PlainKey } from '../hosted/languages.ts'
import type { ConsentForm, ShownAccount } from './consent-view.ts'
import type { OAuthOptions } from './oauth-pages.ts'
import type { OwnerSignIn } from './owner-sign-in.ts'

type FormVisit = DeciderVisit & { options: DeciderVisit['options'] & OAuthOptions }
type Deciding = Extract<Decider, { kind: 'owner' | 'administrator' }>

/** Accounts on the page of an administrator, who searches for others. */
const maxFound = 50
const maxGrants = 100

interface Account {
  id: string
  email: string
}

async function accountsNamed({ options, request }: FormVisit, ids: readonly string[]): Promise<Account[]> {
  const found = await Promise.all(
    [...new Set(ids)].slice(0, maxGrants).map((id) => getGrant(options.database, request.application.id, id)),
  )
  return found.flatMap((record) =>
    record && record.status !== 'unverified'
      ? [{ id: record.grant.id, email: record.grant.email ?? record.grant.id }]
      : [],
  )
}

/** The accounts to choose from. Those that are chosen stay on the page when an administrator searches. */
async function accountsFor(at: FormVisit, decider: Deciding): Promise<ShownAccount[]> {
  const { options, request, sent, visit } = at
  const chosen = sent.getAll('grant')
  if (decider.kind === 'owner') {
    const accounts = await accountsNamed(at, decider.owner.grantIds)
    const isFirst = visit.method !== 'POST'
    return accounts.map(({ id, email }) => ({
      id,
      label: email,
      isChosen: isFirst ? accounts.length === 1 : chosen.includes(id),
    }))
  }
  const text = searchIn(sent)
  const { rows } = await searchGrants(options.database, options.database.engine, {
    applicationId: request.application.id,
    search: text === '' ? {} : { text },
    sort: 'email',
    order: 'asc',
    limit: maxFound,
  })
  const found = rows.map(({ id, document }): Account => ({ id, email: JSON.parse(document).email ?? id }))
  const retained = await accountsNamed(at, chosen)
  const all = [...retained, ...found.filter(({ id }) => !retained.some((each) => each.id === id))]
  return all.map(({ id, email }) => ({ id, label: email, isChosen: chosen.includes(id) }))
}

const searchIn = (sent: URLSearchParams): string => (sent.get('search') ?? '').trim().slice(0, 200)

/** What an agent of this client has already: a client that asks for more keeps it. */
async function formerOperations({ options, request }: FormVisit, decider: Deciding): Promise<Set<KeyOperation>> {
  const { database } = options
  const applicationId = request.application.id
  const of = { application_id: applicationId, client_id: request.client.id, connected_by: connectedBy(decider, []) }
  const agents =
    decider.kind === 'administrator'
      ? await agentsOfClient(database, { ...of, connector: 'administrator' })
      : (
          await Promise.all(
            decider.owner.grantIds.map((grantId) =>
              listAgents(database, { applicationId, grantId }, { after: undefined, limit: 50 }),
            ),
          )
        )
          .flat()
          .filter((agent) => agent.client_id === request.client.id && agent.disconnected_at === null)
  return new Set(agents.flatMap((agent) => rightsOfAgent(agent).operations))
}

const connectedBy = (decider: Deciding, accounts: readonly Account[]): string =>
  decider.kind === 'administrator'
    ? (decider.acting.person?.email ?? 'administrator')
    : accounts
        .map(({ email }) => email)
        .join(', ')
        .slice(0, 500)

const offeredIn = (at: FormVisit, former: ReadonlySet<KeyOperation>): readonly KeyOperation[] =>
  agentScopes.filter((scope) => at.request.offered.includes(scope) || former.has(scope))

/** The form as it is shown: with the usual choices at first, then with those of the person. */
export async function formOf(at: FormVisit, decider: Deciding): Promise<ConsentForm> {
  const { options, request, sent, visit } = at
  const former = await formerOperations(at, decider)
  const isFirst = visit.method !== 'POST'
  const usual = new Set<string>([...chosenScopes(request.offered), ...former])
  const chosen = isFirst ? usual : new Set(sent.getAll('right'))
  const requested = isFirst ? new Set<string>(ApprovalKind.options) : new Set(sent.getAll('ask'))
  const isAdministrator = decider.kind === 'administrator'
  const prefix = prefixOf(options.baseUrl)
  return {
    action: `${prefix}/oauth/authorize`,
    fields: {
      ...Object.fromEntries(request.parameters),
      ...(isAdministrator ? { as: 'administrator' } : {}),
      csrf: csrfOf(decider.secret, formName(request)),
    },
    accounts: await accountsFor(at, decider),
    ...(isAdministrator
      ? { search: searchIn(sent), administrator: connectedBy(decider, []) }
      : { addAccount: `${prefix}/oauth/sign-in?${request.parameters}` }),
    rights: offeredIn(at, former).map((operation) => ({ operation, isChosen: chosen.has(operation) })),
    asks: ApprovalKind.options.map((kind) => ({ kind, isChosen: requested.has(kind) })),
  }
}

/** What the person chose, or the problem with it. */
export async function chosenRights(at: FormVisit, decider: Deciding): Promise<Consent | { problem: PlainKey }> {
  const { request, sent } = at
  const named = sent.getAll('grant')
  const own = decider.kind === 'owner' ? named.filter((id) => decider.owner.grantIds.includes(id)) : named
  const accounts = own.length === named.length && own.length <= maxGrants ? await accountsNamed(at, own) : []
  if (accounts.length === 0) return { problem: 'consent.choose_account' }
  const offered = offeredIn(at, await formerOperations(at, decider))
  const rights = new Set(sent.getAll('right'))
  const operations = offered.filter((scope) => rights.has(scope))
  if (operations.length === 0) return { problem: 'consent.choose_right' }
  const requested = new Set(sent.getAll('ask'))
  return {
    name: request.client.name,
    clientUri: request.client.uri,
    connectedBy: connectedBy(decider, accounts),
    connector: decider.kind,
    rights: KeyRights.parse({
      operations,
      grants: { ids: accounts.map(({ id }) => id) },
      approval: ApprovalKind.options.filter((kind) => requested.has(kind)),
    }),
  }
}

/** `secret` makes the CSRF tokens of the form. */
export type Decider =
  | { kind: 'owner'; owner: AccountOwner; secret: string }
  | { kind: 'administrator'; acting: Acting; secret: string }
  | { kind: 'nobody' }
  | { kind: 'refused'; reason: 'signed out' | 'rights' }

interface DeciderVisit {
  options: { admin: AdminAuthentication; signIn: OwnerSignIn }
  visit: PageVisit
  request: AuthorizationRequest
  sent: URLSearchParams
}

/** A form is for one request only. */
export const formName = ({ client, redirectUri, challenge, resource }: AuthorizationRequest): string =>
  `consent ${client.id} ${redirectUri} ${challenge} ${resource.url}`

export async function findDecider({ options, visit, request, sent }: DeciderVisit): Promise<Decider> {
  const applicationId = request.application.id
  if (sent.get('as') === 'administrator') return administratorOf(options.admin, visit, applicationId)
  const owner = await options.signIn.ownerOf(visit, applicationId)
  return owner ? { kind: 'owner', owner, secret: owner.secret } : { kind: 'nobody' }
}

/** An administrator with a session, the application, and the right to see and change customer data. */
async function administratorOf(admin: AdminAuthentication, visit: PageVisit, applicationId: string): Promise<Decider> {
  // A client of another site leads here, and forms are no JSON. The page shows nothing to that site, and the form has
  // its own CSRF token, so the check for requests of the dashboard does not apply.
  const header = (name: string): string | null =>
    name === 'cookie' || name === 'host' || name === 'user-agent' ? visit.header(name) : null
  const acting = await admin.needSession({ method: 'GET', address: visit.address, header }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  })
  if (!acting?.session || acting.requiredAction !== null) return { kind: 'refused', reason: 'signed out' }
  const { rights } = acting
  const may = reaches(rights, applicationId) && rights.role !== 'viewer' && rights.customer_data
  if (!may) return { kind: 'refused', reason: 'rights' }
  return { kind: 'administrator', acting, secret: acting.session.hash }
}

/** Who decides about an agent: the owner of accounts, or an administrator. */
import { ApiError } from '@waypost/platform/api-error'
import type { AuthorizationRequest } from '../../../agents/oauth/authorization-request.ts'
import type { AccountOwner } from '../../../agents/owner-session.ts'
import type { Acting } from '../../../applications/acting.ts'
import type { AdminAuthentication } from '../../../applications/admin-authentication.ts'
import { reaches } from '../../../applications/rights.ts'
import type { PageVisit } from '../../pipeline/page.ts'
import type { OwnerSignIn } from './owner-sign-in.ts'

/** `secret` makes the CSRF tokens of the form. */
export type Decider =
  | { kind: 'owner'; owner: AccountOwner; secret: string }
  | { kind: 'administrator'; acting: Acting; secret: string }
  | { kind: 'nobody' }
  | { kind: 'refused'; reason: 'signed out' | 'rights' }

export interface DeciderVisit {
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

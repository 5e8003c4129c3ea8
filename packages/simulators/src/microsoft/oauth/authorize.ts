// The authorization endpoint: `GET` shows the page with the accounts and requested scopes, and its form posts the
// user's decision back to the same URL. https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
//
// The page is skipped if `login_hint` names a user and this user or an administrator has already granted all
// requested scopes, unless `prompt` requires it. Consent covers all scopes or none.
import { type RawAnswer, type RawRequest, textAnswer } from '../../shared/http.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { AadError } from './errors.ts'
import type { OAuth } from './oauth.ts'
import { consentPage, errorPage } from './pages.ts'
import { problemError } from './problems.ts'
import {
  type AuthorizationRequest,
  candidates,
  errorFields,
  RepliedError,
  readAuthorization,
  sendBack,
} from './request.ts'
import { isSignInScope, needsAdministrator, parseScopes } from './scopes.ts'

/** Shows the page, or redirects immediately if no consent is needed. */
export function beginAuthorization(oauth: OAuth, request: RawRequest, tenant: string): Promise<RawAnswer> {
  return replying(oauth, async () => {
    const wanted = readAuthorization(oauth, tenant, request.url.searchParams)
    const accounts = candidates(oauth, wanted)
    const hinted = findHinted(oauth, wanted, accounts)
    const isCovered = hinted !== undefined && covers(oauth, wanted, hinted)
    if (wanted.prompt === 'none') return silent(oauth, wanted, hinted)
    if (isCovered && wanted.prompt === undefined && oauth.problems.find(hinted.oid) === undefined) {
      return sendCode(oauth, wanted, hinted, wanted.scopes)
    }
    const { client, scopes } = wanted
    const shown = { action: request.url, client, scopes, accounts, chosen: hinted, forOrganization: false }
    return textAnswer(200, await consentPage(shown))
  })
}

/**
 * Handles the decision: `decision` is `allow` or `deny`, `account` is an email address, `refuse` lists scopes not
 * granted.
 */
export function decideAuthorization(oauth: OAuth, request: RawRequest, tenant: string): Promise<RawAnswer> {
  return replying(oauth, async () => {
    const wanted = readAuthorization(oauth, tenant, request.url.searchParams)
    const form = new URLSearchParams(new TextDecoder().decode(request.body))
    if (form.get('decision') !== 'allow') {
      const text = 'User declined to consent to access the app.'
      throw new RepliedError(wanted, new AadError('access_denied', 65004, text, { suberror: 'cancel' }))
    }
    const account = oauth.world.findAccount(form.get('account') ?? '')
    if (account === undefined || !candidates(oauth, wanted).includes(account)) throw notInTenant(account, wanted)
    const problem = oauth.problems.find(account.oid)
    if (problem === 'disabled' || problem === 'blockedByPolicy') throw problemError(problem, wanted.client.id)
    oauth.problems.solve(account.oid)
    const refused = parseScopes(form.getAll('refuse').join(' '))
    const given = wanted.scopes.filter((scope) => !refused.includes(scope))
    if (!covers(oauth, wanted, account)) checkAdministrator(oauth, wanted, account, given)
    return sendCode(oauth, wanted, account, given)
  })
}

/** With `prompt=none`, no page is shown. */
function silent(oauth: OAuth, wanted: AuthorizationRequest, hinted: AccountOwner | undefined): Promise<RawAnswer> {
  if (hinted === undefined) {
    const text = 'Session information is not sufficient for single-sign-on.'
    throw new RepliedError(wanted, new AadError('login_required', 50058, text))
  }
  const problem = oauth.problems.find(hinted.oid)
  if (problem !== undefined) {
    const { number, message } = problemError(problem, wanted.client.id)
    throw new RepliedError(wanted, new AadError('interaction_required', number, message))
  }
  if (!covers(oauth, wanted, hinted)) {
    const { number, message } = problemError('consentRequired', wanted.client.id)
    throw new RepliedError(wanted, new AadError('consent_required', number, message))
  }
  return sendCode(oauth, wanted, hinted, wanted.scopes)
}

function findHinted(
  { world }: OAuth,
  { loginHint }: AuthorizationRequest,
  accounts: readonly AccountOwner[],
): AccountOwner | undefined {
  const found = loginHint === undefined ? undefined : world.findAccount(loginHint)
  return found !== undefined && accounts.includes(found) ? found : undefined
}

/** Whether the user or an administrator has consented to all scopes. */
function covers({ grants, tenants }: OAuth, { client, scopes }: AuthorizationRequest, account: AccountOwner): boolean {
  const own = grants.consent(account.oid, client.id)?.scopes
  const all = tenants.scopes(account.tenant, client.id)
  return scopes.every((scope) => own?.has(scope) === true || all.has(scope) || (isSignInScope(scope) && all.size > 0))
}

/** Some permissions require an administrator; in some organizations all of them do. */
function checkAdministrator(
  { tenants }: OAuth,
  wanted: AuthorizationRequest,
  account: AccountOwner,
  scopes: readonly string[],
): void {
  if (account.isAdministrator || isPersonal(account)) return
  const given = tenants.scopes(account.tenant, wanted.client.id)
  const open = scopes.filter((scope) => !isSignInScope(scope) && !given.has(scope))
  if (open.length === 0) return
  if (tenants.usersMayConsent(account.tenant) && !open.some(needsAdministrator)) return
  const text = `An administrator of ${account.tenant.domain} has set a policy that prevents you from granting ${wanted.client.name ?? wanted.client.id} the permissions it is requesting.`
  throw new RepliedError(wanted, new AadError('access_denied', 90094, text))
}

function sendCode(
  { grants, codes }: OAuth,
  wanted: AuthorizationRequest,
  account: AccountOwner,
  scopes: readonly string[],
): Promise<RawAnswer> {
  const { client, redirectUri, nonce, challenge } = wanted
  grants.allow(account.oid, client.id, scopes)
  const offline = scopes.includes('offline_access')
  const code = codes.issue({ sub: account.oid, clientId: client.id, redirectUri, scopes, offline, nonce, challenge })
  return sendBack(wanted, { code, session_state: crypto.randomUUID() })
}

function notInTenant(account: AccountOwner | undefined, { client }: AuthorizationRequest): AadError {
  if (account === undefined) {
    return new AadError('invalid_grant', 50034, 'The user account does not exist in the directory.')
  }
  const text = `User account '${account.email}' from identity provider 'live.com' does not exist in tenant and cannot access the application '${client.id}' in that tenant. The account needs to be added as an external user in the tenant first. Sign out and sign in again with a different account.`
  return new AadError('interaction_required', 50020, text)
}

/** Errors are sent to the application if its redirect URI is valid, and shown to the user otherwise. */
export async function replying({ world }: OAuth, answer: () => Promise<RawAnswer>): Promise<RawAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof RepliedError) return sendBack(error.reply, errorFields(error.error, world.now()))
    if (error instanceof AadError) return textAnswer(400, await errorPage(error, world.now()))
    throw error
  }
}

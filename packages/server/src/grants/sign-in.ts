/**
 * A hosted sign-in: started by an application, bound to one browser by its cookie, and ended with a code for the
 * application or an error. If the provider has its own sign-in page, the user is sent there with PKCE and a state
 * that is valid once. The session, not the callback's content, determines which provider the user returns from.
 */

import { ApiError, invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import { newId, newToken } from '@waypost/platform/ids'
import type { OAuth } from '@waypost/providers/oauth'
import { needProvider } from '@waypost/providers/registry'
import type { ConnectorRow } from '@waypost/store/tables/applications/connectors'
import { findGrantByEmail, type GrantRecord } from '@waypost/store/tables/grants/grants'
import {
  claimState,
  countTryInSession,
  endLoginSession,
  findSessionByState,
  insertLoginSession,
  type LoginSessionRow,
  leaveForProvider,
} from '@waypost/store/tables/grants/login-sessions'
import { hashKey } from '../applications/api-keys.ts'
import { fieldsForProof, provenGrant } from './account-proof.ts'
import { makeCode, makeProofCode } from './authorization-codes.ts'
import { refuseBeyondLimit } from './grants.ts'
import type { Visitor } from './hosted-grants.ts'
import { accountKey, reservedAddress } from './locator.ts'
import { newProofKey } from './pkce.ts'
import type { SignInRequest, SignInTools } from './sign-in-request.ts'
import {
  type Authenticated,
  authenticate,
  clientFor,
  fixedScopes,
  kindOf,
  type Owner,
  refuseWiderScopes,
} from './verify-credentials.ts'

const sessionMs = 3_600_000
const stateMs = 600_000
/** Maximum number of credential attempts in one session. */
const maxTries = 10

export interface SignInSession {
  row: LoginSessionRow
  owner: Owner
  request: SignInRequest
}

/** Starts a sign-in for the browser with this cookie. */
export async function beginSignIn(
  { database, clock }: SignInTools,
  owner: Owner,
  request: SignInRequest,
  cookie: string,
): Promise<SignInSession> {
  const now = clock.now()
  const [only, second] = request.kinds
  const row: LoginSessionRow = {
    id: newId(),
    application_id: owner.id,
    cookie_hash: hashKey(cookie),
    request: JSON.stringify(request),
    provider: only !== undefined && second === undefined ? only : null,
    email: request.loginHint,
    state_hash: null,
    sealed_verifier: null,
    state_expires_at: null,
    tries: 0,
    created_at: now,
    expires_at: now + sessionMs,
    ended_at: null,
  }
  await insertLoginSession(database, row)
  return { row, owner, request }
}

/** The session for a provider's callback. Consumes its state. */
export async function sessionOfState(
  { database, clock }: SignInTools,
  state: string,
  cookie: string,
): Promise<LoginSessionRow | undefined> {
  const stateHash = hashKey(state)
  const row = await findSessionByState(database, { stateHash, cookieHash: hashKey(cookie), now: clock.now() })
  return row && (await claimState(database, row, stateHash)) ? row : undefined
}

/** The grant that a sign-in should re-authenticate, identified by the login hint. */
const hintedGrant = async (
  { database }: SignInTools,
  { owner, request, row }: SignInSession,
  kind = row.provider,
): Promise<GrantRecord | undefined> => {
  if (request.loginHint === null || reservedAddress(request.loginHint)) return undefined
  const record = await findGrantByEmail(database, owner.id, accountKey(kind ?? '', request.loginHint))
  return record?.status === 'unverified' ? undefined : record
}

/** The only accepted address when a grant is re-authenticated. */
export const fixedAddress = async (tools: SignInTools, session: SignInSession): Promise<string | undefined> =>
  (await hintedGrant(tools, session))?.grant.email

/** Refuses another account than the one to be re-authenticated. */
async function refuseOtherAddress(tools: SignInTools, session: SignInSession, email: string): Promise<void> {
  const expected = await fixedAddress(tools, session)
  if (expected === undefined || emailKey(expected) === emailKey(email)) return
  throw new ApiError('reauth_email_invalid', `the sign-in was for ${expected}, but the account ${email} was chosen`)
}

/**
 * Refuses a sign-in early if the application has reached its grant limit, before the user gives consent or a password
 * in vain. An address with a grant is re-authenticated. Without an address, a new account would be refused at the
 * end.
 */
async function refuseWhereFull(
  tools: SignInTools,
  { owner }: SignInSession,
  { kind, email }: { kind: string; email: string | null },
): Promise<void> {
  const key = email === null ? undefined : accountKey(kind, email)
  const holder = key === undefined ? undefined : await findGrantByEmail(tools.database, owner.id, key)
  if (holder && holder.status !== 'unverified') return
  await refuseBeyondLimit(tools.database, owner)
}

function needOAuth(tools: SignInTools, kind: string): OAuth {
  const { oauth } = needProvider(tools.providers, kind, 'connect.auth')
  if (!oauth) throw new Error(`${kind} has no sign-in page of its own`)
  return oauth
}

/**
 * The scopes to request: those of the request, otherwise the connector's, otherwise the defaults; in canonical
 * spelling. A proof needs none but those of the identity.
 */
function scopeFor(oauth: OAuth, { request }: SignInSession, connector: ConnectorRow): string[] {
  if (request.proves) return []
  const ofConnector: string[] = JSON.parse(connector.scope)
  const requested = request.scope?.length ? request.scope : ofConnector.length > 0 ? ofConnector : oauth.defaultScope
  return [...new Set(requested.map(oauth.canonicalScope))]
}

const contextOf = (row: LoginSessionRow) => ({
  table: 'login_sessions',
  column: 'sealed_verifier',
  application: row.application_id,
  row: row.id,
})

/** Records that the user is at the provider. The session's PKCE verifier is sealed meanwhile. */
export const leave = (
  { database, secrets, clock }: SignInTools,
  { row }: SignInSession,
  { kind, state, verifier }: { kind: string; state: string; verifier: string },
) =>
  leaveForProvider(database, row, {
    provider: kind,
    stateHash: hashKey(state),
    sealedVerifier: secrets.seal(verifier, contextOf(row)),
    expiresAt: clock.now() + stateMs,
  })

export const callbackOf = ({ baseUrl }: SignInTools): string => `${baseUrl}/v3/connect/callback`

/** The URL of the provider's own sign-in page for this session. */
export async function goToProvider(
  tools: SignInTools,
  session: SignInSession,
  kind: string,
  signal: AbortSignal,
): Promise<string> {
  const { database, secrets } = tools
  const oauth = needOAuth(tools, kind)
  if (!session.request.proves) await refuseWhereFull(tools, session, { kind, email: session.row.email })
  const { credentialId } = session.request
  const { connector, client } = await clientFor(database, secrets, { owner: session.owner, kind, credentialId })
  const hinted = await hintedGrant(tools, session, kind)
  const scope = scopeFor(oauth, session, connector)
  await refuseWiderScopes(database, { connector, oauth }, scope)
  const fixed = await fixedScopes(database, connector, oauth)
  const proof = newProofKey()
  const state = newToken()
  const url = oauth.signInUrl(
    client,
    {
      redirectUri: callbackOf(tools),
      state,
      codeChallenge: proof.challenge,
      scope: [...new Set([...oauth.identityScope, ...scope])],
      loginHint: session.row.email ?? undefined,
      // Without a stored refresh token of the account, only new consent returns one. A proof needs none.
      consent:
        !session.request.proves &&
        !(hinted?.status === 'valid' && hinted.grant.provider === kind && hinted.sealedCredentials !== null),
      // Scopes that the user granted to the same client earlier may exceed the fixed scopes of the connector.
      includeGranted: session.request.includeGranted && !session.request.proves && !fixed,
    },
    tools.ioFor(kind, signal),
  )
  await leave(tools, session, { kind, state, verifier: proof.verifier })
  return url
}

/** The parameters of a provider's callback. */
export interface ProviderAnswer {
  code: string
  issuer: string | undefined
}

/** Completes a sign-in after the provider's callback. Returns the code for the application. */
export async function comeBack(
  tools: SignInTools,
  session: SignInSession,
  answer: ProviderAnswer,
  at: { visitor: Visitor; signal: AbortSignal },
): Promise<string> {
  const { database, secrets } = tools
  const { row, owner, request } = session
  const kind = kindOf(row.provider ?? '')
  const oauth = needOAuth(tools, kind)
  const io = tools.ioFor(kind, at.signal)
  if (answer.issuer !== undefined && !oauth.isIssuer(answer.issuer, io)) {
    throw new ApiError('authentication_failed', 'the callback does not come from the provider of this sign-in')
  }
  const named = { owner, kind, credentialId: request.credentialId }
  const { connector, credentialId, client } = await clientFor(database, secrets, named)
  const codeVerifier = secrets.open(row.sealed_verifier ?? '', contextOf(row))
  const requested = scopeFor(oauth, session, connector)
  const exchanged = { code: answer.code, redirectUri: callbackOf(tools), codeVerifier, scope: requested }
  const tokens = await oauth.exchange(client, exchanged, io)
  const identity = await oauth.identify(client, tokens, io)
  // Checked first: a user who chose the wrong account should choose again, whatever else is wrong with it.
  await refuseOtherAddress(tools, session, identity.email)
  if (request.proves) return finishProof(tools, session, { connector, credentialId, identity, request: proofRequest })
  await refuseWiderScopes(database, { connector, oauth }, identity.scope)
  refuseMissingScopes(requested, identity.scope.map(oauth.canonicalScope))
  const account: Authenticated = {
    connector,
    credentialId,
    identity,
    request: { provider: kind, settings: {}, state: request.state },
  }
  const holder = await findGrantByEmail(database, owner.id, accountKey(kind, identity.email))
  if (!identity.credentials && !holder?.sealedCredentials) {
    throw new ApiError('authentication_failed', 'the provider returned no refresh token: start the sign-in again')
  }
  return finish(tools, session, account, { visitor: at.visitor, fixed: [] })
}

function refuseMissingScopes(requested: readonly string[], given: readonly string[]): void {
  const missing = requested.filter((scope) => !given.includes(scope))
  if (missing.length === 0) return
  throw new ApiError('scopes_conflict', `these scopes were not approved: ${missing.join(' ')}`)
}

/** Tries credentials from our own form. Returns the code for the application. */
export async function trySignIn(
  tools: SignInTools,
  session: SignInSession,
  written: { kind: string; email: string; fields: Record<string, string> },
  at: { visitor: Visitor; signal: AbortSignal },
): Promise<string> {
  const { database } = tools
  const { owner, request, row } = session
  const { form } = needProvider(tools.providers, written.kind, 'connect.auth')
  if (!form) throw new Error(`${written.kind} has no sign-in form`)
  if (!request.proves) await refuseWhereFull(tools, session, { kind: written.kind, email: written.email })
  if (!(await countTryInSession(database, row, maxTries))) throw new ApiError('login_id_invalid')
  const fields = request.proves
    ? await fieldsForProof(database, form, { owner, ...written }, written.fields)
    : written.fields
  const settings = form.settingsOf(written.email, fields, { sends: request.sends })
  const account = await authenticate(
    database,
    owner,
    {
      provider: written.kind,
      settings,
      state: request.state,
      ...(request.scope ? { scope: [...request.scope] } : {}),
      ...(request.credentialId === null ? {} : { credential_id: request.credentialId }),
    },
    { ...tools, ioFor: (kind) => tools.ioFor(kind, at.signal) },
  )
  if (request.proves) return finishProof(tools, session, account)
  return finish(tools, session, account, { visitor: at.visitor, fixed: form.fixed })
}

const proofRequest: Authenticated['request'] = { settings: {} }

/** Ends a sign-in that only proves who owns an account. */
async function finishProof(tools: SignInTools, session: SignInSession, account: Authenticated): Promise<string> {
  const { database, secrets, clock } = tools
  const { row, owner, request } = session
  await refuseOtherAddress(tools, session, account.identity.email)
  return database.transaction(async (tx) => {
    const now = clock.now()
    const { grant } = await provenGrant(tx, owner, account)
    if (!(await endLoginSession(tx, row, now))) throw new ApiError('login_id_invalid')
    return makeProofCode(tx, { applicationId: owner.id, grantId: grant.id, request }, { secrets, now })
  })
}

async function finish(
  tools: SignInTools,
  session: SignInSession,
  account: Authenticated,
  { visitor, fixed }: { visitor: Visitor; fixed: readonly string[] },
): Promise<string> {
  const { database, secrets, log, notify, clock } = tools
  const { row, owner, request } = session
  await refuseOtherAddress(tools, session, account.identity.email)
  const reserved = reservedAddress(account.identity.email)
  if (reserved) throw invalidField('email', reserved)
  return database.transaction(async (tx) => {
    const now = clock.now()
    if (!(await endLoginSession(tx, row, now))) throw new ApiError('login_id_invalid')
    const facts = {
      redirectUri: request.redirectUri,
      challenge: request.challenge ?? undefined,
      offline: request.offline,
      loginId: row.id,
      visitor,
      fixed,
    }
    return makeCode(tx, owner, account, facts, { secrets, log, notify, now })
  })
}

// Admin consent for a whole organization: to scopes of its users, and to application permissions without a user.
// https://learn.microsoft.com/entra/identity-platform/v2-admin-consent
import { type RawAnswer, type RawRequest, textAnswer } from '../../shared/http.ts'
import type { AccountOwner, Tenant } from '../owner.ts'
import { replying } from './authorize.ts'
import { AadError } from './errors.ts'
import { authorityOf, type MicrosoftClient, type OAuth } from './oauth.ts'
import { consentPage } from './pages.ts'
import { errorFields, RepliedError, type ReplyAddress, readClient, readReply, sendBack } from './request.ts'
import { parseScopes } from './scopes.ts'

interface AdminRequest {
  readonly client: MicrosoftClient
  readonly reply: ReplyAddress
  readonly scopes: readonly string[]
  readonly accounts: readonly AccountOwner[]
}

export function beginAdminConsent(oauth: OAuth, request: RawRequest, tenant: string): Promise<RawAnswer> {
  return replying(oauth, async () => {
    const { client, accounts, scopes } = read(oauth, request, tenant)
    const chosen = accounts.find(({ isAdministrator }) => isAdministrator)
    const shown = [...scopes.filter((scope) => scope !== '.default'), ...(client.roles ?? [])]
    const page = { action: request.url, client, scopes: shown, accounts, chosen, forOrganization: true }
    return textAnswer(200, await consentPage(page))
  })
}

export function decideAdminConsent(oauth: OAuth, request: RawRequest, tenant: string): Promise<RawAnswer> {
  return replying(oauth, async () => {
    const wanted = read(oauth, request, tenant)
    const form = new URLSearchParams(new TextDecoder().decode(request.body))
    const account = wanted.accounts.find(({ email }) => email === form.get('account')) ?? wanted.accounts[0]
    if (account === undefined) throw new AadError('invalid_request', 50034, 'The user account does not exist.')
    if (form.get('decision') !== 'allow') return decline(oauth, wanted, account.tenant)
    if (!account.isAdministrator) {
      const text = 'The request requires an administrator to consent to the application.'
      throw new RepliedError(wanted.reply, new AadError('access_denied', 90094, text))
    }
    const scopes = wanted.scopes.filter((scope) => scope !== '.default')
    const takesRoles = scopes.length < wanted.scopes.length || wanted.scopes.length === 0
    const roles = takesRoles ? (wanted.client.roles ?? []) : undefined
    oauth.tenants.consent(account.tenant, wanted.client.id, { scopes, roles })
    const scope = wanted.scopes.map((name) => `https://graph.microsoft.com/${name}`).join(' ')
    return sendBack(wanted.reply, {
      admin_consent: 'True',
      tenant: account.tenant.id,
      ...(scope !== '' && { scope }),
    })
  })
}

function decline({ world }: OAuth, { reply }: AdminRequest, { id }: Tenant): Promise<RawAnswer> {
  const error = new AadError(
    'consent_required',
    65004,
    'The resource owner or authorization server denied the request.',
  )
  return sendBack(reply, { ...errorFields(error, world.now()), admin_consent: 'True', tenant: id })
}

function read(oauth: OAuth, { url: { searchParams: query } }: RawRequest, tenant: string): AdminRequest {
  const authority = authorityOf(oauth.world, tenant)
  if (tenant === 'common') {
    throw new AadError(
      'invalid_request',
      900023,
      "Specified tenant identifier 'common' is neither a valid DNS name, nor a valid external domain.",
    )
  }
  const client = readClient(oauth, query, tenant)
  const reply = readReply(client, query)
  const accounts = [...oauth.world.accounts.values()].filter(authority.admits)
  return { client, reply, scopes: parseScopes(query.get('scope') ?? ''), accounts }
}

// The pages for users: account choice with the requested scopes, and errors that are not sent to the client.
import { html } from '../../shared/html.ts'
import { accountChoices, page } from '../../shared/oauth/page.ts'
import type { AccountOwner } from '../owner.ts'
import { type AadError, describe } from './errors.ts'
import type { MicrosoftClient } from './oauth.ts'
import { describeScope, isSignInScope } from './scopes.ts'

export interface ConsentPage {
  /** The target of the form: the URL of the request. */
  readonly action: URL
  readonly client: MicrosoftClient
  readonly scopes: readonly string[]
  readonly accounts: readonly AccountOwner[]
  readonly chosen: AccountOwner | undefined
  /** Whether an administrator consents for the whole organization. */
  readonly forOrganization: boolean
}

export async function consentPage(shown: ConsentPage): Promise<string> {
  const { action, client, scopes, accounts, chosen, forOrganization } = shown
  const name = client.name ?? client.id
  const permissions = scopes
    .filter((scope) => !isSignInScope(scope))
    .map((scope) => html`<li>${describeScope(scope)}</li>`)
  const keeps = scopes.includes('offline_access')
    ? html`<li>Maintain access to data you have given it access to</li>`
    : ''
  return page(
    'Sign in to your account - Simulated Microsoft',
    html`<h1>Sign in with Microsoft</h1>
<p>This is a simulated Microsoft.</p>
<form method="post" action="${action.pathname}${action.search}">
<fieldset><legend>Pick an account</legend>${accountChoices(accounts, chosen ?? accounts[0])}</fieldset>
<h2>${forOrganization ? 'Permissions requested: review for your organization' : 'Permissions requested'}</h2>
<p><strong>${name}</strong> (unverified) would like to:</p>
<ul>${permissions}${keeps}</ul>
<button type="submit" name="decision" value="deny">Cancel</button>
<button type="submit" name="decision" value="allow">Accept</button>
</form>`,
  )
}

export async function errorPage(error: AadError, now: number): Promise<string> {
  return page(
    'Sign in to your account - Simulated Microsoft',
    html`<h1>Sorry, but we’re having trouble signing you in.</h1><p>${describe(error, now)}</p>`,
  )
}

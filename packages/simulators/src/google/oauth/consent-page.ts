// The pages for users: account choice with the requested scopes, and errors that are not sent to the client.
import { html } from '../../shared/html.ts'
import type { OAuthClient } from '../../shared/oauth/clients.ts'
import type { OAuthError } from '../../shared/oauth/errors.ts'
import { accountChoices, page } from '../../shared/oauth/page.ts'
import type { AccountOwner } from '../owner.ts'
import { describeScope, isSignInScope } from './scopes.ts'

export interface ConsentPage {
  /** The target of the form: the URL of the request. */
  readonly action: URL
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  readonly accounts: readonly AccountOwner[]
  readonly chosen: AccountOwner | undefined
}

export async function consentPage({ action, client, scopes, accounts, chosen }: ConsentPage): Promise<string> {
  const first = chosen ?? accounts[0]
  const choices = accountChoices(accounts, first)
  const boxes = scopes
    .filter((scope) => !isSignInScope(scope))
    .map(
      (scope) =>
        html`<label><input type="checkbox" name="scope" value="${scope}" checked> ${describeScope(scope)}</label>`,
    )
  const name = client.name ?? client.id
  return page(
    'Sign in - Simulated Google Accounts',
    html`<h1>Sign in with Google</h1>
<p>This is a simulated Google. <strong>${name}</strong> wants to access your Google Account.</p>
<form method="post" action="${action.pathname}${action.search}">
<fieldset><legend>Choose an account</legend>${choices}</fieldset>
${boxes.length === 0 ? '' : html`<fieldset><legend>Select what ${name} can access</legend>${boxes}</fieldset>`}
<button type="submit" name="decision" value="deny">Cancel</button>
<button type="submit" name="decision" value="allow">Continue</button>
</form>`,
  )
}

export async function errorPage({ status, code, message }: OAuthError): Promise<string> {
  return page(
    'Error - Simulated Google Accounts',
    html`<h1>Access blocked: Authorization Error</h1><p>${message}</p><p>Error ${String(status)}: ${code}</p>`,
  )
}

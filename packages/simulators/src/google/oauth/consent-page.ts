// The pages a user sees: the choice of an account with what is asked for, and errors that are not sent back to the client.
import { html } from 'hono/html'
import type { AccountOwner } from '../owner.ts'
import type { OAuthClient } from './clients.ts'
import type { OAuthError } from './oauth.ts'
import { describeScope, isSignInScope } from './scopes.ts'

export interface ConsentPage {
  /** Where the form goes: the request as it came. */
  readonly action: URL
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  readonly accounts: readonly AccountOwner[]
  readonly chosen: AccountOwner | undefined
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1f1f1f;background:#fff}
fieldset{border:1px solid #747775;border-radius:.5rem;margin:1rem 0;padding:.5rem 1rem}label{display:block;padding:.3rem 0}
button{font:inherit;padding:.5rem 1.5rem;border-radius:1.5rem;border:1px solid #747775;background:#fff;margin-right:.5rem}
button[value=allow]{background:#0b57d0;color:#fff;border-color:#0b57d0}`

export async function consentPage({ action, client, scopes, accounts, chosen }: ConsentPage): Promise<string> {
  const first = chosen ?? accounts[0]
  const choices = accounts.map(
    (account) =>
      html`<label><input type="radio" name="account" value="${account.email}" ${account === first ? 'checked' : ''}> ${account.name} (${account.email})</label>`,
  )
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

async function page(title: string, content: ReturnType<typeof html>): Promise<string> {
  const whole = await html`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><main>${content}</main></body>
</html>`
  return whole.toString()
}

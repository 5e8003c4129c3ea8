// The page at `/`: lists the accounts, and explains how to point a connector at this Microsoft.
import { html } from '../shared/html.ts'
import { textAnswer, type WebRoute } from '../shared/http.ts'
import type { World } from './world.ts'

export function welcomeRoute(world: World, client: { readonly id: string; readonly secret: string }): WebRoute {
  return {
    method: 'GET',
    path: '/',
    async handle() {
      const accounts = world.accounts
        .values()
        .map(({ email, name, tenant }) => html`<li>${name} &lt;${email}&gt; (tenant ${tenant.id})</li>`)
      const page = html`<!DOCTYPE html>
<html lang="en">
  <meta charset="utf-8">
  <title>Simulated Microsoft</title>
  <h1>Simulated Microsoft</h1>
  <p>Sign-in and Graph at <code>${world.url}</code>. Everything is in memory and gone when this process ends.</p>
  <h2>Accounts</h2>
  <ul>${[...accounts]}</ul>
  <h2>Connector</h2>
  <p>Client id <code>${client.id}</code>, client secret <code>${client.secret}</code>, any redirect URI.
    The paths are those of Microsoft: put <code>${world.url}</code> where Microsoft has
    <code>https://login.microsoftonline.com</code> and <code>https://graph.microsoft.com</code>.</p>
</html>`
      return textAnswer(200, page.toString())
    },
  }
}

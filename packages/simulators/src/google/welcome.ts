// The page at `/`: lists the accounts, and explains how to point a connector at this Google.
import { html } from '../shared/html.ts'
import { textAnswer, type WebRoute } from '../shared/http.ts'
import type { World } from './world.ts'

export function welcomeRoute(world: World, client: { readonly id: string; readonly secret: string }): WebRoute {
  return {
    method: 'GET',
    path: '/',
    async handle() {
      const accounts = world.accounts.values().map(({ email, name }) => html`<li>${name} &lt;${email}&gt;</li>`)
      const page = html`<!DOCTYPE html>
<html lang="en">
  <meta charset="utf-8">
  <title>Simulated Google</title>
  <h1>Simulated Google</h1>
  <p>Sign-in, Gmail, Calendar and People at <code>${world.url}</code>. Everything is in memory and gone when this process ends.</p>
  <h2>Accounts</h2>
  <ul>${[...accounts]}</ul>
  <h2>Connector</h2>
  <p>Client id <code>${client.id}</code>, client secret <code>${client.secret}</code>, any redirect URI.
    The paths are those of Google: put <code>${world.url}</code> where Google has <code>https://accounts.google.com</code>,
    <code>https://oauth2.googleapis.com</code>, <code>https://openidconnect.googleapis.com</code>,
    <code>https://gmail.googleapis.com</code>, <code>https://www.googleapis.com</code> and
    <code>https://people.googleapis.com</code>.</p>
</html>`
      return textAnswer(200, page.toString())
    },
  }
}

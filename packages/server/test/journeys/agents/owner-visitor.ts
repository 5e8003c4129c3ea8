/** An owner of a mailbox with a browser without script, who signs in through the hosted pages to prove ownership. */

import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import type { TestService } from '../../harness.ts'
import { fieldsOf, type Seen, type Visitor } from '../sign-in/hosted-visitor.ts'

/** Connects a mailbox to an application, as the application does. */
export async function connectMailbox(
  service: TestService,
  key: string,
  { server, mailbox }: { server: MailServer; mailbox: Mailbox },
): Promise<string> {
  const settings = {
    imap_username: mailbox.user,
    imap_password: mailbox.password,
    imap_host: server.host,
    imap_port: server.imapsPort,
    smtp_host: server.host,
    smtp_port: server.smtpPort,
  }
  const answer = await service.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.data.id
}

/** Follows redirects until a page is shown. */
export async function follow(visitor: Visitor, seen: Seen): Promise<Seen> {
  let at = seen
  for (let hops = 0; at.location !== undefined && hops < 10; hops++) at = await visitor.get(at.location)
  return at
}

/** The path of the form on a page. */
export const actionOf = (seen: Seen): string =>
  (/<form method="post" action="([^"]*)"/.exec(seen.text)?.[1] ?? '').replaceAll('&amp;', '&')

/** Fills in the sign-in form on a page. Returns the response to the submission, before any redirect. */
export const submitSignIn = (visitor: Visitor, form: Seen, fields: Record<string, string>): Promise<Seen> =>
  visitor.post(actionOf(form), { ...fieldsOf(form.text), ...fields })

/** Opens a page, signs in if it requires that, and returns the resulting page. */
export async function openAsOwner(visitor: Visitor, path: string, mailbox: Mailbox): Promise<Seen> {
  let at = await follow(visitor, await visitor.get(path))
  if (at.text.includes('name="action" value="address"')) {
    at = await follow(visitor, await submitSignIn(visitor, at, { email: mailbox.user }))
  }
  if (!at.text.includes('name="action" value="sign-in"')) return at
  return follow(visitor, await submitSignIn(visitor, at, { imap_password: mailbox.password }))
}

/**
 * The pages of account owners: their content, the effect of a decision, and who cannot decide. The tests assume that
 * the agent reads all mail of the account, including the mail with the link.
 */

import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import type { SystemMessage } from '../../../src/sending/system-mail.ts'
import { storeApproval } from '../../agents/approval-setup.ts'
import { storeAgent } from '../../agents/stored-agent.ts'
import { openService, type TestService } from '../../harness.ts'
import { fieldsOf, newClient, type Seen, type Visitor, visitorOf } from '../sign-in/hosted-visitor.ts'
import { connectMailbox, follow, openAsOwner } from './owner-visitor.ts'

let server: MailServer
let service: TestService
const sent: SystemMessage[] = []
const clock = testClock()
beforeAll(async () => {
  server = await sharedDovecot()
  service = await openService({
    overrides: {
      clock,
      egress: createEgress({ mode: 'private', ca: [server.ca] }),
      findService: async () => undefined,
      findMailExchangers: async () => [],
      mail: {
        address: 'service@waypost.test',
        send: async (mail) => void sent.push(mail),
        [Symbol.asyncDispose]: async () => {},
      },
    },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

let client: { id: string; key: string }
let mailbox: Mailbox
let grantId: string
let visitor: Visitor
beforeEach(async () => {
  client = await newClient(service)
  await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
  mailbox = await server.addUser()
  grantId = await connectMailbox(service, client.key, { server, mailbox })
  visitor = visitorOf(service)
  // Attempts are counted per minute.
  clock.advance(60_000)
})

const ask = (more: Parameters<typeof storeApproval>[2] = {}) =>
  storeApproval(service, { applicationId: client.id, grantId }, more)
const statusOf = async (id: string): Promise<string> =>
  (await service.call('GET', `/v3/approvals/${id}`, { key: client.key })).body.data.status
const pageOf = (id: string): string => `/account/approvals/${id}?client_id=${client.id}`
const accountPage = (): string => `/account?client_id=${client.id}`

/** The fields of the form for a decision. */
function formFor(page: Seen, decision: string): Record<string, string> {
  const form = page.text
    .split('<form ')
    .find((each) => each.includes(`name="decision" value="${decision}"`) || each.includes(`/${decision}?`))
  if (form === undefined) throw new Error(`no form for ${decision}`)
  return fieldsOf(form.split('</form>')[0] ?? '')
}

/** Sends due mails, as the node does. Returns those to the account. */
async function sendMails(): Promise<SystemMessage[]> {
  clock.advance(30_000)
  await doJobs(service.services)
  await doJobs(service.services)
  return sent.filter(({ to }) => to === mailbox.user)
}

describe('the page of an approval', () => {
  const preview = {
    recipients: [
      { role: 'to', email: 'ann@example.net', name: 'Ann <b>' },
      { role: 'bcc', email: 'secret@example.org' },
    ],
    subject: 'Invoice <script>alert(1)</script>',
    text: `Hello Ann,\n${'line\n'.repeat(3_000)}hidden \u202Eevil\u202C and \u200B end`,
    attachments: [{ filename: 'in\u202Evoice.pdf', content_type: 'application/pdf', size: 20_480 }],
    details: [{ label: 'Send at', value: '2026-12-01 10:00' }],
  }

  test('shows recipients, the complete text, attachments and details, and makes invisible characters visible', async () => {
    const { id } = await ask({ preview })
    const page = await openAsOwner(visitor, pageOf(id), mailbox)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Assistant wants to send a message')
    expect(page.text).toContain('ann@example.net')
    expect(page.text).toContain('secret@example.org')
    expect(page.text).toContain('Ann &lt;b&gt;')
    expect(page.text).toContain('Invoice &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.text).toContain('hidden <span class="code">U+202E</span>evil<span class="code">U+202C</span>')
    expect(page.text).toContain('<span class="code">U+200B</span> end')
    expect(page.text).toContain('in<span class="code">U+202E</span>voice.pdf')
    expect(page.text.match(/line\n/g)).toHaveLength(3_000)
    expect(page.text).toContain('20.5 kB')
    expect(page.text).toContain('2026-12-01 10:00')
    expect(page.text).not.toMatch(/[\u202A-\u202E\u200B]/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await statusOf(id)).toBe('pending')
  })

  test('is shown in the language of the reader', async () => {
    const { id } = await ask()
    await openAsOwner(visitor, pageOf(id), mailbox)
    const german = await visitor.get(pageOf(id), { 'accept-language': 'de' })
    expect(german.text).toContain('Assistant möchte eine Nachricht senden')
    expect(german.text).toContain('Freigeben und senden')
    const french = await visitor.get(`${pageOf(id)}&ui_locales=fr`, { 'accept-language': 'de' })
    expect(french.text).toContain('Approuver et envoyer')
    expect(french.text).toContain('ui_locales=fr')
  })

  test('rejects with a reason, and shows who decided', async () => {
    const { id } = await ask()
    const page = await openAsOwner(visitor, pageOf(id), mailbox)
    const answer = await visitor.post(pageOf(id), { ...formFor(page, 'reject'), reason: 'wrong Ann' })
    expect(answer.status).toBe(303)
    const after = await follow(visitor, answer)
    expect(after.text).toContain('It was rejected. Nothing happened.')
    expect(after.text).toContain('Reason: wrong Ann')
    expect(after.text).toContain(`${mailbox.user} (account owner)`)
    expect(after.text).not.toContain('name="decision"')
    const { body } = await service.call('GET', `/v3/approvals/${id}`, { key: client.key })
    expect(body.data).toMatchObject({ status: 'rejected', reason: 'wrong Ann' })
  })

  test('approves once, however often the form is sent, and repeats nothing when it is reloaded', async () => {
    const { id } = await ask()
    const carried: string[] = []
    service.services.agents.approvals.carryOutWith(async ({ record }) => {
      carried.push(record.id)
      return { status: 200, body: JSON.stringify({ data: { id: 'message' } }), isTemporary: false, isUnknown: false }
    })
    const page = await openAsOwner(visitor, pageOf(id), mailbox)
    const form = formFor(page, 'approve')
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.post(pageOf(id), form)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    const late = await visitor.post(pageOf(id), formFor(page, 'reject'))
    const after = await follow(visitor, late)
    expect(after.text).toContain('It was approved and carried out.')
    await visitor.get(pageOf(id))
    expect(carried).toEqual([id])
    expect(await statusOf(id)).toBe('executed')
  })

  test('shows why an approved action failed', async () => {
    const { id } = await ask()
    service.services.agents.approvals.carryOutWith(async () => ({
      status: 403,
      body: JSON.stringify({ error: { message: 'the server <refused> it' } }),
      ...{ isTemporary: false, isUnknown: false },
    }))
    const page = await openAsOwner(visitor, pageOf(id), mailbox)
    const after = await follow(visitor, await visitor.post(pageOf(id), formFor(page, 'approve')))
    expect(after.text).toContain('It was approved, but it could not be carried out.')
    expect(after.text).toContain('the server &lt;refused&gt; it')
  })

  test('shows an approval that expired, or that somebody else decided, without buttons', async () => {
    const decided = await ask()
    const late = await ask()
    const page = await openAsOwner(visitor, pageOf(decided.id), mailbox)
    await service.call('POST', `/v3/approvals/${decided.id}/reject`, { key: client.key, body: {} })
    const after = await follow(visitor, await visitor.post(pageOf(decided.id), formFor(page, 'approve')))
    expect(after.text).toContain('It was rejected. Nothing happened.')
    expect(await statusOf(decided.id)).toBe('rejected')
    clock.advance(73 * 3_600_000)
    const expired = await openAsOwner(visitor, pageOf(late.id), mailbox)
    expect(expired.text).toContain('Nobody decided in time. Nothing happened.')
    expect(expired.text).not.toContain('name="decision"')
  })

  test('lists pending and past approvals, and signs out', async () => {
    const waiting = await ask()
    const over = await ask()
    await service.call('POST', `/v3/approvals/${over.id}/reject`, { key: client.key, body: {} })
    const page = await openAsOwner(visitor, accountPage(), mailbox)
    expect(page.text).toContain(mailbox.user)
    const [before = '', after = ''] = page.text.split('Last 30 days')
    expect(before).toContain(waiting.id)
    expect(before).not.toContain(over.id)
    expect(after).toContain(over.id)
    const out = await visitor.post(`/account/sign-out?client_id=${client.id}`, formFor(page, 'sign-out'))
    expect(out.text).toContain('You are signed out.')
    expect((await visitor.get(accountPage())).status).toBe(302)
  })
})

describe('connected agents', () => {
  const agentAt = async (id: string) => (await service.call('GET', `/v3/agents/${id}`, { key: client.key })).body.data
  const connect = (grantIds: string[], more = {}) =>
    storeAgent(service, { applicationId: client.id, grantIds, ...more })

  test('are listed with their rights in plain words, and disconnected with one button', async () => {
    const rights = { operations: ['mail.read', 'mail.send', 'mcp'], approval: ['send'], recipients: ['example.com'] }
    const { id } = await connect([grantId], { rights })
    const page = await openAsOwner(visitor, accountPage(), mailbox)
    for (const words of ['Read your mail', 'Send mail in your name', 'send mail.', 'example.com', 'Not used yet']) {
      expect(page.text).toContain(words)
    }
    const path = `/account/agents/${id}/disconnect?client_id=${client.id}`
    expect((await visitor.post(path, { csrf: 'x'.repeat(43) })).status).toBe(403)
    expect((await agentAt(id)).status).toBe('active')
    const after = await follow(visitor, await visitor.post(path, formFor(page, 'disconnect')))
    expect(after.text).toContain('The agent is disconnected.')
    expect(after.text).toContain('No agent can use your account.')
    expect((await agentAt(id)).status).toBe('disconnected')
  })

  test('keep the accounts of other owners', async () => {
    const other = await connectMailbox(service, client.key, { server, mailbox: await server.addUser() })
    const { id } = await connect([grantId, other])
    const page = await openAsOwner(visitor, accountPage(), mailbox)
    await visitor.post(`/account/agents/${id}/disconnect?client_id=${client.id}`, formFor(page, 'disconnect'))
    expect(await agentAt(id)).toMatchObject({ status: 'active', grant_ids: [other] })
  })

  test('of other accounts are neither shown nor disconnected', async () => {
    const other = await connectMailbox(service, client.key, { server, mailbox: await server.addUser() })
    const own = await connect([grantId])
    const foreign = await connect([other])
    const page = await openAsOwner(visitor, accountPage(), mailbox)
    expect(page.text).toContain(own.id)
    expect(page.text).not.toContain(foreign.id)
    const fields = formFor(page, 'disconnect')
    const answer = await visitor.post(`/account/agents/${foreign.id}/disconnect?client_id=${client.id}`, fields)
    expect(answer.status).toBe(403)
    expect((await agentAt(foreign.id)).status).toBe('active')
  })
})

describe('nothing is decided', () => {
  test('by a person who has only the link', async () => {
    const { id } = await ask()
    for (const decision of ['approve', 'draft', 'reject']) {
      const answer = await visitor.post(pageOf(id), { decision, csrf: 'x'.repeat(43) })
      expect(answer.status).toBe(302)
      expect(answer.location).toContain('/v3/connect/auth')
    }
    const shown = await visitor.get(pageOf(id))
    expect(shown.text).not.toContain('ann@example.net')
    expect(await statusOf(id)).toBe('pending')
  })

  test('by an agent that reads the mail, opens its links, and sends its own credential and forms', async () => {
    const { id } = await ask()
    const [mail] = await sendMails()
    const links = [...(mail?.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([link]) => link)
    expect(links).toHaveLength(1)
    for (const link of links) {
      for (const authorization of [`Bearer ${client.key}`, 'Bearer wpag_x', undefined]) {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
        const agent = visitorOf(service)
        await follow(agent, await agent.get(link, headers))
        for (const decision of ['approve', 'draft', 'reject']) await agent.post(link, { decision }, headers)
      }
    }
    expect(await statusOf(id)).toBe('pending')
    expect(server.relayed.filter(({ from }) => from === mailbox.user)).toEqual([])
  })

  test('by the owner of another account, of the same or of another application', async () => {
    const { id } = await ask()
    const other = await server.addUser()
    await connectMailbox(service, client.key, { server, mailbox: other })
    const seen = await openAsOwner(visitor, accountPage(), other)
    expect(seen.text).toContain(other.user)
    expect(seen.text).not.toContain(id)
    const page = await visitor.get(pageOf(id))
    expect(page.status).toBe(404)
    expect(page.text).not.toContain('ann@example.net')
    const token = formFor(seen, 'sign-out').csrf ?? ''
    expect((await visitor.post(pageOf(id), { decision: 'approve', csrf: token })).status).toBe(404)
    const foreign = await newClient(service)
    await service.call('POST', '/v3/connectors', { key: foreign.key, body: { provider: 'imap' } })
    await connectMailbox(service, foreign.key, { server, mailbox })
    const elsewhere = visitorOf(service)
    await openAsOwner(elsewhere, `/account?client_id=${foreign.id}`, mailbox)
    const at = `/account/approvals/${id}?client_id=${foreign.id}`
    expect((await elsewhere.get(at)).status).toBe(404)
    expect((await elsewhere.post(at, { decision: 'approve' })).status).toBe(404)
    expect((await elsewhere.post(pageOf(id), { decision: 'approve' })).status).toBe(302)
    expect(await statusOf(id)).toBe('pending')
  })

  test('without the token of the form, with that of another form, or from another site', async () => {
    const { id } = await ask()
    const second = await ask()
    const page = await openAsOwner(visitor, pageOf(id), mailbox)
    const good = formFor(page, 'approve')
    const otherForm = formFor(await visitor.get(pageOf(second.id)), 'approve')
    const forged = ['', 'x'.repeat(43), otherForm.csrf ?? '']
    for (const fields of [{ decision: 'approve' }, ...forged.map((csrf) => ({ decision: 'approve', csrf }))]) {
      const answer = await visitor.post(pageOf(id), fields)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('Nothing changed.')
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await visitor.post(pageOf(id), good, { 'sec-fetch-site': site })).status).toBe(403)
    }
    expect((await visitor.post(pageOf(id), { ...good, decision: 'execute' })).status).toBe(403)
    expect(await statusOf(id)).toBe('pending')
  })

  test('by GET, whatever the query says', async () => {
    const { id } = await ask()
    const page = await openAsOwner(visitor, pageOf(id), mailbox)
    const query = new URLSearchParams(formFor(page, 'approve'))
    expect((await visitor.get(`${pageOf(id)}&${query}`)).status).toBe(200)
    expect(await statusOf(id)).toBe('pending')
  })

  test('on a page without an application, or with one that does not exist', async () => {
    for (const path of ['/account', '/account?client_id=x', `/account/approvals/x?client_id=${client.id}x`]) {
      const page = await visitor.get(path)
      expect(page.status).toBe(400)
      expect(page.headers.get('content-type')).toContain('text/html')
    }
  })
})

describe('the mail to the owner', () => {
  test('names who asks, the kind, the recipients and the subject, but not the text, and is sent once', async () => {
    const { id } = await ask({
      preview: {
        recipients: [
          { role: 'to', email: 'ann@example.net' },
          { role: 'cc', email: 'bob@example.net' },
        ],
        subject: 'Contract \u202Ehttps://evil.example/x <b>',
        text: 'THE WHOLE TEXT',
        attachments: [],
        details: [],
      },
    })
    await sendMails()
    const mails = await sendMails()
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail).toMatchObject({ to: mailbox.user, subject: 'Approval needed: Assistant wants to send a message' })
    expect(mail?.text).toContain('Recipients: 2')
    expect(mail?.text).toContain('Subject: Contract [link] <b>')
    expect(mail?.text).toContain(`/account/approvals/${id}?client_id=${client.id}`)
    const whole = JSON.stringify(mail)
    expect(whole).not.toContain('THE WHOLE TEXT')
    expect(whole).not.toContain('ann@example.net')
    expect(whole).not.toContain('evil.example')
    expect(mail && 'html' in mail ? mail.html : '').toContain('Contract [link] &#60;b&#62;')
    // The mail is not sent through the account.
    expect(server.relayed.filter(({ from }) => from === mailbox.user)).toEqual([])
  })

  test('is not sent about a decided approval, and not sent repeatedly', async () => {
    const decided = await ask()
    await service.call('POST', `/v3/approvals/${decided.id}/reject`, { key: client.key, body: {} })
    expect(await sendMails()).toEqual([])
    for (let count = 0; count < 8; count++) await ask()
    expect(await sendMails()).toHaveLength(5)
  })

  test('is not sent beyond the quota of the application, and the approval waits all the same', async () => {
    await service.call('PATCH', `/v3/admin/applications/${client.id}`, { admin: true, body: { mail_per_day: 0 } })
    const { id } = await ask()
    expect(await sendMails()).toEqual([])
    expect(await statusOf(id)).toBe('pending')
  })

  test('is not sent for a virtual account, which nobody can sign in to', async () => {
    const { id } = await service.createGrant('virtual@example.test', client.key)
    await storeApproval(service, { applicationId: client.id, grantId: id })
    await sendMails()
    expect(sent.filter(({ to }) => to === 'virtual@example.test')).toEqual([])
  })
})

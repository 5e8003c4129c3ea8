/**
 * An approval by the owner of a real IMAP account, in a real browser: a restricted key asks to send, the mail with the
 * link arrives, the owner opens it, signs in, reads, approves, and the message is sent once.
 */

import { createEgress } from '@waypost/platform/egress/egress'
import { type BrowserPeer, barriersOf, complaintsOf, phone, sharedBrowser } from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { type SmtpSink, startSmtpSink } from '@waypost/testing/peers/smtp-sink'
import { simpleParser } from 'mailparser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { languages } from '../../../src/api/pages/hosted/languages.ts'
import { storeAgent } from '../../agents/stored-agent.ts'
import { openService, type TestService } from '../../harness.ts'
import { connectMailbox } from './owner-visitor.ts'

let browser: BrowserPeer
let server: MailServer
let relay: SmtpSink
let service: TestService
let client: { id: string; key: string }
let restricted: string
let mailbox: Mailbox
let grantId: string

beforeAll(async () => {
  ;[browser, server] = await Promise.all([sharedBrowser(), sharedDovecot()])
  // The service's own mail identity, whose mail arrives in the mailboxes of the server.
  relay = await startSmtpSink({
    onTake: async ({ to, source }) => {
      for (const address of to) await server.deliver(address, source)
    },
  })
  service = await openService({
    env: {
      WAYPOST_PORT: String(await freePort()),
      WAYPOST_SMTP_URL: `smtp://127.0.0.1:${relay.port}`,
      WAYPOST_MAIL_FROM: 'Waypost <service@waypost.test>',
    },
    overrides: {
      egress: createEgress({ mode: 'private', trustLoopback: true, ca: [server.ca] }),
      findMailExchangers: async () => [],
      findService: async () => undefined,
      ownerMailDelayMs: 0,
    },
  })
  await service.listen()
  client = await service.createApplication('Acme Mail')
  await service.call('POST', '/v3/connectors', { key: client.key, body: { provider: 'imap' } })
  mailbox = await server.addUser()
  grantId = await connectMailbox(service, client.key, { server, mailbox })
  const made = await service.call('POST', `/v3/admin/applications/${client.id}/api-keys`, {
    admin: true,
    body: { name: 'Desk assistant', rights: { operations: ['mail.read', 'mail.send'], grants: { ids: [grantId] } } },
  })
  expect(made.status).toBeLessThan(300)
  restricted = made.body.data.api_key
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await Promise.all([browser, server, relay].map((peer) => peer?.[Symbol.asyncDispose]()))
})

/** The page is accessible, not wider than the screen, and violated no policy. */
async function expectGood(page: Page): Promise<void> {
  expect(await barriersOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  expect(complaintsOf(page)).toEqual([])
}

/** The restricted key asks to send a message. Returns the id of the approval. */
async function askToSend(subject: string): Promise<string> {
  const answer = await service.call('POST', `/v3/grants/${grantId}/messages/send`, {
    key: restricted,
    body: {
      to: [{ name: 'Ann Example', email: 'ann@example.net' }],
      cc: [{ email: 'bob@example.net' }],
      subject,
      body: `<p>Dear Ann,</p><p>${'a long line of text '.repeat(12)}</p><p>evil \u202Ereversed</p>`,
    },
  })
  expect(answer.status).toBe(202)
  return answer.body.data.id
}

/** The link in the mail that arrived in the mailbox, read with IMAP. */
async function linkInMailbox(approvalId: string): Promise<string> {
  const reader = await server.client(mailbox.user)
  const links = async (): Promise<string[]> => {
    const { exists } = await reader.mailboxOpen('INBOX')
    const sources = exists === 0 ? [] : await Array.fromAsync(reader.fetch('1:*', { source: true }))
    const mails = await Promise.all(sources.map(({ source }) => simpleParser(source ?? Buffer.alloc(0))))
    return mails.flatMap(({ text = '' }) => /https?:\/\/\S+/.exec(text)?.[0] ?? [])
  }
  try {
    return await vi.waitFor(
      async () => {
        const link = (await links()).find((each) => each.includes(approvalId))
        if (link === undefined) throw new Error('no mail with the link yet')
        return link
      },
      { timeout: 60_000, interval: 200 },
    )
  } finally {
    await reader.logout()
  }
}

const sentMessages = () => server.relayed.filter(({ from }) => from === mailbox.user)

test('the owner follows the link in the mail, signs in, reads and approves, and the message is sent once', async () => {
  const id = await askToSend('Offer for Ann')
  const link = await linkInMailbox(id)
  const page = await browser.newPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Sign in to your account' }).waitFor()
  await page.getByText('We do not store it.').waitFor()
  await expectGood(page)
  await page.getByLabel('Password', { exact: true }).fill(mailbox.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Desk assistant wants to send a message' }).waitFor()
  await page.getByText('ann@example.net').waitFor()
  await page.getByText('Offer for Ann').waitFor()
  await page.getByText('U+202E', { exact: true }).waitFor()
  await expectGood(page)
  expect(sentMessages()).toEqual([])
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await page.getByText('It was approved and carried out.').waitFor()
  await expectGood(page)
  await page.reload()
  await page.getByText('It was approved and carried out.').waitFor()
  expect(sentMessages()).toHaveLength(1)
  expect(sentMessages()[0]?.to.toSorted()).toEqual(['ann@example.net', 'bob@example.net'])
  await page.context().close()
})

test('the owner saves a draft and disconnects an agent on a phone, in dark mode and in German', async () => {
  const id = await askToSend('Second offer')
  await storeAgent(service, {
    applicationId: client.id,
    grantIds: [grantId],
    rights: { operations: ['mail.read', 'mail.draft', 'calendar.read'] },
  })
  const page = await browser.newPage({ ...phone, colorScheme: 'dark', locale: 'de-DE' })
  await page.goto(`${service.services.config.baseUrl}/account?client_id=${client.id}`)
  await page.getByLabel('E-Mail-Adresse').fill(mailbox.user)
  await page.keyboard.press('Enter')
  await page.getByLabel('Passwort', { exact: true }).fill(mailbox.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Agenten und Freigaben' }).waitFor()
  await expectGood(page)
  await page.getByRole('link', { name: 'Second offer' }).click()
  await page.getByRole('heading', { name: 'Desk assistant möchte eine Nachricht senden' }).waitFor()
  await expectGood(page)
  for (const { tag } of languages) {
    for (const path of ['/account', `/account/approvals/${id}`]) {
      await page.goto(`${service.services.config.baseUrl}${path}?client_id=${client.id}&ui_locales=${tag}`)
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), tag).toBe(true)
      expect(await page.evaluate('document.documentElement.lang')).toBe(tag)
    }
  }
  await page.goto(`${service.services.config.baseUrl}/account/approvals/${id}?client_id=${client.id}`)
  await page.getByRole('button', { name: 'Als Entwurf zum Bearbeiten speichern' }).click()
  await page.getByText('Es wurde als Entwurf gespeichert.').waitFor()
  const { body } = await service.call('GET', `/v3/approvals/${id}`, { key: client.key })
  expect(body.data.status).toBe('drafted')
  const drafts = await service.call('GET', `/v3/grants/${grantId}/drafts`, { key: client.key })
  expect(drafts.body.data.map(({ subject }: { subject: string }) => subject)).toContain('Second offer')
  await page.getByRole('link', { name: 'Alle Agenten und Freigaben' }).click()
  await page.getByRole('button', { name: 'Assistant trennen' }).click()
  await page.getByText('Der Agent ist getrennt.').waitFor()
  await expectGood(page)
  expect(sentMessages().some(({ source }) => source.includes('Second offer'))).toBe(false)
  await page.context().close()
})

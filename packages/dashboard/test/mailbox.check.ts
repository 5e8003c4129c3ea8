/** The mailbox of a grant in a real browser: of a real IMAP server, and of Google. */
import { readFile } from 'node:fs/promises'
import { createEgress } from '@waypost/platform/egress/egress'
import { barriersOf, colourRules, phone } from '@waypost/testing/peers/browser'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { type GoogleSimulator, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { type LetterParts, letterOf, newsletter, pictureOf } from './letters.ts'
import { refusals, screenshot } from './sweep.ts'

let server: MailServer
let google: GoogleSimulator
let dashboard: Dashboard
let page: Page
let user: string
let grant: string

const own = 'ada@mail.test'
const drawing = Buffer.from('%PDF-1.7 a drawing of the harbour')
const plan = { from: 'Jonas Weber <jonas@example.org>', to: own }
const letters: readonly (LetterParts & { flags?: string[]; folder?: string })[] = [
  {
    ...plan,
    subject: 'Harbour plan',
    id: 'plan1@x',
    text: 'Look at https://harbour.example/plan <soon>.',
    flags: ['\\Seen'],
  },
  {
    from: own,
    to: 'jonas@example.org',
    subject: 'Re: Harbour plan',
    id: 'plan2@x',
    answers: 'plan1@x',
    text: 'I will.',
    folder: 'Sent',
  },
  {
    ...{ ...plan, subject: 'Re: Harbour plan', id: 'plan3@x', answers: 'plan2@x' },
    html: '<p>Perfect, <b>thanks</b>. See <a href="https://evil.example/x">https://harbour.example</a></p>',
    files: [{ name: 'drawing.pdf', type: 'application/pdf', bytes: drawing }],
  },
  {
    ...{ from: 'Coast Society <letters@coast.example>', to: own, subject: 'The lighthouse letter' },
    html: newsletter('https://tracker.invalid'),
    files: [{ name: 'logo.png', type: 'image/png', bytes: pictureOf(217, 98, 43), contentId: 'logo@letter' }],
  },
]

const flagsOf = async (subject: string, folder = 'INBOX'): Promise<ReadonlySet<string> | undefined> => {
  await using client = await server.client(user)
  const { exists } = await client.mailboxOpen(folder, { readOnly: true })
  const all = exists === 0 ? [] : await client.fetchAll('1:*', { envelope: true, flags: true })
  return all.findLast(({ envelope }) => envelope?.subject === subject)?.flags
}

beforeAll(async () => {
  server = await sharedDovecot()
  google = await startGoogle()
  const egress = createEgress({ mode: 'private', ca: [server.ca] })
  const env = { WAYPOST_GOOGLE_URL: google.url, WAYPOST_POLL_SECONDS: '1' }
  dashboard = await openDashboard({ env, overrides: { egress, serving: true } })
  const { key } = dashboard.application
  const account = await server.addUser('ada')
  user = account.user
  await using client = await server.client(user)
  for (const folder of ['Projects', 'Projects/Harbour']) await client.mailboxCreate(folder)
  let at = Date.UTC(2026, 10, 2)
  for (const { flags, folder, ...parts } of letters) {
    at += 3_600_000
    await server.deliver(user, letterOf(parts), {
      date: new Date(at),
      ...(flags ? { flags } : {}),
      ...(folder ? { folder } : {}),
    })
  }
  await dashboard.service.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
  const settings = {
    ...{ imap_username: user, imap_password: account.password, imap_host: server.host, imap_port: server.imapsPort },
    ...{ smtp_host: server.host, smtp_port: server.smtpPort },
  }
  const made = await dashboard.service.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
  grant = made.body.data.id
  page = await dashboard.open({ viewport: { width: 1440, height: 900 } })
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const line = (text: string) => page.getByRole('list', { name: 'Messages' }).getByRole('link').filter({ hasText: text })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()
const frame = () => page.frameLocator('iframe.message-frame').last()
/** Evaluates an expression in the frame of the last message. */
const inFrame = async (of: Page, expression: string): Promise<unknown> =>
  (await (await of.locator('iframe.message-frame').last().elementHandle())?.contentFrame())?.evaluate(expression)
const shown = () => page.locator('iframe[data-shown]').last().waitFor()
const saved = async (work: () => Promise<void>) => {
  const [file] = await Promise.all([page.waitForEvent('download'), work()])
  return file
}
const read = async (id = grant, rest = ''): Promise<void> => {
  await dashboard.visit(page, `/grants/${id}/mail${rest}`)
  await page.getByRole('list', { name: 'Messages' }).waitFor()
}

describe('on an IMAP server', () => {
  test('composing is offered only if the account can send', async () => {
    const { service, application } = dashboard
    const other = await server.addUser('reader')
    await server.deliver(other.user, letterOf({ ...plan, to: other.user, subject: 'Only to be read', text: 'Hello.' }))
    const settings = {
      ...{ imap_username: other.user, imap_password: other.password },
      ...{ imap_host: server.host, imap_port: server.imapsPort },
    }
    const body = { provider: 'imap', settings }
    const made = await service.call('POST', '/v3/connect/custom', { key: application.key, body })
    await read(made.body.data.id)
    await line('Only to be read').click()
    await shown()
    expect((await button('Write').count()) + (await button('Reply').count())).toBe(0)
    await read()
    await button('Write').waitFor()
  })

  test('a mailbox shows its owner, folders with unread counts, and conversations', async () => {
    await dashboard.visit(page, `/grants/${grant}`)
    await page.getByRole('link', { name: 'Mail', exact: true }).click()
    await page.getByText(`You are viewing ${own}’s data. Access is logged.`).waitFor()
    const folders = page.getByRole('navigation', { name: 'Folders' })
    await folders.getByRole('link', { name: 'Inbox 2 unread' }).waitFor()
    const names = await folders.getByRole('link').allInnerTexts()
    expect(names[0]).toMatch(/^Inbox/)
    expect(names.indexOf('Harbour')).toBe(names.indexOf('Projects') + 1)
    expect(await line('Harbour plan').innerText()).toMatch(/Jonas Weber\s*3/)
    expect(await barriersOf(page)).toEqual([])
  })

  test('a message shows its styles and inline images, loads nothing remote, and stays unread', async () => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await line('The lighthouse letter').click()
    await shown()
    const color = "getComputedStyle(document.querySelector('.lead')).backgroundColor"
    expect(await inFrame(page, color)).toBe('rgb(20, 54, 92)')
    const width = "document.querySelector('img[alt=Logo]').naturalWidth"
    await vi.waitFor(async () => expect(await inFrame(page, width)).toBe(48))
    await page.getByText('Remote images are blocked').waitFor()
    expect(requested.filter((url) => !url.startsWith(dashboard.base) && !url.startsWith('blob:'))).toEqual([])
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'mailbox-message')
    await button('Load images').click()
    await vi.waitFor(() => expect(requested).toContain('https://tracker.invalid/open.gif'))
    await shown()
    expect(await page.getByText('Remote images are blocked').count()).toBe(0)
    expect(await flagsOf('The lighthouse letter')).toEqual(new Set())
    await vi.waitFor(async () => {
      const { body } = await dashboard.service.call('GET', '/v3/admin/audit?kind=read&action=messages.get', {
        admin: true,
      })
      expect(body.data[0]).toMatchObject({ grant_id: grant, actor: 'session', status: 200 })
    }, 30_000)
  })

  test('a link shows its target before it is opened, with a warning if its text names another host', async () => {
    await line('Harbour plan').click()
    await shown()
    await frame().getByRole('link', { name: 'https://harbour.example' }).click()
    await dialog().getByText('evil.example', { exact: true }).waitFor()
    expect(await dialog().innerText()).toContain('which is a different address')
    const link = dialog().getByRole('link', { name: 'Open in a new tab' })
    expect(await link.getAttribute('href')).toBe('https://evil.example/x')
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a conversation opens its newest message, others on click; text, headers and source on demand', async () => {
    const folded = page.getByRole('listitem').getByRole('button', { expanded: false })
    expect(await folded.count()).toBe(2)
    await folded.first().click()
    await page.frameLocator('iframe').first().getByText('<soon>').waitFor()
    const last = page.locator('.letter').last()
    await last.getByRole('button', { name: 'Plain text' }).click()
    await frame().getByText('Perfect, thanks.').waitFor()
    expect(await frame().locator('b').count()).toBe(0)
    await last.getByRole('button', { name: 'Headers' }).click()
    expect(await page.getByLabel('Message headers').innerText()).toContain('In-Reply-To: <plan2@x>')
    await last.getByRole('button', { name: 'Source' }).click()
    expect(await page.getByLabel('Message source').innerText()).toContain('boundary="edge"')
    const file = await saved(() => last.getByRole('button', { name: /^Download \(/ }).click())
    expect(file.suggestedFilename()).toBe('Re_ Harbour plan.eml')
    expect(String(await readFile(await file.path()))).toContain('Message-ID: <plan3@x>')
    await last.getByRole('button', { name: 'Message', exact: true }).click()
    await shown()
  })

  test('an attachment is downloaded byte for byte', async () => {
    const file = await saved(() => button('Download drawing.pdf').click())
    expect(file.suggestedFilename()).toBe('drawing.pdf')
    expect(await readFile(await file.path())).toEqual(drawing)
  })

  test('a message is marked, starred, moved and deleted on the server', async () => {
    await read(grant, '?view=messages')
    await line('The lighthouse letter').click()
    await shown()
    await button('Mark the message as read').click()
    await button('Mark the message as unread').waitFor()
    await button('Star the message').click()
    await button('Remove the star from the message').waitFor()
    expect(await flagsOf('The lighthouse letter')).toEqual(new Set(['\\Seen', '\\Flagged']))
    await button('Move the message').click()
    await dialog().getByLabel('Folder').selectOption({ label: 'Projects' })
    await dialog().getByRole('button', { name: 'Move' }).click()
    await reported('The message was moved')
    expect(await flagsOf('The lighthouse letter', 'Projects')).toBeDefined()
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Projects' }).click()
    await line('The lighthouse letter').click()
    await shown()
    await button('Delete the message').click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await reported('to the trash')
    await page.getByText('No messages').waitFor()
    expect(await flagsOf('The lighthouse letter', 'Trash')).toBeDefined()
  })

  test('a search finds by words and by filters, which are in the URL', async () => {
    await read()
    await page.getByLabel('Search mail').fill('Perfect')
    await page.keyboard.press('Enter')
    await line('Harbour plan').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('Perfect')
    await page.getByLabel('Search mail').fill('nothing of the kind')
    await button('Search').click()
    await page.getByText('No results').waitFor()
    await button('Remove filter: Words').click()
    await page.getByRole('button', { name: /^Filters/ }).click()
    await dialog().getByLabel('From').fill('jonas@example.org')
    await dialog().getByLabel('Attachments').selectOption('Yes')
    await dialog().getByLabel('Since').fill('2026-11-01')
    expect(await barriersOf(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Search' }).click()
    await page.getByText('Attachments: yes').waitFor()
    await line('Harbour plan').waitFor()
    await button('Messages').click()
    await vi.waitFor(async () => expect(await line('Harbour plan').count()).toBe(1))
    await page.getByRole('button', { name: /^Filters/ }).click()
    await dialog().getByLabel('Provider search syntax').fill('SUBJECT "Harbour" SEEN')
    await dialog().getByRole('button', { name: 'Search' }).click()
    await page.getByText('Native search: SUBJECT').waitFor()
    await vi.waitFor(async () => expect(await line('Harbour plan').count()).toBe(1))
  })

  test('a reply is sent in the account’s name, in its thread, with a file', async () => {
    await read()
    await line('Harbour plan').click()
    await shown()
    await button('Reply').last().click()
    expect(await dialog().getByLabel('To').inputValue()).toBe('Jonas Weber <jonas@example.org>')
    const text = dialog().getByLabel('Text')
    expect(await text.inputValue()).toContain('> Perfect, thanks.')
    await text.fill('Got it.')
    await dialog()
      .getByLabel('Files')
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('a note') })
    expect(await barriersOf(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Send' }).click()
    await reported('Message sent')
    const sent = server.relayed.at(-1)
    expect(sent?.to).toEqual(['jonas@example.org'])
    const source = String(sent?.source)
    expect(source).toContain('In-Reply-To: <plan3@x>')
    expect(source).toContain('Subject: Re: Harbour plan')
    expect(source).toContain(Buffer.from('a note').toString('base64'))
  })

  test('a message is forwarded with its files, and one is saved as a draft and sent later', async () => {
    // The thread must include the reply of the previous test, or the last message is the one it replies to.
    await page.getByText('note.txt').waitFor()
    await button('Forward').last().click()
    await dialog().getByLabel('To', { exact: true }).fill('Grace <grace@example.org>, bo@example.org')
    await dialog().getByText('With the file of the message').waitFor()
    await dialog().getByLabel('Save as draft').check()
    await dialog().getByRole('button', { name: 'Send' }).click()
    await reported('Draft saved')
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Drafts' }).click()
    await line('Fwd: Re: Harbour plan').click()
    await frame().getByText('Forwarded message').waitFor()
    await button('Send').click()
    await dialog().getByRole('button', { name: 'Send' }).click()
    await vi.waitFor(() => expect(server.relayed).toHaveLength(2))
    const sent = server.relayed.at(-1)
    expect(sent?.to).toEqual(['grace@example.org', 'bo@example.org'])
    await page.getByText('No messages').waitFor()
    expect(String(sent?.source).replaceAll('\r\n', '')).toContain(Buffer.from('a note').toString('base64'))
  })

  test('new messages appear automatically', async () => {
    await read()
    await page.getByText('Live', { exact: true }).waitFor()
    await server.deliver(user, letterOf({ from: 'New <new@example.org>', to: own, subject: 'Just now', text: 'Hello' }))
    await line('Just now').waitFor()
    await reported('New message: Just now')
  })

  test('a mailbox is read and answered with the keyboard alone', async () => {
    await read()
    await line('Just now').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.innerText')).toContain('Harbour plan')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await frame().getByText('Hello').waitFor()
    const reached: string[] = []
    for (let times = 0; times < 80; times++) {
      await page.keyboard.press('Tab')
      const name = String(await page.evaluate('document.activeElement.ariaLabel || document.activeElement.innerText'))
      reached.push(name.trim())
      if (name.trim() === 'Reply') break
    }
    expect(reached).toEqual(expect.arrayContaining(['Mark the message as read', 'Plain text', 'Reply']))
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Text').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.innerText')).toContain('Reply')
  })

  test('a phone shows the list, then the message and the way back, also in the dark theme', async () => {
    const small = await dashboard.open({ ...phone, colorScheme: 'dark' })
    await dashboard.visit(small, `/grants/${grant}/mail`)
    const list = small.getByRole('list', { name: 'Messages' })
    await list.getByRole('link').filter({ hasText: 'Harbour plan' }).click()
    await small.locator('iframe[data-shown]').waitFor()
    expect(await list.isVisible()).toBe(false)
    expect(await small.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    const color = await inFrame(small, 'getComputedStyle(document.documentElement).backgroundColor')
    expect(color).toBe('rgb(25, 29, 37)')
    expect(await barriersOf(small, colourRules)).toEqual([])
    await screenshot(small, 'mailbox-phone-dark')
    await small.getByRole('link', { name: 'Back to the list' }).click()
    await small.getByRole('combobox', { name: 'Folder' }).selectOption({ label: 'All folders' })
    await list.waitFor()
    await small.close()
  })

  test('the browser blocked nothing', () => {
    expect(refusals(page).filter((text) => !text.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])
    expect(dashboard.reports).toEqual([])
  })
})

describe('on Google', () => {
  let mira: string
  beforeAll(async () => {
    const account = google.addAccount({ email: 'mira@gmail.example', name: 'Mira' })
    for (let number = 1; number <= 25; number++) {
      const parts = { from: `Person ${number} <p${number}@example.org>`, to: 'mira@gmail.example' }
      account.mail.deliver(letterOf({ ...parts, subject: `Note ${number}`, text: `Line ${number}` }), {
        at: Date.UTC(2026, 9, number),
      })
    }
    const { key } = dashboard.application
    mira = (await createGoogleGrant(dashboard.service, google, { email: 'mira@gmail.example', key })).id
  })

  test('labels are folders, pages follow each other, and the native search works', async () => {
    await read(mira)
    await line('Note 25').waitFor()
    const folders = await page.getByRole('navigation', { name: 'Folders' }).getByRole('link').allInnerTexts()
    expect(folders[0]).toMatch(/^Inbox/)
    expect(folders.join()).not.toContain('UNREAD')
    expect(await line('Note').count()).toBe(20)
    await button('Show more').click()
    await line('Note 1').last().waitFor()
    await vi.waitFor(async () => expect(await line('Note').count()).toBe(25))
    await page.getByRole('button', { name: /^Filters/ }).click()
    await dialog().getByLabel('Gmail’s operators').fill('from:p7@example.org')
    await dialog().getByRole('button', { name: 'Search' }).click()
    await vi.waitFor(async () => expect(await line('Note').count()).toBe(1))
    await line('Note 7').click()
    await frame().getByText('Line 7').waitFor()
    await button('Mark the message as read').click()
    await button('Mark the message as unread').waitFor()
  })
})

test('if customer data is off, pages say so and offer none of it', async () => {
  await using closed = await openDashboard({ env: { WAYPOST_CUSTOMER_DATA: 'off' } })
  const { id } = await closed.service.createGrant('ada@one.test', closed.application.key)
  const reader = await closed.open()
  const requested: string[] = []
  reader.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await closed.visit(reader, `/grants/${id}/mail`)
  await reader.getByText('WAYPOST_CUSTOMER_DATA=off').waitFor()
  expect(requested.filter((path) => /folders|threads|messages|notifications/.test(path))).toEqual([])
  expect(await barriersOf(reader)).toEqual([])
  await closed.visit(reader, '/booking-pages/bookings')
  await reader.getByText('WAYPOST_CUSTOMER_DATA=off').waitFor()
  expect(requested.filter((path) => path.includes('/scheduling/bookings'))).toEqual([])
  await closed.visit(reader, `/grants/${id}`)
  const tabs = await reader.getByRole('navigation', { name: 'Parts of the grant' }).getByRole('link').allInnerTexts()
  expect(tabs).not.toContain('Calendar')
  for (const [operation, said] of [
    ['deliveries.attempt', 1],
    ['deliveries.attempts', 0],
  ] as const) {
    await closed.visit(reader, `/explorer?operation=${operation}`)
    expect(await reader.getByText('WAYPOST_CUSTOMER_DATA=off').count(), operation).toBe(said)
  }
  await reader.close()
})

/** Mail of restricted keys waits for a person, on real mail servers: it is sent once and as shown, or not at all. */
import { randomBytes } from 'node:crypto'
import { sql } from '@waypost/testing/statement'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findApproval, sealDocument } from '../../../src/agents/approvals/approval-record.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { uploaded } from '../../conformance/uploads.ts'
import type { Answer } from '../../harness.ts'
import { type MailServers, openMailServers, othersAfterMarker, type PostAccount } from '../mail/mail-servers.ts'

const rewrite = sql('test.rewriteApproval', 'update approvals set sealed_document = $2 where id = $1')
const mailRights = { operations: ['mail.read', 'mail.draft', 'mail.send', 'mail.delete'] }

describe('mail that needs the approval of a person', () => {
  let accounts: MailServers
  const inAnHour = (): number => Math.floor(accounts.clock.now() / 1000) + 3_600
  let ann: PostAccount
  let bob: PostAccount
  let applicationId: string
  beforeAll(async () => {
    accounts = await openMailServers()
    const self = await accounts.service.call('GET', '/v3/applications', { key: accounts.key })
    applicationId = self.body.data.application_id
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    ann = await accounts.newAccount()
    bob = await accounts.newAccount()
  })

  const newKey = async (rights: object = mailRights): Promise<{ id: string; key: string }> => {
    const path = `/v3/admin/applications/${applicationId}/api-keys`
    const made = await accounts.service.call('POST', path, { admin: true, body: { name: 'Assistant', rights } })
    const { id, api_key } = expectStatus(made, 200).body.data
    return { id, key: api_key }
  }
  const asKey = (key: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    accounts.service.call('POST', `/v3/grants/${ann.grantId}${path}`, { key, body, headers })
  const decide = (id: string, decision: string, body?: object): Promise<Answer> =>
    accounts.service.call('POST', `/v3/approvals/${id}/${decision}`, { key: accounts.key, body })
  const held = async (answer: Promise<Answer>): Promise<Json> => expectStatus(await answer, 202).body.data
  const messageTo = (account: PostAccount, subject: string): Json => ({
    to: [{ email: account.email, name: 'Bob' }],
    subject,
    body: '<p>Hello <b>Bob</b></p><p style="display:none">hidden words</p><img src="https://tracker.test/x.png">',
    attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('hello').toString('base64') }],
  })

  test('is shown completely, sent once by twenty concurrent approvals, and returns the same result to all', async () => {
    const { key, id } = await newKey()
    const approval = await held(asKey(key, '/messages/send', messageTo(bob, 'Once')))
    expect(approval).toMatchObject({
      ...{ object: 'approval', status: 'pending', kind: 'send', operation: 'messages.send', grant_id: ann.grantId },
      requested_by: { type: 'api_key', id, name: 'Assistant' },
      preview: {
        recipients: [{ role: 'to', email: bob.email, name: 'Bob' }],
        subject: 'Once',
        attachments: [{ filename: 'a.txt', content_type: 'text/plain', size: 5 }],
      },
    })
    expect(approval.preview.text).toBe('Hello Bob\n\nhidden words\n[image: https://tracker.test/x.png]')
    expect(approval.preview.html).toContain('<p style="display:none">hidden words</p>')
    const labels = approval.preview.details.map(({ label }: Json) => label)
    expect(labels).toEqual(expect.arrayContaining(['From', 'Hidden parts', 'Remote content']))
    expect(await bob.mail()).toHaveLength(0)

    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(approval.id, 'approve')))
    const results = answers.map((answer) => expectStatus(answer, 200).body.data)
    expect(results[0]).toMatchObject({ status: 'executed', result: { status: 200 } })
    for (const result of results) expect(result).toEqual(results[0])
    expect(results[0].result.body.data).toMatchObject({ subject: 'Once', to: [{ email: bob.email }] })
    const arrived = await simpleParser((await bob.received()).source)
    expect(arrived.subject).toBe('Once')
    expect(arrived.attachments.map(({ filename }) => filename)).toEqual(['a.txt'])
    expect(await othersAfterMarker(ann, 'Sent')).toHaveLength(1)
    const reported = (await ann.reported('approval.approved')).map(({ data }) => data.object.id)
    expect(reported).toEqual([approval.id])
  })

  test('shows an uploaded file, and sends it after the upload has expired', async () => {
    const { key } = await newKey()
    const bytes = randomBytes(300_000)
    const file = { filename: 'large.bin', content_type: 'application/x-large' }
    const { id } = await uploaded(accounts.service, ann, bytes, file)
    const message = { to: [{ email: bob.email }], subject: 'Large', attachments: [{ id }] }
    const approval = await held(asKey(key, '/messages/send', message))
    expect(approval.preview.attachments).toEqual([{ ...file, size: bytes.length }])
    accounts.clock.advance(3_700_000)
    await purgeExpired(accounts.service.services)
    expect(expectStatus(await decide(approval.id, 'approve'), 200).body.data.status).toBe('executed')
    const [attached] = (await simpleParser((await bob.received()).source)).attachments
    expect(attached?.content.equals(bytes)).toBe(true)
    const unknown = { ...message, attachments: [{ id: 'unknown' }] }
    expectStatus(await asKey(key, '/messages/send', unknown), 404)
  })

  test('is never sent when it is rejected, and another decision is refused', async () => {
    const { key } = await newKey()
    const approval = await held(asKey(key, '/messages/send', messageTo(bob, 'Rejected')))
    const rejected = expectStatus(await decide(approval.id, 'reject', { reason: 'Too late' }), 200).body.data
    expect(rejected).toMatchObject({ status: 'rejected', reason: 'Too late', result: null })
    expectStatus(await decide(approval.id, 'reject'), 200)
    expectStatus(await decide(approval.id, 'approve'), 409)
    expect(await othersAfterMarker(ann, 'Sent')).toHaveLength(0)
  })

  test('becomes a draft that a person can edit, with its files', async () => {
    const { key } = await newKey()
    const approval = await held(asKey(key, '/messages/send', { ...messageTo(bob, 'Edit me'), send_at: inAnHour() }))
    const drafted = expectStatus(await decide(approval.id, 'draft'), 200).body.data
    expect(drafted).toMatchObject({ status: 'drafted', result: null })
    const draft = expectStatus(await ann.get(`/drafts/${encodeURIComponent(drafted.draft_id)}`), 200).body.data
    expect(draft).toMatchObject({ subject: 'Edit me', to: [{ email: bob.email }] })
    expect(draft.attachments).toHaveLength(1)
    expect(expectStatus(await decide(approval.id, 'draft'), 200).body.data.draft_id).toBe(drafted.draft_id)
  })

  test('fails without effect if the draft was edited, the key revoked, or the right withdrawn', async () => {
    const { key, id } = await newKey()
    const draft = async (subject: string): Promise<string> =>
      expectStatus(await ann.post('/drafts', { to: [{ email: bob.email }], subject, body: 'Text' }), 200).body.data.id
    const edited = await draft('Edited')
    const approval = await held(asKey(key, `/drafts/${encodeURIComponent(edited)}`, {}))
    expect(approval.preview).toMatchObject({ subject: 'Edited', text: 'Text', recipients: [{ email: bob.email }] })
    const changed = await ann.put(`/drafts/${encodeURIComponent(edited)}`, { to: [{ email: 'eve@evil.test' }] })
    expectStatus(changed, 200)
    const failed = expectStatus(await decide(approval.id, 'approve'), 200).body.data
    expect(failed.status).toBe('failed')
    expect(failed.reason).toMatch(/changed|no draft|not found/i)

    const withdrawn = await held(asKey(key, '/messages/send', messageTo(bob, 'Withdrawn')))
    const revoked = await held(asKey(key, '/messages/send', messageTo(bob, 'Revoked')))
    const path = `/v3/admin/applications/${applicationId}/api-keys/${id}`
    const narrower = { rights: { ...mailRights, operations: ['mail.read'] } }
    expectStatus(await accounts.service.call('PATCH', path, { admin: true, body: narrower }), 200)
    expect(expectStatus(await decide(withdrawn.id, 'approve'), 200).body.data).toMatchObject({
      ...{ status: 'failed', result: { status: 403 } },
      reason: expect.stringContaining('mail.send'),
    })
    expectStatus(await accounts.service.call('DELETE', path, { admin: true }), 200)
    expect(expectStatus(await decide(revoked.id, 'approve'), 200).body.data).toMatchObject({
      ...{ status: 'failed', reason: expect.stringContaining('revoked') },
    })
    expect(await othersAfterMarker(ann, 'Sent')).toHaveLength(0)
  })

  test('a draft that an earlier version had shown is never sent unseen, and other approvals of that version are', async () => {
    const { key } = await newKey()
    const { database, seals } = accounts.service.services.storage
    const made = await ann.post('/drafts', { to: [{ email: bob.email }], subject: 'Draft', body: 'Text' })
    const draftId = expectStatus(made, 200).body.data.id
    const draft = await held(asKey(key, `/drafts/${encodeURIComponent(draftId)}`, {}))
    const message = await held(asKey(key, '/messages/send', messageTo(bob, 'Message')))
    for (const [{ id }, snapshot] of [
      [draft, 'a digest of names and sizes'],
      [message, null],
    ] as const) {
      const record = await findApproval(database, seals, { applicationId, id })
      if (!record) throw new Error('there is no approval')
      const { shown: _, ...older } = record.document
      await database.run(rewrite, [id, sealDocument(seals, record, { ...older, snapshot })])
    }
    expect(expectStatus(await decide(draft.id, 'approve'), 200).body.data).toMatchObject({
      ...{ status: 'failed', result: { status: 409 } },
      reason: expect.stringContaining('before the service was updated'),
    })
    expect(expectStatus(await decide(message.id, 'approve'), 200).body.data.status).toBe('executed')
    expect(await othersAfterMarker(ann, 'Sent')).toHaveLength(1)
  })

  const foreignDraft = (preamble: string): string =>
    [
      ...[`From: ${ann.email}`, `To: ${bob.email}`, 'Subject: Offer', 'Subject: Another offer'],
      ...['Message-ID: <foreign-draft@letters.test>', 'Apparently-To: eve@x.test', 'X-Note: for nobody'],
      ...[`Disposition-Notification-To: Ann <${ann.email}>`, 'MIME-Version: 1.0'],
      ...['Content-Type: multipart/mixed; boundary=m', '', preamble],
      ...['--m', 'Content-Type: multipart/alternative; boundary=a', ''],
      ...['--a', 'Content-Type: text/plain', '', 'Pay Eve 100 euros'],
      ...['--a', 'Content-Type: text/html', '', '<p>Pay <b>Bob</b> 10 euros</p>'],
      ...['--a', 'Content-Type: text/calendar; method=REQUEST', '', 'BEGIN:VCALENDAR', '--a--'],
      ...['--m', 'Content-Type: image/png; name=logo.png', 'Content-ID: <logo>', '', 'PNG', '--m--', ''],
    ].join('\r\n')
  const putForeign = async (preamble: string): Promise<void> => {
    await using client = await accounts.server.client(ann.email)
    await client.mailboxOpen('Drafts')
    await client.messageDelete('1:*')
    await client.append('Drafts', foreignDraft(preamble), ['\\Draft'])
  }

  test('a draft of another program is shown with everything that some mail program could show', async () => {
    const { key } = await newKey()
    await putForeign('Words before the parts')
    const [{ id }] = expectStatus(await ann.get('/drafts'), 200).body.data
    const approval = await held(asKey(key, `/drafts/${encodeURIComponent(id)}`, {}))
    const { text, html, details, recipients, attachments } = approval.preview
    expect(html.trim()).toBe('<p>Pay <b>Bob</b> 10 euros</p>')
    const versions = ['Pay Bob 10 euros', 'Pay Eve 100 euros', 'BEGIN:VCALENDAR', 'Words before the parts']
    expect(versions.map((words) => text.includes(words))).toEqual([true, true, true, true])
    expect(text.indexOf('Pay Bob')).toBe(0)
    expect(attachments).toEqual([{ filename: 'logo.png', content_type: 'image/png', size: 3 }])
    const shown = Object.fromEntries(details.map(({ label, value }: Json) => [label, value]))
    expect(shown).toMatchObject({
      ...{ 'Header X-Note': 'for nobody', 'Header Subject': 'Another offer', 'Header Apparently-To': 'eve@x.test' },
      'Header Disposition-Notification-To': `Ann <${ann.email}>`,
    })
    expect(recipients).toEqual([
      { role: 'to', email: bob.email },
      { role: 'header', email: 'eve@x.test' },
      expect.objectContaining({ role: 'header', email: ann.email }),
    ])

    await putForeign('Other words before them')
    const failed = expectStatus(await decide(approval.id, 'approve'), 200).body.data
    expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('the draft was changed') })
    expect(await othersAfterMarker(ann, 'Sent')).toHaveLength(0)
  })

  test('an answer is shown with the subject that it gets', async () => {
    const { key } = await newKey()
    await bob.send({ to: [{ email: ann.email }], subject: 'Question', body: 'x' })
    await ann.received()
    const [question] = expectStatus(await ann.get('/messages', { in: 'INBOX' }), 200).body.data
    const answer = { to: [{ email: bob.email }], body: 'y', reply_to_message_id: question.id }
    const approval = await held(asKey(key, '/messages/send', answer))
    expect(approval.preview.subject).toBe('Re: Question')
    expect(expectStatus(await decide(approval.id, 'approve'), 200).body.data.status).toBe('executed')
    expect((await simpleParser((await bob.received()).source)).subject).toBe('Re: Question')
  })

  test('a message that would wait among the drafts is refused, because it could be changed there', async () => {
    const scheduled = { to: [{ email: bob.email }], subject: 'Later', body: 'x', send_at: inAnHour(), use_draft: true }
    for (const rights of [mailRights, { ...mailRights, approval: [], recipients: [bob.email] }]) {
      const refused = expectStatus(await asKey((await newKey(rights)).key, '/messages/send', scheduled), 400)
      expect(refused.body.error.message).toContain('use_draft')
    }
  })

  test('a repeated request with an Idempotency-Key gets the same approval', async () => {
    const { key } = await newKey()
    const headers = { 'idempotency-key': `approval-once-${bob.grantId}` }
    const first = await held(asKey(key, '/messages/send', messageTo(bob, 'Same'), headers))
    const second = await held(asKey(key, '/messages/send', messageTo(bob, 'Same'), headers))
    expect(second.id).toBe(first.id)
    const listed = await accounts.service.call('GET', `/v3/approvals?grant_id=${ann.grantId}`, { key })
    expect(listed.body.data.map(({ id }: Json) => id)).toEqual([first.id])
  })

  test('forms and whole MIME messages are held too, with everybody in their headers', async () => {
    const { key } = await newKey()
    const form = new FormData()
    form.append(
      'message',
      JSON.stringify({ to: [{ email: bob.email }], subject: 'Form', body: 'x', is_plaintext: true }),
    )
    form.append('file', new Blob(['0123456789'], { type: 'text/plain' }), 'ten.txt')
    const send = async (body: FormData, query = ''): Promise<Answer> => {
      const url = `${accounts.url}/v3/grants/${ann.grantId}/messages/send${query}`
      const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
      return { status: response.status, headers: response.headers, body: await response.json() }
    }
    const approval = await held(send(form))
    expect(approval.preview.attachments).toEqual([{ filename: 'ten.txt', content_type: 'text/plain', size: 10 }])
    const mime = (lines: string[]): FormData => {
      const whole = new FormData()
      whole.append('mime', [`From: ${ann.email}`, ...lines, '', 'Text of it'].join('\r\n'))
      return whole
    }
    const raw = await held(
      send(
        mime([`To: ${bob.email}`, 'Bcc: hidden@x.test', 'Subject: Raw', 'Disposition-Notification-To: r@x.test']),
        '?type=mime',
      ),
    )
    expect(raw.preview).toMatchObject({ subject: 'Raw', text: 'Text of it' })
    expect(raw.preview.recipients).toEqual([
      { role: 'to', email: bob.email },
      { role: 'bcc', email: 'hidden@x.test' },
      { role: 'header', email: 'r@x.test' },
    ])
    const refused = ['Resent-To: eve@evil.test', 'no header at all', 'Content-Type: multipart/alternative; boundary=b']
    for (const line of refused) expectStatus(await send(mime([`To: ${bob.email}`, line]), '?type=mime'), 400)
    expectStatus(await decide(approval.id, 'approve'), 200)
    const read = await simpleParser((await bob.received()).source)
    expect(read.attachments[0]?.content.toString()).toBe('0123456789')
  })

  test('only allowed recipients and the own sender pass, and only some messages an hour', async () => {
    const allowed = { ...mailRights, recipients: [bob.email], approval: [], messages_per_hour: 1 }
    const { key } = await newKey(allowed)
    const plain = { to: [{ email: bob.email }], subject: 'Limits', body: 'x' }
    const wrong: Json[] = [
      { ...plain, cc: [{ email: 'eve@evil.test' }] },
      { ...plain, bcc: [{ email: 'eve@evil.test' }] },
      { ...plain, reply_to: [{ email: 'eve@evil.test' }] },
      { ...plain, from: [{ email: 'boss@evil.test' }] },
      { ...plain, custom_headers: [{ name: 'Disposition-Notification-To', value: '<eve@evil.test>' }] },
      { ...plain, custom_headers: [{ name: 'List-Unsubscribe', value: '<mailto:eve@evil.test?subject=x>' }] },
    ]
    for (const body of wrong) {
      const refused = expectStatus(await asKey(key, '/messages/send', body), 403)
      expect(refused.body.error.type).toBe('api.recipient_not_allowed')
    }
    expectStatus(await asKey(key, '/messages/send', plain), 200)
    const tooMany = expectStatus(await asKey(key, '/messages/send', plain), 429)
    expect(tooMany.body.error.type).toBe('rate_limit_error')
    await bob.received()
  })
})

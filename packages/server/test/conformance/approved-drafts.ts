/** Drafts that a restricted key asks to send, for every provider: what a person approved is sent, or nothing is. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../harness.ts'
import { expectStatus, type Fields, type Json } from './accounts.ts'
import { type MailAccount, type MailSubject, type OpenMail, withNewAccounts } from './mail-subject.ts'
import { mimeMessage } from './mime-messages.ts'

const file = (text: string, more: Fields = {}): Fields => ({
  ...{ filename: 'offer.pdf', content_type: 'application/pdf', content: Buffer.from(text).toString('base64') },
  ...more,
})
const image = (text: string): Fields =>
  file(text, { filename: 'logo.png', content_type: 'image/png', content_id: 'logo', content_disposition: 'inline' })

const html = '<p>Hello Bob</p><img src="cid:logo">'

/** Changes that a list of names, sizes and texts does not show. */
const changes: readonly { what: string; before: Fields; after: Fields }[] = [
  {
    what: 'a file of the same name, type and size',
    before: { attachments: [file('ten bytes!')] },
    after: { attachments: [file('TEN BYTES?')] },
  },
  {
    what: 'one of two files in the same order',
    before: { attachments: [file('one'), file('two')] },
    after: { attachments: [file('two'), file('one')] },
  },
  {
    what: 'an inline image of the same size',
    before: { body: html, attachments: [image('good')] },
    after: { body: html, attachments: [image('evil')] },
  },
  { what: 'the body in spaces only', before: { body: '<p>a b</p>' }, after: { body: '<p>a  b</p>' } },
  {
    what: 'the target of a link',
    before: { body: '<a href="https://a.test">x</a>' },
    after: { body: '<a href="https://b.test">x</a>' },
  },
  { what: 'the name of a recipient', before: {}, after: { to: [{ email: 'bob@people.test', name: 'Somebody else' }] } },
  { what: 'a further recipient', before: {}, after: { bcc: [{ email: 'eve@people.test' }] } },
  { what: 'where answers go', before: {}, after: { reply_to: [{ email: 'eve@people.test' }] } },
  { what: 'tracking', before: {}, after: { tracking_options: { opens: true, links: true, thread_replies: false } } },
]

export function describeApprovedDrafts(subject: MailSubject): void {
  describe(`drafts of ${subject.name} that a person approves`, () => {
    let account: MailAccount
    let open: OpenMail
    let applicationId: string
    withNewAccounts(subject, async (fresh, opened) => {
      account = fresh
      open = opened
      applicationId = (await open.call('GET', '/v3/applications')).body.data.application_id
    })

    const pathOf = (id: string): string => `/drafts/${encodeURIComponent(id)}`
    const create = async (fields: Fields): Promise<string> => {
      const draft = { to: [{ email: 'bob@people.test' }], subject: 'Offer', body: '<p>Hello Bob</p>', ...fields }
      return expectStatus(await account.post('/drafts', draft), 200).body.data.id
    }
    const restricted = async (): Promise<string> => {
      const rights = { operations: ['mail.read', 'mail.draft', 'mail.send'] }
      const path = `/v3/admin/applications/${applicationId}/api-keys`
      const made = await open.service.call('POST', path, { admin: true, body: { name: 'Assistant', rights } })
      return expectStatus(made, 200).body.data.api_key
    }
    const ask = async (id: string): Promise<Json> => {
      const key = await restricted()
      const path = `/v3/grants/${account.grantId}${pathOf(id)}`
      return expectStatus(await open.service.call('POST', path, { key, body: {} }), 202).body.data
    }
    const approve = (id: string): Promise<Answer> =>
      open.service.call('POST', `/v3/approvals/${id}/approve`, { key: open.key })

    test.each(changes)('nothing is sent after a change of $what', async ({ before, after }) => {
      const id = await create(before)
      const approval = await ask(id)
      expectStatus(await account.put(pathOf(id), after), 200)
      const decided = expectStatus(await approve(approval.id), 200).body.data
      expect(decided).toMatchObject({
        ...{ status: 'failed', result: { status: 409 } },
        reason: 'the draft was changed after the approval was requested, so nothing was sent. Ask to send it again',
      })
    })

    test('a draft that nobody changed is the approved one, however often it is read', async () => {
      const id = await create({
        body: html,
        attachments: [image('good'), file('ten bytes!')],
        cc: [{ email: 'c@people.test' }],
      })
      const [first, second] = [await ask(id), await ask(id)]
      expect(second.preview).toEqual(first.preview)
      expect(first.preview.attachments.map(({ filename }: Json) => filename).toSorted()).toEqual([
        'logo.png',
        'offer.pdf',
      ])
      // Some subjects cannot send: then the reason is another one.
      const decided = expectStatus(await approve(first.id), 200).body.data
      expect(decided.reason ?? '').not.toContain('changed')
    })

    test('a draft of another program is shown with its alternatives and with whoever gets a receipt', async () => {
      const headers = [['Disposition-Notification-To', 'Spy <spy@people.test>']] as const
      await account.deliver(
        mimeMessage({
          ...{ subject: 'Offer', from: `Me <${account.email}>`, headers },
          ...{ text: 'Pay Eve 100 euros', html: '<p>Pay Bob 10 euros</p>' },
        }),
        { folder: 'drafts', seen: true },
      )
      const [{ id }] = expectStatus(await account.get('/drafts'), 200).body.data
      const { preview } = await ask(id)
      expect(preview.text).toContain('Pay Bob 10 euros')
      expect(preview.text).toContain('Pay Eve 100 euros')
      expect(preview.recipients).toContainEqual(expect.objectContaining({ role: 'header', email: 'spy@people.test' }))
    })
  })
}

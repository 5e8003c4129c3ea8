/** The content of cleaned messages, for every provider. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Fields, type Json } from './accounts.ts'
import {
  expectMessage,
  type MailAccount,
  type MailSubject,
  messageBySubject,
  noon,
  type OpenMail,
} from './mail-subject.ts'

const html = `<html><head><style>p { color: red }</style><script>alert("x")</script></head><body>
<p>Hello Bob,</p>
<p>see <a href="https://example.test/plan">the plan</a> <img src="https://example.test/logo.png" alt="our logo"></p>
<table><tr><td>Monday</td><td>09:00</td></tr></table>
<p>Best regards,</p>
<p>Ann</p>
<div class="gmail_quote">On Mon, 1 Jun 2026, Bob wrote:<blockquote>What did we say last time?</blockquote></div>
</body></html>`

export function describeMessageCleaning(subject: MailSubject): void {
  describe(`cleaning of messages of ${subject.name}`, () => {
    let open: OpenMail
    let account: MailAccount
    let rich: Json
    let plain: Json
    beforeAll(async () => {
      open = await subject.open()
      account = await open.newAccount()
      await account.deliver({ subject: 'Rich', html }, { date: noon })
      const text =
        'Thanks, that works.\n\nOn Mon, 1 Jun 2026 at 12:00, Ann <ann@people.test> wrote:\n> Shall we meet?\n> At nine?\n'
      await account.deliver({ subject: 'Plain', text }, { date: noon + 1 })
      rich = await messageBySubject(account, 'Rich')
      plain = await messageBySubject(account, 'Plain')
    })
    afterAll(() => open?.[Symbol.asyncDispose]())

    const clean = async (body: Fields): Promise<Json[]> =>
      expectStatus(await account.put('/messages/clean', body), 200).body.data
    const conversation = async (options: Fields, message = rich): Promise<string> => {
      const [cleaned] = await clean({ message_id: [message.id], ...options })
      return cleaned.conversation
    }

    test('returns what the sender wrote, in addition to the message itself', async () => {
      const [cleaned, ...others] = await clean({ message_id: [rich.id] })
      expect(others).toEqual([])
      const { conversation: text, ...message } = cleaned
      expect(message).toEqual(rich)
      expectMessage(message, account.grantId)
      expect(text).toContain('Hello Bob')
      expect(text).toContain('the plan')
      expect(text).not.toMatch(/last time|wrote:|alert|color|<|example\.test/)
    })

    test('removes quotations of plain text', async () => {
      expect((await conversation({}, plain)).trim()).toBe('Thanks, that works.')
    })

    test('returns messages in the requested order', async () => {
      const cleaned = await clean({ message_id: [plain.id, rich.id] })
      expect(cleaned.map(({ id }) => id)).toEqual([plain.id, rich.id])
    })

    test('keeps links, images and closing phrases on request', async () => {
      expect(await conversation({})).not.toMatch(/regards/i)
      expect(await conversation({ remove_conclusion_phrases: false })).toMatch(/best regards/i)
      expect(await conversation({ ignore_links: false })).toContain('https://example.test/plan')
      expect(await conversation({ ignore_images: false })).toContain('![our logo](https://example.test/logo.png)')
    })

    test('keeps the rows of tables', async () => {
      const text = await conversation({})
      expect(text).toContain('Monday')
      expect(text).toContain('09:00')
      expect(text).not.toMatch(/<td>/)
    })

    test('writes Markdown on request', async () => {
      const text = await conversation({ html_as_markdown: true, ignore_links: false, ignore_images: false })
      expect(text).toContain('[the plan](https://example.test/plan)')
      expect(text).toContain('![our logo](https://example.test/logo.png)')
      expectRefusal(
        await account.put('/messages/clean', {
          message_id: [rich.id],
          html_as_markdown: true,
          images_as_markdown: false,
        }),
        /images_as_markdown/,
      )
    })

    test('accepts one to twenty existing messages', async () => {
      expectRefusal(await account.put('/messages/clean', {}), /message_id/)
      expectRefusal(await account.put('/messages/clean', { message_id: [] }), /message_id/)
      expectRefusal(await account.put('/messages/clean', { message_id: Array(21).fill(rich.id) }), /message_id/)
      expectStatus(await account.put('/messages/clean', { message_id: ['no-such-message'] }), 404)
    })

    test('returns the selected fields', async () => {
      const answer = await account.put('/messages/clean', { message_id: [plain.id] }, { select: 'id,conversation' })
      expect(expectStatus(answer, 200).body.data).toEqual([
        { id: plain.id, conversation: expect.stringContaining('Thanks') },
      ])
    })
  })
}

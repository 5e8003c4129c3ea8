/** Filters of messages, for every provider. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Query } from './accounts.ts'
import {
  folderIds,
  type MailAccount,
  type MailLack,
  type MailSubject,
  messagesOf,
  noon,
  type OpenMail,
  subjects,
} from './mail-subject.ts'

export function describeMessageFilters(subject: MailSubject): void {
  const lacks = (lack: MailLack): boolean => subject.lacks?.includes(lack) ?? false
  /** One second before midnight. */
  const late = noon + 12 * 3600 - 1

  describe(`filters of messages of ${subject.name}`, () => {
    let open: OpenMail
    let account: MailAccount
    let folders: Awaited<ReturnType<typeof folderIds>>
    beforeAll(async () => {
      open = await subject.open()
      account = await open.newAccount()
      const file = { name: 'figures.pdf', type: 'application/pdf', content: 'PDF' }
      await account.deliver(
        { subject: 'Invoice 42', from: 'Ann <ann@people.test>', text: 'Pay it in Zürich', files: [file] },
        { date: noon, seen: true },
      )
      await account.deliver(
        { subject: 'Lunch', from: 'joann@people.test', to: 'bob@people.test', cc: 'Cleo <cleo@people.test>' },
        { date: noon + 1, starred: true },
      )
      await account.deliver(
        { subject: 'invoice paid', from: 'ann@people.test.example', to: 'cleo@people.test' },
        { date: noon + 2, folder: 'archive', seen: true },
      )
      await account.deliver(
        { subject: 'Sent by me', from: 'me@people.test', to: 'ann@people.test', bcc: 'Dan <dan@people.test>' },
        { date: noon + 3, folder: 'sent', seen: true },
      )
      await account.deliver(
        { subject: 'Café "Zum Löwen" 100%', from: 'Zoë <zoe@people.test>', to: 'ANN@PEOPLE.TEST' },
        { date: late, starred: true, seen: true },
      )
      await account.deliver({ subject: 'After midnight', from: 'night@people.test' }, { date: late + 2 })
      const picture = { name: 'logo.png', type: 'image/png', content: 'PNG', contentId: 'logo@letters.test' }
      await account.deliver(
        { subject: 'Picture', from: 'night@people.test', html: '<img src="cid:logo@letters.test">', files: [picture] },
        { date: late + 3, folder: 'junk' },
      )
      folders = await folderIds(account)
    })
    afterAll(() => open?.[Symbol.asyncDispose]())

    const found = async (query: Query): Promise<string[]> => subjects(await messagesOf(account, query))

    const all = [
      'Picture',
      'After midnight',
      'Café "Zum Löwen" 100%',
      'Sent by me',
      'invoice paid',
      'Lunch',
      'Invoice 42',
    ]
    const [picture, midnight, cafe, sent, paid, lunch, invoice] = all as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]

    const cases: [string, Query, string[]][] = [
      ['nothing in particular', {}, all],
      ['words of the subject, in any case', { subject: 'INVOICE' }, [paid, invoice]],
      ['several words of the subject', { subject: 'invoice paid' }, [paid]],
      ['a subject with letters beyond ASCII', { subject: 'Löwen' }, [cafe]],
      ['a subject with quotes', { subject: '"Zum Löwen"' }, [cafe]],
      ['a subject with a percent sign', { subject: '100%' }, [cafe]],
      ['a subject that nobody wrote', { subject: 'backslash \\ and { brace' }, []],
      ['who wrote it, the whole address', { from: 'ann@people.test' }, [invoice]],
      ['who wrote it, in any case', { from: 'Ann@People.Test' }, [invoice]],
      ['a part of an address, which is none', { from: 'people.test' }, []],
      ['any of several who wrote it', { from: 'ann@people.test,joann@people.test' }, [lunch, invoice]],
      ['whom it is to', { to: 'ann@people.test' }, [cafe, sent]],
      ['whom it is to, also by copy', { cc: 'cleo@people.test' }, [lunch]],
      ['somebody on either side', { any_email: 'ann@people.test' }, [cafe, sent, invoice]],
      ['somebody by copy or directly', { any_email: 'cleo@people.test' }, [paid, lunch]],
      ['any of several people', { any_email: 'cleo@people.test,zoe@people.test' }, [cafe, paid, lunch]],
      ['those that are unread', { unread: true }, [picture, midnight, lunch]],
      ['those that are read', { unread: false }, [cafe, sent, paid, invoice]],
      ['those with a star', { starred: true }, [cafe, lunch]],
      ['those without a star', { starred: false }, [picture, midnight, sent, paid, invoice]],
      ['those with an attachment', { has_attachment: true }, [invoice]],
      ['those without an attachment', { has_attachment: false }, [picture, midnight, cafe, sent, paid, lunch]],
      ['several at once', { subject: 'invoice', unread: false, from: 'ann@people.test' }, [invoice]],
      ['several at once that exclude each other', { subject: 'invoice', unread: true }, []],
      ['somebody and a star', { any_email: 'ann@people.test', starred: true }, [cafe]],
      ['an attachment and a subject', { has_attachment: false, subject: 'invoice' }, [paid]],
      ['a sender and a recipient', { from: 'me@people.test', to: 'ann@people.test' }, [sent]],
      ['words of subject or text', { q: 'invoice' }, [paid, invoice]],
      ['several words of subject and text', { q: 'PAY invoice 42' }, [invoice]],
      ['a phrase', { q: '"pay it in"' }, [invoice]],
      ['a phrase that nobody wrote', { q: '"in pay it"' }, []],
      ['words with letters beyond ASCII', { q: 'zürich' }, [invoice]],
      ['words beside another filter', { q: 'invoice', to: 'cleo@people.test' }, [paid]],
      ['nothing, with a wish that changes nothing', { query_imap: true }, all],
    ]
    test.each(cases)('%s', async (_, query, expected) => {
      expect(await found(query)).toEqual(expected)
    })

    test.skipIf(lacks('bcc-filter'))('by Bcc recipient', async () => {
      expect(await found({ bcc: 'dan@people.test' })).toEqual([sent])
      expect(await found({ any_email: 'dan@people.test' })).toEqual([sent])
    })

    test('by folder', async () => {
      expect(await found({ in: folders.inbox })).toEqual([midnight, cafe, lunch, invoice])
      expect(await found({ in: folders.archive })).toEqual([paid])
      expect(await found({ in: folders.trash })).toEqual([])
      expect(await found({ in: folders.inbox, subject: 'invoice' })).toEqual([invoice])
      expect(await found({ in: folders.sent, any_email: 'ann@people.test' })).toEqual([sent])
    })

    test('by several folders use the last', async () => {
      const query = new URLSearchParams([
        ['in', folders.inbox],
        ['in', folders.sent],
      ])
      const answer = await open.call('GET', `/v3/grants/${account.grantId}/messages?${query}`)
      expect(subjects(expectStatus(answer, 200).body.data)).toEqual([sent])
    })

    test('by an unknown folder are refused by name', async () => {
      const answer = await account.get('/messages', { in: 'no-such-folder' })
      expect([400, 404]).toContain(answer.status)
      expect(answer.body.error.message).toMatch(/folder|in\b/)
    })

    test.skipIf(lacks('seconds'))('by time of receipt, to the second, excluding the bounds', async () => {
      expect(await found({ received_after: noon + 2 })).toEqual([picture, midnight, cafe, sent])
      expect(await found({ received_before: noon + 2 })).toEqual([lunch, invoice])
      expect(await found({ received_after: noon, received_before: noon + 3 })).toEqual([paid, lunch])
      expect(await found({ received_after: noon + 1, received_before: noon + 2 })).toEqual([])
      expect(await found({ received_after: late, received_before: late + 3 })).toEqual([midnight])
      expect(await found({ received_after: late - 1, received_before: late + 1 })).toEqual([cafe])
      expect(await found({ received_after: late + 3 })).toEqual([])
      expect(await found({ received_before: noon })).toEqual([])
      expect(await found({ received_after: noon - 1, subject: 'invoice', in: folders.inbox })).toEqual([invoice])
    })

    test('by thread', async () => {
      const [{ thread_id }] = await messagesOf(account, { subject: 'Lunch' })
      expect(await found({ thread_id })).toEqual([lunch])
      expect(await found({ thread_id, unread: false })).toEqual([])
      expect(await found({ thread_id, q: 'lunch' })).toEqual([lunch])
      expect(await found({ thread_id, q: 'invoice' })).toEqual([])
      const unknown = await account.get('/messages', { thread_id: 'no-such-thread' })
      expect(expectStatus(unknown, 200).body.data).toEqual([])
    })

    test("in the provider's native search, alone and combined", async () => {
      const native = subject.search.subject('invoice')
      expect(await found({ search_query_native: native })).toEqual([paid, invoice])
      expect(await found({ search_query_native: native, in: folders.inbox })).toEqual([invoice])
      const beside = { search_query_native: native, from: 'ann@people.test', unread: false }
      if (subject.search.alone)
        expectRefusal(await account.get('/messages', beside), /search_query_native.*(from|unread)/)
      else expect(await found(beside)).toEqual([invoice])
      expect(await found({ search_query_native: subject.search.subject('nothing-like-it') })).toEqual([])
    })

    test.each(subject.search.wrong)('in an invalid native search are refused: %j', async (wrong) => {
      const answer = await account.get('/messages', { search_query_native: wrong })
      expect(answer.status, JSON.stringify(answer.body)).toBe(400)
      expect(answer.body.error.message).toMatch(/search_query_native|search/i)
      expect(await found({ in: folders.sent })).toEqual([sent])
    })

    test('by empty words are refused', async () => {
      expectRefusal(await account.get('/messages', { q: ' "-" ' }), /q: must contain a word/)
    })

    test('by address accept 25 addresses, and refuse one more', async () => {
      const crowd = Array.from({ length: 24 }, (_, index) => `person-${index}@people.test`)
      expect(await found({ any_email: [...crowd, 'zoe@people.test'].join(',') })).toEqual([cafe])
      expectRefusal(
        await account.get('/messages', { any_email: [...crowd, 'a@x.test', 'b@x.test'].join(',') }),
        /any_email/,
      )
    })

    const wrong: [string, Query][] = [
      ['unread', { unread: 'maybe' }],
      ['has_attachment', { has_attachment: 2 }],
      ['received_after', { received_after: 'yesterday' }],
      ['received_before', { received_before: noon * 1000 }],
      ['limit', { limit: 0 }],
      ['limit', { limit: 'many' }],
    ]
    test.each(wrong)('with an invalid %s are refused by name', async (name, query) => {
      expectRefusal(await account.get('/messages', query), new RegExp(name))
    })
  })
}

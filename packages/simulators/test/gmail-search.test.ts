import { expect, test } from 'vitest'
import { mimeMessage, openAccount, type TestAccount } from './gmail-account.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const DAY = 24 * 3_600_000

const ATTACHMENT = [
  'From: Dave <dave@work.example>',
  'To: ada@example.com',
  'Cc: Bob <bob@gmail.com>',
  'Subject: The quarterly report',
  'Message-ID: <report@work.example>',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  '',
  'Please find it attached',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="q3 report.pdf"',
  '',
  'x'.repeat(3000),
  '--b--',
].join('\r\n')

function seed({ ada }: TestAccount): Record<string, string> {
  const label = ada.mail.createLabel('Big Projects/Moon')
  const at = (days: number, labels: string[]) => ({ at: NOW - days * DAY, labels })
  const mail = {
    report: ada.mail.deliver(ATTACHMENT, at(1, ['INBOX', 'UNREAD'])),
    lunch: ada.mail.deliver(
      mimeMessage({ From: 'Carol Jones <carol@example.net>', Subject: 'Lunch?' }, 'Soup or salad'),
      at(3, ['INBOX', 'STARRED', label]),
    ),
    old: ada.mail.deliver(mimeMessage({ Subject: 'Old news' }, 'salad days'), at(400, [])),
    sent: ada.mail.deliver(
      mimeMessage({ From: 'ada@example.com', To: 'bob@gmail.com', Subject: 'Re: lunch' }, 'the soup'),
      at(2, ['SENT']),
    ),
    trash: ada.mail.deliver(mimeMessage({ Subject: 'Cheap soup' }), at(5, ['TRASH'])),
  }
  return Object.fromEntries(Object.entries(mail).map(([name, { id }]) => [id, name]))
}

const CASES: readonly [string, readonly string[]][] = [
  ['from:dave', ['report']],
  ['from:dave@work.example', ['report']],
  ['from:dav', []],
  ['from:me', ['sent']],
  ['to:bob@gmail.com', ['report', 'sent']],
  ['cc:bob', ['report']],
  ['subject:lunch', ['sent', 'lunch']],
  ['subject:(old news)', ['old']],
  ['soup', ['sent', 'lunch']],
  ['"soup or salad"', ['lunch']],
  ['salad soup', ['lunch']],
  ['report OR news', ['report', 'old']],
  ['{report news}', ['report', 'old']],
  ['salad -soup', ['old']],
  ['(soup OR salad) is:starred', ['lunch']],
  ['-(soup OR salad)', ['report']],
  ['is:unread', ['report']],
  ['is:read in:inbox', ['lunch']],
  ['in:sent', ['sent']],
  ['in:trash', ['trash']],
  ['soup -in:trash', ['sent', 'lunch']],
  ['from:@work.example', ['report']],
  ['in:anywhere soup', ['sent', 'lunch', 'trash']],
  ['label:big-projects-moon', ['lunch']],
  ['label:"Big Projects/Moon"', ['lunch']],
  ['has:attachment', ['report']],
  ['has:userlabels', ['lunch']],
  ['filename:pdf', ['report']],
  ['filename:"q3 report.pdf"', ['report']],
  ['newer_than:2d', ['report', 'sent']],
  ['older_than:1y', ['old']],
  ['after:2026/11/14', ['report']],
  ['before:2026/01/01', ['old']],
  [`after:${(NOW - 2.5 * DAY) / 1000} before:${(NOW - 1.5 * DAY) / 1000}`, ['sent']],
  ['larger:2K', ['report']],
  ['smaller:2K in:inbox', ['lunch']],
  ['rfc822msgid:report@work.example', ['report']],
  ['rfc822msgid:<report@work.example>', ['report']],
]

test('search finds messages by each operator', async () => {
  await using account = await openAccount({ now: () => NOW })
  const names = seed(account)
  const { messages } = account.gmailOf(account.ada).users
  const found: [string, string[]][] = []
  for (const [q] of CASES) {
    const { data } = await messages.list({ userId: 'me', q })
    found.push([q, (data.messages ?? []).map(({ id }) => names[id ?? ''] ?? '')])
  }
  expect(found).toEqual(CASES)
})

/** The mail that every account has before the first request, and the names by which requests refer to it. */

import { noon } from '../conformance/accounts.ts'
import { type MessageFields, mimeMessage } from '../conformance/mime-messages.ts'
import type { Place } from './kinds.ts'

interface Letter {
  place?: Place
  minutes: number
  seen?: boolean
  starred?: boolean
  fields: MessageFields
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const forwarded = mimeMessage({ subject: 'Inner letter', messageId: 'inner@letters.test' })

/** By the name that stands for the message in requests: `{plan}` is its id, `{plan.thread}` the id of its thread. */
export const letters: Record<string, Letter> = {
  plan: {
    minutes: 0,
    seen: true,
    fields: {
      subject: 'Plan',
      messageId: 'plan@letters.test',
      from: 'Ann Lee <ann@people.test>',
      to: 'ada@people.test',
    },
  },
  answer: {
    place: 'sent',
    minutes: 1,
    seen: true,
    fields: {
      subject: 'Re: Plan',
      messageId: 'answer@letters.test',
      inReplyTo: 'plan@letters.test',
      references: ['plan@letters.test'],
      from: 'Ada <ada@people.test>',
      to: 'Ann Lee <ann@people.test>',
      cc: 'Carl <carl@people.test>',
    },
  },
  files: {
    minutes: 2,
    fields: {
      subject: 'Files',
      messageId: 'files@letters.test',
      to: 'ada@people.test',
      text: 'See the files.',
      html: '<p>See the <b>files</b>. <img src="cid:logo@letters.test"></p>',
      files: [
        { name: 'logo.png', type: 'image/png', content: png, contentId: 'logo@letters.test' },
        { name: 'plan.pdf', type: 'application/pdf', content: 'PDF of the plan' },
        { name: 'Übersicht.txt', type: 'text/plain', content: 'Überblick' },
      ],
    },
  },
  forwarded: {
    minutes: 3,
    fields: {
      subject: 'Forwarded',
      messageId: 'forwarded@letters.test',
      to: 'ada@people.test',
      files: [{ name: 'letter.eml', type: 'message/rfc822', content: forwarded }],
    },
  },
  starred: {
    minutes: 4,
    seen: true,
    starred: true,
    fields: {
      subject: 'Grüße aus Köln',
      messageId: 'starred@letters.test',
      from: '=?utf-8?Q?J=C3=B6rg?= <joerg@people.test>',
      to: 'ada@people.test, Bob <bob@people.test>',
      cc: 'Carl <carl@people.test>',
      html: '<p>Viele Grüße</p>',
      headers: [
        ['Reply-To', 'Office <office@people.test>'],
        ['X-Campaign', 'summer'],
      ],
    },
  },
  bare: {
    minutes: 5,
    fields: { subject: '', messageId: 'bare@letters.test', from: 'bare@people.test', to: 'ada@people.test', text: '' },
  },
}

export const sourceOf = (letter: Letter): string => mimeMessage(letter.fields)
export const dateOf = ({ minutes }: Letter): number => noon + minutes * 60

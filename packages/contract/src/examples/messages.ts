import type { Message, messages } from '../messages.ts'
import type { ScheduledMessage, SentMessage, schedules, sending } from '../sending.ts'
import type { ExamplesOf } from './example.ts'
import { grantId, sampleFolder, sampleMessage } from './shared.ts'
import { signatureId } from './signatures.ts'
import { welcome } from './templates.ts'

const mira = { name: 'Mira Okafor', email: 'mira.okafor@example.com' }
const jonas = { name: 'Jonas Lindqvist', email: 'jonas@example.org' }
const scheduleId = '8cd56334-6d95-432c-86d1-c5dab0ce98be'
const message: Message = sampleMessage
const params = { message_id: message.id }

/** The sent reply to the offer. */
export const sentReply: SentMessage = {
  id: '18f3b1d07c5e92a4',
  grant_id: grantId,
  object: 'message',
  thread_id: sampleMessage.thread_id,
  subject: 'Re: Offer for the spring conference',
  body: '<p>Dear Jonas,</p><p>we take the hall. Shall we walk through it on Monday?</p>',
  snippet: 'Dear Jonas, we take the hall. Shall we walk through it on Monday?',
  date: 1_739_226_900,
  from: [mira],
  to: [jonas],
  cc: [],
  bcc: [],
  reply_to: [],
  starred: false,
  unread: false,
  folders: ['SENT'],
  attachments: [],
  reply_to_message_id: sampleMessage.id,
  schedule_id: '',
  tracking_options: { opens: true, links: false, thread_replies: true, label: 'spring-offer' },
  metadata: { key1: 'spring-conference' },
}

const reminder: SentMessage = {
  grant_id: grantId,
  object: 'message',
  subject: 'Reminder: the hall on 12 May',
  body: '<p>Dear Jonas,</p><p>we come at eight.</p>',
  snippet: 'Dear Jonas, we come at eight.',
  date: 1_739_226_900,
  from: [mira],
  to: [jonas],
  cc: [],
  bcc: [],
  reply_to: [],
  starred: false,
  unread: false,
  folders: [],
  attachments: [],
  reply_to_message_id: '',
  schedule_id: scheduleId,
  send_at: 1_739_260_800,
  use_draft: false,
}

const pending: ScheduledMessage = {
  schedule_id: scheduleId,
  status: { code: 'pending', description: 'schedule send awaiting send at time' },
}
const done: ScheduledMessage = {
  schedule_id: '51b0e7c9-0d4a-4e37-8a6f-92c3d5f81b40',
  status: { code: 'success', description: 'schedule send succeeded' },
  close_time: 1_739_174_401,
}

export const messageExamples: ExamplesOf<typeof messages & typeof sending> = {
  export: {
    query: { format: 'mbox', in: 'INBOX', limit: 100 },
    more: { zip: { summary: 'A zip of the mail of a month', query: { format: 'eml', received_after: 1_738_368_000 } } },
  },
  list: {
    query: { in: 'INBOX', unread: true, limit: 20 },
    answer: [message],
    next_cursor: 'eyJhZnRlciI6IjE4ZjNhNmMyZDk0YjcwZTEifQ',
    more: {
      search: {
        summary: 'Words, a sender and a time',
        query: { q: 'spring conference', from: ['jonas@example.org'], received_after: 1_738_368_000 },
        answer: [message],
      },
      metadata: {
        summary: 'By metadata that was set before',
        query: { metadata_pair: 'key1:spring-conference' },
        answer: [{ ...message, metadata: { key1: 'spring-conference' } }],
      },
    },
  },
  clean: {
    body: { message_id: [message.id], ignore_links: true, ignore_images: true },
    answer: [
      { ...message, conversation: 'Dear Mira,\n\nthe hall is free from 12 to 14 May. The offer is attached.\n\nJonas' },
    ],
  },
  get: {
    params,
    answer: message,
    more: {
      headers: {
        summary: 'With threading headers',
        params,
        query: { fields: 'include_basic_headers' },
        answer: { ...message, headers: [{ name: 'Message-ID', value: '<CAF0a9b7c@mail.example.org>' }] },
      },
      raw: {
        summary: 'The whole message as MIME',
        params,
        query: { fields: 'raw_mime' },
        answer: {
          id: message.id,
          grant_id: grantId,
          object: 'message',
          raw_mime: 'RnJvbTogSm9uYXMgTGluZHF2aXN0IDxqb25hc0BleGFtcGxlLm9yZz4NClN1YmplY3Q6IE9mZmVyDQoNCkRlYXIgTWlyYQ0K',
        },
      },
    },
  },
  update: {
    summary: 'Read, with a star, and tagged',
    params,
    body: { unread: false, starred: true, metadata: { key1: 'spring-conference' } },
    answer: {
      ...message,
      unread: false,
      starred: true,
      folders: ['INBOX', 'STARRED'],
      metadata: { key1: 'spring-conference' },
    },
    more: {
      move: {
        summary: 'Moved to another folder',
        params,
        body: { folders: [sampleFolder.id] },
        answer: { ...message, folders: [sampleFolder.id, 'UNREAD'] },
      },
    },
  },
  delete: { params },
  send: {
    summary: 'A reply with tracking',
    body: {
      to: [jonas],
      subject: sentReply.subject,
      body: sentReply.body,
      reply_to_message_id: sampleMessage.id,
      tracking_options: { opens: true, links: false, thread_replies: true, label: 'spring-offer' },
      metadata: { key1: 'spring-conference' },
    },
    answer: sentReply,
    beside: { grant_id: grantId },
    more: {
      later: {
        summary: 'Scheduled',
        body: { to: [jonas], subject: reminder.subject, body: reminder.body, send_at: 1_739_260_800 },
        answer: reminder,
        beside: { grant_id: grantId, schedule_id: scheduleId },
      },
      template: {
        summary: 'With a template and a signature',
        body: {
          to: [jonas],
          template: { id: welcome.id, variables: { name: 'Jonas' } },
          signature_id: signatureId,
        },
        answer: {
          ...sentReply,
          id: '18f3b2a94d10c7e6',
          thread_id: '18f3b2a94d10c7e6',
          subject: 'Welcome, Jonas',
          body: '<p>Dear Jonas, good to have you.</p>',
          snippet: 'Dear Jonas, good to have you.',
          reply_to_message_id: '',
          tracking_options: undefined,
          metadata: undefined,
        },
        beside: { grant_id: grantId },
      },
    },
  },
}

export const scheduleExamples: ExamplesOf<typeof schedules> = {
  list: { answer: [pending, done] },
  get: { params: { schedule_id: scheduleId }, answer: pending },
  delete: { params: { schedule_id: scheduleId }, answer: { message: 'requested cancelation for workflow' } },
}

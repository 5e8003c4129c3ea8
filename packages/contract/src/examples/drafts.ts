import type { Draft, drafts } from '../drafts.ts'
import type { ExamplesOf } from './example.ts'
import { sentReply } from './messages.ts'
import { grantId, sampleMessage } from './shared.ts'
import { signatureId } from './signatures.ts'

const draft: Draft = {
  id: 'r-6021894417725530312',
  grant_id: grantId,
  object: 'draft',
  thread_id: sampleMessage.thread_id,
  subject: 'Re: Offer for the spring conference',
  body: '<p>Dear Jonas,</p><p>we take the hall.</p>',
  snippet: 'Dear Jonas, we take the hall.',
  date: 1_739_226_120,
  from: [{ name: 'Mira Okafor', email: 'mira.okafor@example.com' }],
  to: [{ name: 'Jonas Lindqvist', email: 'jonas@example.org' }],
  cc: [],
  bcc: [],
  reply_to: [],
  starred: false,
  unread: false,
  folders: ['DRAFT'],
  attachments: [],
  reply_to_message_id: sampleMessage.id,
  metadata: { key1: 'spring-conference' },
}
const changed: Draft = {
  ...draft,
  body: sentReply.body,
  snippet: sentReply.snippet,
  date: 1_739_226_840,
  tracking_options: { opens: true, thread_replies: true, label: 'spring-offer' },
}
const params = { draft_id: draft.id }

export const draftExamples: ExamplesOf<typeof drafts> = {
  list: { query: { subject: 'conference', limit: 10 }, answer: [draft] },
  create: {
    body: {
      to: [{ name: 'Jonas Lindqvist', email: 'jonas@example.org' }],
      subject: draft.subject,
      body: draft.body,
      reply_to_message_id: sampleMessage.id,
      metadata: draft.metadata,
    },
    answer: draft,
    more: {
      file: {
        summary: 'With a file',
        body: {
          subject: 'Floor plan',
          body: '<p>Here it is.</p>',
          attachments: [{ filename: 'plan.txt', content_type: 'text/plain', content: 'SGFsbCBBOiAyNCB4IDQwIG0K' }],
        },
        answer: {
          ...draft,
          id: 'r-7730018245519907264',
          thread_id: '',
          subject: 'Floor plan',
          body: '<p>Here it is.</p>',
          snippet: 'Here it is.',
          to: [],
          attachments: [
            {
              id: 'v0:cGxhbi50eHQ:dGV4dC9wbGFpbg:18',
              grant_id: grantId,
              filename: 'plan.txt',
              content_type: 'text/plain',
              size: 18,
              is_inline: false,
              content_disposition: 'attachment; filename="plan.txt"',
            },
          ],
          reply_to_message_id: undefined,
          metadata: undefined,
        },
      },
    },
  },
  get: { params, answer: draft },
  update: {
    params,
    body: {
      body: changed.body,
      tracking_options: { opens: true, thread_replies: true, label: 'spring-offer' },
    },
    answer: changed,
  },
  delete: { params },
  send: { params, body: { signature_id: signatureId }, answer: sentReply, beside: { grant_id: grantId } },
}

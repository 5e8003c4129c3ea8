import type { AskList } from '../run.ts'

const of = (name: string, call: string, body?: object) => ({ name: `drafts: ${name}`, call, ...(body ? { body } : {}) })
const to = [{ name: 'Bob', email: 'bob@people.test' }]
const file = { filename: 'notes.txt', content_type: 'text/plain', content: Buffer.from('Notes').toString('base64') }
const image = {
  filename: 'logo.png',
  content_type: 'image/png',
  content: Buffer.from('PNG').toString('base64'),
  content_id: 'logo',
}

export const draftRequests: AskList = [
  of('none', 'GET /drafts'),
  { ...of('created', 'POST /drafts', { to, subject: 'Draft', body: '<p>Hello</p>' }), keep: { draft: 'id' } },
  of('read', 'GET /drafts/{draft}'),
  of('listed', 'GET /drafts'),
  of('by subject', 'GET /drafts?subject=Draft'),
  of('by a subject that nothing has', 'GET /drafts?subject=nowhere'),
  {
    ...of('changed', 'PUT /drafts/{draft}', { subject: 'Second draft', cc: [{ email: 'carl@people.test' }] }),
    keep: { draft: 'id' },
  },
  of('changed, read', 'GET /drafts/{draft}'),
  of('starred', 'PUT /drafts/{draft}', { starred: true }),
  of('as a message', 'GET /messages/{draft}'),
  {
    ...of('with files', 'POST /drafts', {
      to,
      subject: 'With files',
      body: '<img src="cid:logo">',
      attachments: [file, image],
    }),
    keep: { filed: 'id', notes: 'attachments.0.id' },
  },
  of('with files, read', 'GET /drafts/{filed}'),
  { name: 'attachment: of a draft', call: 'GET /attachments/{notes}?message_id={filed}' },
  { name: 'attachment: content of a draft', call: 'GET /attachments/{notes}/download?message_id={filed}' },
  of('of an unknown thread', 'GET /drafts?thread_id=no-such-thread'),
  of('as a reply', 'POST /drafts', { to, subject: 'Re: Plan', body: 'Yes', reply_to_message_id: '{plan}' }),
  of('as a reply to an unknown message', 'POST /drafts', { to, subject: 'Re', reply_to_message_id: 'no-such-message' }),
  of('empty', 'POST /drafts', {}),
  of('with every address', 'POST /drafts', {
    to,
    cc: [{ email: 'carl@people.test' }],
    bcc: [{ email: 'dora@people.test' }],
    reply_to: [{ name: 'Office', email: 'office@people.test' }],
    subject: 'Grüße',
    body: 'Text & <b>bold</b>',
  }),
  of('with custom headers', 'POST /drafts', {
    to,
    subject: 'Headers',
    custom_headers: [{ name: 'X-Campaign', value: 'summer' }],
  }),
  of('with metadata', 'POST /drafts', { to, subject: 'Metadata', metadata: { key1: 'a' } }),
  of('in plain text', 'POST /drafts', { to, subject: 'Plain', body: 'One\nTwo', is_plaintext: true }),
  of('with an invalid address', 'POST /drafts', { to: [{ email: 'nobody' }] }),
  of('with a file that is not base64', 'POST /drafts', { to, attachments: [{ ...file, content: '%%%' }] }),
  of('with a header of the service', 'POST /drafts', { to, custom_headers: [{ name: 'Subject', value: 'x' }] }),
  of('unknown', 'GET /drafts/no-such-draft'),
  of('unknown, changed', 'PUT /drafts/no-such-draft', { subject: 'x' }),
  of('unknown, deleted', 'DELETE /drafts/no-such-draft'),
  of('unknown, sent', 'POST /drafts/no-such-draft', {}),
  of('of a message that is none', 'GET /drafts/{plan}'),
  of('deleted', 'DELETE /drafts/{filed}'),
  of('deleted, read', 'GET /drafts/{filed}'),
  of('sent', 'POST /drafts/{draft}?select=id,subject,to,cc', {}),
  of('sent, read', 'GET /drafts/{draft}'),
]

import type { AskList } from '../run.ts'

const of = (name: string, body: object) => ({ name: `sends: ${name}`, call: 'POST /messages/send', body })
const to = [{ name: 'Bob', email: 'bob@people.test' }]
const file = { filename: 'notes.txt', content_type: 'text/plain', content: Buffer.from('Notes').toString('base64') }

export const sendRequests: AskList = [
  { ...of('a message', { to, subject: 'Sent one', body: '<p>Hello</p>' }), keep: { sent1: 'id' } },
  of('with every address', {
    to,
    cc: [{ email: 'carl@people.test' }],
    bcc: [{ email: 'dora@people.test' }],
    reply_to: [{ email: 'office@people.test' }],
    subject: 'Sent two',
    body: 'Text',
  }),
  of('with a file', { to, subject: 'Sent three', body: 'Text', attachments: [file] }),
  of('as a reply', { to, subject: 'Re: Plan', body: 'Yes', reply_to_message_id: '{plan}' }),
  of('as a reply to an unknown message', { to, subject: 'Re', body: 'x', reply_to_message_id: 'no-such-message' }),
  of('with metadata', { to, subject: 'Sent four', body: 'x', metadata: { key1: 'b' } }),
  of('without recipients', { subject: 'Nobody', body: 'x' }),
  of('with an invalid address', { to: [{ email: 'not an address' }], subject: 'x' }),
  of('with an address without its domain', { to: [{ email: 'bob@' }], subject: 'x' }),
  of('with a time in the past', { to, subject: 'x', send_at: 1_000_000_000 }),
  of('with a sender that is not the account', { to, from: [{ email: 'somebody@else.test' }], subject: 'x', body: 'x' }),
  of('from the account by its address', {
    to,
    from: [{ email: '{email}', name: 'Ada' }],
    subject: 'Sent five',
    body: 'x',
  }),
  of('with a subject of two lines', { to, subject: 'x\r\nBcc: eve@people.test' }),
  of('with a body that is no text', { to, subject: 'x', body: 5 }),
  { name: 'messages: what was sent', call: 'GET /messages?in={sent}&subject=Sent', sorted: 'subject' },
  { name: 'message: sent, read by the id of the answer', call: 'GET /messages/{sent1}' },
  { name: 'message: deleted', call: 'DELETE /messages/{starred}' },
  { name: 'messages: of the trash', call: 'GET /messages?in={trash}&select=id,subject,folders' },
  { name: 'thread: deleted', call: 'DELETE /threads/{forwarded.thread}' },
]

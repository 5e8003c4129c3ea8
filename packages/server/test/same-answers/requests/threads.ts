import type { AskList } from '../run.ts'

const of = (name: string, call: string, body?: object) => ({
  name: `threads: ${name}`,
  call,
  ...(body ? { body } : {}),
})

export const threadRequests: AskList = [
  of('of the inbox', 'GET /threads?in={inbox}'),
  of('two of the inbox', 'GET /threads?in={inbox}&limit=2&select=id,subject'),
  of('by subject', 'GET /threads?subject=Plan'),
  of('by any address', 'GET /threads?any_email=joerg@people.test'),
  of('unread', 'GET /threads?unread=true&in={inbox}&select=id,subject,unread'),
  of('starred', 'GET /threads?starred=true&select=id,subject,starred'),
  of('with files', 'GET /threads?has_attachment=true&in={inbox}&select=id,subject,has_attachments'),
  of('latest message after', 'GET /threads?latest_message_after=1780315500&in={inbox}&select=id,subject'),
  of('by an unknown id', 'GET /threads?thread_id=no-such-thread'),
  of('in an unknown folder', 'GET /threads?in=no-such-folder'),
  of('with a limit of 0', 'GET /threads?limit=0'),
  of('with a page token that we did not give', 'GET /threads?page_token=nonsense'),
  of('one of two messages', 'GET /threads/{plan.thread}'),
  of('one with files', 'GET /threads/{files.thread}'),
  of('unknown', 'GET /threads/no-such-thread'),
  of('marked as unread', 'PUT /threads/{plan.thread}', { unread: true }),
  of('marked as read', 'PUT /threads/{plan.thread}', { unread: false, starred: false }),
  of('unknown, changed', 'PUT /threads/no-such-thread', { unread: true }),
  of('moved to an unknown folder', 'PUT /threads/{plan.thread}', { folders: ['no-such-folder'] }),
  of('unknown, deleted', 'DELETE /threads/no-such-thread'),
]

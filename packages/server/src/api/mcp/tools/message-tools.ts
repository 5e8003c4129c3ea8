/** Tools that read messages. */
import { type Message, MessageListQuery } from '@waypost/contract'
import { z } from 'zod'
import { defineTool } from './define-tool.ts'
import { listedFields, MessageRow, messageRow } from './message-rows.ts'
import { counted, itemsOf, nextCursor, optionalSeconds, pageQuery, paging, reads, Time, timezone } from './parts.ts'

const { q, subject, from, to, any_email, in: folder, unread, starred, has_attachment } = MessageListQuery.shape

export const mailFilterInput = { q, subject, from, to, any_email, in: folder, unread, starred, has_attachment }

export const findMessages = defineTool({
  name: 'find_messages',
  title: 'Find messages',
  description:
    'Finds messages, newest first, by words, people, folder, state and time. Without filters: the newest messages of all folders. Read one with read_message.',
  operations: ['mail.read'],
  annotations: reads,
  grant: true,
  input: {
    ...mailFilterInput,
    received_after: Time.optional().meta({ description: 'Only messages received after this time' }),
    received_before: Time.optional().meta({ description: 'Only messages received before this time' }),
    ...paging,
    ...timezone,
  },
  output: { messages: z.array(MessageRow), ...nextCursor },
  run: async ({ call, grantId }, { limit, cursor, timezone: zone, received_after, received_before, ...filters }) => {
    const page = await call('messages.list', {
      params: { grant_id: grantId },
      query: {
        ...filters,
        received_after: optionalSeconds(received_after),
        received_before: optionalSeconds(received_before),
        ...pageQuery({ limit, cursor }),
        select: listedFields,
      },
    })
    const messages = itemsOf<Partial<Message>>(page)
    return {
      summary: counted(messages.length, 'message'),
      rows: { name: 'messages', rows: messages.map((message) => messageRow(message, zone)) },
      nextCursor: page.next_cursor,
    }
  },
})

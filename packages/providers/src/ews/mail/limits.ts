/** Fields and filters that Exchange mail does not support. */
import { defineLimits, ignored } from '../../limits.ts'

const query = { query_imap: ignored('Exchange is always queried') }
const colour = ignored('folders have no colours at Exchange')
const body = { text_color: colour, background_color: colour }

export const mailLimits = defineLimits({
  'messages.list': { query },
  'messages.get': { query },
  'messages.update': { query },
  'drafts.list': { query },
  'drafts.get': { query },
  'folders.create': { body },
  'folders.update': { body },
})

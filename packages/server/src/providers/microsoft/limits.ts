/** What accounts at Microsoft do not have. */
import { defineLimits, ignored } from '../limits.ts'

const queryImap = { query_imap: ignored('Microsoft is always asked') }
const colour = ignored('folders have no colours at Microsoft')
const folderFields = { text_color: colour, background_color: colour }

export const limits = defineLimits({
  'messages.list': { query: queryImap },
  'messages.get': { query: queryImap },
  'messages.update': { query: queryImap },
  'drafts.list': { query: queryImap },
  'drafts.get': { query: queryImap },
  'folders.create': { body: folderFields },
  'folders.update': { body: folderFields },
})

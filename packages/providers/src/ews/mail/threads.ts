import { threadOperations } from '../../mail/exchange/threads.ts'
import { ewsMail } from './exchange-mail.ts'
import { matcher } from './listing.ts'
import { threadIdOf } from './mapping/names.ts'
import { searchOf } from './mapping/query.ts'
import { wantedFields } from './mapping/wanted.ts'

export const threads = threadOperations(ewsMail, {
  conversationFields: wantedFields('thread_id'),
  conversationOf: threadIdOf,
  matcher,
  needsSearch: ({ q, search_query_native: native }) => q !== undefined || native !== undefined,
  checkFilters: (filters) => void searchOf(filters),
})

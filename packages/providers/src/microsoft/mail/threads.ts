import { threadOperations } from '../../mail/exchange/threads.ts'
import { graphMail } from './exchange-mail.ts'
import { matcher } from './listing.ts'
import { envelope } from './mapping/properties.ts'
import { searchOf } from './mapping/query.ts'

export const threads = threadOperations(graphMail, {
  conversationFields: envelope,
  conversationOf: ({ conversationId = '' }) => conversationId,
  matcher,
  needsSearch(filters) {
    const search = searchOf(filters)
    return !('terms' in search) || search.isNative === true
  },
  checkFilters: (filters) => void searchOf(filters),
})

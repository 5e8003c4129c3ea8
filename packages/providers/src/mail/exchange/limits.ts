/** Fields and filters that mail of Exchange does not support, for Graph and EWS. */
import { defineLimits, ignored } from '../../limits.ts'

export function mailLimits(provider: string) {
  const query = { query_imap: ignored(`${provider} is always queried`) }
  const colour = ignored(`folders have no colours at ${provider}`)
  const body = { text_color: colour, background_color: colour }
  return defineLimits({
    'messages.list': { query },
    'messages.get': { query },
    'messages.update': { query },
    'drafts.list': { query },
    'drafts.get': { query },
    'folders.create': { body },
    'folders.update': { body },
  })
}

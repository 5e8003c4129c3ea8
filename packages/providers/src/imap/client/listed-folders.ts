import type { ImapFlow } from 'imapflow'
import { internals } from './internals.ts'

/**
 * Makes imapflow select a folder without listing it first. It lists each folder once per connection, but the account's
 * folders are already listed on another connection of the pool.
 */
export function skipListing(client: ImapFlow, path: string): void {
  const { folders } = internals(client)
  if (folders instanceof Map && !folders.has(path)) folders.set(path, {})
}

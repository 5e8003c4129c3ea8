/**
 * What adapters keep for an account on this node between requests, such as open connections. It belongs to the
 * credentials it was made with: when they change, it is disposed of and made anew.
 */

import type { Secrets } from '../lib/crypto/secrets.ts'
import type { Log } from '../lib/log.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'

export interface SessionCache extends AsyncDisposable {
  of<T extends AsyncDisposable>(record: GrantRecord, name: string, make: (forget: () => void) => T): T
}

interface Entry {
  /** The credentials and settings it was made with. */
  made: string
  value: AsyncDisposable
}

export function createSessionCache(log: Log): SessionCache {
  const entries = new Map<string, Entry>()
  const drop = (id: string, entry: Entry): Promise<void> => {
    if (entries.get(id) === entry) entries.delete(id)
    return Promise.resolve(entry.value[Symbol.asyncDispose]()).catch((error) =>
      log.warn({ error, kept: id }, 'what was kept for a grant did not end well'),
    )
  }
  return {
    of<T extends AsyncDisposable>(record: GrantRecord, name: string, make: (forget: () => void) => T): T {
      const { id: grantId, settings } = record.grant
      const id = `${grantId} ${name}`
      const made = `${record.sealedCredentials}\n${JSON.stringify(settings)}`
      const known = entries.get(id)
      // A kind of provider keeps one kind of thing under a name, and the kind of a grant never changes.
      if (known?.made === made) return known.value as T
      if (known) void drop(id, known)
      const entry: Entry = {
        made,
        value: make(() => {
          if (entries.get(id) === entry) entries.delete(id)
        }),
      }
      entries.set(id, entry)
      return entry.value as T
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(entries.entries().map(([id, entry]) => drop(id, entry)))
    },
  }
}

/** The credentials of a grant, unsealed. */
export function credentialsOf(
  secrets: Secrets,
  { applicationId, grant, sealedCredentials }: GrantRecord,
): Record<string, unknown> {
  if (sealedCredentials === null) return {}
  const at = { table: 'grants', column: 'sealed_credentials', application: applicationId, row: grant.id }
  return JSON.parse(secrets.open(sealedCredentials, at))
}

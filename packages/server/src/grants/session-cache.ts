/**
 * Values that adapters cache for an account on this node between requests, such as open connections. They belong to
 * the credentials they were created with. When those change, the values are disposed of and created again.
 */

import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Log } from '@waypost/platform/log'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'

export interface SessionCache extends AsyncDisposable {
  of<T extends AsyncDisposable>(record: GrantRecord, name: string, make: (forget: () => void) => T): T
}

interface Entry {
  /** The credentials and settings it was created with. */
  made: string
  value: AsyncDisposable
}

export function createSessionCache(log: Log): SessionCache {
  const entries = new Map<string, Entry>()
  const drop = (id: string, entry: Entry): Promise<void> => {
    if (entries.get(id) === entry) entries.delete(id)
    return Promise.resolve(entry.value[Symbol.asyncDispose]()).catch((error) =>
      log.warn({ error, retained: id }, 'a cached value of a grant could not be disposed of'),
    )
  }
  return {
    of<T extends AsyncDisposable>(record: GrantRecord, name: string, make: (forget: () => void) => T): T {
      const { id: grantId, settings } = record.grant
      const id = `${grantId} ${name}`
      const made = `${record.sealedCredentials}\n${JSON.stringify(settings)}`
      const known = entries.get(id)
      // An adapter caches one type of value under a name, and the provider of a grant never changes.
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

/** The decrypted credentials of a grant. */
export function credentialsOf(
  secrets: Secrets,
  { applicationId, grant, sealedCredentials }: GrantRecord,
): Record<string, unknown> {
  if (sealedCredentials === null) return {}
  const at = { table: 'grants', column: 'sealed_credentials', application: applicationId, row: grant.id }
  return JSON.parse(secrets.open(sealedCredentials, at))
}

/** Which version of the schema a server takes, as far as this node has found out. */
import { ApiError } from '../../../lib/api-error.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { EwsError, hasCode } from '../errors.ts'
import { isSince, newestVersion, type SchemaVersion, versionBefore } from './versions.ts'

/** What requests may be made of. */
export interface Server {
  readonly version: SchemaVersion
  /** Whether the server knows what a version of the schema brought. Before its first answer it is taken for a new one. */
  since(version: SchemaVersion): boolean
}

interface Known {
  version: SchemaVersion
  /** It has taken the version. */
  isConfirmed: boolean
}

const mostServers = 10_000

export class KnownServers {
  readonly #servers = new Map<string, Known>()

  /** As it is known at each look. */
  server(origin: string): Server {
    const known = (): SchemaVersion => this.version(origin)
    return {
      get version() {
        return known()
      },
      since: (other) => isSince(known(), other),
    }
  }

  version(origin: string): SchemaVersion {
    return this.#servers.get(origin)?.version ?? newestVersion
  }

  isConfirmed(origin: string): boolean {
    return this.#servers.get(origin)?.isConfirmed ?? false
  }

  /** The server took no version: whatever is wrong, the next request begins anew. */
  forget(origin: string): void {
    this.#servers.delete(origin)
  }

  confirm(origin: string, version: SchemaVersion): void {
    if (this.#servers.get(origin)?.isConfirmed) return
    if (this.#servers.size >= mostServers) this.#servers.clear()
    this.#servers.set(origin, { version, isConfirmed: true })
  }

  /** The server did not take a version. Answers whether there is an older one to try. */
  stepDown(origin: string, refused: SchemaVersion): boolean {
    const before = versionBefore(refused)
    if (before === undefined) return false
    // Another request may have found it out already.
    if (this.version(origin) === refused) this.#servers.set(origin, { version: before, isConfirmed: false })
    return true
  }
}

/** How servers say that a version is newer than they are. */
const tooNew = [
  'ErrorInvalidServerVersion',
  'ErrorIncorrectSchemaVersion',
  'ErrorInvalidSchemaVersionForMailboxVersion',
] as const
/** How some say it that were not told to say it so; from a server that has taken the version it means something else. */
const perhapsTooNew = ['ErrorInvalidRequest', 'ErrorSchemaValidation'] as const

/** Whether an error may say that the server does not take the version of the schema. */
export function mayBeTooNew(error: unknown, { isConfirmed, reads }: { isConfirmed: boolean; reads: boolean }): boolean {
  if (hasCode(error, ...tooNew)) return true
  if (isConfirmed) return false
  if (hasCode(error, ...perhapsTooNew)) return true
  // Without a word of EWS it may have been done, so that only what reads is tried again.
  return reads && error instanceof ApiError && !(error instanceof EwsError) && providerStatus(error) === 500
}

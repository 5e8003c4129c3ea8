/** The schema versions that servers accept, as detected on this node. */
import { ApiError } from '@waypost/platform/api-error'
import { providerStatus } from '../../shared/refusal.ts'
import { EwsError, hasCode } from '../errors.ts'

/** From the oldest to the newest. */
export const schemaVersions = [
  'Exchange2007',
  'Exchange2007_SP1',
  'Exchange2010',
  'Exchange2010_SP1',
  'Exchange2010_SP2',
  'Exchange2013',
  'Exchange2013_SP1',
] as const

export type SchemaVersion = (typeof schemaVersions)[number]

/** Every server since 2013 SP1 accepts it, and it contains everything that is requested. */
export const newestVersion: SchemaVersion = 'Exchange2013_SP1'
/** The oldest version with streaming notifications, conversations and impersonation as they are used here. */
export const oldestVersion: SchemaVersion = 'Exchange2010_SP1'

/** Whether a version contains another. */
export const isSince = (version: SchemaVersion, other: SchemaVersion): boolean =>
  schemaVersions.indexOf(version) >= schemaVersions.indexOf(other)

/** The version to try after one that a server rejected; undefined if the server is too old. */
export function versionBefore(version: SchemaVersion): SchemaVersion | undefined {
  const before = schemaVersions[schemaVersions.indexOf(version) - 1]
  return before !== undefined && isSince(before, oldestVersion) ? before : undefined
}

/** The server's abilities. */
export interface Server {
  readonly version: SchemaVersion
  /** Whether the server supports a schema version. Before its first answer it counts as a new one. */
  since(version: SchemaVersion): boolean
}

interface KnownServer {
  version: SchemaVersion
  /** The server has accepted the version. */
  isConfirmed: boolean
}

const maxServers = 10_000

export class KnownServers {
  readonly #servers = new Map<string, KnownServer>()

  /** Its properties read the current state. */
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

  /** The server accepted no version, so the next request starts again with the newest. */
  forget(origin: string): void {
    this.#servers.delete(origin)
  }

  confirm(origin: string, version: SchemaVersion): void {
    if (this.#servers.get(origin)?.isConfirmed) return
    if (this.#servers.size >= maxServers) this.#servers.clear()
    this.#servers.set(origin, { version, isConfirmed: true })
  }

  /** The server rejected a version. Returns whether there is an older one to try. */
  stepDown(origin: string, refused: SchemaVersion): boolean {
    const before = versionBefore(refused)
    if (before === undefined) return false
    // Another request may have detected it already.
    if (this.version(origin) === refused) this.#servers.set(origin, { version: before, isConfirmed: false })
    return true
  }
}

/** Codes for a version that is newer than the server. */
const tooNew = [
  'ErrorInvalidServerVersion',
  'ErrorIncorrectSchemaVersion',
  'ErrorInvalidSchemaVersionForMailboxVersion',
] as const
/** Codes that some servers use instead. After the version was accepted, they mean something else. */
const perhapsTooNew = ['ErrorInvalidRequest', 'ErrorSchemaValidation'] as const

/** Whether an error may mean that the server does not accept the schema version. */
export function mayBeTooNew(error: unknown, { isConfirmed, reads }: { isConfirmed: boolean; reads: boolean }): boolean {
  if (hasCode(error, ...tooNew)) return true
  if (isConfirmed) return false
  if (hasCode(error, ...perhapsTooNew)) return true
  // Without an EWS error the operation may have been executed, so only a reading one is repeated.
  return reads && error instanceof ApiError && !(error instanceof EwsError) && providerStatus(error) === 500
}

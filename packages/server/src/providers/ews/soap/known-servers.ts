/** Which version of the schema a server takes, as far as this node has found out. */
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

/** An account on a DAV server as its adapter sees it, without the service. */

import { privateEgress } from '../../../platform/test/egress/making-egress.ts'
import { type Dav, type DavServers, openDav } from '../../src/dav/session.ts'
import type { SessionIo } from '../../src/io.ts'

export interface DavAccount extends AsyncDisposable {
  io: SessionIo
  /** The services as a request sees them: the cache between requests stays. */
  open(servers: DavServers): Dav
}

/** Egress that can reach loopback, and the cache of one account. */
export function davAccount(overrides: Partial<SessionIo> = {}): DavAccount {
  const egress = privateEgress()
  const retained = new Map<string, AsyncDisposable>()
  const io = Object.assign(Object.create(null) as SessionIo, {
    request: egress.request,
    signal: new AbortController().signal,
    log: { debug: () => {}, info: () => {}, warn: () => {} } as unknown as SessionIo['log'],
    retained: <T extends AsyncDisposable>(name: string, make: (forget: () => void) => T): T => {
      const value = (retained.get(name) as T | undefined) ?? make(() => retained.delete(name))
      retained.set(name, value)
      return value
    },
    ...overrides,
  })
  return {
    io,
    open: (servers) => openDav(io, servers),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}

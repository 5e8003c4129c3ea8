/** A session of an account at an Exchange server: calls of EWS operations (`operations/`). */
import type { Grant } from '@waypost/contract'
import type { Io, SessionIo } from '../io.ts'
import { accountOf, type EwsAccount } from './login.ts'
import { type EwsClient, openClient } from './soap/client.ts'
import { AccountConnections } from './soap/connections.ts'
import { openTransport } from './soap/transport.ts'

export type { CallOptions, EwsClient, RequestFor, StreamOptions } from './soap/client.ts'

export interface Session extends EwsClient {
  readonly grant: Grant
  readonly io: SessionIo
  /** The address of the mailbox that the session works on. */
  readonly address: string
}

export function open(grant: Grant, io: SessionIo): Session {
  const account: EwsAccount = accountOf({ ...grant.settings, ...io.credentials() }, grant.email, io.providerUrl)
  const connections = io.retained('ews connections', (forget) => new AccountConnections(forget))
  return {
    grant,
    io,
    address: account.address,
    ...openClient(io, account, openTransport(io, account, connections), { grant_id: grant.id }),
  }
}

/** Calls for an account without a grant; its connections are closed afterwards. */
export async function withClient<T>(io: Io, account: EwsAccount, use: (client: EwsClient) => Promise<T>): Promise<T> {
  await using connections = new AccountConnections()
  return await use(openClient(io, account, openTransport(io, account, connections)))
}

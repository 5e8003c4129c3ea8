/** A session of an account at an Exchange server: calls of the operations of EWS (`operations/`). */
import type { Grant } from '@waypost/contract'
import type { SessionIo } from '../io.ts'
import { accountOf, type EwsAccount } from './account.ts'
import { type EwsClient, openClient } from './soap/client.ts'
import { openTransport } from './soap/transport.ts'

export type { CallOptions, EwsClient, RequestFor } from './soap/client.ts'

export interface Session extends EwsClient {
  readonly grant: Grant
  readonly io: SessionIo
  /** The address of the mailbox that the session works on. */
  readonly address: string
}

export function open(grant: Grant, io: SessionIo): Session {
  const account: EwsAccount = accountOf({ ...grant.settings, ...io.credentials() }, grant.email, io.providerUrl)
  return { grant, io, address: account.address, ...openClient({ io, account, transport: openTransport(io, account) }) }
}

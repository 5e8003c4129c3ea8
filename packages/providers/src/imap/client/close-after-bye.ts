/** A server that says BYE closes the connection next (RFC 3501 §7.1.5). Some servers leave it open, so we close it. */
import type { ImapFlow } from 'imapflow'
import { internals } from './internals.ts'

/** Time for the response to a running command, which some servers send after BYE and which explains the reason. */
const responseMs = 300

export function closeAfterBye(client: ImapFlow): void {
  const inside = internals(client)
  const bye = inside.serverBye?.bind(client)
  if (!bye) return
  inside.serverBye = async (response) => {
    // The response to our own LOGOUT ends the connection.
    const isOurs = inside.currentRequest && inside.currentRequest.command === 'LOGOUT'
    await bye(response)
    if (!isOurs) setTimeout(() => client.close(), responseMs)
  }
}

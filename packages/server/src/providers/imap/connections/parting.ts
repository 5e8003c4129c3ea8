/** A server that says BYE closes the connection next (RFC 3501 §7.1.5). Some leave it open: none is waited for. */
import type { ImapFlow } from 'imapflow'

/** What is used of imapflow's insides. */
interface Inside {
  serverBye?(response: unknown): Promise<void>
  currentRequest?: { command?: string } | false
}

/** For the answer to a command that a server writes behind its BYE, which says more of why. */
const answerMs = 300

export function endAtBye(client: ImapFlow): void {
  const inside = client as unknown as Inside
  const bye = inside.serverBye?.bind(client)
  if (!bye) return
  inside.serverBye = async (response) => {
    // We said it first: the answer to LOGOUT ends the connection.
    const isOurs = inside.currentRequest && inside.currentRequest.command === 'LOGOUT'
    await bye(response)
    if (!isOurs) setTimeout(() => client.close(), answerMs)
  }
}

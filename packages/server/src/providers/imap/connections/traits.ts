/** How the server of a connection differs from others, for whoever has the connection alone. */
import type { ImapFlow } from 'imapflow'
import type { ImapTraits } from '../../mail/vendors.ts'

const traits = new WeakMap<ImapFlow, ImapTraits>()

const none: ImapTraits = {}

export const setTraits = (client: ImapFlow, known: ImapTraits): void => void traits.set(client, known)

export const traitsOf = (client: ImapFlow): ImapTraits => traits.get(client) ?? none

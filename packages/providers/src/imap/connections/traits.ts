/** Server-specific traits of a connection, for code that only has the connection. */
import type { ImapFlow } from 'imapflow'
import type { ImapTraits } from '../../mail/vendors.ts'

const traits = new WeakMap<ImapFlow, ImapTraits>()

const none: ImapTraits = {}

export const setTraits = (client: ImapFlow, known: ImapTraits): void => void traits.set(client, known)

export const traitsOf = (client: ImapFlow): ImapTraits => traits.get(client) ?? none

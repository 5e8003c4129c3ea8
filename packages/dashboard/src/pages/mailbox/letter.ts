import type { Draft, Message } from '@waypost/sdk'

/** What can be read: a message, or a draft of one. */
export type Letter = Message | Draft

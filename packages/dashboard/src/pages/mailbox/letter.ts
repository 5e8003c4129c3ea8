import type { Draft, Message } from '@waypost/sdk'

/** A message or draft. */
export type Letter = Message | Draft

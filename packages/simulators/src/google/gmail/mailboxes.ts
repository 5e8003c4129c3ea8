// The mailboxes of one simulated Google, keyed by the id of their owner.
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import type { Mailbox } from './mailbox.ts'

const worlds = new WeakMap<World, Map<string, Mailbox>>()

export function keepMailbox(world: World, mailbox: Mailbox): void {
  const mailboxes = worlds.get(world) ?? new Map<string, Mailbox>()
  worlds.set(world, mailboxes.set(mailbox.owner.sub, mailbox))
}

export function mailboxOf(world: World, { sub, email }: AccountOwner): Mailbox {
  const mailbox = worlds.get(world)?.get(sub)
  if (mailbox === undefined) throw new Error(`${email} has no mailbox`)
  return mailbox
}

// The mail of an account, for tests: operations in addition to those of the API.
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import { createLabel } from './labels.ts'
import { Mailbox } from './mailbox.ts'
import { keepMailbox } from './mailboxes.ts'
import { findMessage } from './resources.ts'
import { arrivalLabels } from './sending.ts'
import type { StoredMessage } from './stored.ts'
import { tellWatch } from './watch.ts'

export interface MailEntry {
  readonly id: string
  readonly threadId: string
  readonly labels: readonly string[]
  readonly internalDate: number
}

export interface SimulatedMail {
  /** Delivers a complete message (RFC 5322): to the inbox and unread, unless `labels` says otherwise. */
  deliver(source: string | Uint8Array, options?: { labels?: readonly string[]; at?: number }): MailEntry
  /** All messages, oldest first. */
  list(): MailEntry[]
  /** A stored message. */
  read(id: string): MailEntry & { readonly raw: Uint8Array }
  /** Adds labels to a message and removes others, as the user would. */
  relabel(id: string, change: { add?: readonly string[]; remove?: readonly string[] }): void
  /** Deletes a message permanently, as the user would. */
  remove(id: string): void
  /** Returns the id of the label. */
  createLabel(name: string): string
  /** History records up to now are too old to be listed from now on. */
  forgetHistory(): void
  /** Ends the watch without a notification, as when its week is over. */
  endWatch(): void
  /** For the API. */
  readonly mailbox: Mailbox
}

export function openMail(owner: AccountOwner, world: World): SimulatedMail {
  const mailbox = new Mailbox(owner, world)
  keepMailbox(world, mailbox)
  mailbox.onChange = (change) => tellWatch(mailbox, change)
  return {
    mailbox,
    deliver(source, { labels = arrivalLabels, at = world.now() } = {}) {
      const raw = typeof source === 'string' ? Buffer.from(source) : source
      return entry(mailbox.add({ raw, labels, internalDate: at }))
    },
    list: () => [...mailbox.messages.values()].map(entry),
    read(id) {
      const message = findMessage(mailbox, id)
      return { ...entry(message), raw: message.raw }
    },
    relabel: (id, { add = [], remove = [] }) => mailbox.relabel(findMessage(mailbox, id), add, remove),
    remove: (id) => mailbox.remove(findMessage(mailbox, id)),
    createLabel: (name) => createLabel(mailbox, { name }).id,
    forgetHistory() {
      mailbox.history.splice(0)
      mailbox.forgottenUpTo = mailbox.historyId
    },
    endWatch() {
      mailbox.watch = undefined
    },
  }
}

function entry({ id, threadId, labels, internalDate }: StoredMessage): MailEntry {
  return { id, threadId, labels: [...labels], internalDate }
}

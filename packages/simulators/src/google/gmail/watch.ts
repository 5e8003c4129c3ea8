// Watches: every change of the mailbox is published to a Pub/Sub topic, which pushes it to its subscriber.
// https://developers.google.com/workspace/gmail/api/guides/push

import type { JsonObject } from '../../shared/http.ts'
import { invalidArgument } from '../errors.ts'
import { publish } from '../pubsub.ts'
import type { Mailbox } from './mailbox.ts'
import type { MailChange } from './stored.ts'

const lifetimeMs = 7 * 24 * 3_600_000

/** Starts or renews a watch; the first push is sent immediately. */
export function startWatch(mailbox: Mailbox, body: JsonObject): JsonObject {
  const { topicName, labelIds } = body
  if (typeof topicName !== 'string' || !/^projects\/[^/]+\/topics\/[^/]+$/.test(topicName)) {
    throw invalidArgument(`Invalid topicName does not match projects/*/topics/*`)
  }
  const filter = Array.isArray(labelIds) ? labelIds.map(String) : []
  for (const id of filter) if (!mailbox.labels.has(id)) throw invalidArgument(`Invalid label: ${id}`)
  const excludes = String(body.labelFilterBehavior ?? body.labelFilterAction ?? '').toLowerCase() === 'exclude'
  const expiration = mailbox.world.now() + lifetimeMs
  mailbox.watch = {
    topicName,
    expiration,
    concerns({ labels, labelIds: changed }) {
      if (filter.length === 0) return true
      return filter.some((id) => labels.has(id) || changed.includes(id)) !== excludes
    },
  }
  notify(mailbox)
  return { historyId: String(mailbox.historyId), expiration: String(expiration) }
}

/** Publishes a change if the watch covers it and has not expired. */
export function tellWatch(mailbox: Mailbox, change: MailChange): void {
  const { watch, world } = mailbox
  if (watch === undefined || watch.expiration <= world.now() || !watch.concerns(change)) return
  notify(mailbox)
}

function notify({ watch, world, owner, historyId }: Mailbox): void {
  if (watch === undefined) return
  publish(world, watch.topicName, JSON.stringify({ emailAddress: owner.email, historyId }))
}

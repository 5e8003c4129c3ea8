/** Fields that webhooks and channels share. */
import { z } from 'zod'
import { CreatedAt, choiceParam, Id, line, Timestamp, UpdatedAt } from './fields.ts'
import { SubscribableTrigger, Trigger } from './notifications.ts'
import { isAddress } from './outgoing.ts'

export const WebhookStatus = z.enum(['active', 'pause', 'failing', 'failed']).meta({
  id: 'WebhookStatus',
  description:
    'State of a destination. Clients set `active` and `pause`. The service sets `failing` (95 % of the attempts within 15 minutes failed; still delivers) and, after 72 hours of that, `failed` (no longer delivers).',
})
export type WebhookStatus = z.output<typeof WebhookStatus>

const EmailAddress = line(320).refine(isAddress, { error: 'must be an email address' })
const Triggers = z.array(SubscribableTrigger).max(200)
const Description = z.string().max(1024)
const EmailAddresses = z.array(EmailAddress).max(20)

/** An empty value means absent. */
const unlessEmpty = <T extends string | readonly unknown[] | null | undefined>(value: T): T | undefined =>
  value?.length === 0 ? undefined : value
const once = <T>(names: readonly T[]): T[] => [...new Set(names)]

/** Fields of a destination in responses. */
export const shownFields = {
  id: Id.meta({ description: 'Id of the destination' }),
  description: z.string().meta({ description: 'Your description; empty if none' }),
  trigger_types: z.array(Trigger).meta({ description: 'Subscribed triggers' }),
  status: WebhookStatus.meta({
    description:
      '`active` and `failing` receive notifications; `pause`, which you set, and `failed`, which the service sets, do not',
  }),
  notification_email_addresses: z.array(z.string()).meta({
    description: 'Addresses that get a mail when the service changes the status',
  }),
  compressed_delivery: z.boolean().meta({ description: 'Whether bodies are sent as gzip' }),
  status_updated_at: Timestamp.meta({ description: 'Time of the last change of `status`, in Unix seconds' }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
}

/** Fields of a new destination, except where it is. */
export const draftFields = {
  trigger_types: Triggers.min(1, { error: 'must name at least one trigger' })
    .transform(once)
    .meta({ description: 'Triggers to subscribe to, such as `message.created`' }),
  description: Description.nullish().meta({ description: 'Your description: up to 1024 characters' }),
  notification_email_addresses: EmailAddresses.nullish().meta({
    description:
      'Addresses that get a mail when the service changes the status: up to 20. Requires a mail identity of the service.',
  }),
}

/** Fields of a change to a destination, except where it is and its status. */
export const changeFields = {
  trigger_types: Triggers.nullish()
    .transform((names) => (names?.length ? once(names) : undefined))
    .meta({ description: 'New list of triggers, which replaces the old one; unchanged if absent or empty' }),
  description: Description.nullish()
    .transform(unlessEmpty)
    .meta({ description: 'Your description; unchanged if absent or empty, null clears it' }),
  notification_email_addresses: EmailAddresses.nullish().transform(unlessEmpty).meta({
    description:
      'Addresses that get a mail when the service changes the status; unchanged if absent or empty, null clears them',
  }),
}

/** The statuses that clients set. */
export const SetStatus = choiceParam(['active', 'pause'], { inactive: 'pause', paused: 'pause' })

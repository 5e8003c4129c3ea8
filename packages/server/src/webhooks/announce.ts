/** Notifies people by email that a destination changed its state. */
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import type { LeasedDestination } from '@waypost/store/tables/notifications/delivery-leases'
import { addToOutbox } from '@waypost/store/tables/notifications/outbox'
import type { Step } from './delivery/health.ts'
import { placeOf } from './destinations.ts'

const texts: Record<Step, { subject: string; text: string }> = {
  failing: {
    subject: 'Webhook destination is failing',
    text: `At least 95 % of the notifications of the last 15 minutes could not be delivered. Deliveries go on, and each is tried again for more than a day.

If this lasts for another 72 hours, the destination is given up: nothing more is sent to it until you set its status to active.`,
  },
  failed: {
    subject: 'Webhook destination has failed',
    text: `At least 95 % of the notifications of the last 72 hours could not be delivered. Nothing more is sent to this destination.

Once the listener works again, set the status of the destination to active. Notifications of the meantime can be replayed, as long as they are kept.`,
  },
  active: {
    subject: 'Webhook destination has recovered',
    text: 'Notifications arrive again. No action is needed.',
  },
}

const channelTexts: Record<Step, { subject: string; text: string }> = {
  failing: {
    subject: 'Notification channel is failing',
    text: `At least 95 % of the attempts of the last 15 minutes failed. Nothing is lost: notifications wait, and the channel tries again every minute.

If this lasts for another 72 hours, the channel is given up: nothing more is sent to it until you set its status to active.`,
  },
  failed: {
    subject: 'Notification channel has failed',
    text: `At least 95 % of the attempts of the last 72 hours failed. Nothing more is sent to this channel.

Once the broker works again, set the status of the channel to active. Notifications of the meantime can be replayed, as long as they are kept.`,
  },
  active: { subject: 'Notification channel has recovered', text: 'Notifications arrive again. No action is needed.' },
}

/** Queues the messages about a change of state, in its transaction. */
export async function announceStep(
  tx: Queries,
  {
    id,
    application_id,
    transport,
    webhook_url,
  }: Pick<LeasedDestination, 'id' | 'application_id' | 'transport' | 'webhook_url'>,
  { step, emails, now }: { step: Step; emails: readonly string[]; now: number },
): Promise<void> {
  const { subject, text } = transport === 'webhook' ? texts[step] : channelTexts[step]
  const { shown, host } = placeOf({ transport, webhook_url })
  const body = `${text}\n\nDestination: ${shown}\nId: ${id}\nApplication: ${application_id}\nTime: ${new Date(now).toISOString()}\n`
  for (const to of new Set(emails)) {
    const payload = JSON.stringify({ to, subject: `${subject}: ${host}`, text: body })
    await addToOutbox(tx, {
      id: newId(),
      applicationId: application_id,
      grantId: '',
      kind: 'mail.send',
      payload,
      dueAt: now,
      now,
    })
  }
}

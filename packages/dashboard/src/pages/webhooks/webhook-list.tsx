/** Filters, order and bulk actions of the destination list. */
import type { Webhook } from '@waypost/sdk'
import { api } from '../../api.ts'
import type { BulkAction, Target } from '../../components/bulk.tsx'
import type { ListAddress } from '../../list/address.ts'
import { type ExportColumn, isoTime } from '../../list/export-format.ts'

export const filterNames = ['search', 'status', 'trigger'] as const
export const states = [
  ['active', 'active'],
  ['pause', 'paused'],
  ['failing', 'failing'],
  ['failed', 'failed'],
] as const

/** Sort order: problems first. */
const ranks: Record<Webhook['status'], number> = { failed: 0, failing: 1, pause: 2, active: 3 }

export const sortKeys: Record<string, (webhook: Webhook) => string | number> = {
  status: ({ status, created_at }) => ranks[status] * 1e12 + created_at,
  created_at: ({ created_at }) => created_at,
  webhook_url: ({ webhook_url }) => webhook_url,
  triggers: ({ trigger_types }) => trigger_types.length,
}

/** Whether a destination matches the filters in the URL. */
export function fitsIn({ read }: Pick<ListAddress, 'read'>): (webhook: Webhook) => boolean {
  const search = read('search').toLowerCase()
  const [status, trigger] = [read('status'), read('trigger')]
  return (webhook) =>
    [webhook.webhook_url, webhook.description, webhook.id].some((text) => text.toLowerCase().includes(search)) &&
    (status === '' || webhook.status === status) &&
    (trigger === '' || webhook.trigger_types.some((each) => each === trigger))
}

export const exportColumns: readonly ExportColumn<Webhook>[] = [
  ['id', ({ id }) => id],
  ['webhook_url', ({ webhook_url }) => webhook_url],
  ['description', ({ description }) => description],
  ['status', ({ status }) => status],
  ['trigger_types', ({ trigger_types }) => trigger_types.join(' ')],
  ['notification_email_addresses', ({ notification_email_addresses }) => notification_email_addresses.join(' ')],
  ['compressed_delivery', ({ compressed_delivery }) => compressed_delivery],
  ['created_at', ({ created_at }) => isoTime(created_at)],
]

export const targetOf = ({ id, webhook_url }: Webhook): Target => ({ id, name: webhook_url })

export function webhookActions(application: string): readonly BulkAction[] {
  const set = (status: 'active' | 'pause') => (id: string) => api(application).webhooks.update({ id, body: { status } })
  return [
    {
      label: 'Pause',
      done: 'paused',
      act: set('pause'),
      children: <p>Nothing is sent to them. New changes are not queued, but you can replay them.</p>,
    },
    {
      label: 'Activate',
      done: 'activated',
      act: set('active'),
      children: <p>Each must answer the challenge. Then deliveries resume.</p>,
    },
    {
      label: 'Delete',
      done: 'deleted',
      danger: true,
      isFinal: true,
      act: (id) => api(application).webhooks.delete({ id }),
      children: <p>Waiting notifications are not sent, and their delivery logs are deleted.</p>,
    },
  ]
}

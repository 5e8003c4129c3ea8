/** Filters, order and bulk actions of the destination list. */
import type { BulkAction, Target } from '../../components/bulk.tsx'
import { type Destination, deleteDestination, placeOf, setStatus } from '../../destinations.ts'
import type { ListAddress } from '../../list/address.ts'
import { type ExportColumn, isoTime } from '../../list/export-format.ts'

export const filterNames = ['search', 'transport', 'status', 'trigger'] as const
export const states = [
  ['active', 'active'],
  ['pause', 'paused'],
  ['failing', 'failing'],
  ['failed', 'failed'],
] as const

/** Sort order: problems first. */
const ranks: Record<Destination['status'], number> = { failed: 0, failing: 1, pause: 2, active: 3 }

export const sortKeys: Record<string, (destination: Destination) => string | number> = {
  status: ({ status, created_at }) => ranks[status] * 1e12 + created_at,
  created_at: ({ created_at }) => created_at,
  place: placeOf,
  triggers: ({ trigger_types }) => trigger_types.length,
}

/** Whether a destination matches the filters in the URL. */
export function fitsIn({ read }: Pick<ListAddress, 'read'>): (destination: Destination) => boolean {
  const search = read('search').toLowerCase()
  const [transport, status, trigger] = [read('transport'), read('status'), read('trigger')]
  return (destination) =>
    [placeOf(destination), destination.description, destination.id].some((text) =>
      text.toLowerCase().includes(search),
    ) &&
    (transport === '' || destination.transport === transport) &&
    (status === '' || destination.status === status) &&
    (trigger === '' || destination.trigger_types.some((each) => each === trigger))
}

export const exportColumns: readonly ExportColumn<Destination>[] = [
  ['id', ({ id }) => id],
  ['transport', ({ transport }) => transport],
  ['webhook_url', placeOf],
  ['description', ({ description }) => description],
  ['status', ({ status }) => status],
  ['trigger_types', ({ trigger_types }) => trigger_types.join(' ')],
  ['notification_email_addresses', ({ notification_email_addresses }) => notification_email_addresses.join(' ')],
  ['compressed_delivery', ({ compressed_delivery }) => compressed_delivery],
  ['created_at', ({ created_at }) => isoTime(created_at)],
]

export const targetOf = (destination: Destination): Target => ({ id: destination.id, name: placeOf(destination) })

export function destinationActions(application: string, destinations: readonly Destination[]): readonly BulkAction[] {
  const named = (id: string): Destination => {
    const found = destinations.find((each) => each.id === id)
    if (!found) throw new Error('The destination was deleted.')
    return found
  }
  const set = (status: 'active' | 'pause') => async (id: string) => setStatus(application, named(id), status)
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
      children: <p>Each receiver and broker is verified first. Then deliveries resume.</p>,
    },
    {
      label: 'Delete',
      done: 'deleted',
      danger: true,
      isFinal: true,
      act: async (id) => deleteDestination(application, named(id)),
      children: <p>Waiting notifications are not sent, and their delivery logs are deleted.</p>,
    },
  ]
}

/** The filters of the grant list from its URL, and the exported columns. */
import type { AdminGrant } from '@waypost/sdk'
import { api } from '../../api.ts'
import { daysOf, type ListAddress, yesOrNo } from '../../list/address.ts'
import { type ExportColumn, isoTime } from '../../list/export-format.ts'
import type { ReadPage } from '../../list/view.ts'

export const statuses = ['valid', 'invalid'] as const
export const filterNames = [
  'search',
  'status',
  'provider',
  'workspace',
  'blocked',
  'from',
  'to',
  'used_from',
  'used_to',
] as const
const orders = ['created_at', 'last_used_at', 'email', 'grant_status'] as const

/** The filters as request parameters. */
export function filtersOf({ read }: Pick<ListAddress, 'read'>) {
  const created = daysOf(read('from'), read('to'))
  const used = daysOf(read('used_from'), read('used_to'))
  return {
    search: read('search') || undefined,
    grant_status: statuses.find((each) => each === read('status')),
    provider: read('provider') || undefined,
    workspace_id: read('workspace') || undefined,
    blocked: yesOrNo(read('blocked')),
    created_since: created.since,
    created_before: created.before,
    last_used_since: used.since,
    last_used_before: used.before,
  }
}

export const readGrants =
  (application: string, address: ListAddress): ReadPage<AdminGrant> =>
  (page, signal) =>
    api().adminGrants.list({
      application_id: application,
      query: {
        ...filtersOf(address),
        ...page,
        sort: orders.find((each) => each === address.sort.by),
        order: address.sort.order,
      },
      signal,
    })

export const exportColumns: readonly ExportColumn<AdminGrant>[] = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['name', ({ name }) => name],
  ['provider', ({ provider }) => provider],
  ['grant_status', ({ grant_status }) => grant_status],
  ['blocked', ({ blocked }) => blocked],
  ['scope', ({ scope }) => scope?.join(' ')],
  ['external_id', ({ external_id }) => external_id],
  ['created_at', ({ created_at }) => isoTime(created_at)],
  ['updated_at', ({ updated_at }) => isoTime(updated_at)],
  ['last_used_at', ({ last_used_at }) => isoTime(last_used_at)],
]

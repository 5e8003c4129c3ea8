/** Reads the contacts of an account. */
import type { Contact, Grant } from '@waypost/sdk'
import { useEffect } from 'react'
import { api } from '../../api.ts'
import { useData, usePages } from '../../queries.ts'
import { exactFilter } from './search.ts'

export interface Account {
  application: string
  grant: Grant
}

export const keyOf = ({ application, grant }: Account, ...rest: unknown[]): unknown[] => [
  'contacts',
  application,
  grant.id,
  ...rest,
]

export interface ContactQuery {
  search: string
  group: string
  source: string
}

/** Maximum number of contacts read for a text search. */
const maxRead = 2000

export function useContacts(account: Account, { search, group, source }: ContactQuery) {
  const exact = exactFilter(search)
  const from = (['inbox', 'domain'] as const).find((each) => each === source)
  const filter = { ...exact, ...(group ? { group } : {}), ...(from ? { source: [from] } : {}) }
  const query = usePages<Contact>(keyOf(account, 'list', filter), (page_token, signal) =>
    api(account.application).contacts.list({
      grant_id: account.grant.id,
      query: { limit: 200, page_token, ...filter },
      signal,
    }),
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data } = query
  const isSearching = search.trim() !== '' && exact === undefined
  const readsOn = isSearching && hasNextPage && !isFetchingNextPage && (data?.length ?? 0) < maxRead
  useEffect(() => {
    if (readsOn) void fetchNextPage()
  }, [readsOn, fetchNextPage])
  return { query, isSearching, isReading: readsOn || (isSearching && isFetchingNextPage) }
}

export const useGroups = (account: Account, enabled: boolean) =>
  useData(
    keyOf(account, 'groups'),
    (signal) => {
      const request = { grant_id: account.grant.id, query: { limit: 200 }, signal }
      return api(account.application).contactGroups.list(request)
    },
    { enabled },
  )

/** One contact with its picture. */
export const useContact = (account: Account, id: string) =>
  useData(keyOf(account, 'one', id), (signal) =>
    api(account.application).contacts.get({
      grant_id: account.grant.id,
      contact_id: id,
      query: { profile_picture: true },
      signal,
    }),
  )

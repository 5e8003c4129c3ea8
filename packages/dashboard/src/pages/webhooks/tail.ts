/**
 * The live log of attempts. While the page is visible, it requests rows newer than the newest one every two seconds
 * and reads no row twice. Older pages are loaded on request.
 */
import { useQuery } from '@tanstack/react-query'
import type { DeliveriesAttemptsQuery, DeliveryAttempt } from '@waypost/sdk'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { usePages } from '../../queries.ts'

export type AttemptsQuery = Omit<DeliveriesAttemptsQuery, 'limit' | 'page_token' | 'select'>

const everyMs = 2_000
/** Rows per request, and the maximum number of rows retained. */
const page = 50
const max = 500

export const keyOf = (row: DeliveryAttempt): string =>
  `${row.notification_id} ${row.webhook_delivery_attempt} ${row.at}`

/** Newer rows before older ones without duplicates; the oldest are dropped beyond the limit. */
export function merged(newer: readonly DeliveryAttempt[], older: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  const known = new Set(newer.map(keyOf))
  return [...newer, ...older.filter((row) => !known.has(keyOf(row)))]
}

export interface Tail {
  isLive: boolean
  filter: AttemptsQuery
}

export function useTail(application: string, id: string, { isLive, filter }: Tail) {
  const key = ['webhooks', application, id, 'attempts', filter]
  const older = usePages(key, (page_token, signal) =>
    api(application).deliveries.attempts({ id, query: { ...filter, limit: page, page_token }, signal }),
  )
  const [arrived, setArrived] = useState<readonly DeliveryAttempt[]>([])
  const filterText = JSON.stringify(filter)
  const filterBefore = useRef(filterText)
  useEffect(() => {
    if (filterBefore.current !== filterText) setArrived([])
    filterBefore.current = filterText
  }, [filterText])
  const newest = (arrived[0] ?? older.data?.[0])?.at
  const isRead = older.data !== undefined
  const query = useQuery({
    queryKey: [...key, 'tail'],
    enabled: isLive && isRead,
    refetchInterval: everyMs,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      // Rows of the same second as the newest row are requested again and deduplicated.
      const start = Math.max(newest ?? 0, filter.start ?? 0)
      const { data, nextCursor } = await api(application).deliveries.attempts({
        id,
        query: { ...filter, ...(start ? { start } : {}), limit: page },
        signal,
      })
      return { rows: data, gap: nextCursor !== undefined && data.every((row) => row.at > start) }
    },
  })
  const found = query.data
  useEffect(() => {
    if (!found) return
    // More rows arrived than one request returns, so the log is reloaded without a gap.
    if (found.gap) {
      setArrived([])
      void older.refetch()
      return
    }
    setArrived((before) => {
      const next = merged(found.rows, before).slice(0, max)
      return next.length === before.length ? before : next
    })
  }, [found, older.refetch])
  const shown = older.data && merged(arrived, older.data)
  return { older, rows: shown, isFresh: (row: DeliveryAttempt) => isLive && arrived.includes(row), error: query.error }
}

/** Reads booking pages, and the accounts and calendars that a page can use. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SchedulingPage } from '@waypost/sdk'
import { api } from '../../api.ts'
import { refresh, useData } from '../../queries.ts'

export const pagesKey = (application: string, ...rest: unknown[]): unknown[] => ['booking-pages', application, ...rest]

export const refreshPages = (application: string): Promise<void> => refresh(...pagesKey(application))

/** A page by its id. The list finds the grant that owns it. */
export const useBookingPage = (application: string, id: string) =>
  useQuery({
    queryKey: pagesKey(application, 'one', id),
    queryFn: async ({ signal }): Promise<SchedulingPage> => {
      const query = { search: id, limit: 10 }
      const { data } = await api(application).schedulingPages.list({ query, signal })
      const found = data.find((each) => each.id === id)
      if (found) return found
      throw new Error('This booking page does not exist. It may have been deleted.')
    },
  })

/** Slugs that are taken, so that the proposed one is free. The service checks it again. */
export const useTakenSlugs = (application: string, search: string) =>
  useQuery({
    queryKey: pagesKey(application, 'slugs', search),
    queryFn: async ({ signal }) => {
      const { data } = await api(application).schedulingPages.list({ query: { search, limit: 200 }, signal })
      return new Set(data.flatMap(({ slug }) => (slug ? [slug] : [])))
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })

/** Maximum number of accounts offered at once; others are found by search. */
export const offeredAccounts = 20

/** Accounts that can be booked: valid, not blocked. */
export const useFoundAccounts = (application: string, search: string, enabled: boolean) =>
  useData(
    ['grants', application, 'booking-pages', search],
    (signal) => {
      const query = {
        limit: offeredAccounts,
        search: search.trim() || undefined,
        grant_status: 'valid',
        blocked: false,
        sort: 'email',
        order: 'asc',
      } as const
      return api().adminGrants.list({ application_id: application, query, signal })
    },
    { enabled, placeholderData: keepPreviousData },
  )

/** The calendars of an account in which events can be created, the primary one first. */
export const useWritableCalendars = (application: string, grantId: string, enabled = true) =>
  useQuery({
    queryKey: ['calendar', application, grantId, 'writable'],
    queryFn: async ({ signal }) => {
      const request = { grant_id: grantId, query: { limit: 200 }, signal }
      const { data } = await api(application).calendars.list(request)
      return data
        .filter(({ read_only }) => !read_only)
        .sort((a, b) => Number(b.is_primary ?? false) - Number(a.is_primary ?? false))
    },
    enabled,
  })

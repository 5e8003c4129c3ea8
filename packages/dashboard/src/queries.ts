/** What was asked of the service, kept while it is fresh; and the questions that several pages ask. */
import {
  type InfiniteData,
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { WaypostError } from '@waypost/sdk'
import { api, isSignedOut, mustActFirst } from './api.ts'
import { forgetKept } from './kept.ts'

/** An answer that says "not signed in", or "not yet", is looked into: the session may have ended, or be limited. */
function onError(error: unknown): void {
  if ((isSignedOut(error) || mustActFirst(error)) && queries.getQueryData(['session']))
    void queries.invalidateQueries({ queryKey: ['session'] })
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.queryKey[0] !== 'session' && onError(error) }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (times, error) => times < 1 && error instanceof WaypostError && error.status === undefined,
    },
  },
})

/** Everything that was read is read anew where it is shown: after a change. */
export const refresh = (...key: unknown[]): Promise<void> => queries.invalidateQueries({ queryKey: key })

/** Nothing that was read for one session is there for the next. */
export function forgetAll(): void {
  forgetKept()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

/** The sign-in page comes by itself: whoever is here is asked for anew. */
export async function leave(): Promise<void> {
  forgetAll()
  await queries.resetQueries({ queryKey: ['session'] })
}

/** An application as the administrator sees it. */
export const useApplicationSummary = (id: string | undefined) =>
  useQuery({
    queryKey: ['applications', 'one', id],
    queryFn: async ({ signal }) => (await api().adminApplications.get({ application_id: id ?? '', signal })).data,
    enabled: id !== undefined,
  })

/** All of them at once: for who gives people rights on some. Other pages search, or ask for the one that they are of. */
export const useApplications = () =>
  useQuery({
    queryKey: ['applications', 'all'],
    queryFn: ({ signal }) => Array.fromAsync(api().adminApplications.list.all({ query: { limit: 200 }, signal })),
  })

/** So many applications are offered at once; others are searched for. */
export const offeredApplications = 20

/** Applications whose name or id has a text in it, by name: as many as are offered. */
export const useFoundApplications = (search: string, enabled = true) =>
  useQuery({
    queryKey: ['applications', 'found', search],
    queryFn: async ({ signal }) => {
      const query = { limit: offeredApplications, sort: 'name', search: search.trim() || undefined } as const
      return (await api().adminApplications.list({ query, signal })).data
    },
    enabled,
    placeholderData: keepPreviousData,
  })

/** The names of some applications, by their ids. */
export const useApplicationNames = (ids: readonly string[]) =>
  useQuery({
    queryKey: ['applications', 'names', ids],
    queryFn: async ({ signal }) => {
      const found = (await api().adminApplications.list({ query: { application_id: [...ids] }, signal })).data
      return new Map(found.map(({ application_id, branding }) => [application_id, branding.name]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })

/** The application to begin with: the one that was looked at last, or else the oldest; null where there is none. */
export const useFirstApplication = (enabled = true) =>
  useQuery({
    queryKey: ['applications', 'first'],
    queryFn: async ({ signal }) => {
      const last = localStorage.getItem('waypost-application')
      const ids = last ? (await api().adminApplications.list({ query: { application_id: [last] }, signal })).data : []
      const [found] = ids.length > 0 ? ids : (await api().adminApplications.list({ query: { limit: 1 }, signal })).data
      return found?.application_id ?? null
    },
    enabled,
  })

/** The application with all that it can be told, as its own API key sees it. */
export const useApplication = (application: string) =>
  useQuery({
    queryKey: ['application', application],
    queryFn: async ({ signal }) => (await api(application).applications.get({ signal })).data,
  })

export const useConnectors = (application: string) =>
  useQuery({
    queryKey: ['connectors', application],
    queryFn: async ({ signal }) => (await api(application).connectors.list({ query: { limit: 200 }, signal })).data,
  })

export const useGuides = (application: string) =>
  useQuery({
    queryKey: ['connectors', application, 'guides'],
    queryFn: async ({ signal }) => (await api(application).connect.guide({ signal })).data,
  })

interface PageOf<T> {
  data: T[]
  nextCursor: string | undefined
}

/** A list that comes page by page, its rows in one array. */
export function usePages<T>(
  queryKey: readonly unknown[],
  read: (pageToken: string | undefined, signal: AbortSignal) => Promise<PageOf<T>>,
  options: { refetchInterval?: number; enabled?: boolean } = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: PageOf<T>) => last.nextCursor,
    select: ({ pages }: InfiniteData<PageOf<T>>) => pages.flatMap(({ data }) => data),
    ...options,
  })
}

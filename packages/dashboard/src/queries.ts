/** The query cache, and queries used by several pages. */
import {
  type InfiniteData,
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { WaypostError } from '@waypost/sdk'
import { api, isSignedOut, mustActFirst } from './api.ts'
import { deleteHistory } from './session-storage.ts'

/** If an error says that the session ended or is limited, the session is requested again. */
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

/** Marks queries as stale after a change, so that visible data is reloaded. */
export const refresh = (...key: unknown[]): Promise<void> => queries.invalidateQueries({ queryKey: key })

/** Clears all data of the previous session. */
export function forgetAll(): void {
  deleteHistory()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

/** Ends the session on the page. The sign-in page appears once the session is requested again. */
export async function leave(): Promise<void> {
  forgetAll()
  await queries.resetQueries({ queryKey: ['session'] })
}

/** What the service answers to one request. */
export const useData = <T>(
  queryKey: readonly unknown[],
  read: (signal: AbortSignal) => Promise<{ data: T }>,
  options: Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<T> => useQuery({ queryKey, queryFn: async ({ signal }) => (await read(signal)).data, ...options })

/** The version of the service. It changes only when nodes are upgraded. */
export const useVersion = () =>
  useQuery({
    queryKey: ['version'],
    queryFn: async ({ signal }) => (await api().service.health({ signal })).data.version,
    staleTime: 10 * 60_000,
  })

/** An application as seen by the administrator. */
export const useApplicationSummary = (id: string | undefined) =>
  useData(['applications', 'one', id], (signal) => api().adminApplications.get({ application_id: id ?? '', signal }), {
    enabled: id !== undefined,
  })

/** All applications, for owners who grant access to some of them. Other pages search, or request a single one. */
export const useApplications = () =>
  useQuery({
    queryKey: ['applications', 'all'],
    queryFn: ({ signal }) => Array.fromAsync(api().adminApplications.list.all({ query: { limit: 200 }, signal })),
  })

/** Maximum number of applications offered at once; others are found by search. */
export const offeredApplications = 20

/** Applications whose name or id contains the text, sorted by name. */
export const useFoundApplications = (search: string, enabled = true) =>
  useData(
    ['applications', 'found', search],
    (signal) => {
      const query = { limit: offeredApplications, sort: 'name', search: search.trim() || undefined } as const
      return api().adminApplications.list({ query, signal })
    },
    { enabled, placeholderData: keepPreviousData },
  )

/** Names of applications by id. */
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

/** The application shown first: the one viewed last, or else the oldest; null if there is none. */
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

/** The application with all its settings, as its own API key sees it. */
export const useApplication = (application: string) =>
  useData(['application', application], (signal) => api(application).applications.get({ signal }))

export const useConnectors = (application: string) =>
  useData(['connectors', application], (signal) => api(application).connectors.list({ query: { limit: 200 }, signal }))

export const useGuides = (application: string) =>
  useData(['connectors', application, 'guides'], (signal) => api(application).connect.guide({ signal }))

export const approvalsKey = (application: string, ...rest: unknown[]): unknown[] => ['approvals', application, ...rest]

/** The number of approvals that wait, for the menu. It shows no customer data. */
export const useWaitingApprovals = (application: string) =>
  useData(
    approvalsKey(application, 'count'),
    (signal) => api().adminApplications.countApprovals({ application_id: application, signal }),
    { refetchInterval: 30_000, refetchIntervalInBackground: false },
  )

interface PageOf<T> {
  data: T[]
  nextCursor: string | undefined
}

/** A list that loads page by page, with its rows in one array. */
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

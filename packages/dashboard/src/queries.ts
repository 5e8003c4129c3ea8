/** What was asked of the service, kept while it is fresh; and the questions that several pages ask. */
import {
  type InfiniteData,
  MutationCache,
  QueryCache,
  QueryClient,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { WaypostError } from '@waypost/sdk'
import { api, isSignedOut } from './api.ts'

/** An answer that says "not signed in" is looked into: the session may have ended. */
function onError(error: unknown): void {
  if (isSignedOut(error) && queries.getQueryData(['session'])) void queries.invalidateQueries({ queryKey: ['session'] })
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
export const forgetAll = (): void => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })

/** The sign-in page comes by itself: whoever is here is asked for anew. */
export async function leave(): Promise<void> {
  forgetAll()
  await queries.resetQueries({ queryKey: ['session'] })
}

export const useApplications = () =>
  useQuery({
    queryKey: ['applications'],
    queryFn: async ({ signal }) => (await api().adminApplications.list({ signal })).data,
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
  options: { refetchInterval?: number } = {},
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

/** The workspaces of an application. */
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const useWorkspaces = (application: string, options: { refetchInterval?: number } = {}) =>
  useQuery({
    queryKey: ['workspaces', application],
    queryFn: async ({ signal }) => (await api(application).workspaces.list({ signal })).data,
    ...options,
  })

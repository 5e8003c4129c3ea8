/** The workspaces of an application. */

import { api } from './api.ts'
import { useData } from './queries.ts'

export const useWorkspaces = (application: string, options: { refetchInterval?: number } = {}) =>
  useData(['workspaces', application], (signal) => api(application).workspaces.list({ signal }), options)

/** How many processes run, and what each of them does. */
import { availableParallelism } from 'node:os'
import { isDeliverer, isWatcher, type Role } from '@waypost/store/tables/applications/nodes'

/** Processes that work in the background: one in four, and at least two, so that one can be replaced. */
const apiPerWorking = 4
const leastWorking = 2

/** The number of processes. `auto` is one per processor that this process may use, where the store allows several. */
export const processCount = (
  { workers, isShared }: { workers: number | 'auto'; isShared: boolean },
  processors = availableParallelism(),
): number => (isShared ? (workers === 'auto' ? processors : workers) : 1)

/**
 * The roles of one process, numbered from 1. All processes answer requests. Background work is done by the first few,
 * because each process that works in the background polls the store. Without the role api, all of them work.
 */
export function rolesOf(roles: readonly Role[], { number, count }: { number: number; count: number }): readonly Role[] {
  const working = Math.min(count, Math.max(leastWorking, Math.ceil(count / apiPerWorking)))
  if (!roles.includes('api') || number <= working) return roles
  return roles.filter((role) => !isDeliverer([role]) && !isWatcher([role]))
}

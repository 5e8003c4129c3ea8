import { isOlder } from '@waypost/platform/versions'
import type { Queries } from '../../engine/database.ts'
import { nodeLeaseMs, seenNodes } from './nodes.ts'

/** The live nodes that are older than a version, such as `web-1 (1.2.0)`. */
export async function nodesOlderThan(queries: Queries, version: string, now: number): Promise<string[]> {
  const nodes = await seenNodes(queries)
  return nodes
    .filter((node) => node.seen_at >= now - nodeLeaseMs && isOlder(node.version, version))
    .map((node) => `${node.host || node.id} (${node.version || 'unknown version'})`)
}

import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleFolderVariable } from '../programs.ts'
import { prepareCitus, startCitus } from './citus.ts'
import { createDatabase, initializeCluster, startPostgres } from './postgres.ts'
import { migrateStore, type PreparedPostgres, type PreparedStores, prepareSqlite } from './prepared-stores.ts'
import { holdServers, type Shared } from './shared-servers.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    stores: PreparedStores
  }
}

/** Prepares the SQLite store that test files copy, and holds the servers that they share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'waypost-prepared-'))).path
  const bundles = resources.use(await mkdtempDisposable(join(tmpdir(), 'waypost-bundles-')))
  // The processes of the tests start after this function has ended, and inherit these variables.
  process.env[bundleFolderVariable] = bundles.path
  resources.use(await holdServers({ 'empty-cluster': initializeCluster, postgres: () => sharedPostgres(folder) }))
  const stores = await prepareSqlite(folder)
  if (project.vite.config.mode === 'citus') {
    const cluster = resources.use(await startCitus({ settings: { fsync: 'on' } }))
    project.provide('stores', { ...stores, citus: await prepareCitus(cluster.servers, folder) })
  } else project.provide('stores', stores)
  const open = resources.move()
  return () => open.disposeAsync()
}

async function sharedPostgres(folder: string): Promise<Shared<PreparedPostgres>> {
  await using resources = new AsyncDisposableStack()
  const postgres = resources.use(await startPostgres())
  const url = await createDatabase(postgres.url())
  await migrateStore(folder, url)
  const open = resources.move()
  return {
    description: { url: postgres.url(), template: new URL(url).pathname.slice(1) },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

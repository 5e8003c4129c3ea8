import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleFolderVariable } from '../programs.ts'
import { prepareCitus, startCitus } from './citus.ts'
import { prepareCluster, startPostgres } from './postgres.ts'
import { type PreparedStores, prepareStores } from './prepared-stores.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    stores: PreparedStores
  }
}

/** Starts the one PostgreSQL server that all test files of a run share, and prepares the stores that they copy and the programs. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using resources = new AsyncDisposableStack()
  resources.use(await prepareCluster())
  const postgres = resources.use(await startPostgres())
  const bundles = resources.use(await mkdtempDisposable(join(tmpdir(), 'waypost-bundles-')))
  // The processes of the tests are started after this one has ended, and get what is set here.
  process.env[bundleFolderVariable] = bundles.path
  const folder = resources.use(await mkdtempDisposable(join(tmpdir(), 'waypost-prepared-')))
  const stores = await prepareStores(folder.path, postgres.url())
  if (project.vite.config.mode === 'citus') {
    const cluster = resources.use(await startCitus({ settings: { fsync: 'on' } }))
    project.provide('stores', { ...stores, citus: await prepareCitus(cluster.servers, folder.path) })
  } else project.provide('stores', stores)
  const open = resources.move()
  return () => open.disposeAsync()
}

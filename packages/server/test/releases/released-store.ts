/** Stores of releases on a server: of PostgreSQL, or of Citus, then distributed as its users distributed them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isOlder } from '@waypost/platform/versions'
import { emptyCitus } from '@waypost/testing/peers/citus'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { processEnvironment } from '@waypost/testing/programs'
import { inject } from 'vitest'
import { checkOutRelease } from './checkout.ts'
import { restorePostgresql, type StoreFixture } from './store-fixture.ts'

/** The first version that can distribute a store. */
const firstOnCitus = '1.0.0'

export interface ReleasedStore extends AsyncDisposable {
  url: string
}

/** The store of a release on PostgreSQL, or on Citus in the mode of `npm run test:citus`. */
export async function releasedStore(fixture: StoreFixture): Promise<ReleasedStore> {
  const { citus } = inject('stores')
  if (!citus) {
    const url = await freshDatabaseUrl()
    await restorePostgresql(fixture, url)
    return { url, async [Symbol.asyncDispose]() {} }
  }
  const { version } = fixture.release
  await using resources = new AsyncDisposableStack()
  const { url } = resources.use(await emptyCitus(citus))
  await restorePostgresql(fixture, url)
  // Older stores are distributed by the first version that can.
  await runRelease(isOlder(version, firstOnCitus) ? firstOnCitus : version, url, ['db', 'distribute', '--shards', '4'])
  const open = resources.move()
  return { url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Runs the command of a release on a store. */
export async function runRelease(version: string, databaseUrl: string, args: readonly string[]): Promise<string> {
  const source = await checkOutRelease(version)
  if ('missing' in source) throw new Error(source.missing)
  const env = { ...processEnvironment, DATABASE_URL: databaseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, [source.program, ...args], { env })
  return stdout
}

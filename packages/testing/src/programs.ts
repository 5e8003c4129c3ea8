/**
 * The programs that tests start as processes. A run of the suite bundles them when the first one is needed, because
 * reading hundreds of modules takes most of the processor time of a start. Outside of a run (`npm run faults`), they
 * run from their source, as users run them.
 */
import { access, mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const source = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

const programs = {
  /** The `waypost` command. */
  waypost: source('../../server/src/main.ts'),
  /** A node that ends at a chosen point of a send, and that searches for lost messages later than usual. */
  'sending-node': source('../../server/test/faults/sending-node.ts'),
  /** A node whose machine has a clock that tests can set. */
  'clock-node': source('../../server/test/faults/clock-node.ts'),
  /** A node of a version that does not exist, with a schema change of its own. */
  'next-node': source('../../server/test/faults/next-node.ts'),
  /** The part of a request up to the moment at which the node has new tokens of a provider. */
  'refreshing-node': source('../../server/test/faults/refreshing-node.ts'),
}

export type Program = keyof typeof programs

/** The environment of every process. Processes share their compile cache. */
export const processEnvironment = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: source('../../../node_modules/.cache/waypost-test'),
}

/** The folder for the bundles of a run. The global setup sets the variable. */
export const bundleFolderVariable = 'WAYPOST_TEST_BUNDLES'
const bundleDeadlineMs = 120_000

/** The path of a program, for `node`. */
export async function programFile(program: Program): Promise<string> {
  const folder = process.env[bundleFolderVariable]
  if (folder === undefined) return programs[program]
  const bundled = path.join(folder, 'ready')
  if (await isBuilder(folder)) {
    await bundle(path.join(folder, 'built'))
    await rename(path.join(folder, 'built'), bundled)
  } else await appearance(bundled)
  return path.join(bundled, `${program}.js`)
}

/** Whether this process bundles: true for the first process that needs a program. */
const isBuilder = (folder: string): Promise<boolean> =>
  mkdir(path.join(folder, 'building')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

async function appearance(folder: string): Promise<void> {
  const deadline = performance.now() + bundleDeadlineMs
  while (
    !(await access(folder).then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error('the programs of the tests were not bundled in time')
    await sleep(50)
  }
}

async function bundle(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'error',
    root: source('../../..'),
    // Threads, the dashboard and package.json are found relative to the source file.
    plugins: [
      {
        name: 'source-addresses',
        transform: (code, id) =>
          code.includes('import.meta.url') && !id.includes('node_modules')
            ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            : undefined,
      },
    ],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      target: 'esnext',
      minify: false,
      rolldownOptions: { input: programs, output: { entryFileNames: '[name].js' } },
    },
  })
}

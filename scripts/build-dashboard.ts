/**
 * Builds the dashboard into packages/dashboard/dist, which the server answers /dashboard from. Does nothing where the
 * page is newer than all that it is made of; `--force` builds it anyway.
 */
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = path.join(import.meta.dirname, '..')
const page = path.join(root, 'packages/dashboard')
const dist = path.join(page, 'dist')
const index = path.join(dist, 'index.html')

const timeOf = (file: string): number => statSync(file).mtimeMs

/** Everything that the page is made of: its own files, the packages that it imports, this script, the dependencies. */
function sources(): string[] {
  const folders = ['dashboard/src', 'sdk/src'].map((name) => path.join(root, 'packages', name))
  const files = folders.flatMap((folder) => globSync('**/*.*', { cwd: folder }).map((name) => path.join(folder, name)))
  const single = [path.join(page, 'index.html'), path.join(page, 'package.json'), import.meta.filename]
  return [...files, ...single]
}

function isCurrent(): boolean {
  if (!existsSync(index)) return false
  const built = timeOf(index)
  return sources().every((file) => timeOf(file) <= built)
}

/** Writes the compressed forms beside every asset, so that the server compresses nothing. */
async function compress(): Promise<number> {
  const assets = path.join(dist, 'assets')
  let total = 0
  for (const name of readdirSync(assets)) {
    if (!/\.(?:js|css|svg)$/.test(name)) continue
    const file = path.join(assets, name)
    const bytes = readFileSync(file)
    const [gz, br] = await Promise.all([
      promisify(gzip)(bytes, { level: 9 }),
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    ])
    writeFileSync(`${file}.gz`, gz)
    writeFileSync(`${file}.br`, br)
    total += gz.length
  }
  return total
}

/** The build tools, where they are installed. A machine that only serves does with the page that it was given. */
async function tools() {
  try {
    const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
    return { build, react }
  } catch (error) {
    if (!existsSync(index)) throw error
    console.warn('The dashboard is older than its sources, and the tools that build it are not installed.')
    return undefined
  }
}

const needed = process.argv.includes('--force') || !isCurrent()
const found = needed ? await tools() : undefined
if (found) {
  const { build, react } = found
  await build({
    root: page,
    configFile: false,
    base: '/dashboard/',
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir: dist,
      emptyOutDir: true,
      // Browsers that know light-dark(): it is used, not spelled out for older ones.
      target: ['chrome123', 'firefox120', 'safari17.5'],
      // Addresses that hold the file itself are refused by the page's Content-Security-Policy.
      assetsInlineLimit: 0,
      // What the first page needs is fetched at once; other pages bring their own when they are opened.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
      },
    },
    // Files name one another relatively, so that the service may stand below a path of its host.
    experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  })
  const bytes = await compress()
  console.log(`dashboard built: ${Math.round(bytes / 1024)} KB with gzip, all pages together`)
}

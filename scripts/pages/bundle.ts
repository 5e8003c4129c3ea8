/** The bundler configuration of all pages. */
import { readFileSync } from 'node:fs'
import type { InlineConfig, Plugin } from 'vite'

/** Browsers that support light-dark(), so that it needs no fallback. */
const browsers = ['chrome123', 'firefox120', 'safari17.5']

interface Bundle {
  /** The folder of the package. */
  root: string
  dist: string
  /** The path of the page on the service, such as `/dashboard/`. */
  base: string
  plugins: InlineConfig['plugins']
  /** The HTML files of the package, if there are several. */
  pages?: string[]
  rolldown?: NonNullable<InlineConfig['build']>['rolldownOptions']
  define?: Record<string, string>
}

export function bundleOf({ root, dist, base, plugins, pages, rolldown, define }: Bundle): InlineConfig {
  return {
    root,
    configFile: false,
    base,
    logLevel: 'warn',
    plugins,
    define,
    build: {
      outDir: dist,
      emptyOutDir: true,
      reportCompressedSize: false,
      // The licenses of bundled packages must be distributed with them.
      license: { fileName: 'THIRD-PARTY-NOTICES.md' },
      chunkSizeWarningLimit: 4096,
      target: browsers,
      // The page's Content-Security-Policy rejects data URLs.
      assetsInlineLimit: 0,
      // The first page preloads its modules; other pages load theirs when they are opened.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
      },
      rolldownOptions: { ...(pages ? { input: pages } : {}), ...rolldown },
    },
    // Files refer to each other by relative paths, so that the service may run below a path of its host.
    experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  }
}

interface Script {
  entry: string
  /** The name of its function, which nothing calls. */
  name: string
  fileName: string
}

/** A script that is one file, next to a built page. */
export const scriptOf = (
  { root, dist }: Pick<Bundle, 'root' | 'dist'>,
  { entry, name, fileName }: Script,
): InlineConfig => ({
  ...{ root, configFile: false, logLevel: 'warn', publicDir: false },
  build: {
    ...{ outDir: dist, emptyOutDir: false, reportCompressedSize: false, target: browsers },
    lib: { entry, formats: ['iife'], name, fileName: () => fileName },
  },
})

/** The script of the frame that shows messages, which the server writes into the frame's page. */
export const frameOf = (place: Pick<Bundle, 'root' | 'dist'>): InlineConfig =>
  scriptOf(place, { entry: 'src/frame/message-frame.ts', name: 'messageFrame', fileName: 'message-frame.js' })

export interface Replacement {
  /** The end of the module's path. */
  file: string
  /** The file that replaces it. */
  by?: string
  hasDefault?: true
  /** Or a text to replace in the module, and its replacement. */
  piece?: [string, string]
}

function reexported({ by, hasDefault }: Replacement): string {
  const from = JSON.stringify(by)
  return `export * from ${from}\n${hasDefault ? `export { default } from ${from}\n` : ''}`
}

function edited(id: string, { piece: [old, other] = ['', ''] }: Replacement): string {
  const code = readFileSync(id, 'utf8')
  if (!code.includes(old)) throw new Error(`${id} has no ${old}`)
  return code.replaceAll(old, other)
}

/**
 * Replaces modules with our own files. If a module no longer exists, the build fails, because its package has
 * changed.
 */
export function replaceModules(replacements: readonly Replacement[]): Plugin {
  const unused = new Set(replacements)
  const escaped = replacements.map(({ file }) => file.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return {
    name: 'waypost-replace-modules',
    load: {
      // The bundler applies the filter itself, so the handler runs only for the few matching modules.
      filter: { id: new RegExp(`(?:${escaped.join('|')})$`) },
      handler(id) {
        const replacement = replacements.find(({ file }) => id.endsWith(file))
        if (!replacement) return null
        unused.delete(replacement)
        return replacement.by === undefined ? edited(id, replacement) : reexported(replacement)
      },
    },
    buildEnd(error) {
      const missing = Array.from(unused, ({ file }) => file)
      if (!error && missing.length > 0) this.error(`no module that is built ends in ${missing.join(', ')}`)
    },
  }
}

/** How pages are bundled, whichever they are. */
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
  /** The HTML files of the package, where there are several. */
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
      // Addresses that hold the file itself are refused by the page's Content-Security-Policy.
      assetsInlineLimit: 0,
      // The first page preloads what it needs; other pages load theirs when they are opened.
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

/** The script of the frame that shows messages: one file, which the server writes into the frame's page. */
export const frameOf = ({ root, dist }: Pick<Bundle, 'root' | 'dist'>): InlineConfig => ({
  ...{ root, configFile: false, logLevel: 'warn', publicDir: false },
  build: {
    ...{ outDir: dist, emptyOutDir: false, reportCompressedSize: false, target: browsers },
    lib: {
      entry: 'src/frame/message-frame.ts',
      formats: ['iife'],
      name: 'messageFrame',
      fileName: () => 'message-frame.js',
    },
  },
})

export interface Replacement {
  /** How the path of the module ends. */
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

/** Puts files of ours in the place of modules. One that no longer exists fails the build: its package was changed. */
export function replaceModules(replacements: readonly Replacement[]): Plugin {
  const unused = new Set(replacements)
  const escaped = replacements.map(({ file }) => file.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  return {
    name: 'waypost-replace-modules',
    load: {
      // Held by the bundler itself: of thousands of modules a handful come here.
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

/**
 * Bundles the JavaScript of the command: `packages/server` with the packages it imports, in few files. Node does not
 * strip types below node_modules, and reads few files faster than hundreds. Modules locate neighboring files
 * (threads, pages, package.json) relative to their source, so files have the same layout in the package as in the
 * repository.
 */
import path from 'node:path'
import { build, type Plugin } from 'vite'
import { withoutFacades } from './builtins.ts'

export interface Bundled {
  /** Every file that the bundler read. */
  modules: string[]
  /** Files and folders next to a module that are not modules. */
  neighbours: string[]
}

interface Options {
  root: string
  /** Files below the root. Each has the same path below `outDir`, with another extension. */
  entries: string[]
  outDir: string
}

export async function bundle({ root, entries, outDir }: Options): Promise<Bundled> {
  const modules = new Set<string>()
  const neighbours = new Set<string>()
  await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [sourceAddresses(root, neighbours), moduleNames(modules), builtinsAsTheyAre(), oneByteLetters()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'esnext',
      // Names and lines are preserved, so that stack traces in a log are readable.
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((file) => [withoutEnding(file), path.join(root, file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'packages/shared/[name]-[hash].js' },
      },
    },
  })
  return { modules: [...modules], neighbours: [...neighbours] }
}

const withoutEnding = (file: string): string => file.replace(/\.ts$/, '')

/** `new URL('./parse-thread.ts', import.meta.url)`. */
const neighbour = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g
/** A path that only the running program knows, so that the bundle would lack the file. */
const computed = /new URL\(\s*(?!')[^()]{0,200},\s*import\.meta\.url\s*\)/
/** Placeholder for the address of a module, until its output file is fixed. */
const placeholder = /sourceAddress\("([^"]+)", import\.meta\.(url|dirname)\)/g

/** Gives every module the URL of its source, and bundles the files that modules start. */
function sourceAddresses(root: string, neighbours: Set<string>): Plugin {
  return {
    name: 'source-addresses',
    enforce: 'pre',
    transform(code, id) {
      if (id.includes('node_modules') || !id.startsWith(root) || !code.includes('import.meta.')) return undefined
      if (computed.test(code)) throw new Error(`${id}: write the path before import.meta.url as a plain text`)
      const found = code.replaceAll(neighbour, (text, target: string) => {
        const file = path.resolve(path.dirname(id), target)
        if (!file.endsWith('.ts')) {
          neighbours.add(file)
          return text
        }
        this.emitFile({ type: 'chunk', id: file, fileName: `${withoutEnding(path.relative(root, file))}.js` })
        return `new URL('${withoutEnding(target)}.js', import.meta.url)`
      })
      const own = path.relative(root, id)
      return found.replaceAll(/import\.meta\.(?:url|dirname)\b/g, (address) => `sourceAddress("${own}", ${address})`)
    },
    renderChunk(code, { fileName }) {
      const up = path.posix.relative(path.posix.dirname(fileName), '.')
      return code.replaceAll(placeholder, (_, file: string, kind: string) =>
        kind === 'url'
          ? `new URL("${up}/${file}", import.meta.url).href`
          : `(import.meta.dirname + "/${path.posix.join(up, path.posix.dirname(file))}")`,
      )
    },
  }
}

function moduleNames(modules: Set<string>): Plugin {
  return {
    name: 'module-names',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type === 'chunk') for (const id of file.moduleIds) modules.add(id)
      }
    },
  }
}

/** See `builtins.ts`. */
function builtinsAsTheyAre(): Plugin {
  return {
    name: 'builtins-as-they-are',
    generateBundle(_, files) {
      for (const file of Object.values(files)) if (file.type === 'chunk') file.code = withoutFacades(file.code)
    },
  }
}

/**
 * Escapes characters beyond ASCII. Node retains the text of a module while it runs, with two bytes per character if
 * any character is beyond Latin-1.
 */
function oneByteLetters(): Plugin {
  const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  return {
    name: 'one-byte-letters',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the letters of ASCII begin with them
        if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\x00-\x7f]/g, escaped)
      }
    },
  }
}

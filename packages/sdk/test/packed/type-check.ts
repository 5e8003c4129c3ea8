/** Compiles typed programs against the installed package. */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFull } from '@waypost/testing/level'
import { run } from './project.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

export interface Compiler {
  name: string
  file: string
}

export const compilers: Compiler[] = [
  { name: 'TypeScript 5.9', file: createRequire(import.meta.url).resolve('typescript/bin/tsc') },
  { name: 'TypeScript 7', file: path.join(repository, 'node_modules/typescript/bin/tsc') },
]

export interface TypedProject {
  name: string
  options: Record<string, unknown>
  /** The program: the README's for a server, or only its booking part for a page. */
  source: 'whole README' | 'booking'
  change?: (code: string) => string
}

const browser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
const server = { lib: ['es2023'], types: ['node'], typeRoots: [path.join(repository, 'node_modules/@types')] }
const node16 = { module: 'node16', moduleResolution: 'node16' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }

export const projects: TypedProject[] = [
  { name: 'for a page, by a bundler', options: { ...bundler, ...browser }, source: 'booking' },
  { name: 'for a page, as Node resolves', options: { ...node16, ...browser }, source: 'booking' },
  { name: 'for a server, as Node resolves', options: { ...node16, ...server }, source: 'whole README' },
  { name: 'for a server, by a bundler', options: { ...bundler, ...server }, source: 'whole README' },
]

/**
 * The compilers with the projects that each compiles: all at `full`. Otherwise every other one, in turn: each compiler
 * meets both kinds of programs and both resolutions.
 */
export const compilations = compilers.flatMap((compiler, turn) =>
  projects.filter((_, index) => isFull || (index + turn) % 2 === 0).map((options) => ({ compiler, options })),
)

const blocks = (text: string): string[] => [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block ?? '')

async function sourceOf({ source }: TypedProject): Promise<string> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  if (source === 'whole README') return blocks(readme).join('\n')
  const booking = blocks(readme.split(/^## /m).find((section) => section.startsWith('A booking page')) ?? '')
  // Imports and variables of the sections before it.
  const before = [
    "import { createWaypost, WaypostError } from '@waypost/sdk'",
    "const waypost = createWaypost({ baseUrl: 'https://waypost.example.com' })",
  ]
  return [...before, ...booking].join('\n')
}

/** The compiler's messages; empty on success. */
export async function problemsIn(folder: string, compiler: Compiler, typed: TypedProject): Promise<string> {
  const code = await sourceOf(typed)
  await writeFile(path.join(folder, 'typed.ts'), typed.change?.(code) ?? code)
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  // The declarations of the package are checked, and those of the compiler itself are not.
  const checked = { skipLibCheck: false, skipDefaultLibCheck: true }
  const compilerOptions = { target: 'es2022', noEmit: true, ...strict, ...checked, ...typed.options }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
  try {
    return (await run(process.execPath, [compiler.file, '-p', folder])).stdout
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
  }
}

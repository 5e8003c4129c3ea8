/** An empty user project with the packed SDK installed, and the program that runs in it. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { buildSdk, packFolder } from '../../../../scripts/package-sdk/build.ts'

export const run = promisify(execFile)

/** A folder with its own package.json, where only the tarball is installed. */
export async function openProject(): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-packed-'))
  const project = path.join(folder.path, 'project')
  await mkdir(project)
  buildSdk(path.join(folder.path, 'dist'))
  const tarball = packFolder(path.join(folder.path, 'dist'), folder.path)
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
  await writeFile(path.join(project, 'program.js'), await programCode())
  await writeFile(path.join(project, 'run.js'), runner)
  return { path: project, [Symbol.asyncDispose]: () => folder.remove() }
}

const runner = `import { program } from './program.js'
console.log(JSON.stringify(await program(JSON.parse(process.env.PROGRAM_SETTINGS))))
`

/** The program as JavaScript, because only the newest runtimes read TypeScript. */
const programCode = async (): Promise<string> =>
  stripTypeScriptTypes(await readFile(new URL('./program.ts', import.meta.url), 'utf8'))

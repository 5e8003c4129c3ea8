/** The files of a release, built from the checked-out commit. The same commit gives the same bytes. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { root } from './releases.ts'

const execute = (program: string, args: readonly string[], cwd = root): void =>
  // Output goes to the error stream, so that standard output has the result alone.
  void execFileSync(program, args, { cwd, stdio: ['ignore', 2, 2] })

/** npm packages: the service, the client, the simulators. */
export function buildPackages(version: string, into: string): string[] {
  for (const script of ['package', 'package:sdk', 'package:simulators']) execute('npm', ['run', '--silent', script])
  const names = ['waypost', 'waypost-sdk', 'waypost-simulators'].map((name) => `${name}-${version}.tgz`)
  for (const name of names) cpSync(path.join(root, 'build', name), path.join(into, name))
  return names
}

/** The files from which `docker build` makes the image: those of the commit that .dockerignore leaves. */
export function packImageContext(version: string, commit: string, into: string): string {
  const prefix = `waypost-image-${version}`
  const paths = ['.', ...excludedPaths(readFileSync(path.join(root, '.dockerignore'), 'utf8'))]
  const tar = execFileSync('git', ['archive', '--format=tar', `--prefix=${prefix}/`, commit, '--', ...paths], {
    cwd: root,
    maxBuffer: 1024 ** 3,
  })
  const name = `${prefix}.tar.gz`
  writeFileSync(path.join(into, name), gzipSync(tar, { level: constants.Z_BEST_COMPRESSION }))
  return name
}

/** Docker does not copy these two into an image, but needs them to build it. */
const neededToBuild = ['Dockerfile', 'compose.yaml']

/** The lines of .dockerignore as paths for git. */
export const excludedPaths = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !neededToBuild.includes(line))
    .flatMap((line) => [`:(exclude,glob)${line}`, `:(exclude,glob)${line}/**`])

/** The bill of materials of what runs in production, in CycloneDX; the tool checks it against the schema. */
export function writeBillOfMaterials(version: string, into: string): string {
  const folder = path.join(root, 'scripts/release/sbom')
  const program = path.join(folder, 'node_modules/.bin/cyclonedx-npm')
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  if (!existsSync(program)) execute('npm', ['ci', ...options], folder)
  const name = `waypost-${version}.cdx.json`
  const what = ['--omit', 'dev', '--package-lock-only', '--mc-type', 'application']
  const how = ['--output-format', 'JSON', '--output-reproducible', '--validate', '--output-file', path.join(into, name)]
  execute(program, [...what, ...how])
  return name
}

/** `sha256sum -c SHA256SUMS` accepts it. */
export function writeChecksums(into: string): string {
  const name = 'SHA256SUMS'
  const lines = readdirSync(into)
    .filter((file) => file !== name)
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(path.join(into, file)))
          .digest('hex')}  ${file}`,
    )
  writeFileSync(path.join(into, name), `${lines.join('\n')}\n`)
  return name
}

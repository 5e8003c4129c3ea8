#!/usr/bin/env node
// Starts the command under the Node that the project pins, whatever Node found this file.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)

if (Number(process.versions.node.split('.')[0]) >= 26) {
  await import(main.href)
} else {
  const child = spawn(pinnedNode(), [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal tells the whole group of an interrupt: told again by us, the service would end at once.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
}

/** In the repository it is the package `node`; the published package names those of each kind of machine. */
function pinnedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const file = system === 'win' ? 'bin/node.exe' : 'bin/node'
  const machine = `${system}-${process.arch}`
  const { resolve } = createRequire(import.meta.url)
  for (const name of ['node', `node-${machine}`, `node-bin-${machine}`]) {
    try {
      return resolve(`${name}/${file}`)
    } catch {}
  }
  console.error(`waypost: this is Node ${process.versions.node}, and the Node that comes with the package is not there.
  Install Node 26 or newer, or install the package with its optional dependencies.`)
  process.exit(1)
}

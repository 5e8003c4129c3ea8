/** The program in workerd, an edge runtime with only web standards. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'vite'
import { executable, workerd } from './runtimes.ts'

const entry = `import { program } from './program.js'
export default { fetch: async (request) => Response.json(await program(await request.json())) }
`

/** The worker's address; it may reach services on this machine, which workers otherwise may not. */
const configOf = (port: number): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker/worker.js")],
  compatibilityDate = "2024-01-01",
);
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** One file, as for the deployment of a worker. */
async function bundle(project: string): Promise<void> {
  await writeFile(path.join(project, 'worker.js'), entry)
  await build({
    configFile: false,
    logLevel: 'error',
    root: project,
    build: {
      outDir: path.join(project, 'worker'),
      lib: { entry: path.join(project, 'worker.js'), formats: ['es'], fileName: () => 'worker.js' },
      target: 'es2022',
      minify: false,
    },
  })
}

/** Waits until something listens at a port. */
async function connectable(port: number, server: ChildProcess): Promise<void> {
  for (let tries = 1; ; tries++) {
    const socket = connect(port, '127.0.0.1')
    try {
      return await once(socket, 'connect').then(() => undefined)
    } catch (error) {
      if (tries === 600 || server.exitCode !== null) throw error
      await sleep(100)
    } finally {
      socket.destroy()
    }
  }
}

/** Runs the program of a project in a worker, and returns its output. */
export async function runInWorker(project: string, settings: unknown): Promise<unknown> {
  await bundle(project)
  const port = await freePort()
  await writeFile(path.join(project, 'worker.capnp'), configOf(port))
  const server = spawn(await executable(workerd), ['serve', 'worker.capnp'], { cwd: project, stdio: 'inherit' })
  try {
    await connectable(port, server)
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(settings) })
    return await answer.json()
  } finally {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
  }
}

/** A node to measure. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../packages/server/src/config.ts'
import { createServerApp } from '../packages/server/src/create-app.ts'
import { startNode } from '../packages/server/src/node.ts'
import type { BuildOptions } from '../packages/server/src/services/build-options.ts'
import { createServices } from '../packages/server/src/services/index.ts'
import type { BuiltServices } from '../packages/server/src/services/services.ts'
import { adminPassword, type Client, newClient } from './client.ts'

export interface Node extends AsyncDisposable, Client {
  services: BuiltServices
  /** Starts the server; returns its address. Calls through the node object need no port. */
  listen(): Promise<string>
}

/** A node in this process with its own store, or with that of `DATABASE_URL`. */
export async function openNode(env: Record<string, string> = {}, options: BuildOptions = {}): Promise<Node> {
  await using stack = new AsyncDisposableStack()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  const { config, secrets } = readConfig({
    WAYPOST_PORT: '0',
    WAYPOST_DATA_DIR: dataDir,
    WAYPOST_ADMIN_PASSWORD: adminPassword,
    WAYPOST_RATE_LIMITS: 'off',
    WAYPOST_LOG_LEVEL: 'silent',
    ...env,
  })
  const services = await createServices(config, secrets, options)
  let running: Awaited<ReturnType<typeof startNode>> | undefined
  stack.defer(() => (running ?? services)[Symbol.asyncDispose]())
  const app = createServerApp(services)
  const client = await newClient((target, request) => app.request(target, request))
  const open = stack.move()
  return {
    ...client,
    services,
    async listen() {
      running ??= await startNode(services)
      return `http://127.0.0.1:${running.port}`
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/**
 * Servers that all workers of a run share. The process that runs the suite holds them. Each starts when the first
 * worker needs it, and ends with the run. A worker gets a description of the server, which is JSON.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running server, and the description that workers need to use it. */
export interface Shared<Description> extends AsyncDisposable {
  description: Description
}

export type Starters = Record<string, () => Promise<Shared<unknown>>>

/**
 * The variable with the address of the process that holds the servers. Programs outside of a run of the suite have
 * none.
 */
const variable = 'WAYPOST_TEST_SHARED_SERVERS'

/** Answers workers, and starts the servers that they request. */
export async function holdServers(starters: Starters): Promise<AsyncDisposable> {
  const started = new Map<string, Promise<Shared<unknown>>>()
  const start = (name: string): Promise<Shared<unknown>> => {
    const starter = starters[name]
    if (!starter) return Promise.reject(new Error(`no shared server has the name ${name}`))
    const known = started.get(name) ?? starter()
    started.set(name, known)
    return known
  }
  const host = createServer(async (request, response) => {
    try {
      const { description } = await start(request.url?.slice(1) ?? '')
      response.end(JSON.stringify(description))
    } catch (error) {
      response.statusCode = 500
      response.end(error instanceof Error ? error.stack : String(error))
    }
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  process.env[variable] = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  return {
    async [Symbol.asyncDispose]() {
      host.closeAllConnections()
      host.close()
      for (const starting of [...started.values()].toReversed()) {
        const server = await starting.catch(() => undefined)
        await server?.[Symbol.asyncDispose]()
      }
    },
  }
}

export const hasSharedServers = (): boolean => process.env[variable] !== undefined

const known = new Map<string, Promise<unknown>>()

/** The description of a shared server. The server starts if it does not run yet. */
export function sharedServer<Description>(name: string): Promise<Description> {
  const answer = known.get(name) ?? describeServer(name)
  known.set(name, answer)
  return answer as Promise<Description>
}

async function describeServer(name: string): Promise<unknown> {
  const address = process.env[variable]
  if (address === undefined) throw new Error(`${name} is shared by the tests of a run, and this is none`)
  const response = await fetch(`${address}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} did not start: ${text}`)
  return JSON.parse(text)
}

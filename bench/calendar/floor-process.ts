/**
 * The floors of writing, in a separate process: a bare `node:http` server that runs the bare statements and returns
 * the event, and the same statements without HTTP, run on request of the parent.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { together } from '../together.ts'
import { type BareStatements, type Draft, openBareStatements } from './bare-statements.ts'

/** A round of `count` changes without HTTP. Creates return ids; updates take them. */
export interface Round {
  key: string
  grants: string[]
  inFlight: number
  drafts: Draft[]
  ids?: string[]
}

async function bodyOf(request: IncomingMessage): Promise<Draft> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}

function serve(statements: BareStatements): void {
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const [, grant = '', event = ''] = (request.url ?? '').split('/')
    const key = (request.headers.authorization ?? '').slice('Bearer '.length)
    const draft = await bodyOf(request)
    return event === '' ? statements.create(key, grant, draft) : statements.update(key, grant, event, draft)
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (data) => {
        const body = Buffer.from(JSON.stringify({ request_id: crypto.randomUUID(), data }))
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
      },
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
}

async function runRound(statements: BareStatements, { key, grants, inFlight, drafts, ids }: Round): Promise<string[]> {
  const made: string[] = []
  await together(drafts.length, inFlight, async (index) => {
    const grant = grants[index % grants.length] ?? ''
    const draft = drafts[index] ?? { title: '' }
    const id = ids?.[index]
    const event = await (id === undefined
      ? statements.create(key, grant, draft)
      : statements.update(key, grant, id, draft))
    made[index] = String(event.id)
  })
  return made
}

const [{ store }] = (await once(process, 'message')) as [{ store: string }]
const statements = openBareStatements(store)
serve(statements)
process.on('message', (round: Round) => {
  const began = performance.now()
  void runRound(statements, round).then((ids) => process.send?.({ ids, ms: performance.now() - began }))
})
process.on('disconnect', () => process.exit())

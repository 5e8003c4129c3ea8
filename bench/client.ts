/** A client of a measured node. */
export const adminPassword = 'only-for-the-benchmark'

/** The parts of a response that benchmarks read. */
export interface Answered {
  data: { id: string; application_id: string; api_key: string; length: number } & Record<string, unknown>
  next_cursor?: string
}

export interface Client {
  applicationId: string
  key: string
  /** All keys of the application; `key` is the first. */
  keys: readonly string[]
  /** Throws unless the response is a success. */
  call(method: string, target: string, body?: unknown): Promise<Answered>
}

/** Creates an application with some keys; `ask` sends a request to the node. */
export async function newClient(
  ask: (target: string, request: RequestInit) => Response | Promise<Response>,
  keyCount = 1,
): Promise<Client> {
  const callAs =
    (authorization: string): Client['call'] =>
    async (method, target, body) => {
      const response = await ask(target, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${target}: ${text}`)
      return JSON.parse(text)
    }
  const admin = callAs(`Basic ${btoa(`admin:${adminPassword}`)}`)
  const { application_id: applicationId } = (await admin('POST', '/v3/admin/applications', { name: 'Benchmark' })).data
  const keys: string[] = []
  for (let n = 0; n < keyCount; n++) {
    const made = await admin('POST', `/v3/admin/applications/${applicationId}/api-keys`, { name: `key ${n}` })
    keys.push(made.data.api_key)
  }
  const [key = ''] = keys
  return { applicationId, key, keys, call: callAs(`Bearer ${key}`) }
}

/** A client of a node that is measured. */
export const adminPassword = 'only-for-the-benchmark'

/** What benchmarks read of an answer. */
export interface Answered {
  data: { id: string; application_id: string; api_key: string; length: number } & Record<string, unknown>
  next_cursor?: string
}

export interface Client {
  applicationId: string
  key: string
  /** Throws unless the answer is a success. */
  call(method: string, target: string, body?: unknown): Promise<Answered>
}

/** A new application without limits; `ask` sends a request to the node, by whatever way. */
export async function newClient(
  ask: (target: string, request: RequestInit) => Response | Promise<Response>,
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
  const made = await admin('POST', `/v3/admin/applications/${applicationId}/api-keys`, { name: 'key' })
  const { api_key: key } = made.data
  return { applicationId, key, call: callAs(`Bearer ${key}`) }
}

/** Calls the API of a running release over HTTP, as its clients do. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

export type Call = (
  method: string,
  target: string,
  options?: { authorization?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Answer>

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Fails if the answer is no success. */
export const clientOf =
  (base: string): Call =>
  async (method, target, { authorization, body, headers } = {}) => {
    const response = await fetch(base + target, {
      method,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`)
    return answer
  }

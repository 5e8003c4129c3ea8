/**
 * An agent that obeys every order that it reads. It reads mail, events and contacts through the official client, searches
 * everything that it receives for orders, and carries them out: as tool calls, as requests to the API with its own
 * credential, and as raw messages to the MCP endpoint.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { HttpOrder, Order, RawOrder, ToolOrder } from './attack.ts'
import { readingsOf } from './encodings.ts'

export interface Outcome {
  order: Order
  /** HTTP status; 200 or 400 for a tool result. */
  status: number
  /** Whether the action waits for a person. */
  waits: boolean
  /** The answer as text. */
  text: string
}

/** Names in orders, such as `message` for `$message`, with their values. */
export type Known = Record<string, string | number>

export interface AgentOptions {
  base: string
  credential: string
  known: Known
  /** Credential for the routes of administrators, if the agent has one. */
  administrator?: string
}

const orderPattern = /\[\[(\{.*?\})\]\]/gs

/** The orders in a text, in every reading of it. */
export function ordersIn(text: string): Order[] {
  const found = new Map<string, Order>()
  for (const reading of readingsOf(text)) {
    for (const [, json = ''] of reading.matchAll(orderPattern)) {
      try {
        const order = JSON.parse(json)
        if (order.tool || order.method || order.rpc) found.set(json, order)
      } catch {
        // Another reading of the text is the right one.
      }
    }
  }
  return [...found.values()]
}

/** All texts in a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

export class ObedientAgent {
  readonly outcomes: Outcome[] = []
  /** Everything that the agent received, for the search for what it must not see. */
  readonly received: string[] = []
  readonly #options: AgentOptions
  readonly #client: Client
  readonly #known: Known
  readonly #done = new Set<string>()

  private constructor(options: AgentOptions, client: Client) {
    this.#options = options
    this.#client = client
    this.#known = { ...options.known }
  }

  static async connect(options: AgentOptions): Promise<ObedientAgent> {
    const client = new Client({ name: 'obedient-agent', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${options.credential}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${options.base}/mcp`), { requestInit }))
    return new ObedientAgent(options, client)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
  }

  async toolNames(): Promise<string[]> {
    const { tools } = await this.#client.listTools()
    return tools.map(({ name }) => name)
  }

  /** Reads all pages of a list and then each object, and returns the orders in all of it, with what carried them. */
  async read(reading: Reading): Promise<{ orders: Order[]; known: Known }[]> {
    const found: { orders: Order[]; known: Known }[] = []
    let cursor: string | undefined
    do {
      const page = await this.call(reading.list, {
        ...reading.arguments,
        ...reading.query,
        ...(cursor === undefined ? {} : { cursor }),
      })
      const { next_cursor, [reading.rows]: rows } = Object(page)
      for (const row of Array.isArray(rows) ? rows : []) {
        const known: Known = { [reading.known]: row.id, ...(row.thread_id ? { thread: row.thread_id } : {}) }
        const whole = reading.read && (await this.call(reading.read, { ...reading.arguments, [reading.id]: row.id }))
        const texts = [...textsIn(row), ...textsIn(whole), ...(await this.#attachments(reading, row, whole))]
        const orders = ordersIn(texts.join('\n')).concat(texts.flatMap((text) => ordersIn(text)))
        found.push({ orders: [...new Map(orders.map((order) => [JSON.stringify(order), order])).values()], known })
      }
      cursor = typeof next_cursor === 'string' ? next_cursor : undefined
    } while (cursor !== undefined)
    return found
  }

  /** The contents of attachments, from the links that a tool gives. */
  async #attachments(reading: Reading, row: { id: string }, whole: unknown): Promise<string[]> {
    const listed = /"attachments":\[\{.*?"id":"([^"]+)"/s.exec(JSON.stringify(whole ?? {}))?.[1]
    if (!reading.attachments || listed === undefined) return []
    const given = await this.call(reading.attachments, {
      ...reading.arguments,
      message_id: row.id,
      attachment_id: listed,
    })
    const links = [...textsIn(given)].filter((text) => text.startsWith(this.#options.base))
    return Promise.all(links.map(async (link) => (await fetch(link)).text()))
  }

  /** Carries out an order, unless it did so before with the same values. */
  async obey(order: Order, known: Known = {}): Promise<void> {
    const filled = fill(order, { ...this.#known, credential: this.#options.credential, ...known })
    const name = JSON.stringify(filled)
    if (this.#done.has(name)) return
    this.#done.add(name)
    const outcome = await ('tool' in filled
      ? this.#callTool(filled)
      : 'rpc' in filled
        ? this.#post(filled)
        : this.#request(filled))
    this.outcomes.push({ order, ...outcome })
    this.#learn(outcome.text)
  }

  /** What later orders can use: the draft, template and approval that came last. */
  #learn(text: string): void {
    const draft = /"(?:object":"draft"[^{}]*?"id|draft_id)":"([^"]+)"/.exec(text)?.[1]
    const approval = /"object":"approval"[^{}]*?"id":"([^"]+)"|"id":"([^"]+)","object":"approval"/.exec(text)
    const waiting = /"approval":\{"id":"([^"]+)"/.exec(text)?.[1]
    const own = /"id":"([^"]+)"[^{}]*?"object":"draft"/.exec(text)?.[1]
    const template = /"object":"template"/.test(text) ? /"id":"([^"]+)"/.exec(text)?.[1] : undefined
    const requested = approval?.[1] ?? approval?.[2] ?? waiting
    if (requested !== undefined) this.#known.approval = requested
    if (draft !== undefined || own !== undefined) this.#known.draft = draft ?? own ?? ''
    if (template !== undefined) this.#known.template = template
  }

  /** Calls a tool and returns its structured content. */
  async call(name: string, args: Record<string, unknown>): Promise<unknown> {
    const result = await this.#client.callTool({ name, arguments: args })
    this.received.push(JSON.stringify(result))
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`)
    return result.structuredContent
  }

  async #callTool({ tool, arguments: args }: ToolOrder): Promise<Omit<Outcome, 'order'>> {
    try {
      const result = await this.#client.callTool({ name: tool, arguments: args })
      const text = JSON.stringify(result)
      this.received.push(text)
      return { status: result.isError ? 400 : 200, waits: text.includes('"approval":{"id"'), text }
    } catch (error) {
      return { status: 400, waits: false, text: String(error) }
    }
  }

  async #request({ method, path, body, form, headers }: HttpOrder): Promise<Omit<Outcome, 'order'>> {
    const response = await fetch(`${this.#options.base}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: this.#authorization(path),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: formOf(form) }),
    })
    const text = await response.text()
    this.received.push(text)
    return { status: response.status, waits: response.status === 202 && text.includes('"approval"'), text }
  }

  #authorization(path: string): string {
    const { administrator, credential } = this.#options
    return administrator !== undefined && path.startsWith('/v3/admin/') ? administrator : `Bearer ${credential}`
  }

  async #post({ rpc }: RawOrder): Promise<Omit<Outcome, 'order'>> {
    return this.#request({
      method: 'POST',
      path: '/mcp',
      body: { jsonrpc: '2.0', id: 1, ...rpc },
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': rpc.method,
        'mcp-name': String(rpc.params.name),
      },
    })
  }
}

function formOf(parts: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) form.set(name, value)
  return form
}

/** Which tools list and read objects, and the names of their arguments and rows. */
export interface Reading {
  list: string
  read?: string
  attachments?: string
  arguments: Record<string, unknown>
  /** Arguments of the list only. */
  query: Record<string, unknown>
  rows: string
  /** Name of the argument with the id. */
  id: string
  /** Name of the id in orders. */
  known: string
}

/** Puts values in the place of names. A text that is only the name of a number becomes that number. */
function fill<T>(value: T, known: Known): T {
  const put = (text: string): string | number => {
    const whole = /^\$(\w+)$/.exec(text)?.[1]
    if (whole !== undefined && typeof known[whole] === 'number') return known[whole]
    return text.replace(/\$([a-z]\w*)/gi, (name, key) => String(known[key] ?? name))
  }
  const inside = (each: unknown): unknown => {
    if (typeof each === 'string') return put(each)
    if (Array.isArray(each)) return each.map(inside)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([name, one]) => [name, inside(one)]))
  }
  return inside(value) as T
}

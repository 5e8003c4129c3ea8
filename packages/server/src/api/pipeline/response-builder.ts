import type { NamedRoute } from '@waypost/contract'
import { JsonText } from '@waypost/platform/json/values'
import {
  answerObject,
  answerText,
  type Envelope,
  type Enveloped,
  itemJson,
  type ListPage,
  type LiveAnswer,
  type WireAnswer,
} from '../http/answer.ts'
import type { LiveList } from '../http/event-stream.ts'
import { tellIgnored } from '../http/ignored-fields.ts'
import type { ApiServices } from './api-services.ts'
import { cursorBinding } from './cursor-binding.ts'
import type { RequestContext } from './request-context.ts'

/** Makes the answer of one request from the value of its handler and from the response headers set on the way. */
export class ResponseBuilder {
  readonly #checks: boolean
  readonly #context: RequestContext
  readonly #envelope: Envelope

  constructor(
    { config: { checkAnswers }, storage: { cursors } }: Pick<ApiServices, 'config' | 'storage'>,
    context: RequestContext,
  ) {
    this.#checks = checkAnswers
    this.#context = context
    this.#envelope = {
      requestId: context.requestId,
      route: context.served.named.route,
      select: context.query.select as string[] | undefined,
      limit: context.query.limit as number | undefined,
      seal: (position) => cursors.seal(position, cursorBinding(context)),
    }
  }

  headers(): Record<string, string> {
    const { ignored, responseHeaders } = this.#context
    if (ignored.length === 0) return responseHeaders
    const headers = { ...responseHeaders }
    tellIgnored(headers, ignored)
    return headers
  }

  async answer(value: unknown): Promise<WireAnswer> {
    this.#check(value)
    return this.#withHeaders(await answerText(value, this.#envelope))
  }

  /** The same for a call within the process, which needs no text. */
  answerObject(value: unknown): WireAnswer {
    this.#check(value)
    return this.#withHeaders(answerObject(value, this.#envelope))
  }

  /** A list as a stream of events. */
  answerLive({ produce, drop }: LiveList): LiveAnswer {
    const { seal, select } = this.#envelope
    const json = (item: unknown): string => {
      this.#check({ items: [item] })
      return itemJson(item, select)
    }
    return { status: 200, headers: this.headers(), produce: (sink) => produce(sink, { seal, json }), drop }
  }

  /** Resets the response headers, for work that runs a second time. */
  restore(saved: Readonly<Record<string, string>>): void {
    const { responseHeaders } = this.#context
    for (const name of Object.keys(responseHeaders)) delete responseHeaders[name]
    Object.assign(responseHeaders, saved)
  }

  #check(value: unknown): void {
    if (this.#checks) checkAnswer(this.#context.served.named, value)
  }

  #withHeaders(answer: WireAnswer): WireAnswer {
    answer.headers = this.headers()
    return answer
  }
}

/** In tests and development, throws if a value does not fit the contract. */
function checkAnswer(named: NamedRoute, value: unknown): void {
  const schema = named.route.returns
  if (!schema) return
  const whole = named.route.beside ? (value as Enveloped<unknown, object>).data : value
  const items = !named.route.list ? [whole] : Array.isArray(value) ? value : [...(value as ListPage<unknown>).items]
  for (const item of items) {
    if (item === undefined && named.route.sometimes) continue
    const object = item instanceof JsonText ? JSON.parse(item.text) : JSON.parse(JSON.stringify(item))
    const parsed = schema.safeParse(object)
    if (!parsed.success) throw new Error(`${named.id} answers against its contract: ${parsed.error.message}`)
    if (typeof object !== 'object') continue
    const extra = Object.keys(object).filter((name) => !(name in (parsed.data as object)))
    if (extra.length > 0) throw new Error(`${named.id} answers fields that the contract lacks: ${extra.join(', ')}`)
  }
}

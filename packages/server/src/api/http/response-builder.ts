import type { NamedRoute } from '@waypost/contract'
import { after, type Ready } from '../../lib/ready.ts'
import { checkAnswer } from '../pipeline/check-answer.ts'
import { tellIgnored } from '../pipeline/ignored-fields.ts'
import type { PipelineContext } from '../pipeline/pipeline-context.ts'
import { answerPage, answerWith, type Envelope, type WireAnswer } from './answer.ts'

/** What a request is answered with besides the value of its handler. */
export interface ResponseParts {
  named: NamedRoute
  envelope: Envelope
  /** Names of fields that the client sent and the route does not know. */
  ignored: readonly string[]
}

/** Makes the answer of one request from the value of its handler and from the headers that were set on the way. */
export class ResponseBuilder {
  /** Response headers that handlers and adapters set. */
  readonly responseHeaders: Record<string, string> = {}
  readonly #checks: boolean
  readonly #parts: ResponseParts

  constructor({ checkAnswers }: Pick<PipelineContext, 'checkAnswers'>, parts: ResponseParts) {
    this.#checks = checkAnswers
    this.#parts = parts
  }

  headers(): Record<string, string> {
    const { ignored } = this.#parts
    if (ignored.length === 0) return this.responseHeaders
    const headers = { ...this.responseHeaders }
    tellIgnored(headers, ignored)
    return headers
  }

  answer(value: unknown): WireAnswer {
    const { named, envelope } = this.#parts
    if (this.#checks) checkAnswer(named, value)
    return this.#withHeaders(answerWith(value, envelope))
  }

  #withHeaders(answer: WireAnswer): WireAnswer {
    answer.headers = this.headers()
    return answer
  }

  /** The same for what may be long: a page is written item by item, so that others have their turn in between. */
  answerInTurns(value: unknown): Ready<WireAnswer> {
    const { named, envelope } = this.#parts
    const { list, returns, flat, beside } = named.route
    if (!list || !returns || flat || beside) return this.answer(value)
    if (this.#checks) checkAnswer(named, value)
    return after(answerPage(value, envelope), (answer) => this.#withHeaders(answer))
  }

  /** Takes the headers back to what they were: for work that runs a second time. */
  restore(responseHeaders: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(this.responseHeaders)) delete this.responseHeaders[name]
    Object.assign(this.responseHeaders, responseHeaders)
  }
}

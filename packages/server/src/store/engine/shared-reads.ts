/**
 * Reads that share a statement: what is asked in one turn of the event loop leaves together at its end, and who asks while
 * as many statements of the kind are on their way as may be waits for the next one. That leaves after all of them have
 * asked, so each is told what was committed when it asked, or later; never is anybody told what a statement found that had
 * left before. Who asks alone waits for nobody.
 */
import { checkValues, kept, type Queries, type Statement, StoreUnavailable, sql, type Value } from './database.ts'
import { keyOf } from './kept-reads.ts'
import { arrayText } from './row-lists.ts'

/** So many of a kind are on their way at once: while one is answered, the next is put together. */
const maxUnderWay = 2
/** More would make all of them wait for the last. */
const maxTogether = 64
/** Nobody waits longer for statements before that hang. */
const maxWaitMs = 100

/**
 * A statement that finds one row by texts, asked so often that it is worth asking for several at once: they are looked up
 * one after the other, by the same index, within one statement. `limit` keeps the planner from joining them in another way.
 */
export function pointRead<T>(statement: Statement<T>): Statement<T> {
  const count = Math.max(...Array.from(statement.text.matchAll(/\$(\d)/g), ([, number]) => Number(number)))
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const together = sql<T & Placed>(
    `${statement.name}Together`,
    `select asked.place, found.* from unnest(${numbers.map((number) => `cast($${number} as text[])`).join(', ')})
     with ordinality as asked (${numbers.map((number) => `value${number}`).join(', ')}, place)
     cross join lateral (${statement.text.replaceAll(/\$(\d)/g, 'asked.value$1')} limit 1) found`,
  )
  return { ...kept(statement), together }
}

/** Which of those that were asked for a row is, from 1 on. */
interface Placed {
  place: number
}

/** What is asked for, and all who ask it wait for. */
interface Question {
  parameters: readonly Value[]
  askers: number
  answer: PromiseWithResolvers<unknown>
}

/** Statements of a kind. */
interface Kind {
  statement: Statement<unknown>
  underWay: number
  /** By their values. */
  waiting: Map<string, Question>
  /** Runs while somebody waits for a statement before. */
  timer: NodeJS.Timeout | undefined
  isDue: boolean
}

export class SharedReads {
  readonly #queries: Pick<Queries, 'get' | 'all'>
  /** By text, and by the values where several cannot be asked for at once. */
  readonly #kinds = new Map<string, Kind>()
  #due: [string, Kind][] = []
  #unanswered = 0

  constructor(queries: Pick<Queries, 'get' | 'all'>) {
    this.#queries = queries
  }

  /** How many wait for an answer. */
  get unanswered(): number {
    return this.#unanswered
  }

  /** The first row, which others may have too. All who share an answer are given the same promise: each of its own would cost more. */
  get<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T | undefined> {
    try {
      checkValues(parameters)
    } catch (error) {
      return Promise.reject(error)
    }
    const values = keyOf(parameters)
    const key = statement.together ? statement.text : `${statement.text}\0${values}`
    let kind = this.#kinds.get(key)
    if (!kind) {
      kind = { statement, underWay: 0, waiting: new Map(), timer: undefined, isDue: false }
      this.#kinds.set(key, kind)
    }
    let question = kind.waiting.get(values)
    if (!question) {
      question = { parameters, askers: 0, answer: Promise.withResolvers() }
      kind.waiting.set(values, question)
      this.#plan(key, kind)
    }
    question.askers++
    this.#unanswered++
    return question.answer.promise as Promise<T | undefined>
  }

  /** Has what waits leave at the end of this turn, or else when there is room, or when it has waited too long. */
  #plan(key: string, kind: Kind): void {
    if (kind.isDue) return
    if (kind.underWay < maxUnderWay) this.#setDue(key, kind)
    else kind.timer ??= setTimeout(() => this.#setDue(key, kind), maxWaitMs)
  }

  #setDue(key: string, kind: Kind): void {
    if (kind.isDue) return
    kind.isDue = true
    clearTimeout(kind.timer)
    kind.timer = undefined
    if (this.#due.push([key, kind]) > 1) return
    setImmediate(() => {
      const due = this.#due
      this.#due = []
      for (const [dueKey, dueKind] of due) this.#leave(dueKey, dueKind)
    })
  }

  #leave(key: string, kind: Kind): void {
    kind.isDue = false
    const questions: Question[] = []
    for (const [values, question] of kind.waiting) {
      if (questions.length === maxTogether) break
      questions.push(question)
      kind.waiting.delete(values)
    }
    kind.underWay++
    void this.#ask(kind.statement, questions).then(() => {
      kind.underWay--
      for (const { askers } of questions) this.#unanswered -= askers
      if (kind.waiting.size > 0) this.#setDue(key, kind)
      else if (kind.underWay === 0) this.#kinds.delete(key)
    })
    if (kind.waiting.size > 0) this.#plan(key, kind)
  }

  async #ask({ together, ...statement }: Statement<unknown>, questions: readonly Question[]): Promise<void> {
    if (!together || questions.length === 1) {
      await Promise.all(questions.map((question) => this.#askAlone(statement, question)))
      return
    }
    const numbers = questions[0]?.parameters.keys() ?? []
    const lists = Array.from(numbers, (number) =>
      arrayText(questions.map(({ parameters }) => parameters[number] ?? null)),
    )
    try {
      const rows = await this.#queries.all(together as Statement<Placed>, lists)
      const found = new Map(rows.map((row) => [row.place, Object.freeze(row)]))
      for (const [index, { answer }] of questions.entries()) answer.resolve(found.get(index + 1))
    } catch (error) {
      // What is wrong with one of them concerns no other.
      if (!(error instanceof StoreUnavailable)) await this.#ask(statement, questions)
      else for (const { answer } of questions) answer.reject(error)
    }
  }

  async #askAlone(statement: Statement<unknown>, { parameters, answer }: Question): Promise<void> {
    try {
      answer.resolve(Object.freeze(await this.#queries.get(statement, parameters)))
    } catch (error) {
      answer.reject(error)
    }
  }
}

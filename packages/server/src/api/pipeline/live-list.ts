/** The result of a handler whose list is sent as events. */
import type { JsonValue } from '@waypost/platform/json/guard'
import type { EventSink } from '../http/event-stream.ts'

/** A list as a stream of events. */
export class LiveList {
  /** Sends events until the stream is over. */
  readonly produce: (sink: EventSink, items: LiveItems) => Promise<void>
  /** Is called in place of `produce` if the stream is not sent. */
  readonly drop: () => void

  constructor(live: Pick<LiveList, 'produce' | 'drop'>) {
    this.produce = live.produce
    this.drop = live.drop
  }
}

/** How the items of a live list are sent. */
export interface LiveItems {
  /** The cursor of a position. */
  seal(position: JsonValue): string
  /** The JSON of an item, with the selected fields. */
  json(item: unknown): string
}

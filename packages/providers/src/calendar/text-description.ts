/**
 * `text_description` of events: the plain text of the description. It is not stored, so that events written before,
 * and by nodes of an earlier version, have it too. Answers, notifications and exports derive it.
 */
import type { Event, ShownEvent } from '@waypost/contract'
import { textOfDescription, textOfLongDescription } from '@waypost/formats/html/description-text'
import type { PlainInput, PlainText } from '@waypost/formats/html/plain-text'
import { JsonText } from '@waypost/platform/json/values'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import { yieldBetween } from '@waypost/platform/parsing/yielding'

type Described<E extends Pick<Event, 'description'>> = E & Pick<ShownEvent, 'text_description'>

/** An event with the plain text of its description, converted at once. */
export const withTextDescription = <E extends Pick<Event, 'description'>>(event: E): Described<E> => ({
  ...event,
  text_description: event.description ? textOfDescription(event.description) : null,
})

export interface Conversion {
  /** Threads that convert long HTML. */
  parse: ParsePool
  signal: AbortSignal
  /** The fields that the client selected. Text that it did not select is not converted. */
  select?: readonly string[] | undefined
}

/** The same for the answer to a request: long HTML is converted in a thread. */
export async function describeEvent<E extends Event>(event: E, conversion: Conversion): Promise<Described<E>> {
  const { description } = event
  const text_description = description ? await textOf(description, conversion) : null
  return { ...event, text_description }
}

const textOf = async (description: string, { parse, signal, select }: Conversion): Promise<string> =>
  select?.length && !select.includes('text_description')
    ? ''
    : textOfLongDescription(description, async (input) => {
        const [outcome] = await parse.run<PlainInput, PlainText>('plain', [input], { signal })
        if (outcome?.ok) return outcome.value.text
        signal.throwIfAborted()
        // The description itself is in the answer. Its text must not cost a whole page.
        return ''
      })

type Item<E> = E | JsonText<E>

/** The same for the events of a page. Stored documents stay JSON text. */
export async function describeEvents(
  items: readonly Item<Event>[],
  conversion: Conversion,
): Promise<Item<ShownEvent>[]> {
  const described: Item<ShownEvent>[] = []
  const othersTurn = yieldBetween()
  for (const item of items) {
    described.push(
      item instanceof JsonText ? await describeJson(item, conversion) : await describeEvent(item, conversion),
    )
    await othersTurn()
  }
  return described
}

const named = '"description":'

/** Adds the text after the description of a document, without parsing the rest of it. */
async function describeJson({ text }: JsonText<Event>, conversion: Conversion): Promise<JsonText<ShownEvent>> {
  const at = text.indexOf(named)
  const nested = text.indexOf('{', 1)
  // Nested objects come later in every document that we write. Metadata may have a key of the same name.
  if (at === -1 || (nested !== -1 && nested < at)) {
    return new JsonText(JSON.stringify(await describeEvent(JSON.parse(text), conversion)))
  }
  const start = at + named.length
  const end = text[start] === '"' ? endOfString(text, start) : start + 'null'.length
  const value = text.slice(start, end)
  const description: string | null = value.includes('<') || value.includes('&') ? JSON.parse(value) : null
  const plain =
    value === '""' ? 'null' : description === null ? value : JSON.stringify(await textOf(description, conversion))
  return new JsonText(`${text.slice(0, end)},"text_description":${plain}${text.slice(end)}`)
}

/** The position after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
  throw new Error('a stored event is not JSON')
}

/** Field types shared by several resources, and the query string forms that clients use. */
import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * A query value arrives as a string, or as an array if the parameter is repeated. SDK callers write the value itself,
 * so the input type is the output type.
 */
function wire<Out>(
  parse: (value: unknown) => unknown,
  schema: z.ZodType<Out>,
  json: { type: string; [key: string]: unknown },
): z.ZodType<Out, Out> {
  // The preprocess step accepts anything; the cast only narrows the documented input type.
  return z.preprocess(parse, schema).meta(json) as unknown as z.ZodType<Out, Out>
}

const toInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
/** Python clients send `True`. */
const toBoolean = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  return text === 'true' ? true : text === 'false' ? false : value
}
const toTexts = (value: unknown): unknown => {
  if (typeof value === 'string') {
    const items = value.split(',').map((item) => item.trim())
    return items.filter((item) => item !== '')
  }
  return Array.isArray(value) ? value.flatMap((item) => (typeof item === 'string' ? toTexts(item) : item)) : value
}

/** First second of year 1 and last second of year 9999. */
export const firstSecond = -62_135_596_800
export const lastSecond = 253_402_300_799
export const inSeconds = 'must be Unix time in seconds, not milliseconds'

/** A required time in a query, in Unix seconds. */
export const requiredTimeParam = () =>
  wire(toInteger, z.int().min(0).max(lastSecond, { error: inSeconds }), {
    type: 'integer',
    minimum: 0,
    maximum: lastSecond,
  })

/** An optional integer in a query. */
export const integerParam = (range: { min?: number; max?: number; tooLarge?: string } = {}) =>
  wire(
    toInteger,
    z
      .int()
      .min(range.min ?? Number.MIN_SAFE_INTEGER)
      .max(range.max ?? Number.MAX_SAFE_INTEGER, range.tooLarge ? { error: range.tooLarge } : undefined)
      .optional(),
    { type: 'integer', minimum: range.min, maximum: range.max },
  )

/** An optional `true` or `false` in a query. */
export const booleanParam = () => wire(toBoolean, z.boolean().optional(), { type: 'boolean' })

/** An optional list in a query: repeated parameters, a comma-separated list, or both. */
export const listParam = () =>
  wire(toTexts, z.array(z.string()).max(200).optional(), { type: 'array', items: { type: 'string' } })

const toAddresses = (value: unknown): unknown => {
  const texts = toTexts(value)
  if (!Array.isArray(texts)) return texts
  const addresses = texts.map((text) => (typeof text === 'string' ? text.trim() : text)).filter((text) => text !== '')
  // An empty list means no filter, not "none of these".
  return addresses.length > 0 ? addresses : undefined
}

/** Optional addresses in a query, one of which must match: repeated parameters, a comma-separated list, or both. */
export const addressesParam = () =>
  wire(
    toAddresses,
    z
      .array(line(320))
      .max(limits.filterAddresses, { error: `must have at most ${limits.filterAddresses} addresses` })
      .optional(),
    { type: 'array', items: { type: 'string' }, maxItems: limits.filterAddresses },
  )

/** A folder id can contain its whole path in base64url. */
export const maxFolderId = 6_000

/** An optional single value in a query. Some clients send several; the last one is used. */
export const lastTextParam = () =>
  wire((value) => (Array.isArray(value) ? value.at(-1) : value), z.string().min(1).max(maxFolderId).optional(), {
    type: 'string',
    minLength: 1,
    maxLength: maxFolderId,
  })

/** An optional time in a query, in seconds. Milliseconds are refused instead of being read as a distant future. */
export const timeParam = () => integerParam({ min: 0, max: lastSecond, tooLarge: inSeconds })
/** The same for event times, which can be before 1970. */
export const momentParam = () => integerParam({ min: firstSecond, max: lastSecond, tooLarge: inSeconds })

/**
 * `limit`: at least 1. Larger values are reduced to the maximum, because clients request large pages and follow
 * cursors.
 */
export const limitParam = (usual: number, max: number = limits.pageMax) =>
  wire(
    (value) => toInteger(value ?? usual),
    z
      .int()
      .min(1)
      .transform((value) => Math.min(value, max)),
    {
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: usual,
      description: `Maximum page size, default ${usual}; values above ${max} are reduced to ${max}. A page can be shorter and still have a next page.`,
    },
  ) as z.ZodType<number, number | undefined>

/** A choice in a query, including alternative spellings that clients send. */
export const choiceParam = <const V extends string>(values: readonly V[], aliases: Record<string, V> = {}) =>
  wire(
    (value) => (typeof value === 'string' ? (aliases[value] ?? value) : value),
    z.enum(values as readonly [V, ...V[]]).optional(),
    { type: 'string', enum: values },
  )

export const textParam = () => z.string().min(1).max(1024).optional()

/** Limited to the maximum length of a cursor. */
export const pageTokenParam = () =>
  z.string().min(1).max(2048).optional().meta({
    description:
      '`next_cursor` of the previous page; absent for the first page. Filters stay those of the first page; `limit` and `select` can change.',
  })

/** Parameters of every list. */
export const selectParam = {
  select: listParam().meta({
    description:
      'Top-level fields to return, comma-separated: `id,title`. Default: all fields. Unknown names are ignored.',
  }),
}
export const offsetPaging = (usual = 10) => ({
  limit: limitParam(usual),
  offset: integerParam({ min: 0, max: 1_000_000_000 }).meta({
    description:
      'Number of objects to skip, default 0. For long lists use `page_token`, which neither skips nor repeats objects when the list changes.',
  }),
  page_token: pageTokenParam(),
})

export const cursorPaging = (usual = 50, max: number = limits.pageMax) => ({
  limit: limitParam(usual, max),
  page_token: pageTokenParam(),
})

/** Paging of files: the next page is named in a response header. */
export const exportPaging = (usual: number, max: number) => ({
  limit: limitParam(usual, max),
  page_token: pageTokenParam().meta({
    description:
      'The response header `next-cursor` of the previous page; absent for the first page. `format` and filters stay those of the first page; `limit` can change.',
  }),
})

/** One filter pair: `key1:value`, several separated by commas. */
export interface MetadataPair {
  key: string
  value: string
}

const toPairs = (value: unknown): unknown => {
  const texts = typeof value === 'string' ? [value] : value
  if (!Array.isArray(texts)) return texts
  // A comma starts a new pair only before `keyN:`, because values can contain commas.
  const parts = texts.flatMap((text) => (typeof text === 'string' ? text.split(/,(?=key[1-5]:)/) : [text]))
  return parts.map((part) => {
    const colon = typeof part === 'string' ? part.indexOf(':') : -1
    return colon > 0 ? { key: part.slice(0, colon), value: part.slice(colon + 1) } : part
  })
}

/** Metadata filter; only key1 to key5 are indexed. */
export const metadataPairParam = () =>
  z
    .preprocess(
      toPairs,
      z
        .array(
          z.object(
            {
              key: z.enum(['key1', 'key2', 'key3', 'key4', 'key5']),
              value: z.string().max(limits.metadataValueLength),
            },
            { error: 'must have the form key1:value; only key1 to key5 can be used as a filter' },
          ),
        )
        .min(1)
        .max(5)
        .optional(),
    )
    .meta({
      type: 'string',
      description:
        'Only objects whose metadata contains this pair, as `key1:value`. Several comma-separated pairs must all match. Only `key1` to `key5`. Cannot be combined with provider filters.',
    }) as unknown as z.ZodType<MetadataPair[] | undefined, string | undefined>

/** Whether guests are notified of a change. */
export const notifyParam = {
  notify_participants: booleanParam().meta({
    description:
      'Whether guests are notified: `true` (default) sends invitations, changes and cancellations; `false` sends none. Microsoft and iCloud always notify guests.',
  }),
}

/**
 * Refuses a filter in combination with others, except the named ones; `why` is appended to the names of the others.
 */
export const checkAlone =
  (filter: string, beside: readonly string[], why = '') =>
  (query: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    if (query[filter] === undefined) return
    const free = new Set([filter, 'limit', 'page_token', 'select', ...beside])
    const others = Object.keys(query).filter((name) => query[name] !== undefined && !free.has(name))
    if (others.length === 0) return
    const message = `cannot be combined with ${others.join(', ')}${why}`
    context.addIssue({ code: 'custom', path: [filter], message })
  }

/** A filter of the service cannot be combined with a filter of the provider. */
export const checkMetadataAlone = (...beside: readonly string[]) =>
  checkAlone('metadata_pair', beside, ': the service evaluates one, the provider the other')

export const Id = z.string().min(1).max(64)
/** For objects that belong to an account. */
export const GrantId = Id.meta({ description: 'Id of the grant that it belongs to' })
export const Timestamp = z.int().meta({ description: 'Unix time in seconds' })
export const CreatedAt = Timestamp.meta({ description: 'Creation time in Unix seconds' })
export const UpdatedAt = Timestamp.meta({ description: 'Time of the last change in Unix seconds' })

const wellFormed = (text: string): boolean => !/\p{Cc}/u.test(text)

/** A line of text without control characters. */
export const line = (max: number) =>
  z.string().max(max).refine(wellFormed, { error: 'must not contain control characters' })

export const Metadata = z
  .record(z.string().min(1).max(limits.metadataKeyLength), z.string().max(limits.metadataValueLength))
  .refine((pairs) => Object.keys(pairs).length <= limits.metadataPairs, {
    error: `must have at most ${limits.metadataPairs} pairs`,
  })
  .meta({
    id: 'Metadata',
    description: `Your own key-value pairs, stored by the service and not shared with the provider: at most ${limits.metadataPairs} pairs, keys of up to ${limits.metadataKeyLength} characters, values of up to ${limits.metadataValueLength}. Lists can be filtered by \`key1\` to \`key5\` (\`metadata_pair\`).`,
  })

/** An id used in a URL path: `.` and `..` would change the path. */
const isNoDots = (text: string): boolean => text !== '.' && text !== '..'
export const identifier = (max = 1024) => line(max).min(1).refine(isNoDots, { error: 'must not be . or ..' })
export const identifierParam = () => identifier().optional()

export const HexColor = z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color such as #1a73e8' })

/** An absolute http(s) URL. */
export const HttpUrl = z
  .string()
  .max(2048)
  .refine((text) => URL.canParse(text) && /^https?:\/\//i.test(text), { error: 'must be an http or https address' })

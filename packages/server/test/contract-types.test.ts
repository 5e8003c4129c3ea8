/**
 * Code that must not compile. `npm run types` reports each `@ts-expect-error` that no longer has an error. The tests
 * run the rest.
 */
import { type Contract, contract, route } from '@waypost/contract'
import type { Identity } from '@waypost/providers/identity'
import { type Agree, agreement, type GrantRouteId, type OperationId } from '@waypost/providers/operations'
import { defineProvider } from '@waypost/providers/provider'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { HandlersOf } from '../src/api/pipeline/handler-types.ts'

const Note = z.object({ id: z.string(), text: z.string() })

const sample = {
  notes: {
    list: route({
      method: 'GET',
      path: '/v3/grants/:grant_id/notes',
      summary: 'List notes',
      right: 'mail.read',
      audience: 'grant',
      returns: Note,
      list: 'cursor',
    }),
    get: route({
      method: 'GET',
      path: '/v3/grants/:grant_id/notes/:note_id',
      summary: 'Get a note',
      right: 'mail.read',
      audience: 'grant',
      returns: Note,
    }),
  },
  shelves: {
    get: route({
      method: 'GET',
      path: '/v3/shelves/:id',
      summary: 'Get a shelf',
      right: 'mail.read',
      audience: 'application',
      query: z.object({ deep: z.boolean().optional() }),
      returns: z.object({ id: z.string() }),
    }),
    delete: route({
      method: 'DELETE',
      path: '/v3/shelves/:id',
      summary: 'Remove a shelf',
      right: 'mail.read',
      audience: 'application',
    }),
  },
} satisfies Contract
type Sample = typeof sample

const notes: HandlersOf<Sample>['notes'] = {
  list: () => ({ items: [{ id: '1', text: 'one' }] }),
  get: ({ params }) => ({ id: params.note_id, text: 'one' }),
}
const shelves: HandlersOf<Sample>['shelves'] = {
  get: ({ params, application }) => ({ id: `${application.id}/${params.id}` }),
  delete: () => undefined,
}

describe('the handlers of a contract', () => {
  test('are complete when every route has one', () => {
    const handlers: HandlersOf<Sample> = { notes, shelves }
    expect(Object.keys(handlers)).toEqual(Object.keys(sample))
  })

  test('do not compile when a route has none', () => {
    const { get, ...rest } = notes
    // @ts-expect-error the route notes.get has no handler
    const fewer: HandlersOf<Sample> = { notes: rest, shelves }
    // @ts-expect-error the resource shelves has no handlers
    const without: HandlersOf<Sample> = { notes }
    expect([get, fewer, without]).toHaveLength(3)
  })

  test('do not compile with a handler without a route', () => {
    // @ts-expect-error there is no route notes.print
    const more: HandlersOf<Sample> = { notes: { ...notes, print: () => undefined }, shelves }
    // @ts-expect-error there is no resource books
    const others: HandlersOf<Sample> = { notes, shelves, books: {} }
    expect([more, others]).toHaveLength(2)
  })

  test('do not compile when one returns another type', () => {
    const wrong: HandlersOf<Sample>['notes'] = {
      // @ts-expect-error a paged list is an object with items
      list: () => [{ id: '1', text: 'one' }],
      // @ts-expect-error the text is missing
      get: () => ({ id: '1' }),
    }
    expect(wrong).toBeDefined()
  })

  test('do not compile when one reads a field that its route lacks', () => {
    const wrong: HandlersOf<Sample>['shelves'] = {
      // @ts-expect-error the route of an application has no grant
      get: ({ grant }) => ({ id: grant }),
      // @ts-expect-error the path has no parameter name
      delete: ({ params }) => void params.name,
    }
    expect(wrong).toBeDefined()
  })
})

describe('the handler of a route that answers with a file', () => {
  const files = {
    files: {
      read: route({
        method: 'GET',
        path: '/v3/files/:id',
        summary: 'Read a file',
        right: 'mail.read',
        audience: 'application',
        bytes: true,
      }),
    },
  } satisfies Contract
  const content = new ReadableStream<Uint8Array>()

  test('returns the bytes and their media type', () => {
    const read: HandlersOf<typeof files>['files'] = {
      read: ({ params }) => ({ content, contentType: 'text/plain', filename: params.id }),
    }
    expect(read).toBeDefined()
  })

  test('does not compile when it returns something else', () => {
    // @ts-expect-error a file is no text
    const text: HandlersOf<typeof files>['files'] = { read: () => 'text' }
    // @ts-expect-error the type of the file is missing
    const vague: HandlersOf<typeof files>['files'] = { read: () => ({ content, filename: null }) }
    expect([text, vague]).toHaveLength(2)
  })
})

describe('the handler of a route that the service answers itself', () => {
  const labels = {
    labels: {
      get: route({
        method: 'GET',
        path: '/v3/grants/:grant_id/labels',
        summary: 'Get labels',
        right: 'mail.read',
        audience: 'grant',
        own: true,
        returns: Note,
      }),
    },
  } satisfies Contract

  test('has the grant, and no operation of a provider', () => {
    const good: HandlersOf<typeof labels>['labels'] = { get: ({ grant }) => ({ id: grant.grant.id, text: '' }) }
    // @ts-expect-error there is no operation behind it
    const wrong: HandlersOf<typeof labels>['labels'] = { get: ({ op }) => op() }
    expectTypeOf<GrantRouteId<typeof labels>>().toEqualTypeOf<never>()
    expect([good, wrong]).toHaveLength(2)
  })
})

describe('the handler of a route with fields beside data', () => {
  const parcels = {
    parcels: {
      send: route({
        method: 'POST',
        path: '/v3/parcels',
        summary: 'Send a parcel',
        right: 'mail.read',
        audience: 'application',
        body: z.object({ to: z.string() }),
        parts: ['parcel'],
        mime: true,
        returns: Note,
        beside: z.object({ shelf: z.string() }),
        later: 202,
      }),
    },
  } satisfies Contract

  test('returns the fields, and has files, a whole message or a body', () => {
    const good: HandlersOf<typeof parcels>['parcels'] = {
      send: ({ body, files, mime }) => ({
        data: { id: body?.to ?? '', text: files.map(({ filename }) => filename).join() },
        beside: { shelf: String(mime?.byteLength) },
        later: true,
      }),
    }
    // @ts-expect-error the fields beside data are missing
    const bare: HandlersOf<typeof parcels>['parcels'] = { send: () => ({ id: '', text: '' }) }
    const sure: HandlersOf<typeof parcels>['parcels'] = {
      // @ts-expect-error a whole message may take the place of the body
      send: ({ body }) => ({ data: { id: body.to, text: '' }, beside: { shelf: '' } }),
    }
    expect([good, bare, sure]).toHaveLength(3)
  })
})

describe('routes that reach a provider and the operations of the adapters', () => {
  interface Matching {
    notes: { list(): void; get(): void }
  }
  interface Fewer {
    notes: { list(): void }
  }
  interface More {
    notes: { list(): void; get(): void; print(): void }
    books: { open(): void }
  }

  test('agree in the contract', () => {
    expect(agreement).toBe(true)
    expectTypeOf<GrantRouteId<Sample>>().toEqualTypeOf<'notes.list' | 'notes.get'>()
    expectTypeOf<OperationId<More>>().toEqualTypeOf<'notes.list' | 'notes.get' | 'notes.print' | 'books.open'>()
    const same: Agree<GrantRouteId<Sample>, OperationId<Matching>> = true
    expect(same).toBe(true)
  })

  test('do not compile when a route for API keys declares no right', () => {
    const facts = { method: 'GET', path: '/v3/notes', summary: 'List notes' } as const
    // @ts-expect-error the right is missing
    const unsaid = route({ ...facts, audience: 'application' })
    // @ts-expect-error there is no such right
    const wrong = route({ ...facts, audience: 'application', right: 'notes.read' })
    const said = [route({ ...facts, audience: 'application', right: 'never' }), route({ ...facts, audience: 'public' })]
    expect([unsaid, wrong, ...said]).toHaveLength(4)
  })

  test('do not compile when a route has no operation', () => {
    // @ts-expect-error the operation notes.get is missing
    const agreed: Agree<GrantRouteId<Sample>, OperationId<Fewer>> = true
    expectTypeOf<Agree<GrantRouteId<Sample>, OperationId<Fewer>>>().toEqualTypeOf<{ missingOperation: 'notes.get' }>()
    expect(agreed).toBe(true)
  })

  test('do not compile when an operation has no route', () => {
    // @ts-expect-error the routes notes.print and books.open are missing
    const agreed: Agree<GrantRouteId<Sample>, OperationId<More>> = true
    expectTypeOf<Agree<GrantRouteId<Sample>, OperationId<More>>>().toEqualTypeOf<{
      missingRoute: 'notes.print' | 'books.open'
    }>()
    expect(agreed).toBe(true)
  })
})

describe('an adapter', () => {
  const identity: Identity = { email: 'a@x.test', name: null, providerUserId: null, scope: [], settings: {} }
  const authenticate = async (): Promise<Identity> => identity

  test('keeps its exact type, without undeclared members', () => {
    const adapter = defineProvider()({ kind: 'imap', authenticate })
    // @ts-expect-error the adapter has no folders
    expect(adapter.folders).toBeUndefined()
    expect(adapter.kind).toBe('imap')
  })

  test('does not compile with a resource that the interface lacks', () => {
    // @ts-expect-error there is no resource foldrs
    const adapter = defineProvider()({ kind: 'imap', authenticate, foldrs: { list: () => [] } })
    expect(adapter).toBeDefined()
  })

  test('does not compile for a kind that the contract lacks', () => {
    // @ts-expect-error there is no provider kind fax
    const adapter = defineProvider()({ kind: 'fax', authenticate })
    expect(adapter).toBeDefined()
  })

  test('does not compile without authentication, or with an incomplete one', () => {
    // @ts-expect-error authenticate is missing
    const silent = defineProvider()({ kind: 'imap' })
    // @ts-expect-error an identity has more than an address
    const vague = defineProvider()({ kind: 'imap', authenticate: async () => ({ email: 'a@x.test' }) })
    expect([silent, vague]).toHaveLength(2)
  })
})

describe('a route', () => {
  test('does not compile with a method, audience or error that the table lacks', () => {
    const base = { method: 'GET', path: '/v3/x', summary: 'X', right: 'mail.read', audience: 'application' } as const
    expect([
      route(base),
      // @ts-expect-error there is no such method
      route({ ...base, method: 'FETCH' }),
      // @ts-expect-error there is no such audience
      route({ ...base, audience: 'everybody' }),
      // @ts-expect-error there is no such error
      route({ ...base, errors: ['teapot'] }),
    ]).toHaveLength(4)
  })

  test('has its own literal type in the contract', () => {
    expectTypeOf(contract.grants.get.path).toEqualTypeOf<'/v3/grants/:grant_id'>()
    expectTypeOf(contract.grants.list.list).toEqualTypeOf<'offset'>()
    expect(contract.grants.get.method).toBe('GET')
  })
})

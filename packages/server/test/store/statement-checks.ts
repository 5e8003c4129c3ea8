/** A look at every SQL text of the store: whose rows it touches, and that its values are bound. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactTables } from '../../src/store/contacts.ts'
import type { Queries } from '../../src/store/database.ts'
import { completeDeliveries, listAttempts, notificationsAt, postponeDeliveries } from '../../src/store/deliveries.ts'
import { type GrantFilter, listGrantDocuments } from '../../src/store/grants.ts'
import { migrations } from '../../src/store/migrate.ts'
import { readStream, scanStream, streamedAt } from '../../src/store/notification-stream.ts'
import { requeueFailed, requeueNotifications } from '../../src/store/replays.ts'
import { claimSends, dueSends } from '../../src/store/sends.ts'
import { listWatched, tallyWatched } from '../../src/store/watches.ts'
import { engines } from '../harness.ts'
import { testSeals } from '../webhooks/notification-rows.ts'
import { madeStatements } from './made-statements.ts'

export const describeStatements = (noting: Disposable) =>
  describe('every statement of the store', () => {
    afterAll(() => noting[Symbol.dispose]())
    const folder = new URL('../../src/store/', import.meta.url)
    let statements: Map<string, string>
    beforeAll(async () => {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'))
      for (const file of files) await import(`../../src/store/${file.slice(0, -3)}.ts`)
      const silent: Queries = {
        get: async () => undefined,
        all: async () => [],
        run: async () => 0,
        post: async () => {},
      }
      const filter: GrantFilter = { sortBy: 'updated_at', order: 'desc', ip: 'x' }
      await listGrantDocuments(silent, 'x', filter, { limit: 1, offset: 0, after: { time: 1, id: 'x' } })
      const destination = { applicationId: 'x', webhookId: 'x' }
      const attempts = { notificationId: 'x', outcome: 'failed', start: 1, end: 2 } as const
      await notificationsAt(silent, [1])
      await completeDeliveries(silent, 'x', [1])
      await postponeDeliveries(silent, 'x', [{ id: 1, attempts: 1, tries: 1, dueAt: 1, state: 'waiting' }])
      await listAttempts(silent, destination, { filter: attempts, after: [1, 1, 1], limit: 1 })
      await requeueNotifications(silent, destination, { positions: [1], now: 1 })
      await requeueFailed(silent, destination, { ids: [1], now: 1 })
      const contacts = contactTables(silent, testSeals, { applicationId: 'x', grantId: 'x' })
      const narrowed = { emailKey: 'x', phoneKey: 'x', groupId: 'x', after: 'x' }
      await contacts.list({ source: 'inbox', ...narrowed, limit: 1 })
      await contacts.met(['x'])
      await tallyWatched(silent, 'x', ['x'])
      await listWatched(silent, 'x', { kinds: ['x'], part: 1 })
      await dueSends(silent, { node: 'x', now: 1 }, { without: ['x'], limit: 1 })
      await claimSends(silent, { node: 'x', now: 1, attempt: 'x', seals: testSeals }, ['x'])
      const part = {
        applicationId: 'x',
        grantId: 'x',
        order: 'asc',
        from: { transaction: 0, position: 0 },
        limit: 1,
      } as const
      await streamedAt(silent, 'x', [1])
      for (const engine of engines) {
        await readStream(silent, engine, part)
        await scanStream(silent, engine, part)
      }
      const ours = madeStatements.filter(({ name }) => !/^(notes|test)\./.test(name))
      // A statement without a name is not kept prepared; its text is its name.
      statements = new Map(ours.map(({ name, text }) => [name || text, text]))
      const clashing = ours.filter(({ name, text }) => statements.get(name || text) !== text)
      expect(clashing, 'PostgreSQL prepares a name once').toEqual([])
    })

    /** The tables whose rows belong to one application: those that say which. */
    const tenantTables = migrations
      .flatMap(({ script }) => [...script('sqlite').matchAll(/create table ([a-z_]+) \(([^;]*)\);/g)])
      .filter(([, , columns = '']) => /^ {2}application_id /m.test(columns))
      .map(([, table = '']) => table)

    /** The statements that may look across applications, each with its reason. */
    const acrossApplications: Record<string, string> = {
      'access_tokens.byHash': 'finds out whose token it is; a hash of 256 random bits names one token',
      'access_tokens.holder': 'finds out whose token it is; a hash of 256 random bits names one token',
      'access_tokens.purge': 'housekeeping by age',
      'access_tokens.revokeFamily': 'the family comes from the look-up by hash',
      'access_tokens.use': 'the hash comes from the look-up',
      'authorization_codes.byHash': 'finds out whose code it is; a hash of 256 random bits names one code',
      'authorization_codes.lock':
        'the hash comes from the client: it names one code, whose application is then compared',
      'authorization_codes.purge': 'housekeeping by age',
      'authorization_codes.replay': 'the hash comes from the look-up',
      'authorization_codes.use': 'the hash comes from the look-up',
      'authorization_codes.sealed_account.list': 'key rotation reads every application',
      'contact_pictures.byKey': 'an address that nobody can guess names one picture; its hash is of 256 random bits',
      'grants.watchedOfAddress':
        'what a provider tells of an address concerns every application that has it; it only makes us look',
      'login_sessions.byState': 'a browser comes back from a provider; a hash of 256 random bits names one sign-in',
      'login_sessions.choose': 'the id comes from the cookie or the state, which name one sign-in',
      'login_sessions.countTry': 'the id comes from the cookie, which names one sign-in',
      'login_sessions.end': 'the id comes from the cookie or the state, which name one sign-in',
      'login_sessions.leave': 'the id comes from the cookie, which names one sign-in',
      'login_sessions.open': 'the id and the hash of the cookie name one sign-in',
      'login_sessions.purge': 'housekeeping by age',
      'login_sessions.takeState': 'a hash of 256 random bits names one sign-in',
      'login_sessions.sealed_verifier.list': 'key rotation reads every application',
      'provider_tokens.sealed_tokens.list': 'key rotation reads every application',
      'api_keys.holder': 'finds out whose key it is; a hash of 256 random bits names one key',
      'api_keys.holderAndGrant': 'finds out whose key it is, and looks for the grant in the same application',
      'api_keys.holderAndGrantByEmail': 'finds out whose key it is, and looks for the grant in the same application',
      'api_keys.holderAndGrantByExternal': 'finds out whose key it is, and looks for the grant in the same application',
      'api_keys.touch': 'the id comes from the look-up by hash, never from a client',
      'audit.nth': 'housekeeping by number',
      'audit.nthRefused': 'housekeeping by number',
      'audit.purgeBeyond': 'housekeeping by number',
      'audit.purgeOld': 'housekeeping by age',
      'audit.purgeRefused': 'housekeeping by number',
      'grants.tally': 'a figure for the operator',
      'grants.countByState': 'a figure for the operator',
      'deliveries.oldestWaiting': 'a figure for the operator',
      'outbox.dueByKind': 'a figure for the operator',
      'sends.dueNow': 'a figure for the operator',
      'sends.waiting': 'a figure for the operator',
      'webhooks.tally': 'a figure for the operator',
      'grants.toPurge': 'housekeeping; each grant is then removed in the name of its application',
      'grants.tallyWatched': 'a node counts the grants of its shards',
      'grants.listWatched':
        'a node lists the grants of its shards; each is then watched in the name of its application',
      'origins.has': 'a preflight request carries no key; it says only that some application knows the origin',
      'idempotency_keys.purge': 'housekeeping by age',
      'idempotency_keys.abandon': 'housekeeping at the start of the only server of a SQLite file',
      'outbox.claim': 'the queue of the whole installation; each job then acts in the name of its application',
      'outbox.complete': 'the id comes from the claim',
      'outbox.fail': 'the id comes from the claim',
      'outbox.hasten': 'the only node of a store, at its start, takes up what a dead process left',
      'outbox.depth': 'a figure for the operator',
      'invitations.ofUid':
        'an answer that came by mail names its event by the UID; each event is then read in the name of its application',
      'lanes.due': 'the queue of the whole installation; each lane is then served in the name of its application',
      'lanes.toJudge': 'the states of the whole installation; each is then judged in the name of its application',
      'lanes.renew': 'a node renews what it has; each lane was taken in the name of its application',
      'lanes.abandon': 'housekeeping at the start of the only server of a SQLite file',
      'sends.due': 'the queue of the whole installation; each message is then sent in the name of its application',
      'sends.claim': 'the ids come from the queue',
      'sends.read': 'the id comes from the queue, or was made for the application whose request it is',
      'sends.purge': 'housekeeping by age',
      'send_reports.purge': 'housekeeping by age',
      'tracked_messages.purge': 'housekeeping by age',
      'tracked_messages.bySend': 'the id comes from a signed token, which finds out whose message it is',
      'tracked_messages.open': 'the id comes from a signed token, which finds out whose message it is',
      'tracked_links.click': 'the id comes from a signed token, which finds out whose link it is',
      'deliveries.waiting': 'a figure for the operator',
      'deliveries.complete': 'the ids come from the queue of a destination, and only the owner of its lease is heard',
      'deliveries.postpone': 'the ids come from the queue of a destination, and only the owner of its lease is heard',
      'deliveries.purge': 'housekeeping by age',
      'deliveries.stillQueued': 'the positions come from the look through what an application keeps',
      'delivery_attempts.purge': 'housekeeping by age',
      'notifications.asked': 'names the application, whose destinations are joined by its id',
      'notifications.at': 'the positions come from the queue of a lane',
      'notifications.purge': 'housekeeping by age',
      'connectors.sealed_settings.list': 'key rotation reads every application',
      'credentials.sealed_data.list': 'key rotation reads every application',
      'grants.ofPerson': 'a consent at a provider is shared by the applications that share its client',
      'grants.sealed_credentials.list': 'key rotation reads every application',
      'idempotency_keys.sealed_body.list': 'key rotation reads every application',
      'send_sources.sealed_source.list': 'key rotation reads every application',
      'webhooks.sealed_secret.list': 'key rotation reads every application',
      'webhooks.sealed_previous_secret.list': 'key rotation reads every application',
    }

    const touches = (text: string): string[] => {
      if (/^\s*insert\b/i.test(text)) return []
      const named = [...text.matchAll(/\b(?:from|join|update)\s+([a-z_]+)/gi)].map((match) => match[1] ?? '')
      return named.filter((table) => tenantTables.includes(table))
    }
    const namesApplication = (text: string): boolean =>
      /\bapplication_id = \$\d/.test(text.slice(text.search(/\bwhere\b/i)))

    test('on a row of an application names the application', () => {
      const tenant = [...statements].filter(([, text]) => touches(text).length > 0)
      const known = ['grants', 'connectors', 'credentials', 'redirect_uris', 'api_keys', 'billing_periods', 'origins']
      expect(tenantTables).toEqual(expect.arrayContaining(known))
      expect(tenant.flatMap(([, text]) => touches(text))).toEqual(expect.arrayContaining(known))
      const free = tenant.filter(([, text]) => !namesApplication(text)).map(([name]) => name.replace(/\.\d+$/, ''))
      expect([...new Set(free)].sort()).toEqual(Object.keys(acrossApplications).sort())
    })

    test('that inserts a row of an application gives it its application', () => {
      const inserts = [...statements].filter(([, text]) => /^\s*insert\b/i.test(text))
      const tenant = inserts.filter(([, text]) => tenantTables.includes(/into ([a-z_]+)/.exec(text)?.[1] ?? ''))
      expect(tenant.length).toBeGreaterThan(6)
      for (const [name, text] of tenant) expect(text, name).toMatch(/into [a-z_]+ \([^)]*\bapplication_id\b/)
    })

    test('binds its values: what stands in a text itself is a plain word', () => {
      for (const [name, text] of statements) {
        const quoted = [...text.matchAll(/'([^']*)'/g)].map(([, value = '']) => value)
        const strange = quoted.filter((value) => !/^[a-z_]+$/.test(value))
        expect(strange, name).toEqual([])
      }
    })
  })

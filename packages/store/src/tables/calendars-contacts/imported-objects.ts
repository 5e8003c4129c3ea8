/**
 * Import stamps of calendars and events, bound to one grant. They are not part of the objects, whose metadata belongs
 * to the client.
 */
import { insertingRows, type Queries, sql, type Value } from '../../engine/database.ts'

export type ImportedKind = 'calendar' | 'event'

export interface Stamp {
  kind: ImportedKind
  id: string
  /** The last change at the source, in Unix seconds, if the export contained it. */
  sourceUpdatedAt: number | null
  /** The last write by an import, in milliseconds. Equal to the object's `updatedAt` until it is changed here. */
  importedAt: number
}

interface Row {
  kind: ImportedKind
  id: string
  source_updated_at: number | null
  imported_at: number
}

const list = sql<Row>('imported_objects.list')`select kind, id, source_updated_at, imported_at from imported_objects
   where application_id = $1 and grant_id = $2`
const put = sql('imported_objects.put')`
   insert into imported_objects (application_id, grant_id, kind, id, source_updated_at, imported_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (grant_id, kind, id, application_id) do update
   set source_updated_at = excluded.source_updated_at, imported_at = excluded.imported_at`
const putTogether = 30
const remove = sql('imported_objects.remove')`delete from imported_objects
   where application_id = $1 and grant_id = $2 and kind = $3 and id = $4`

export interface ImportedObjects {
  list(): Promise<Stamp[]>
  /** Stores stamps, each for a different object. */
  put(stamps: readonly Stamp[]): Promise<void>
  remove(kind: ImportedKind, id: string): Promise<void>
}

export function importedObjects(tx: Queries, applicationId: string, grantId: string): ImportedObjects {
  const at = [applicationId, grantId]
  return {
    list: async () =>
      (await tx.all(list, at)).map((row) => ({
        kind: row.kind,
        id: row.id,
        sourceUpdatedAt: row.source_updated_at,
        importedAt: row.imported_at,
      })),
    async put(stamps) {
      for (let start = 0; start < stamps.length; start += putTogether) {
        const part = stamps
          .slice(start, start + putTogether)
          .map(({ kind, id, sourceUpdatedAt, importedAt }): Value[] => [...at, kind, id, sourceUpdatedAt, importedAt])
        await tx.run(insertingRows('imported_objects.put', put, part), part.flat())
      }
    },
    remove: async (kind, id) => void (await tx.run(remove, [...at, kind, id])),
  }
}

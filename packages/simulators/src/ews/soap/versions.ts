// The schema versions that a request may ask for, and the servers that can be simulated.

/** Oldest first. */
export const schemas = [
  'Exchange2007',
  'Exchange2007_SP1',
  'Exchange2010',
  'Exchange2010_SP1',
  'Exchange2010_SP2',
  'Exchange2013',
  'Exchange2013_SP1',
  'Exchange2015',
  'Exchange2016',
] as const

export type Schema = (typeof schemas)[number]

export interface ServerVersion {
  readonly major: number
  readonly minor: number
  readonly majorBuild: number
  readonly minorBuild: number
  /** The newest schema it accepts. */
  readonly schema: Schema
  /** Its name in `ServerVersionInfo`; servers before 2013 omit it. */
  readonly name: string | undefined
}

export const servers = {
  '2007_SP1': server(8, 1, 240, 5, 'Exchange2007_SP1', 'Exchange2007_SP1'),
  '2010_SP1': server(14, 1, 218, 11, 'Exchange2010_SP1', 'Exchange2010_SP1'),
  '2010_SP2': server(14, 3, 513, 0, 'Exchange2010_SP2', 'Exchange2010_SP2'),
  '2013': server(15, 0, 1497, 48, 'Exchange2013_SP1', 'V2_23'),
  '2016': server(15, 1, 2507, 39, 'Exchange2016', 'V2017_07_11'),
  '2019': server(15, 2, 1544, 9, 'Exchange2016', 'V2017_07_11'),
} as const satisfies Record<string, ServerVersion>

export type ServerName = keyof typeof servers

function server(
  major: number,
  minor: number,
  majorBuild: number,
  minorBuild: number,
  schema: Schema,
  name: string | undefined,
): ServerVersion {
  return { major, minor, majorBuild, minorBuild, schema, name }
}

/** Whether a schema includes a feature introduced with `since`. */
export function isSince(schema: Schema, since: Schema): boolean {
  return schemas.indexOf(schema) >= schemas.indexOf(since)
}

export function isSchema(name: string): name is Schema {
  return (schemas as readonly string[]).includes(name)
}

/** The properties that are returned. */
import { boolean, enumeration, required, sequence, type ValueOf } from '../soap/description.ts'
import { type Path, paths } from './paths.ts'

const baseShape = enumeration(['IdOnly', 'Default', 'AllProperties'])

export const folderShape = sequence({ BaseShape: required(baseShape), AdditionalProperties: paths })
export type FolderShape = ValueOf<typeof folderShape>

export const itemShape = sequence({
  BaseShape: required(baseShape),
  IncludeMimeContent: boolean,
  BodyType: enumeration(['Best', 'HTML', 'Text']),
  AdditionalProperties: paths,
})
export type ItemShape = ValueOf<typeof itemShape>

/** The id with some properties. */
export const idAnd = (...properties: readonly Path[]): FolderShape & ItemShape => ({
  BaseShape: 'IdOnly',
  ...(properties.length > 0 ? { AdditionalProperties: [...properties] } : {}),
})

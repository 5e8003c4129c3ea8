/** The properties that are returned. */
import { boolean, enumeration, integer, required, sequence, text, type ValueOf } from '../soap/description.ts'
import { type Path, paths } from './paths.ts'

const baseShape = enumeration(['IdOnly', 'Default', 'AllProperties'])
const bodyType = enumeration(['Best', 'HTML', 'Text'])

export const folderShape = sequence({ BaseShape: required(baseShape), AdditionalProperties: paths })
export type FolderShape = ValueOf<typeof folderShape>

/** `UniqueBodyType` to `MaximumBodySize` came with Exchange 2013, `FilterHtmlContent` and the next one with 2010. */
export const itemShape = sequence({
  BaseShape: required(baseShape),
  IncludeMimeContent: boolean,
  BodyType: bodyType,
  UniqueBodyType: bodyType,
  NormalizedBodyType: bodyType,
  FilterHtmlContent: boolean,
  ConvertHtmlCodePageToUTF8: boolean,
  InlineImageUrlTemplate: text,
  BlockExternalImages: boolean,
  AddBlankTargetToLinks: boolean,
  MaximumBodySize: integer,
  AdditionalProperties: paths,
})
export type ItemShape = ValueOf<typeof itemShape>

/** The id with some properties. */
export const idAnd = (...properties: readonly Path[]): FolderShape & ItemShape => ({
  BaseShape: 'IdOnly',
  ...(properties.length > 0 ? { AdditionalProperties: [...properties] } : {}),
})

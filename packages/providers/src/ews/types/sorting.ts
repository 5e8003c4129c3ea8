/** The order of FindItem's results. */
import { element, enumeration, list, requiredAttribute, requiredInline, type ValueOf } from '../soap/description.ts'
import { type Path, path } from './paths.ts'

const fieldOrder = element({
  attributes: { Order: requiredAttribute(enumeration(['Ascending', 'Descending'])) },
  places: { Path: requiredInline(path) },
})
export const sortOrder = list('FieldOrder', fieldOrder)
export type SortOrder = ValueOf<typeof sortOrder>

export const newestFirst = (by: Path): SortOrder => [{ Order: 'Descending', Path: by }]
export const oldestFirst = (by: Path): SortOrder => [{ Order: 'Ascending', Path: by }]

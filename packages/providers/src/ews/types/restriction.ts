/** Restrictions of FindItem and FindFolder, and the order of FindItem's results. */
import {
  attributesOnly,
  type Choice,
  choice,
  element,
  enumeration,
  later,
  list,
  one,
  repeatedInline,
  required,
  requiredAttribute,
  requiredInline,
  sequence,
  text,
  type ValueOf,
} from '../soap/description.ts'
import { type Path, path } from './paths.ts'

const constant = attributesOnly({ Value: requiredAttribute(text) })

/** FieldURIOrConstantType: the value that a field is compared with. */
const operand = choice({ ...path.options, Constant: constant })

const comparison = sequence({ Path: requiredInline(path), FieldURIOrConstant: required(one(operand)) })

const containmentModes = ['FullString', 'Prefixed', 'Substring'] as const

const contains = element({
  attributes: {
    ContainmentMode: enumeration(containmentModes),
    ContainmentComparison: enumeration(['IgnoreCase']),
  },
  places: { Path: requiredInline(path), Constant: required(constant) },
})

type Comparison = ValueOf<typeof comparison>

export type Restriction =
  | ({ kind: 'IsEqualTo' | 'IsGreaterThan' | 'IsLessThan' } & Comparison)
  | ({ kind: 'Contains' } & ValueOf<typeof contains>)
  | { kind: 'And' | 'Or'; Parts?: Restriction[] | undefined }
  | { kind: 'Not'; Part: Restriction }

const searchExpression: Choice<Restriction> = later(() => expressions)
const several = sequence({ Parts: repeatedInline(searchExpression) })

const expressions: Choice<Restriction> = choice({
  Contains: contains,
  IsEqualTo: comparison,
  IsGreaterThan: comparison,
  IsLessThan: comparison,
  And: several,
  Not: sequence({ Part: requiredInline(searchExpression) }),
  Or: several,
})

/** RestrictionType. */
export const restriction = one(searchExpression)

type ComparisonKind = Extract<Restriction, Comparison>['kind']

/** Compares a field with a constant. */
export const compare = (kind: ComparisonKind, of: Path, value: string): Restriction => ({
  kind,
  Path: of,
  FieldURIOrConstant: { kind: 'Constant', Value: value },
})

export const equals = (of: Path, value: string): Restriction => compare('IsEqualTo', of, value)

/** Texts that contain another one, regardless of case. */
export const containing = (
  of: Path,
  value: string,
  mode: (typeof containmentModes)[number] = 'Substring',
): Restriction => ({
  kind: 'Contains',
  Path: of,
  Constant: { Value: value },
  ContainmentMode: mode,
  ContainmentComparison: 'IgnoreCase',
})

/** All conditions. A single one is returned as it is, because And requires at least two. */
export function allOf(parts: readonly Restriction[]): Restriction | undefined {
  return combined('And', parts)
}

export function anyOf(parts: readonly Restriction[]): Restriction | undefined {
  return combined('Or', parts)
}

function combined(kind: 'And' | 'Or', parts: readonly Restriction[]): Restriction | undefined {
  const [first, ...others] = parts
  return others.length === 0 ? first : { kind, Parts: [...parts] }
}

export const not = (part: Restriction): Restriction => ({ kind: 'Not', Part: part })

const fieldOrder = element({
  attributes: { Order: requiredAttribute(enumeration(['Ascending', 'Descending'])) },
  places: { Path: requiredInline(path) },
})
export const sortOrder = list('FieldOrder', fieldOrder)
export type SortOrder = ValueOf<typeof sortOrder>

export const newestFirst = (by: Path): SortOrder => [{ Order: 'Descending', Path: by }]
export const oldestFirst = (by: Path): SortOrder => [{ Order: 'Ascending', Path: by }]

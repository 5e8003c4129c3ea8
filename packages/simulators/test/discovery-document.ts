// The parts of a discovery document that the tests use. https://developers.google.com/discovery/v1/reference/apis

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly annotations?: { readonly required?: readonly string[] }
}

export interface Parameter extends Schema {
  readonly location: 'path' | 'query'
  readonly repeated?: boolean
  readonly required?: boolean
  readonly minimum?: string
  readonly maximum?: string
}

export interface DiscoveryMethod {
  readonly id: string
  readonly httpMethod: string
  readonly path: string
  readonly flatPath?: string
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly request?: { readonly $ref: string }
  readonly response?: { readonly $ref: string }
  readonly mediaUpload?: unknown
}

interface Resource {
  readonly methods?: Readonly<Record<string, DiscoveryMethod>>
  readonly resources?: Readonly<Record<string, Resource>>
}

export interface DiscoveryDocument extends Resource {
  readonly servicePath: string
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly schemas: Readonly<Record<string, Schema>>
}

/** Every method of an API. */
export function methodsOf({ methods = {}, resources = {} }: Resource): DiscoveryMethod[] {
  return [...Object.values(methods), ...Object.values(resources).flatMap(methodsOf)]
}

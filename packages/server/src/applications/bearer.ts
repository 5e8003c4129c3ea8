/** The token of an Authorization header with the scheme Bearer. */
export const bearerIn = (authorization: string | null | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

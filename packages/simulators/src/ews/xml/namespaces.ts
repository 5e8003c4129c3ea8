// The namespaces of EWS and SOAP, and the prefixes that this simulator uses for them.

export const namespaces = {
  s: 'http://schemas.xmlsoap.org/soap/envelope/',
  t: 'http://schemas.microsoft.com/exchange/services/2006/types',
  m: 'http://schemas.microsoft.com/exchange/services/2006/messages',
  e: 'http://schemas.microsoft.com/exchange/services/2006/errors',
} as const

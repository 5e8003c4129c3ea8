/**
 * Events are returned as stored and omit a visibility that was never set, because clients with strict types reject
 * null. In an override, null means that it has no visibility although its series may have one, so those stay.
 * Quotation marks within a text are escaped, so that no text can be mistaken for the field.
 */
export const omittedVisibility = `
update events set document = replace(document, ',"visibility":null', '')
  where kind <> 'override' and document like '%,"visibility":null%';
`

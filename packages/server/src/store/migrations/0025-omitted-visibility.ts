/**
 * Events go out as they are stored, and leave out a visibility that nobody set, because clients with strict types take no
 * null there. In a changed occurrence null says that it has none though its series may, so those stay. A quotation mark
 * within a text is escaped, so that no text is taken for the field.
 */
export const omittedVisibility = `
update events set document = replace(document, ',"visibility":null', '')
  where kind <> 'override' and document like '%,"visibility":null%';
`

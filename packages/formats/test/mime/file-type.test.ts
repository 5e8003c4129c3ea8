/** Types of files by their content and names. */
import { describe, expect, test } from 'vitest'
import { fileType } from '../../src/mime/file-type.ts'

const file = (filename: string, contentType: string, content?: string) =>
  fileType({ filename, contentType, head: content === undefined ? undefined : Buffer.from(content, 'latin1') })
const program = 'MZ\x90\0\x03\0\0\0'

describe('a file that is something else than it claims is reported', () => {
  test.for([
    ['invoice.pdf', 'application/pdf', program, 'a Windows program'],
    ['invoice.pdf.exe', 'application/pdf', undefined, 'a Windows program'],
    ['invoice.exe ', 'application/pdf', undefined, 'a Windows program'],
    ['invoice\u202efdp.exe', 'application/pdf', undefined, 'a Windows program'],
    ['photo.jpg', 'image/jpeg', '<!DOCTYPE html><script>', 'a web page'],
    ['photo.jpg', 'image/jpeg', '\xef\xbb\xbf <html>', 'a web page'],
    ['photo.png', 'image/png', '<?xml version="1.0"?><svg onload="x()">', 'a drawing'],
    ['notes.txt', 'text/plain', '%PDF-1.7', 'a PDF document'],
    ['notes.txt', 'text/plain', 'a\0b', 'not text'],
    ['notes.txt', 'text/plain', '#!/bin/sh\n', 'a script'],
    [
      'report.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      program,
      'a Windows program',
    ],
    ['data', 'image/png', '\x7fELF\x02', 'a Linux program'],
    ['run.js', 'application/pdf', undefined, 'a Windows script'],
    ['page.html', 'text/plain', undefined, 'a web page'],
    ['a.zip', 'application/pdf', 'PK\x03\x04', 'an archive'],
  ] as const)('%s as %s', ([filename, contentType, content, what]) => {
    expect(file(filename, contentType, content).mismatch).toContain(what)
  })
})

describe('an ordinary file has the type that it claims', () => {
  test.for([
    ['a.txt', 'text/plain', 'hello', 'text/plain'],
    ['a.pdf', 'application/pdf', '%PDF-1.4', 'application/pdf'],
    ['a.pdf', 'application/octet-stream', '%PDF-1.4', 'application/pdf'],
    ['a.pdf', '', undefined, 'application/pdf'],
    ['a.JPG', 'image/jpg', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['a.png', 'image/png', '\x89PNG\r\n', 'image/png'],
    ['a.csv', 'text/csv; charset=utf-8', 'a,b', 'text/csv'],
    ['a.csv', 'application/vnd.ms-excel', 'a,b', 'text/csv'],
    ['a.zip', 'application/x-zip-compressed', 'PK\x03\x04', 'application/zip'],
    ['a.doc', 'application/msword', '\xd0\xcf\x11\xe0', 'application/x-ole-storage'],
    ['a.ics', 'text/calendar; method=REQUEST', 'BEGIN:VCALENDAR', 'text/calendar'],
    ['a.html', 'text/html', '<p>Hi', 'text/html'],
    ['a.dwg', 'image/vnd.dwg', 'AC1032', 'image/vnd.dwg'],
    ['a', '', 'x', 'application/octet-stream'],
    [
      'a.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'PK\x03\x04',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
  ] as const)('%s as %s', ([filename, contentType, content, type]) => {
    expect(file(filename, contentType, content)).toEqual({ type, mismatch: undefined })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sheetPdf } from '#server/orders/documents/sheet.ts'
import { pdfFont, pdfText } from './pdf-text.ts'

test('names in Latin, Greek and Cyrillic letters are written as they are, others as question marks', () => {
  for (const name of ['Zoë O’Brien', 'Nguyễn Thị Đặng', 'Łódź', 'Αθήνα', 'Київ'])
    assert.equal(pdfText(name), name)
  assert.equal(pdfText('Nguye\u0302\u0303n'), 'Nguyễn')
  assert.equal(pdfText('東京 😀'), '?? ?')
  assert.deepEqual([pdfFont('Zoë'), pdfFont('Zoë', 'bold')], ['Helvetica', 'Helvetica-Bold'])
})

test('a document holds the letters of a second font only where a text needs them', async () => {
  const fonts = async (buyer: string) => {
    const parts = { columns: [{ heading: 'Product', width: 1 }], rows: [[buyer]], sums: [], notes: [] }
    const pdf = await sheetPdf({ title: 'Order', facts: [['Buyer', buyer]], ...parts })
    return [...new Set(pdf.toString('latin1').match(/DejaVuSans(?:-Bold)?\b/g))]
  }
  assert.deepEqual(await fonts('Zoë O’Brien'), [])
  assert.deepEqual(await fonts('Nguyễn Thị Đặng'), ['DejaVuSans'])
})

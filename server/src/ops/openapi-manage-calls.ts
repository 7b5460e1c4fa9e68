import { changedEntities } from '@befaqt/domain/api/manage-api'
import { NewApiKey } from '@befaqt/domain/api-key'
import { CorrectionInput, Registration } from '@befaqt/domain/box-input'
import { CategoryInput, ProductInput } from '@befaqt/domain/catalogue'
import { UserPatch } from '#server/accounts/managing/user-patch.ts'
import { ProductLinks } from '#server/boxes/managing/link-products.ts'
import { NewCatch } from '#server/boxes/records/register-box.ts'
import { SealInput } from '#server/boxes/records/seal-box.ts'
import { BulkChange } from '#server/catalogue/products/bulk-change.ts'
import { BoxLinks } from '#server/catalogue/products/link-boxes.ts'
import { UndoChanges } from '#server/catalogue/products/undo-changes.ts'
import type { CallText } from './openapi-calls.ts'

/** Lists that are searched word by word (db/search-and-order.ts). */
const asked = {
  page: 'from 1',
  size: 'rows of a page',
  q: 'words that all have to be there, accents and case aside',
  sort: '',
  dir: 'asc or desc',
}
const form = 'multipart/form-data'
const version = 'A stale If-Match or field version is refused with what stands there now.'

/** Calls of managers, in the words of the documentation. */
export const manageCalls: Readonly<Record<string, CallText>> = {
  'GET /api/user/all': { summary: 'All accounts, or a page of them.', query: { ...asked, status: '' } },
  'PATCH /api/user/:id': {
    summary:
      'Change names, role or status of an account. A key changes no role and no account of an ADMIN: 403.',
    body: { schema: UserPatch },
  },
  'DELETE /api/user/:id': {
    summary:
      'Delete a DISABLED account and what is kept of its person. A key deletes no account of an ADMIN: 403.',
  },
  'GET /api/key': { summary: 'Keys of machines, without the keys themselves.' },
  'POST /api/key': { summary: 'Make a key; it is answered once.', body: { schema: NewApiKey } },
  'DELETE /api/key/:id': { summary: 'Revoke a key.' },
  'GET /api/history': {
    summary: 'Who changed what, newest first.',
    query: { entity: changedEntities.join(', '), id: 'of one thing', page: 'from 1' },
  },
  'GET /api/manage/attention': { summary: 'What wants a person now, each with where to go.' },
  'GET /api/manage/mail': {
    summary: 'Mail that could not be handed over so far, newest first; never what is in it.',
    query: { page: 'from 1', size: 'rows of a page' },
  },
  'POST /api/manage/mail/again': { summary: 'Try every such mail at once.' },
  'POST /api/manage/mail/:id/again': { summary: 'Try one such mail at once; twice is once.' },
  'DELETE /api/manage/mail/:id': { summary: 'Give one such mail up: it is never sent.' },
  'GET /api/chain/health': { summary: 'How anchoring is doing.' },
  'GET /api/product': {
    summary: 'All products, or a page of them. A key for some boxes is told of links to those only.',
    query: { ...asked, status: '', category: 'category id' },
  },
  'GET /api/product/:id/manage': { summary: 'One product with its version and boxes, of any status.' },
  'POST /api/product': {
    summary: 'Add a product; files productImages, their words imageAlts[].',
    body: { type: form, schema: ProductInput },
  },
  'PATCH /api/product/:id': {
    summary: `Change a product; imagePaths[] are the pictures that stay, in order, new:0 being the first file. ${version}`,
    body: { type: form, schema: ProductInput.partial() },
  },
  'DELETE /api/product/:id': {
    summary: 'Delete a DISABLED product; a key for some boxes only one that comes from no others.',
  },
  'POST /api/product/bulk': {
    summary:
      'Change status, stock or price of many products: all or none. Answers those that are different now, each with the change that undoes it.',
    body: { schema: BulkChange },
  },
  'POST /api/product/bulk/undo': {
    summary:
      'Undo changes that a bulk change has answered, where the product was not changed since: only what they changed. Answers what is different now and what is left as it is.',
    body: { schema: UndoChanges },
  },
  'GET /api/product/export.csv': { summary: 'All products as CSV.' },
  'POST /api/product/import': {
    summary: 'Bring products in from CSV: all rows or none; bad ones are told by line.',
    query: { dryRun: '1: only say what would change' },
    body: { type: 'text/csv' },
  },
  'PUT /api/product/:id/boxes': {
    summary: 'Say which boxes a product comes from; links to boxes that a key may not touch stay.',
    body: { schema: BoxLinks },
  },
  'GET /api/category': { summary: 'All categories, or a page of them.', query: { ...asked, status: '' } },
  'GET /api/category/:id/manage': { summary: 'One category with its version, of any status.' },
  'POST /api/category': {
    summary: 'Add a category; file catImage, its words imageAlt.',
    body: { type: form, schema: CategoryInput },
  },
  'PATCH /api/category/:id': {
    summary: `Change a category. ${version}`,
    body: { type: form, schema: CategoryInput.partial() },
  },
  'DELETE /api/category/:id': { summary: 'Delete a DISABLED category without products.' },
  'GET /api/manage/box': {
    summary:
      'Boxes with where they are, what is pending and what alerts, last changed first; a key’s own only.',
    query: { page: 'from 1', size: 'rows of a page', q: 'search text', stage: 'a stage, or alerts' },
  },
  'GET /api/manage/box/:boxID': {
    summary: 'One box as managers see it, with the names of those who made its records.',
  },
  'POST /api/box/registration': {
    summary: 'Register a box with its fisher.',
    body: { schema: Registration },
  },
  'POST /api/box/:boxID/catch': { summary: 'Add the catch of a box.', body: { schema: NewCatch } },
  'POST /api/box/:boxID/correction': {
    summary: 'Mend a record by a new one that names it.',
    body: { schema: CorrectionInput },
  },
  'POST /api/box/:boxID/seal': { summary: 'End the history of a box.', body: { schema: SealInput } },
  'PUT /api/box/:boxID/products': {
    summary: 'Say which products come from a box.',
    body: { schema: ProductLinks },
  },
  'GET /api/box/:boxID/label.svg': { summary: 'Printable label with the code of the box’s address.' },
}

import { utf8 } from '@befaqt/provenance/digest'
import { TestLog } from '@befaqt/provenance/testing/log'
import type { Page } from 'playwright-core'

/** An entry of a log: an anchor that nobody made. */
export const logEntry = (index: number): string =>
  JSON.stringify({ boxes: 1, index, records: 1, root: 'a'.repeat(64), time: '2026-11-24T01:02:03Z' })

const logEntries = (first: number, end: number): string[] =>
  Array.from({ length: end - first }, (_, i) => logEntry(first + i))

/** A log of nine entries. */
export const testLog = (): TestLog => new TestLog().append(...logEntries(0, 9))

/** Another history of it, by the same key, which parts from it after so many entries. */
export const rewritten = (log: TestLog, size: number): TestLog => log.fork(size).append(...logEntries(20, 29))

/** Shows this browser a log at an address, in place of whatever is there; and which was begun in its place, if one was. */
export async function routeLog(
  page: Page,
  address: string,
  shown: TestLog,
  successor?: string,
): Promise<void> {
  const pattern = `${address}/**`
  await page.unroute(pattern)
  await page.route(pattern, async (route) => {
    const path = route.request().url().split('/befaqt/log/')[1] ?? ''
    const body =
      path === 'receipt.txt'
        ? await shown.note()
        : path === 'successor'
          ? successor
          : await shown.answer(path)
    const headers = { 'access-control-allow-origin': '*' }
    if (body === undefined)
      return route.fulfill({ status: path === 'successor' ? 204 : 404, headers, body: '' })
    return route.fulfill({ headers, body: Buffer.from(typeof body === 'string' ? utf8(body) : body) })
  })
}

/** In place of a camera that sees a code: there is none on the machines that run this. A script for a page to begin with. */
export const seeing = (code: string): string => `
  window.BarcodeDetector = class { async detect() { return [{ rawValue: ${JSON.stringify(code)} }] } }
  const canvas = document.createElement('canvas')
  setInterval(() => canvas.getContext('2d').fillRect(0, 0, 9, 9), 50)
  if (navigator.mediaDevices === undefined) Object.defineProperty(navigator, 'mediaDevices', { value: {} })
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(5)`

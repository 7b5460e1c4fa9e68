import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { findReceipt, receiptLine } from '@befaqt/provenance/log/receipt'
import PostalMime from 'postal-mime'
import { newestReceipt } from '#server/anchoring/index.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { signFirstAnchor } from '#server/testing/anchor-log.ts'
import { moved, shopWithOrders } from '#server/testing/orders.ts'
import { smtpServer } from '#server/testing/smtp-server.ts'
import { letterReader } from '#server/testing/storm/letters.ts'

const silent = { warn: () => undefined, error: () => undefined }

/** What a PDF says, in its order: the texts of its pages, a line for each piece. */
function textOfPdf(pdf: Buffer): string {
  const source = pdf.toString('latin1')
  const streams = [...source.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, bytes = '']) => {
    try {
      return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')
    } catch {
      return '' // a font
    }
  })
  return streams
    .join('\n')
    .split('\n')
    .filter((line) => /\] TJ$/.test(line))
    .map((line) => Buffer.from((line.match(/<[0-9a-f]*>/g) ?? []).join('').replaceAll(/[<>]/g, ''), 'hex'))
    .join('\n')
}

test('orders’ emails and documents carry the newest state of the log; before one is signed they carry none', async () => {
  await using smtp = await smtpServer()
  await using shop = await shopWithOrders({ env: { SMTP_URL: smtp.url } })
  const letters = letterReader(smtp.mails)
  const mailed = async (kind: string): Promise<string> => {
    await runDueJobs(shop.deps.db, interactiveJobs(shop.deps), silent, new AbortController().signal)
    return (await letters()).findLast((letter) => letter.kind === kind)?.text ?? ''
  }
  const documents = async (link: string, id: string) => {
    const { search } = new URL(link)
    return Promise.all(
      ['invoice.pdf', 'origin.pdf'].map(async (name) =>
        textOfPdf((await shop.app.inject(`/api/order/${id}/${name}${search}`)).rawPayload),
      ),
    )
  }
  const first = await shop.placed({ snapper: 1 })
  assert.doesNotMatch(await mailed('placed'), /befaqt1|Keep this email/)
  for (const said of await documents(first.link, first._id)) {
    assert.match(said, /Snapper/)
    assert.doesNotMatch(said, /befaqt1/)
  }

  await signFirstAnchor(shop.deps)
  const receipt = await newestReceipt(shop.deps.db)
  const { _id, link } = await shop.placed({ snapper: 1 })
  const placed = await mailed('placed')
  assert.match(placed, /Keep this email: it holds us to our records\..*\/SFMBox\/check$/m)
  assert.deepEqual(placed.split('\n').filter((line) => line === receipt?.line).length, 1)
  assert.equal(findReceipt(placed).note, receipt?.note, 'a whole email is enough for the check')
  const html = (await PostalMime.parse(smtp.mails.at(-1)?.raw ?? '')).html ?? ''
  assert.match(html, /<pre [^>]*>befaqt1 [^<]+\n\n[^<]+\n— [^<]+<\/pre>/, 'line for line')
  const quoted = placed.replaceAll(/^/gm, '> ')
  assert.equal(findReceipt(quoted).note, receipt?.note, 'also when it was passed on')
  for (const said of await documents(link, _id)) {
    assert.match(said, /Receipt of our log\./)
    assert.equal(receiptLine(findReceipt(said).checkpoint), receipt?.line)
  }
  await moved(shop, _id, 'CANCELLED', { reason: 'The fridge broke.' })
  assert.ok((await mailed('cancelled')).includes(receipt?.line ?? '?'))
})

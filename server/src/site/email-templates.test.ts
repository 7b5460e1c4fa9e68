import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SiteEmail } from '@befaqt/domain/email-templates'
import { type EmailName, emailTexts } from '@befaqt/domain/email-texts'
import type { SiteValue } from '@befaqt/domain/site-settings'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { EventFeed } from '#server/db/event-feed.ts'
import { siteVersions } from '#server/db/schema/site.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { DO_NOT_EAT, filledEmail, text } from '#server/mail/email-content.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { said as complain, packedOrder } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import { SiteSettings } from './settings.ts'

const ours = ({ title: _, button: __, ...said }: (typeof emailTexts)[EmailName]) => said
const sayOf = <Name extends EmailName>(email: Name) =>
  ({ part: 'email', email, ...ours(emailTexts[email]) }) as const
const [placed, recalled, changed, invited, opened] = [
  sayOf('order-placed'),
  sayOf('order-recalled'),
  sayOf('password-changed'),
  sayOf('staff-invited'),
  sayOf('excursion-opened'),
]
const silent = { warn: () => undefined, error: () => undefined }
const save = (shop: OrderShop, value: object) => shop.admin('PUT', '/api/manage/site', value)
const preview = (shop: OrderShop, value: object) =>
  shop.admin('POST', '/api/manage/site/email-preview', value)

for (const [name, open] of testDatabases)
  test(`${name}: what an email says is edited, known to another process at once, undone, and follows the shop's words where it is them`, async () => {
    await using shop = await shopWithOrders({ open })
    const other = new SiteSettings(shop.database, shop.deps.site.setup)
    await using following = new AsyncDisposableStack()
    following.defer(await new EventFeed(shop.database, shop.deps.log).start([other], 3_600_000))
    await other.current()
    const saved = await save(shop, { ...placed, subject: 'Caught! {{order}}', heading: '<b>Thanks</b>' })
    assert.equal(saved.statusCode, 200, saved.body)
    assert.equal(saved.json().key, 'email.order-placed')
    // What is sent next goes by it, without waiting for anything.
    assert.equal(shop.deps.site.known.email('order-placed').subject, 'Caught! {{order}}')
    while ((await other.current()).email('order-placed').subject === placed.subject) await sleep(20)
    const deps = { site: { known: await other.current() }, siteFile: { name: 'Shop' } }
    const filling = { order: '{{shop}}', details: [text('D')], links: [text('L')] }
    const email = filledEmail(deps, 'order-placed', filling)
    assert.deepEqual([email.subject, email.heading], ['Caught! {{shop}}', '<b>Thanks</b>'])
    assert.deepEqual(email.blocks.slice(1), [text('D'), text('L')])

    const restored = await shop.admin('POST', '/api/manage/site/email.order-placed/restoration', { to: 0 })
    assert.equal(restored.json().value.subject, placed.subject)
    await save(shop, { ...placed, subject: 'Caught!' })
    const typed = (await save(shop, placed)).json()
    assert.deepEqual([typed.version, typed.isSetup], [4, true], 'the shop’s own words, typed, are no edit')
    const later = { ...placed, subject: 'New words' }
    const next = new SiteSettings(
      shop.database,
      new Map<string, SiteValue>([...shop.deps.site.setup, ['email.order-placed', later]]),
    )
    assert.equal((await next.current()).email('order-placed').subject, 'New words')
  })

for (const [name, open] of testDatabases)
  test(`${name}: emails to staff and suppliers, and the buttons of all, are in the words of staff, until these are taken back`, async () => {
    const mail: EmailMessage[] = []
    const mailer = {
      send: async (message: EmailMessage) => void mail.push(message),
      close: async () => undefined,
    }
    await using shop = await shopWithOrders({ open, deps: { mailer } })
    const { admin, deps } = shop
    const said = async (value: object): Promise<void> => {
      const saved = await save(shop, value)
      assert.equal(saved.statusCode, 200, saved.body)
    }
    const staff = {
      subject: 'Join us',
      text: 'Come & help {{shop}} <now>: {{rights}}.\n{{links}}',
      button: 'Come aboard',
    }
    await said({ ...invited, ...staff })
    await said({ ...sayOf('supplier-invited'), heading: 'Bring us fish', button: 'To {{shop}} > "catches"' })
    await said({ ...opened, text: 'Ring the market.\n{{details}}\n{{links}}', button: 'See the box' })
    await said({ ...sayOf('complaint-notice-boxes'), heading: 'Now: {{order}}' })
    await said({ ...sayOf('order-ready'), button: 'Track it' })
    await admin('POST', '/api/manage/excursion/target', { kind: 'email', address: 'shop@example.org' })
    const invite = async (): Promise<void> => {
      const rights = ['order:write', 'customer:read']
      const staff = await admin('POST', '/api/manage/staff/invitation', { email: 'pat@example.org', rights })
      assert.equal(staff.statusCode, 201, staff.body)
    }
    await invite()
    const supplier = { email: 'sue@example.org', fisher: sampleBox().fisher }
    assert.equal((await admin('POST', '/api/manage/supplier/invitation', supplier)).statusCode, 201)
    await snapperBox(shop, 'BOX-1', [8, 8, 8, 8])
    await watchBoxes(deps)
    const order = await packedOrder(shop)
    await complain(shop, order)
    await moved(shop, order.id, 'READY')
    await runDueJobs(deps.db, interactiveJobs(deps), silent, new AbortController().signal)
    const mailOf = (kind: string): EmailMessage => {
      const found = mail.findLast((one) => one.kind === kind)
      assert.ok(found, `${kind}: ${mail.map((one) => one.kind)}`)
      return found
    }
    const toStaff = mailOf('staff-invited')
    assert.equal(toStaff.subject, 'Join us')
    assert.match(
      toStaff.text,
      /Come & help BeFAQT <now>: [^{]+; [^{]+\.\n\nCome aboard:\nhttp.*\n\nThe link works once/,
    )
    assert.match(toStaff.html, /Come &amp; help BeFAQT &lt;now&gt;: /)
    assert.match(toStaff.html, />Come aboard<\/a>/)
    const toSupplier = mailOf('supplier-invited')
    assert.match(toSupplier.text, /^Bring us fish\n[\s\S]*\n\nTo BeFAQT > "catches":\nhttp/)
    assert.match(toSupplier.html, />To BeFAQT &gt; &quot;catches&quot;<\/a>/)
    const warm = mailOf('excursion')
    assert.equal(warm.subject, 'BeFAQT: an excursion of box BOX-1 began')
    assert.match(
      warm.text,
      /\n\nRing the market\.\n\nAbove [\s\S]*\n\nSee the box:\nhttp[\s\S]*not a food-safety ruling/,
    )
    const notice = mailOf('complaint-notice')
    assert.match(
      notice.text,
      new RegExp(`^Now: ${order.number}\n\nOrder: ${order.number}\n[\\s\\S]*Look at it:\nhttp`),
    )
    assert.match(mailOf('order-ready').text, /\n\nTrack it:\nhttp/)

    const restored = await admin('POST', '/api/manage/site/email.staff-invited/restoration', { to: 0 })
    assert.equal(restored.statusCode, 200, restored.body)
    await invite()
    await runDueJobs(deps.db, interactiveJobs(deps), silent, new AbortController().signal)
    assert.equal(mailOf('staff-invited').subject, 'Work at the desk of BeFAQT')
    assert.match(mailOf('staff-invited').text, /Look at the invitation:\nhttp/)
  })

for (const [name, open] of testDatabases)
  test(`${name}: a button that is left empty says the shop's own word, and so does one of before buttons could be said`, async () => {
    await using shop = await shopWithOrders({ open })
    const seen = async () => (await shop.admin('GET', '/api/manage/site/email.order-placed')).json()
    assert.equal((await seen()).value.button, 'See your order')
    const old = { ...placed, subject: 'Of before' }
    await shop.deps.db
      .insert(siteVersions)
      .values({ part: 'email.order-placed', version: 1, value: old, who: 'a' })
    await shop.deps.site.clear()
    assert.equal((await seen()).value.button, 'See your order')
    assert.equal((await save(shop, { ...old, button: 'See your order' })).json().version, 1, 'no change')
    assert.equal((await shop.deps.site.current()).email('order-placed').button, 'See your order')
    assert.equal((await save(shop, { ...old, button: ' Track it ' })).json().value.button, 'Track it')
    assert.equal((await save(shop, { ...old, button: '' })).json().value.button, 'See your order')
    const versions = (await shop.admin('GET', '/api/manage/site/email.order-placed/versions?page=1')).json()
    assert.deepEqual(
      versions.rows.map((row: { before: { button: string }; after: { button: string } }) => [
        row.before.button,
        row.after.button,
      ]),
      [
        ['Track it', 'See your order'],
        ['See your order', 'Track it'],
        ['See your order', 'See your order'],
      ],
    )
    const typed = (await save(shop, { ...placed, button: 'See your order' })).json()
    assert.deepEqual([typed.version, typed.isSetup], [4, true], 'the shop’s own words, typed, are no edit')
    assert.equal((await save(shop, placed)).json().version, 4)
  })

test('a template without its link, with a placeholder that is none, or without what a recall has to say is refused by its path', async () => {
  await using shop = await shopWithOrders()
  for (const [value, path, words] of [
    [{ ...placed, text: 'Hello\n\n{{details}}' }, 'text', /\{\{links\}\} is missing: buttons/],
    [{ ...placed, text: '{{links}}' }, 'text', /\{\{details\}\} is missing/],
    [{ ...placed, text: `${placed.text} {{price}}` }, 'text', /\{\{price\}\} is nothing/],
    [{ ...placed, text: `${placed.text} {{ links` }, 'text', /two braces begin a placeholder/],
    [{ ...placed, text: `${placed.text}\n{{links}}` }, 'text', /\{\{links\}\} is there twice/],
    [{ ...placed, text: 'Here: {{links}}\n{{details}}' }, 'text', /\{\{links\}\} must be alone in its line/],
    [{ ...placed, subject: '{{details}}' }, 'subject', /\{\{details\}\} is nothing/],
    [{ ...placed, subject: 'a\nBcc: b@example.org' }, 'subject', /cannot be shown/],
    [{ ...placed, text: ' ' }, 'text', /text is required/],
    [{ ...placed, email: 'nothing' }, 'email', /there is no such email/],
    [{ ...placed, button: 'x'.repeat(41) }, 'button', /at most 40 characters/],
    [{ ...placed, button: 'a\nb' }, 'button', /cannot be shown/],
    [{ ...placed, button: 'See {{order}}' }, 'button', /\{\{order\}\} is not filled in in a button/],
    [{ ...placed, button: 'See {{shop' }, 'button', /two braces begin a placeholder/],
    [{ ...changed, button: 'See it' }, 'button', /this email has no button/],
    [{ ...invited, text: '{{shop}} invites you.\n{{links}}' }, 'text', /\{\{rights\}\} is missing: what/],
    [{ ...opened, subject: 'An excursion' }, 'subject', /\{\{box\}\} is missing: the box/],
    [{ ...recalled, subject: 'About your order' }, 'subject', /\{\{do-not-eat-it\}\} is missing/],
    [{ ...recalled, heading: 'Some news' }, 'heading', /\{\{please-do-not-eat\}\} is missing/],
    [{ ...recalled, text: 'All is well.\n{{details}}\n{{links}}' }, 'text', /\{\{recall\}\} is missing/],
  ] as const)
    for (const ask of [save, preview]) {
      const refused = await ask(shop, value)
      assert.equal(refused.statusCode, 400, refused.body)
      const [field] = refused.json().error.fields
      assert.equal(field.path, path)
      assert.match(field.message, words)
    }
  assert.equal((await shop.deps.db.select().from(siteVersions)).length, 0)
})

test('a preview is the email as it would be sent, as HTML and as text, in which HTML is shown as it was typed', async () => {
  await using shop = await shopWithOrders()
  const shown = await preview(shop, {
    ...placed,
    subject: 'From {{shop}}',
    text: `Hi <script>alert(1)</script>\nSecond\n${placed.text}`,
  })
  assert.equal(shown.statusCode, 200, shown.body)
  const { subject, html, text: plain } = shown.json()
  assert.equal(subject, 'From BeFAQT')
  assert.match(html, /Hi &lt;script&gt;alert\(1\)&lt;\/script&gt;<\/p>\n<p[^>]*>Second<\/p>/)
  assert.match(html, />See your order<\/a>/)
  const other = (await preview(shop, { ...opened, button: '<i>Open {{shop}}</i>' })).json()
  assert.match(other.html, />&lt;i&gt;Open BeFAQT&lt;\/i&gt;<\/a>/)
  assert.match(other.text, /^Box SAMPLE-2: [\s\S]*<i>Open BeFAQT<\/i>:\nhttp/)
  assert.match(
    plain,
    /Hi <script>alert\(1\)<\/script>\n\nSecond\n\n[\s\S]*Order: SAMPLE-1[\s\S]*See your order:\nhttp/,
  )
})

test('each email is valid as it begins; one that lacks what it needs by now says what the shop began with', async () => {
  await using shop = await shopWithOrders()
  for (const [email, said] of Object.entries(emailTexts)) {
    const checked = SiteEmail.safeParse({ part: 'email', email, ...ours(said) })
    assert.ok(checked.success, `${email}: ${checked.error?.message}`)
  }
  const value = { ...recalled, text: 'An earlier text.' }
  await shop.deps.db
    .insert(siteVersions)
    .values({ part: 'email.order-recalled', version: 1, value, who: 'a' })
  const other = new SiteSettings(shop.database, shop.deps.site.setup)
  const known = await other.current()
  const email = filledEmail({ site: { known }, siteFile: { name: 'Shop' } }, 'order-recalled', {
    ...DO_NOT_EAT,
    order: '1',
    recall: [text('Do not eat it')],
  })
  assert.equal(email.subject, 'Do not eat it: recall of fish in your order 1')
  assert.deepEqual(email.blocks, [text('Do not eat it')])
})

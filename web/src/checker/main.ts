import { hostOf } from '@befaqt/provenance/asked'
import type { Receipt } from '@befaqt/provenance/log/receipt'
import { isReceipt } from '#web/features/box/find/box-number.ts'
import {
  type Brought,
  boxOf,
  fetched,
  MAX_POLICY_BYTES,
  nodeAddress,
  proofOfFile,
  proofOfShop,
  Refusal,
  shopAddress,
} from './bring.ts'
import { canScan, scan } from './camera.ts'
import { check, type Found } from './check.ts'
import { type Child, el, part } from './dom.ts'
import { outcome } from './outcome.ts'
import { type ChosenPolicy, policyWords, readPolicy } from './policy.ts'
import { type CheckedReceipt, checkedReceipt, findingOf, receiptIn, receiptOutcome } from './receipt.ts'

/* The page: takes what the visitor names, checks it, and shows what came of it. */

/** Beside this file, where it was served. */
const POLICY_FILE = 'check-policy.txt'

const input = (id: string): HTMLInputElement => part(id, HTMLInputElement)
const button = (id: string): HTMLButtonElement => part(id, HTMLButtonElement)
const problem = part('problem', HTMLParagraphElement)
const place = part('outcome', HTMLDivElement)

let policy: ChosenPolicy | null = null
/** What was checked last: a proof and which box was asked for, or a receipt and where its log is read. */
let last: { proof: Brought; boxID: string | null } | { receipt: Receipt; log: string } | undefined
/** Only what the newest check finds is shown. */
let checks = 0

const isServed = location.protocol === 'http:' || location.protocol === 'https:'

/** Does something, and says in words why it could not be done. */
async function attempt(what: () => Promise<void>): Promise<void> {
  problem.hidden = true
  try {
    await what()
  } catch (error) {
    if (place.hasAttribute('aria-busy')) place.replaceChildren()
    place.removeAttribute('aria-busy')
    problem.textContent =
      error instanceof Refusal ? error.message : 'This could not be checked: something in this file failed.'
    problem.hidden = false
    if (!(error instanceof Refusal)) console.error(error)
  }
}

function busy(words: string): void {
  place.setAttribute('aria-busy', 'true')
  place.replaceChildren(el('p', { class: 'note', role: 'status' }, words))
}

function show(chosen: ChosenPolicy | null, otherwise: string): void {
  policy = chosen
  const words = chosen === null ? [otherwise] : [`The policy is ${chosen.from}.`, ...policyWords(chosen)]
  part('policy-state', HTMLParagraphElement).textContent = words.join(' ')
  button('forget-policy').hidden = chosen === null
}

const NO_POLICY = 'No policy: no witness counts.'

/** The policy beside this file, where somebody serves both. */
async function policyBeside(): Promise<void> {
  if (!isServed)
    return show(
      null,
      `${NO_POLICY} This checker was opened from a file, so there is none beside it: choose one.`,
    )
  const url = new URL(POLICY_FILE, location.href)
  const bytes = await fetched(url.href, MAX_POLICY_BYTES).catch(() => undefined)
  if (policy !== null) return
  if (bytes === undefined) return show(null, `${NO_POLICY} ${url.host} serves none beside this checker.`)
  show(readPolicy(bytes, `that of ${url.host}, which serves this checker`, hostOf(url.host)), '')
}

/** What the address says after its `#`: a policy, or where to read one, a shop and a box. Nothing is done by it alone. */
function readLink(): void {
  const link = new URLSearchParams(location.hash.slice(1))
  input('shop').value = link.get('shop') ?? ''
  input('box').value = link.get('box') ?? ''
  const named = link.get('policy')
  if (named === null) return
  const use = button('use-policy')
  use.hidden = false
  const isAddress = /^https?:\/\//.test(named)
  use.textContent = `Use the policy of this link${isAddress && URL.canParse(named) ? `, from ${new URL(named).host}` : ''}`
  use.addEventListener('click', () =>
    attempt(async () => {
      const bytes = isAddress
        ? await fetched(nodeAddress(named), MAX_POLICY_BYTES)
        : new TextEncoder().encode(named)
      if (bytes === undefined) throw new Refusal('There is no policy at the address that the link names.')
      choose(
        readPolicy(
          bytes,
          isAddress ? `from ${new URL(named).host}` : 'the one of the link',
          isAddress ? hostOf(named) : null,
        ),
      )
      use.hidden = true
    }),
  )
}

function choose(chosen: ChosenPolicy | null): void {
  show(chosen, NO_POLICY)
  if (last) void attempt(() => run())
}

function nodes(): string[] {
  return [input('node'), input('second-node')]
    .map(({ value }) => value)
    .filter((value) => value.trim() !== '')
    .map(nodeAddress)
}

function timeZone(): string {
  const zone = input('zone').value.trim()
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    throw new Refusal('Name a time zone as Australia/Sydney.')
  }
}

/** Checks what was brought last, on the terms that are set now. */
async function run(alsoAsk: readonly string[] = []): Promise<void> {
  if (last === undefined) return
  const [what, terms, mine] = [last, { policy, timeZone: timeZone() }, ++checks]
  const asked = [...nodes(), ...alsoAsk]
  busy('Checking…')
  await new Promise((resolve) => setTimeout(resolve)) // lets the words be drawn
  const shown =
    'receipt' in what
      ? await shownReceipt(what, terms)
      : await check({ ...what, ...terms, nodes: asked }).then((found) => outcome(found, actionsOf(found)))
  if (mine !== checks) return
  place.removeAttribute('aria-busy')
  place.replaceChildren(...shown.filter((child) => child != null))
  place.focus()
  place.scrollIntoView({ block: 'start' })
}

type Terms = { policy: ChosenPolicy | null; timeZone: string }

async function shownReceipt(
  { receipt, log }: { receipt: Receipt; log: string },
  terms: Terms,
): Promise<Child[]> {
  const checked = await checkedReceipt(receipt, log, terms.policy)
  return receiptOutcome(checked, terms.timeZone, actionsOfReceipt(checked))
}

function action(words: string, act: () => void, isPlain = true): HTMLElement {
  const made = el('button', { type: 'button', ...(isPlain && { class: 'plain' }) }, words)
  made.addEventListener('click', act)
  return made
}

const usualActions = (): HTMLElement[] => [
  action('Check again', () => void attempt(() => run()), false),
  action('Print', () => window.print()),
]

function actionsOf({ askedNobody, namedNode, order: { proof, boxID } }: Found): HTMLElement[] {
  const actions = usualActions()
  if (proof.shop !== null)
    actions.push(
      action('Save this proof', () =>
        saveText(proof.text, 'application/json', `box-${boxID ?? 'box'}.proof.json`),
      ),
    )
  if (askedNobody && namedNode !== null)
    actions.push(
      action(
        `Ask ${new URL(namedNode).host}, which the proof names`,
        () => void attempt(() => run([nodeAddress(namedNode)])),
      ),
    )
  return actions
}

const actionsOfReceipt = (checked: CheckedReceipt): HTMLElement[] => [
  ...usualActions(),
  action('Save this finding', () => saveText(findingOf(checked), 'text/plain', 'finding-of-a-receipt.txt')),
]

function saveText(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  el('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The proof of a box from its shop. */
async function checkAtShop(): Promise<void> {
  const typed = boxOf(input('box').value)
  if (typed === null) throw new Refusal('Type the number of the box, as on its label.')
  const shop = shopAddress(typed.shop ?? input('shop').value)
  Object.assign(input('box'), { value: typed.boxID })
  Object.assign(input('shop'), { value: shop })
  busy(`Asking ${shop}…`)
  last = undefined
  const proof = await proofOfShop(shop, typed.boxID)
  last = { proof, boxID: typed.boxID }
  await run()
}

const receiptField = part('receipt', HTMLTextAreaElement)

/** A receipt as typed, pasted or scanned. */
async function checkTypedReceipt(): Promise<void> {
  const receipt = receiptIn(receiptField.value)
  busy(`Reading the log ${receipt.checkpoint.origin}…`)
  last = { receipt, log: input('log').value }
  await run()
}

part('ask-receipt', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(checkTypedReceipt)
})
part('ask', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(checkAtShop)
})
input('proof-file').addEventListener('change', ({ target }) => {
  const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined
  if (file)
    void attempt(async () => {
      busy('Reading…')
      last = undefined
      last = { proof: await proofOfFile(file), boxID: null }
      await run()
    })
})
input('policy-file').addEventListener('change', ({ target }) => {
  const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined
  if (file)
    void attempt(async () => {
      if (file.size > MAX_POLICY_BYTES) throw new Refusal('This file is too large to be a policy.')
      choose(readPolicy(new Uint8Array(await file.arrayBuffer()), `the file ${file.name}`, null))
    })
})
button('forget-policy').addEventListener('click', () => {
  input('policy-file').value = ''
  choose(null)
})
/** Reads a label or a receipt, whichever is shown to the camera, and fills in what it says. */
async function scanCode(): Promise<void> {
  const read = (code: string) => (isReceipt(code) ? code : boxOf(code))
  const found = await scan(part('camera', HTMLDivElement), read).catch(() => {
    throw new Refusal('The camera could not be started, or was not allowed. Type it instead.')
  })
  if (found === null) return
  if (typeof found === 'string') {
    receiptField.value = found
    return button('check-receipt').focus()
  }
  input('box').value = found.boxID
  if (found.shop !== null) input('shop').value = found.shop
  button('check').focus()
}

for (const id of ['scan', 'scan-receipt']) {
  const scanner = button(id)
  scanner.hidden = !canScan()
  scanner.addEventListener('click', () => attempt(scanCode))
}
const whence = isServed
  ? `It came from ${location.host}, which could have sent another: keep a copy, and compare its SHA-256 with the one in the release notes.`
  : 'It was opened from a file: compare its SHA-256 with the one in the release notes.'
part('whence', HTMLSpanElement).textContent = whence
const save = part('save', HTMLAnchorElement)
save.hidden = !isServed
save.href = location.pathname
readLink()
void attempt(policyBeside)

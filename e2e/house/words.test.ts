import assert from 'node:assert/strict'
import test from 'node:test'
import { filesOf, textOf } from './project.ts'

/** Identifiers that are easily typed again, and the standard term for each. More: docs/glossary.md. */
const refused: readonly [old: RegExp, instead: string][] = [
  [/\b\w*[aA]skers?\b/g, 'principal, caller'],
  [/\b(?:MOST|LONGEST)_\w+/g, 'MAX_…'],
  [/\b\w*PATIENCE\w*/g, '…_TIMEOUT_MS, RETRY_MS'],
  [/\bLOOK_\w+/g, 'POLL_MS'],
  [/\bgiveBack\b/g, 'refund, reschedule'],
  [/\bhold(?:Box|Boxes|Categor|Product|Path)\w*/g, 'lock…'],
  [/\bspend[A-Z]\w*/g, 'consume…'],
  [/\b(?:takeTurns|fewAtOnce|inTurn)\b/g, 'limitConcurrency, limiter'],
  [/\btake(?:Readings|Batch|Messages|Pictures|Lock)\b/g, 'ingest…, normalize…, acquireLock'],
  [/\b\w+Letters?\b/g, '…Email'],
  [/\bwordsOf\b/g, '…Message, …Label, searchWords'],
  [/\b(?:whoOf|namesOf)\b/g, 'actorId, actorNames'],
  [/\bFinalFailure\b/g, 'PermanentError'],
  [/\b(?!BoxFigures\b)\w+Figures\b/g, '…Metrics'],
  [/\bKept[A-Z]\w*/g, 'Stored…, Cached…'],
  [/\bEndings\b/g, 'ShutdownHooks'],
  [/\b(?:othersTurn|otherWork)\b/g, 'yieldToEventLoop'],
  [/\b\w+Refusal\b/g, '…Error, Rejection'],
  [/\b(?:alert|noTimeLeft|letter|visitor)Words\b/g, '…Messages'],
  [/\bwhyNot[A-Z]\w*/g, 'describe…Error, to…Error'],
  [/\b(?:numberOf|notANumber)\b/g, 'parseNumber, numberFromHex, numberError'],
  [/\b(?:box|card|product|page|video)Address\b/g, '…Path, …Url'],
  [/\b(?:daysLeft|changed|time|record|or|field)Words\b/g, '…Text, …Message, …Label'],
  [/\b(?:Wishes|wishesOf)\b/g, '…Options, parseOptions'],
  [/\b[pP]asswordAgain\b/g, 'reauthenticate, Reauthentication'],
  [/\b\w*(?:HeldMails?|giveUpMail)\b/g, 'FailedEmail, discardEmail'],
  [/\bManageQuery\b/g, 'ListQuery'],
  [/\b(?:ASK_AGAIN|FOREVER)\b/g, 'REVALIDATE, IMMUTABLE'],
  [/\b(?:inParts|in-parts|tidyNow\w*)\b/g, 'batched, batches, vacuumTables'],
  [
    /\b(?:CartKeeper|safeNext|GoButton|useAfterPress|ListKind)\b/g,
    'CartSync, safeRedirectPath, LinkButton, usePointerUpDeferral, Resource',
  ],
  [/\b(?:AskedBefore|SharedReads|FreshCache)\b/g, 'Doorkeeper, Singleflight, InvalidatingCache'],
  [/\b(?:ReadyAnswer|sendReady|hasAlready)\b/g, 'CachedResponse, sendCached, isNotModified'],
  [/\b(?:refuseField|refuseForeign|hearOut)\b/g, 'fieldError, rejectCrossOrigin, drainRequestBody'],
  [/\b(?:mayTouchBox|FOREIGN_BOX|ownLink\w*)\b/g, 'assertBoxAccess, sameOriginUrl'],
  [
    /\b(?:outbid|OUTBID_\w+|freshenChain|tellFault|keepSigned|noteMined)\b/g,
    'bumpFee, syncEmbeddedChain, reportFault, saveSigned, markMined',
  ],
  [/\b(?:followBroker|letIn|openDoor)\b/g, 'connectExternalBroker, authenticate, listen'],
  [/\b(?:growBox|GrownBox|boxMemory)\b/g, 'appendReadings, BoxUpdate, BoxStateCache'],
  [/\b(?:yardstick|furnish)\b/g, 'baseline, seedProducts'],
  [/\b(?:guard(?:Routes|Changed\w*)|GuardChange)\b/g, 'SecurityEvent, two-factor or passkey routes'],
]

/** Old words in a text, each with its standard term. */
const oldWords = (text: string): string[] =>
  refused.flatMap(([old, instead]) => [...text.matchAll(old)].map(([word]) => `${word}: better ${instead}`))

test('code uses standard terms instead of names of our own', () => {
  const code = filesOf('{domain,provenance,contract,server,web,bench,tools}/**/*.{ts,tsx,mjs}').filter(
    (file) => !file.includes('/db/migrations/'),
  )
  const found = code.flatMap((file) => oldWords(textOf(file)).map((word) => `${file}: ${word}`))
  assert.deepEqual(found, [])
})

test('each old word is found, and its standard term is accepted', () => {
  const old =
    'readAsker MOST_FILES LONGEST_WAIT_S PATIENCE_MS LOOK_AGAIN_MS giveBack holdBox spendToken fewAtOnce ' +
    'takeReadings activationLetter wordsOf whoOf FinalFailure RunningFigures KeptRecord Endings othersTurn RpcRefusal ' +
    'alertWords whyNotOpen numberOf boxAddress daysLeftWords ' +
    'Wishes PasswordAgain listHeldMail ManageQuery ASK_AGAIN inParts safeNext SharedReads sendReady hearOut ' +
    'mayTouchBox outbid followBroker growBox yardstick GuardChange'
  const trial = old.split(' ')
  assert.deepEqual(
    trial.filter((word) => oldWords(`const x = ${word}()`).length === 0),
    [],
  )
  assert.equal(refused.length, trial.length - 1, 'a trial word for each rule')
  const good = 'principal MAX_FILES TIMEOUT_MS POLL_MS release lockBox consumeToken limitConcurrency actorId'
  assert.deepEqual(oldWords(good), [])
})

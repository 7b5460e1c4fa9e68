import type { Judge, LabAttack, LabCheck, LabObstacle, Sight } from './lab-types.ts'

/** An attack in words: what its button says, what somebody gains by it, and why it is found or is not. */
type AttackWords = { title: string; does: string; why: string }

export const attackWords: Readonly<Record<LabAttack, AttackWords>> = {
  reading: {
    title: 'Make a warm reading cold',
    does: 'A carrier’s truck broke down, and the shop types 0.5 °C over what the thermometer said.',
    why: 'Each record has a fingerprint, and the next anchor was made with the true one. Another temperature makes another fingerprint.',
  },
  'catch-date': {
    title: 'Make the catch two days younger',
    does: 'Old fish sells better with a new date.',
    why: 'The date is part of the record of the catch, and so of its fingerprint.',
  },
  weight: {
    title: 'Change a weight',
    does: 'More grams went into the box, or fewer were sold of it, so that other fish can be sold under its number.',
    why: 'Grams are part of their record like any other value. Sold fish can’t be unsold afterwards.',
  },
  'take-away': {
    title: 'Take a record out of the middle',
    does: 'The one bad reading disappears, and everything else stays true.',
    why: 'Records are numbered, and each head is made of the one before. A gap shows, whatever was in it.',
  },
  'take-last': {
    title: 'Leave out the last record',
    does: 'A recall or a bad reading came last, and visitors are shown the history from before it.',
    why: 'The ledger knows how many records there are: its newest state of this box counts one more.',
  },
  swap: {
    title: 'Swap two records',
    does: 'The sale comes before the warm afternoon, with both records unchanged and the numbers put right.',
    why: 'A head stands for the records in their order. The same ones in another order lead to another head.',
  },
  'slip-in': {
    title: 'Slip a reading in',
    does: 'The thermometer was silent for hours, and a cold reading is made up to fill the gap.',
    why: 'No anchor was made with this record in it, so every head after it is another one.',
  },
  unseal: {
    title: 'Open a closed box again',
    does: 'A box that was sold out is made to look open, to sell other fish from it.',
    why: 'The state that was anchored says that the box is closed. An open one does not lead to the root.',
  },
  rollback: {
    title: 'Put back an older state',
    does: 'Yesterday’s backup is shown as today’s history. Every record in it is true, and the new ones are missing.',
    why: 'The ledger has a newer anchor than the proof. That is why the check asks for the ledger’s newest one.',
  },
  'other-box': {
    title: 'Show another box’s history',
    does: 'A spotless history is put under the number of a worse box.',
    why: 'Every record and every anchored state names its box, and the place in the tree follows from that name.',
  },
  root: {
    title: 'Forge the root of an anchor',
    does: 'The proof names another root than the one that was anchored.',
    why: 'The way from the box up to the root is computed here, and it ends at the true root.',
  },
  rewrite: {
    title: 'Rewrite it all, with every hash',
    does: 'A reading is changed, and then each fingerprint, head and root is computed anew, so that nothing in the proof contradicts itself.',
    why: 'Computing hashes is no secret, so the proof alone looks perfect. Only the ledger, where the true root stands, tells.',
  },
  node: {
    title: 'Have a node lie',
    does: 'Somebody took over the ledger server, which answers with another root.',
    why: 'The records lead to the root that they always led to, and the node says another. Ask a second node to learn who lies.',
  },
  log: {
    title: 'Show the log of another history',
    does: 'The shop signs a second history of its log, for this visitor alone.',
    why: 'The anchors of this proof are not in that log. Whoever keeps the true state of the same size holds evidence against the shop.',
  },
  page: {
    title: 'Name a dearer fish on the page',
    does: 'Records, proof and ledger are left alone. Only the page says another species.',
    why: 'The page is made again from the proven records and compared with what is shown.',
  },
  file: {
    title: 'Put another picture in its place',
    does: 'The photo of the catch becomes that of a better fish, under the same name.',
    why: 'A file is called by the SHA-256 of its bytes, and the record holds that name.',
  },
  oversell: {
    title: 'Sell more than was in the box',
    does: 'The shop records it from the start, anchors it and signs it: all of the ledger agrees.',
    why: 'Nothing was changed afterwards, so no hash is wrong. But the recorded grams are added up, and more left the box than went in.',
  },
  along: {
    title: 'Rewrite it, and own the node too',
    does: 'The shop rewrites a reading and runs the only ledger server that you ask, which agrees.',
    why: 'This is why the verdict is not green, and says “we asked nobody else”. A node of somebody else’s, a receipt, a witness or a browser that saw the box before would each have told.',
  },
  lie: {
    title: 'Lie while recording',
    does: 'The thermometer lay in the ice, or somebody typed a wrong number in the first place.',
    why: 'Nothing was changed since it was recorded, and that is all that a ledger can prove. Against this help sensors that sign their readings, people who look, and whoever answers for the record: its author stands in it for good.',
  },
}

/** The attacks in the order of the page, in groups with what they are about. */
export const attackGroups: readonly { title: string; attacks: readonly LabAttack[] }[] = [
  {
    title: 'Falsify the records',
    attacks: ['reading', 'catch-date', 'weight', 'take-away', 'take-last', 'swap', 'slip-in'],
  },
  { title: 'Falsify the proof', attacks: ['rollback', 'other-box', 'unseal', 'root', 'rewrite'] },
  { title: 'Turn those who vouch for it', attacks: ['node', 'log'] },
  { title: 'Falsify the page alone', attacks: ['page', 'file'] },
  { title: 'Go where hashes can’t follow', attacks: ['oversell', 'along', 'lie'] },
]

export const obstacleWords: Readonly<Record<LabObstacle, string>> = {
  no_reading: 'This box has no anchored reading.',
  all_signed: 'Every reading of this box is signed by its sensor, whose key a liar would need.',
  no_catch: 'No catch was recorded for this box.',
  too_short: 'This box has too few anchored records.',
  not_anchored: 'Nothing of this box is anchored yet.',
  one_state: 'This box was anchored once only, so there is no older state of it.',
  no_weight: 'No weights were recorded for this box.',
  no_sale: 'Nothing was sold from this box.',
  not_sealed: 'This box is not closed.',
  no_log: 'The proof comes without a log.',
  no_other_box: 'The shop has no other box whose history could be shown.',
  no_file: 'The records of this box name no file that could be read here.',
}

/** What each check does. */
export const checkWords: Readonly<Record<LabCheck, string>> = {
  read: 'It is a proof, and of this box',
  rebuild: 'Every record is there, in its place',
  prove: 'Fingerprints lead to the anchored heads and roots',
  ledger: 'The ledger holds these roots',
  continuity: 'Each anchored state goes on from the one before',
  complete: 'The ledger knows nothing newer',
  log: 'The log of anchors says the same',
  signatures: 'Devices signed what they measured',
  weights: 'What left the box is not more than went in',
  page: 'The page shows what the records say',
  files: 'Pictures and files are those that records name',
}

export const judgeWords: Readonly<Record<Judge, { name: string } & Readonly<Record<Sight, string>>>> = {
  page: {
    name: 'The box page, at a first visit',
    sees: 'says so.',
    untouched: 'has nothing to object to.',
    blind: 'does not notice.',
    none: 'does not notice.',
  },
  returning: {
    name: 'A browser that saw this box before',
    sees: 'says so.',
    untouched: 'finds what it saw.',
    blind: 'does not notice.',
    none: 'does not notice.',
  },
  checker: {
    name: 'check.html, asking a node of yours',
    sees: 'says so.',
    untouched: 'is not misled: it draws its facts from the true records.',
    blind: 'does not notice.',
    none: 'does not notice.',
  },
  receipt: {
    name: 'A buyer’s receipt of the log',
    sees: 'does not fit this log any more.',
    untouched: 'still fits: the shop’s log was left alone.',
    blind: 'does not notice: the log says it, too.',
    none: 'can’t tell: this shop gives no receipts.',
  },
  witness: {
    name: 'A witness of the log',
    sees: 'refuses to sign this log, and keeps the evidence.',
    untouched: 'still signs: the shop’s log was left alone.',
    blind: 'does not notice: the log says it, too.',
    none: 'can’t tell: this shop has no log.',
  },
}

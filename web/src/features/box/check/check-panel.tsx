import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { Suspense, useRef } from 'react'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useNear } from '#web/components/use-near.ts'
import { Panel } from '../panel.tsx'
import { usePageCheck } from './page-check.tsx'

type Props = {
  boxID: string
  /** The contract that the shop names. */
  contract: string | null
}

const CheckBench = lazyPart(() => import('./check-bench.tsx'))

/** The proof, step by step, for who wants it: done by the visitor's own browser. What can be used is fetched when one comes near. */
export function CheckPanel({ boxID, contract }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const near = useNear(place)
  return (
    <Panel className="no-print" title="Check it yourself" id="check">
      <p className="mb-6 max-w-2xl">
        You don’t have to trust this shop. Your browser takes the records of this box, recomputes every
        fingerprint and compares them with what a ledger has kept since. Nobody can change what is written
        there; whether a ledger server tells you all of it depends on whose it is, so you can name one.
      </p>
      <div ref={place} className="min-h-[48rem] sm:min-h-[40rem] lg:min-h-112 noscript:hidden">
        {near && (
          <Suspense fallback={<Spinner label="Loading the steps of the check" />}>
            <CheckBench boxID={boxID} />
          </Suspense>
        )}
      </div>
      <WithoutPage boxID={boxID} />
      <LedgerNotes contract={contract} />
    </Panel>
  )
}

/** What this page's check is worth, and the same check without the shop's pages. */
function WithoutPage({ boxID }: Pick<Props, 'boxID'>) {
  return (
    <div className="mt-8 max-w-2xl">
      <h3 className="text-xl">Without this page</h3>
      <p className="mt-2">
        This check is worth what the shop is: its script comes from here, and a dishonest shop could send
        another. Download{' '}
        <a
          className="link"
          href={urlOf(readProof, { params: { boxID }, query: { scales: '1' } })}
          download={`box-${boxID}.proof.json`}
        >
          the proof
        </a>{' '}
        and open it with{' '}
        <a className="link" href={`/check.html#box=${boxID}`}>
          the checker in one file
        </a>
        , which you can keep or have from a witness; or, in a copy of the source code, run
      </p>
      <pre className="mt-3 whitespace-pre-wrap break-all rounded-md bg-ice p-4 font-mono text-sm">
        npm run -s box:verify -- box-{boxID}.proof.json --rpc URL
      </pre>
      <p className="mt-3 muted">
        Name a ledger server with <code className="font-mono">--rpc</code> that is not the shop’s.
      </p>
    </div>
  )
}

/** What a ledger can and cannot tell, in a shopper's words. Source: protocol §7. */
function LedgerNotes({ contract }: Pick<Props, 'contract'>) {
  return (
    <div className="mt-10 grid max-w-4xl gap-8 md:grid-cols-2">
      <div>
        <h3 className="text-xl">What this proves</h3>
        <p className="mt-2">
          That no record has changed since the time that the ledger gives for it, that none was taken away,
          and that every figure on this page follows from the records. Place names, the picture of the species
          and what is on sale are the shop’s word: they are in no record.
        </p>
      </div>
      <div>
        <h3 className="text-xl">What it does not prove</h3>
        <p className="mt-2">
          That a record was true when it was made. A thermometer can be wrong and a person can be mistaken, so
          every value on this page says whether it was measured, declared or computed.
        </p>
      </div>
      <WhoVouched />
      {contract && (
        <p className="muted md:col-span-2">
          The shop names the contract <code className="break-all font-mono">{contract}</code>: compare it with
          what it publishes elsewhere.
        </p>
      )}
    </div>
  )
}

/** Who vouched for the ledger, as the check itself measured it. Source: protocol §6.7 and §7. */
function WhoVouched() {
  const { shop } = usePageCheck()
  if (shop.phase !== 'done') return null
  const { grade, hosts, chainId } = shop.asked
  if (grade === 'witnessed')
    return (
      <p className="border-good border-l-4 bg-good-ice px-4 py-3 md:col-span-2">
        {shop.witnesses} They sign a state of the shop’s log only where it continues the one that they signed
        before, and your own policy names them.
      </p>
    )
  if (chainId === null) return null
  if (grade === 'other')
    return (
      <p className="border-good border-l-4 bg-good-ice px-4 py-3 md:col-span-2">
        Your browser asked {hosts.join(' and ')}, which you named and which{' '}
        {hosts.length === 1
          ? 'is not on this shop’s host.'
          : 'agree. At least one of them is not on this shop’s host.'}
      </p>
    )
  return (
    <p className="border-own border-l-4 bg-own-ice px-4 py-3 md:col-span-2">
      Your browser asked {hosts.join(' and ')}, the ledger that the shop names, and nobody else. A shop could
      keep an older state of it for you. Name a ledger server of somebody else above, or keep the proof and
      compare it later.
      {chainId === 31337 &&
        ' Chain 31337 is a development chain: it lives on the shop’s own machine and is no independent witness.'}
    </p>
  )
}

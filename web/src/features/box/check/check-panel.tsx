import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import type { Site } from '@befaqt/domain/api/site-api'
import { Suspense, useRef } from 'react'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useNear } from '#web/components/use-near.ts'
import { Time } from '#web/time/time.tsx'
import { Panel } from '../panels/panel.tsx'

type Props = { boxID: string; chain: Site['chain'] }
type Former = BoxPageView['formerLedger']

const CheckBench = lazyPart(() => import('./check-bench.tsx'))

/** The proof, step by step, for who wants it: done by the visitor's own browser. What can be used is fetched when one comes near. */
export function CheckPanel({ boxID, chain, former }: Props & { former: Former }) {
  const place = useRef<HTMLDivElement>(null)
  const near = useNear(place)
  return (
    <Panel className="no-print" title="Check it yourself" id="check">
      <p className="mb-6 max-w-2xl">
        You don’t have to trust this shop. Your browser takes the records of this box, recomputes every
        fingerprint and compares them with what a public ledger has kept since. The shop can't change what is
        written there.
      </p>
      <div ref={place} className="min-h-[48rem] sm:min-h-[40rem] lg:min-h-112 noscript:hidden">
        {near && (
          <Suspense fallback={<Spinner label="Loading the steps of the check" />}>
            <CheckBench boxID={boxID} rpc={chain.rpc} />
          </Suspense>
        )}
      </div>
      <WithCommand boxID={boxID} chain={chain} />
      <LedgerNotes chain={chain} former={former} />
    </Panel>
  )
}

/** The check without code of the shop's. A development chain has no other server than the shop's. */
function WithCommand({ boxID, chain: { embedded, rpc } }: Props) {
  return (
    <div className="mt-8 max-w-2xl">
      <h3 className="text-xl">With a command</h3>
      <p className="mt-2">
        Download{' '}
        <a
          className="link"
          href={urlOf(readProof, { params: { boxID } })}
          download={`box-${boxID}.proof.json`}
        >
          box-{boxID}.proof.json
        </a>{' '}
        and, in a copy of the source code, run
      </p>
      <pre className="mt-3 whitespace-pre-wrap break-all rounded-md bg-ice p-4 font-mono text-sm">
        npm run -s box:verify -- box-{boxID}.proof.json --rpc {embedded ? rpc : 'URL'}
      </pre>
      <p className="mt-3 text-slate text-sm">
        The check on this page is itself code from this shop, and a dishonest shop could send another. The
        command comes from the source code and contacts only the ledger server that you name with{' '}
        <code className="font-mono">--rpc</code>: choose one that is not the shop’s.
      </p>
    </div>
  )
}

/** What a ledger can and cannot tell, in a shopper's words. Source: protocol §7. */
function LedgerNotes({ chain, former }: { chain: Site['chain']; former: Former }) {
  return (
    <div className="mt-10 grid max-w-4xl gap-8 md:grid-cols-2">
      <div>
        <h3 className="text-xl">What this proves</h3>
        <p className="mt-2">
          That no record has changed since the time that the ledger gives for it, that none was taken away,
          and that every figure on this page follows from the records. Street addresses, pictures and what is
          on sale are the shop’s word: they are in no record.
        </p>
      </div>
      <div>
        <h3 className="text-xl">What it does not prove</h3>
        <p className="mt-2">
          That a record was true when it was made. A thermometer can be wrong and a person can be mistaken, so
          every value on this page says whether it was measured, declared or computed.
        </p>
      </div>
      {chain.embedded && (
        <p className="border-warn border-l-4 bg-warn-ice px-4 py-3 md:col-span-2">
          This site runs on a development chain that lives on the same machine as the shop. It shows how the
          check works, but it is no independent witness.
        </p>
      )}
      {former && (
        <p className="border-edge border-l-4 bg-ice px-4 py-3 md:col-span-2">
          <b className="font-semibold">Anchored anew.</b> The first {former.count} records of this box were
          anchored before, by <Time at={former.anchoredAt} />, in another contract of this shop,{' '}
          <code className="break-all font-mono">{former.contract}</code>. The shop took up a new contract, and
          the ledger’s times above are those of the new one. What the former holds is not checked here.
        </p>
      )}
      <p className="text-slate text-sm md:col-span-2">
        Chain {chain.chainId}
        {chain.contract && (
          <>
            , contract <code className="break-all font-mono">{chain.contract}</code>
          </>
        )}
      </p>
    </div>
  )
}

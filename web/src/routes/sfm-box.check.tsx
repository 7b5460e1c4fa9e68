import { boxPath } from '@befaqt/domain/page-paths'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Form, Link, useLoaderData, useNavigate } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { isReceipt } from '#web/features/box/find/box-number.ts'
import { canScan, Scanner } from '#web/features/box/find/box-number-field.tsx'
import { ByReceipt } from '#web/features/box/find/by-receipt.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { BoxCheckData } from '#web/loaders/shop-loaders.ts'

const describe = () => ({
  title: 'Check a box',
  description:
    'Check a box of fish by its number, by the code on it, or by a proof that you saved; and the shop’s log by a receipt of it.',
  canonical: '/SFMBox/check',
})

export default function SfmBoxCheck() {
  const { typed, problem } = useLoaderData<BoxCheckData>()
  return (
    <>
      <PageHead describe={describe} />
      <FindBoxPage key={typed} typed={typed} problem={problem} />
    </>
  )
}

const CheckerInLog = lazyPart(() => import('#web/features/box/find/checker-in-log.tsx'))
const CheckFile = lazy(() => import('#web/features/box/find/check-file.tsx'))

type WayProps = { title: string; needsScript?: boolean; children: ReactNode }

/** One way to a box. Those that need script are not there without it. */
function Way({ title, needsScript = false, children }: WayProps) {
  return (
    <section
      className={`rounded-lg border border-line bg-surface p-5 ${needsScript ? 'noscript:hidden' : ''}`}
    >
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  )
}

function ByNumber({ typed, problem }: { typed: string; problem: string | undefined }) {
  return (
    <Way title="By its number">
      <Form action="/SFMBox/check" className="grid gap-4">
        <InputField
          label="Box number"
          name="number"
          defaultValue={typed}
          error={problem}
          hint="Printed under the code on the box, for example 0345579444."
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={500}
        />
        <div>
          <Button type="submit">Check the box</Button>
        </div>
      </Form>
      <p className="mt-4">
        <Link to="/SFMBox/byId" className="link tap">
          No number? See all boxes
        </Link>
      </p>
    </Way>
  )
}

/** The camera is asked for only after a press. */
function ByCamera({ onReceipt }: { onReceipt: (text: string) => void }) {
  const hydrated = useHydrated()
  const navigate = useNavigate()
  const [scanning, setScanning] = useState(false)
  const able = hydrated && canScan()
  return (
    <Way title="By its code" needsScript>
      {scanning ? (
        <Scanner
          also={isReceipt}
          onFound={(found) => {
            if (!isReceipt(found)) return void navigate(boxPath(found))
            setScanning(false)
            onReceipt(found)
          }}
          onStop={() => setScanning(false)}
        />
      ) : hydrated && !able ? (
        <p>
          This browser can’t read codes. The camera app of most phones can: point it at the code on the box
          and open the link that it shows.
        </p>
      ) : (
        <>
          <p className="mb-4">Point the camera at the code on the box. Nothing is recorded or sent.</p>
          <Button onClick={() => setScanning(true)} disabled={!able}>
            Scan with the camera
          </Button>
        </>
      )}
    </Way>
  )
}

function ByFile() {
  const [picked, setPicked] = useState<{ file: File; nth: number } | null>(null)
  const take = (file: File | undefined) => file && setPicked((last) => ({ file, nth: (last?.nth ?? 0) + 1 }))
  return (
    <Way title="By a saved proof" needsScript>
      <InputField
        label="Proof file"
        type="file"
        className="border-dashed py-8"
        accept=".json,application/json"
        hint="Choose it or drop it here. Your browser checks it; the file isn’t sent to us."
        disabled={!useHydrated()}
        onChange={(event) => {
          take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      {picked && (
        <div className="mt-4">
          <Suspense fallback={<Spinner label="Loading the check" />}>
            <CheckFile key={picked.nth} file={picked.file} />
          </Suspense>
        </div>
      )}
    </Way>
  )
}

/** Three ways to check a box: its number, the code on it, a proof that was kept; and the shop's log by a receipt of it. */
function FindBoxPage({ typed, problem }: { typed: string; problem: string | undefined }) {
  const [receipt, setReceipt] = useState('')
  return (
    <div className="wrap py-12">
      <h1 className="page-title">Check a box</h1>
      <p className="mt-3 mb-8 max-w-prose text-lg text-slate">
        See where a box of fish has been, how cold it stayed, and whether anything was changed since.
      </p>
      <div className="grid gap-6 lg:grid-cols-3">
        <ByNumber typed={typed} problem={problem} />
        <ByCamera onReceipt={setReceipt} />
        <ByFile />
      </div>
      <div className="mt-6">
        <Way title="By a receipt" needsScript>
          <p className="mb-4 max-w-prose">
            What we sell comes with a receipt of our log, which commits us to all records of all boxes. If
            those of the past are ever changed, your receipt shows it.
          </p>
          <ByReceipt key={receipt} scanned={receipt} />
        </Way>
      </div>
      <div className="mt-6">
        <Way title="By a checker of your own">
          <p className="max-w-prose">
            The checks above run a script that comes from us. This one file does them too, and you can keep
            it, and compare it with the one that others have:{' '}
            <a href="/check.html" className="link tap" download="check.html">
              save the checker
            </a>
            .
          </p>
          <p className="mt-4">
            <Link to="/lab" className="link tap">
              Try to cheat the check in the tamper lab
            </Link>
          </p>
          {useHydrated() && (
            <Suspense>
              <CheckerInLog />
            </Suspense>
          )}
        </Way>
      </div>
      <p className="mt-6 hidden max-w-prose text-slate noscript:block">
        Scanning a code and checking a saved proof or a receipt need JavaScript. Any proof can also be checked
        with one command, as the page of each box says.
      </p>
    </div>
  )
}

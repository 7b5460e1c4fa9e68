import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Choice } from '#web/components/choice.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckboxField, InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { Skeleton, Spinner } from '#web/components/spinner.tsx'
import { Stars } from '#web/components/stars.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'

const LONG =
  'Mulloway, caught at first light and landed where the name of the place is longer than a line: Llanfairpwllgwyngyllgogerychwyrndrobwll'

/** Not a code that says anything: three corners. */
const CODE = { side: 21, path: 'M2 2h5v5h-5zM14 2h5v5h-5zM2 14h5v5h-5z' }

const tones = ['bad', 'warn', 'good', 'own', 'info'] as const
const badges = ['plain', 'teal', 'good', 'warn', 'bad'] as const
const variants = ['primary', 'secondary', 'outline', 'link'] as const
const methods = [
  ['line', 'Line'],
  ['trap', 'Trap'],
  ['net', LONG],
] as const

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <section
    aria-label={name}
    className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3 border-line border-b py-5 wrap-anywhere"
  >
    <p className="muted">{name}</p>
    {children}
  </section>
)

/** One component after the other, each in its states. */
function Every({ scheme }: { scheme: string }) {
  const [open, setOpen] = useState(false)
  const [method, setMethod] = useState<'line' | 'trap' | 'net'>('line')
  const [dismissed, setDismissed] = useState(false)
  return (
    <>
      <h2 className="text-2xl">In {scheme}</h2>
      <Part name={`Buttons, ${scheme}`}>
        {variants.map((variant) => (
          <div key={variant} className="flex flex-wrap gap-3">
            <Button variant={variant}>{variant}</Button>
            <Button variant={variant} aria-busy>
              Busy
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
          </div>
        ))}
        <Button>{LONG}</Button>
        <ButtonLink to="/elsewhere" variant="outline">
          A link
        </ButtonLink>
        <CopyButton text="copied" />
      </Part>
      <Part name={`Links and words, ${scheme}`}>
        <p>
          In a sentence{' '}
          <Link to="/elsewhere" className="link">
            a link
          </Link>{' '}
          is as high as its line.
          <span className="muted block">{LONG}</span>
        </p>
        <Link to="/elsewhere" className="link tap">
          One that stands by itself is as high as a thumb
        </Link>
        <details>
          <summary className="link tap">A fold</summary>
          <p>{LONG}</p>
        </details>
      </Part>
      <Part name={`Fields, ${scheme}`}>
        <InputField label="Empty" placeholder="As 0345579444" />
        <InputField label="With a hint" hint={LONG} defaultValue={LONG} />
        <InputField label="Wrong" error="price must be more than 0" defaultValue="-1" />
        <InputField label="Disabled" disabled defaultValue="Snapper" />
        <SelectField label={`Species ${LONG}`} error="species is required">
          <option value="">Choose</option>
          <option>{LONG}</option>
        </SelectField>
        <TextAreaField label="Notes" hint="At most 200 characters" defaultValue={LONG} />
        <CheckboxField label={LONG} defaultChecked />
        <CheckboxField label="Not chosen, disabled" disabled />
        <Choice
          legend="Method"
          name={`method-${scheme}`}
          choices={methods}
          value={method}
          onChange={setMethod}
        />
      </Part>
      <Part name={`Messages, ${scheme}`}>
        {tones.map((tone) => (
          <Alert key={tone} tone={tone}>
            {tone}: {LONG}
          </Alert>
        ))}
        {dismissed || (
          <Alert tone="info" onDismiss={() => setDismissed(true)}>
            Can be dismissed
          </Alert>
        )}
        <div className="flex flex-wrap gap-2">
          {badges.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        <LoadFailure what="products" message="No connection to the shop." />
      </Part>
      <Part name={`Waiting, ${scheme}`}>
        <Spinner />
        <Skeleton className="h-6 w-48" />
      </Part>
      <Part name={`Figures, ${scheme}`}>
        {[0, 1, 3, 5].map((count) => (
          <Stars key={count} count={count} className="h-5" />
        ))}
        <QrCode code={CODE} label={`Code of a box, ${scheme}`} />
      </Part>
      <Part name={`Lists, ${scheme}`}>
        <Table caption={`Boxes, ${scheme}`}>
          <thead>
            <tr>
              <Th>Box</Th>
              <Th>Catch</Th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <Td className="whitespace-nowrap">0345579444</Td>
              <Td>
                Snapper<span className="muted block">{LONG}</span>
              </Td>
            </tr>
          </tbody>
        </Table>
      </Part>
      <Part name={`A dialog, ${scheme}`}>
        <Button variant="outline" onClick={() => setOpen(true)}>
          Open
        </Button>
        <Dialog open={open} title={`A dialog in ${scheme}`} onClose={() => setOpen(false)}>
          <InputField label="Name" />
        </Dialog>
      </Part>
    </>
  )
}

/**
 * All components in their states, light beside dark: at `/components` of `npm run dev`, and in the tests of e2e/hooks.
 * It is no page of the shop. In a build the page's scheme alone decides over colours (styles/theme.css), so this one is
 * served as browsers with `light-dark()` understand it.
 */
export function ComponentsPage() {
  return (
    <div className="px-4 py-6">
      <h1 className="page-title">Components</h1>
      <Pagination page={2} size={20} total={95} thing="box" things="boxes" />
      <div className="mt-6 grid gap-4 lg:grid-cols-2">
        <div className="scheme-light min-w-0 bg-ground p-4 text-ink">
          <Every scheme="light" />
        </div>
        <div className="scheme-dark min-w-0 bg-ground p-4 text-ink">
          <Every scheme="dark" />
        </div>
      </div>
    </div>
  )
}

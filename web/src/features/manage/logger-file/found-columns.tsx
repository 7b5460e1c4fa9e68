import { InputField, SelectField } from '#web/components/field.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'
import type { Layout, OpenFile } from './use-logger-file.ts'

type Props = { file: OpenFile; disabled: boolean; onLayout: (layout: Layout) => void }

/** Lines and columns have no identity but their place. */
const placed = <One,>(list: readonly One[]) => list.map((one, place) => ({ one, place }))

/** What is in the file: its columns and first lines, and how they are found where that went wrong. */
export function FoundColumns({ file: { name, preview }, disabled, onLayout }: Props) {
  const { delimiter, headerLine, headings, rows, lines } = preview
  return (
    <div className="grid gap-3">
      <p>
        <b className="wrap-anywhere font-semibold">{name}</b>: {lines.toLocaleString('en')}{' '}
        {lines === 1 ? 'line' : 'lines'} below its headings.
      </p>
      <Table caption="Columns of the file">
        <thead>
          <tr>
            {placed(headings).map(({ place, one: heading }) => (
              <Th key={place}>{heading || <span className="sr-only">without a heading</span>}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placed(rows).map(({ place, one: row }) => (
            <tr key={place}>
              {placed(row).map(({ place, one: cell }) => (
                <Td key={place} className="max-w-60 truncate whitespace-nowrap text-sm tabular-nums">
                  {cell}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <details>
        <summary className="link inline-flex min-h-11 items-center">These are not the right columns</summary>
        <div className="grid max-w-xl gap-4 pt-2 sm:grid-cols-2">
          <SelectField
            label="Columns are separated by"
            value={delimiter}
            disabled={disabled}
            onChange={({ currentTarget: { value } }) =>
              onLayout({ headerLine, delimiter: value === ';' || value === ',' ? value : '\t' })
            }
          >
            <option value=",">commas</option>
            <option value=";">semicolons</option>
            <option value={'\t'}>tabs</option>
          </SelectField>
          <InputField
            key={headerLine}
            label="Line of the headings"
            type="number"
            min={1}
            max={200}
            defaultValue={headerLine}
            disabled={disabled}
            onBlur={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 1 && valueAsNumber <= 200 && valueAsNumber !== headerLine)
                onLayout({ delimiter, headerLine: Math.floor(valueAsNumber) })
            }}
          />
        </div>
      </details>
    </div>
  )
}

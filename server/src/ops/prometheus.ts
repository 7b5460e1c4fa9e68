/** Labels of one sample. */
export type Labels = Readonly<Record<string, string | number>>

/** One name with its samples; `suffix` is what a histogram's lines have after the name. */
export type Metric = {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  samples: readonly { labels?: Labels; value: number; suffix?: string }[]
}

export const gauge = (name: string, help: string, value: number, labels?: Labels): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value, ...(labels && { labels }) }],
})

/** One sample for each entry, under the label. */
export const byLabel = (
  type: 'gauge' | 'counter',
  name: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Metric => ({
  name,
  help,
  type,
  samples: Object.entries(values).map(([kind, value]) => ({ labels: { [label]: kind }, value })),
})

/** Source: Prometheus text format 0.0.4. */
export const textOf = (metrics: readonly Metric[]): string =>
  metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      )
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
    })
    .join('')

function labelText(labels: Labels = {}): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escaped = (text: string): string =>
  text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))

import { runToExit } from '@switchyard/test-kit';

/** What a label or attribute may be. */
interface DescribedValues {
  readonly help: string;
  readonly values?: readonly (string | boolean)[];
  readonly bound?: string;
}

/** A metric as an app describes it. */
interface DescribedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, DescribedValues>>;
  readonly maxSeries: number;
  readonly runtime: boolean;
}

/** A kind of span as an app describes it. */
interface DescribedSpan {
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, DescribedValues & { readonly type: string }>>;
}

/** What `--print-telemetry` prints. */
export interface Described {
  readonly app: string;
  readonly metrics: readonly DescribedMetric[];
  readonly spans: readonly DescribedSpan[];
}

/** Asks a built app what it exposes. */
export async function describedBy(app: string): Promise<Described> {
  const { code, stdout, stderr } = await runToExit(app, ['--print-telemetry']);
  if (code !== 0) throw new Error(`${app} --print-telemetry ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Described;
}

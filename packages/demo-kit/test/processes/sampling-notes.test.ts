import { describe, expect, it } from 'vitest';
import { samplingNotes } from '../../src/processes/sampling-notes.ts';

const ID = `${'1'.repeat(32)}-${'2'.repeat(16)}`;

describe('samplingNotes', () => {
  it.each([
    {},
    { OTEL_TRACES_SAMPLER: '', OTEL_SDK_DISABLED: ' ' },
    { OTEL_TRACES_SAMPLER: 'always_on' },
    {
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_SDK_DISABLED: 'false',
    },
    { TRACEPARENT: `00-${ID}-01` },
    { TRACEPARENT: `00-${ID}-03` },
  ])('%j hides nothing', (env) => {
    expect(samplingNotes(env)).toEqual([]);
  });

  it.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
    ['OTEL_TRACES_SAMPLER', 'always_off'],
    ['OTEL_TRACES_SAMPLER', 'parentbased_traceidratio'],
    ['TRACEPARENT', `00-${ID}-00`],
    ['TRACEPARENT', `00-${ID}-02`],
  ])('%s=%s would hide spans, and that is said', (name, value) => {
    const [note, ...others] = samplingNotes({ [name]: value });
    expect(others).toEqual([]);
    expect(note).toContain(`${name}=${value} would hide spans`);
  });
});

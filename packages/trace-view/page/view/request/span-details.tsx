import type { SpanView } from '../../../src/contract/traces.ts';
import type { Attributes, AttributeValue } from '../../../src/model/span.ts';
import { duration } from '../../model/format.ts';

/** Attributes, events and origin of one span. Every value is text, whatever it looks like. */
export function SpanDetails({ span }: { readonly span: SpanView }) {
  return (
    <div class="span-details">
      {span.status.message !== '' && <p class="bad">✕ {span.status.message}</p>}
      <AttributeTable title="Attributes" attributes={span.attributes} />
      {span.events.map((event, index) => (
        <AttributeTable
          key={index}
          title={`Event ${event.name} at ${duration(event.offsetNs / 1e6)}`}
          attributes={event.attributes}
        />
      ))}
      <AttributeTable
        title="Resource"
        attributes={{ ...span.resource, 'span.id': span.spanId, 'span.parent': span.parentSpanId ?? 'none' }}
      />
    </div>
  );
}

function AttributeTable({ title, attributes }: { readonly title: string; readonly attributes: Attributes }) {
  const entries = Object.entries(attributes);
  return (
    <table class="attributes">
      <caption>{title}</caption>
      <tbody>
        {entries.map(([key, value]) => (
          <tr key={key}>
            <th scope="row">{key}</th>
            <td>{show(value)}</td>
          </tr>
        ))}
        {entries.length === 0 && (
          <tr>
            <td>none</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function show(value: AttributeValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { CANDIDATE_KINDS, type CandidateKind } from '@switchyard/overlay-contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { READ_BYTES_MAX } from '../overlay/read-input.ts';

/** Options that say which capability is asked about, and what the gateway has. */
export interface CapabilityOptions {
  readonly model: string;
  readonly kind: CandidateKind;
  readonly clusters?: readonly string[];
}

/** Adds the options of {@link CapabilityOptions} to a command. */
export function addCapabilityOptions(command: Command): Command {
  return command
    .requiredOption('-m, --model <name>', 'the model or, with --kind mcp_tool, the tool that is asked for')
    .addOption(
      new Option('--kind <kind>', 'what the name is')
        .choices([...CANDIDATE_KINDS])
        .default('inference_model'),
    )
    .option('--clusters <names>', 'the clusters the gateway has, parted by commas (default: all)', readNames);
}

/** Options that raise or lower the contract's limits. */
export interface LimitOptions {
  readonly maxBytes?: number;
  readonly maxCandidates?: number;
}

/** Adds the options of {@link LimitOptions} to a command. */
export function addLimitOptions(command: Command): Command {
  return command
    .option(
      '--max-bytes <n>',
      'largest document that the readers take (default: 2097152)',
      wholeNumber(1, READ_BYTES_MAX),
    )
    .option(
      '--max-candidates <n>',
      'most candidates that the readers take (default: 1024)',
      wholeNumber(1, 1_000_000),
    );
}

/** Reads a whole number in a range, for an option. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

function readNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('Expected names parted by commas, as in provider-a,provider-b.');
}

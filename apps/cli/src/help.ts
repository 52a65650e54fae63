/** What help says about a command besides its options. */
export interface CommandExamples {
  readonly about: string;
  /** What is typed, and what it does. */
  readonly lines: readonly (readonly [typed: string, does: string])[];
}

const OVERLAY: CommandExamples = {
  about:
    'Looks into routing overlays with the code that gateways run. Reads files or standard input; changes nothing.',
  lines: [
    ['switchyard overlay validate routing-overlay.json', 'everything that is wrong'],
    ['switchyard overlay digest routing-overlay.json', 'what the content hashes to'],
    ['switchyard overlay diff old.json new.json', 'what changed in meaning'],
    ['switchyard overlay explain new.json --model demo-model', 'who serves, and why the others do not'],
    ['switchyard overlay simulate new.json --model demo-model', 'the split of 60 picks'],
  ],
};

/** By command name. */
export const EXAMPLES: Readonly<Record<string, CommandExamples>> = {
  switchyard: OVERLAY,
  overlay: OVERLAY,
  validate: {
    about:
      'Lists everything that is wrong with overlays: file:line:column, code, JSON path, reason and what to do.',
    lines: [
      ['switchyard overlay validate routing-overlay.json', 'everything that is wrong'],
      ['switchyard overlay validate *.json --json', 'for programs'],
      ['switchyard overlay validate a.json --expect-gateway consumer', 'also: is it for this gateway?'],
      ['switchyard overlay validate < routing-overlay.json', 'from standard input'],
    ],
  },
  digest: {
    about:
      'Hashes the content (RFC 8785, SHA-256) of an overlay, valid or not, and compares it with what is claimed.',
    lines: [
      ['switchyard overlay digest routing-overlay.json', 'what the content hashes to'],
      ['switchyard overlay digest --json < routing-overlay.json', 'for programs'],
    ],
  },
  diff: {
    about:
      'Says what changed between two overlays in meaning, not in lines, and whether the revision changes.',
    lines: [
      ['switchyard overlay diff old.json new.json', 'what changed in meaning'],
      ['git show HEAD:overlay.json | switchyard overlay diff - overlay.json', 'against the last commit'],
      ['switchyard overlay diff -q old.json new.json && echo same', 'in a script'],
    ],
  },
  explain: {
    about:
      'Says who would get the next request for a model, which group is active, and why each other candidate waits.',
    lines: [
      ['switchyard overlay explain overlay.json --model demo-model', 'who serves a model'],
      ['switchyard overlay explain overlay.json --model search --kind mcp_tool', 'a tool'],
      [
        'switchyard overlay explain overlay.json -m demo-model --clusters a,b',
        'on a gateway that has a and b',
      ],
    ],
  },
  simulate: {
    about:
      "Draws picks with the gateway's own picker, as for new requests without a session, and shows the split.",
    lines: [
      ['switchyard overlay simulate overlay.json --model demo-model', '60 picks'],
      ['switchyard overlay simulate overlay.json -m demo-model -n 6000 --seed 7', 'the same draw each time'],
      ['switchyard overlay simulate overlay.json -m demo-model --clusters a,b', 'when c is gone'],
      ['switchyard overlay simulate overlay.json -m demo-model --fail b:5', 'when b fails five times'],
    ],
  },
};

/** The exit codes, for the end of every help. */
export const EXIT_CODES_HELP: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'yes: valid, digests agree, same meaning, somebody serves'],
  ['1', 'no: invalid, digests disagree, another meaning, nobody serves'],
  ['2', 'bad command line'],
  ['3', 'bad input: it cannot be read, or is no overlay to work on (to validate, that is 1)'],
];

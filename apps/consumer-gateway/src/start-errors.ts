import { RouterOptionsError, RouterStartError } from '@switchyard/ai-route';
import { ConfigError, type ConfigIssue } from '@switchyard/gateway-kit';

/**
 * A start-up failure whose cause lies in the files the operator gave, as a {@link ConfigError}, so that the process
 * ends with exit code 3; anything else comes back as it is.
 */
export function asConfigError(error: unknown, configFile: string): unknown {
  const findings = findingsOf(error);
  if (findings === undefined) return error;
  const issues: ConfigIssue[] = findings.map(({ path, message }) => ({
    file: configFile,
    line: 1,
    column: 1,
    path,
    message,
  }));
  return new ConfigError(configFile, issues, { cause: error });
}

function findingsOf(error: unknown): { path: string; message: string }[] | undefined {
  if (error instanceof RouterOptionsError) {
    return error.issues.map(({ path, message }) => ({ path: `routing.${path}`, message }));
  }
  if (!(error instanceof RouterStartError)) return undefined;
  const path = 'routing.overlayFile';
  if (error.issues.length === 0) return [{ path, message: error.message }];
  return error.issues.map((issue) => {
    const where = issue.path === '' ? '' : ` at ${issue.path}`;
    return {
      path,
      message: `${error.file} is not a valid overlay (${issue.code}${where}): ${issue.message}`,
    };
  });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { isMountPoint, mountPoints } from '../../src/reload/mount-point.ts';

describe('mount points', () => {
  it('are read from the table of mounts, blanks included', () => {
    const table = [
      '22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/root rw',
      '36 22 98:0 /mnt1 /etc/a\\040b/overlay.json rw,noatime master:1 - ext3 /dev/root rw',
      '',
    ].join('\n');
    expect([...mountPoints(table)]).toEqual(['/', '/etc/a b/overlay.json']);
  });

  it('are not ordinary files, nor absent ones', async () => {
    await using directory = await tempDir();
    const file = join(directory.path, 'overlay.json');
    expect(await isMountPoint(file)).toBe(false);
    await writeFile(file, '');
    expect(await isMountPoint(file)).toBe(false);
  });
});

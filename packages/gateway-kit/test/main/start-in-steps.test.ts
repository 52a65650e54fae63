import { describe, expect, it } from 'vitest';
import { startInSteps } from '../../src/index.ts';

describe('startInSteps', () => {
  it('closes in the opposite order, once', async () => {
    const closed: number[] = [];
    const app = await startInSteps(async (onClose) => {
      for (const step of [1, 2, 3]) onClose(() => void closed.push(step));
    });
    expect(closed).toEqual([]);
    await app.close();
    await app.close();
    expect(closed).toEqual([3, 2, 1]);
  });

  it('closes what was up when a later part fails, and tells of that failure only', async () => {
    const closed: string[] = [];
    const started = startInSteps(async (onClose) => {
      onClose(() => void closed.push('first'));
      onClose(() => Promise.reject(new Error('cannot close')));
      await Promise.resolve();
      throw new Error('cannot open');
    });
    await expect(started).rejects.toThrow('cannot open');
    expect(closed).toEqual(['first']);
  });

  it('closes the others when one cannot be closed, and says so', async () => {
    const closed: string[] = [];
    const app = await startInSteps(async (onClose) => {
      onClose(() => void closed.push('first'));
      onClose(() => Promise.reject(new Error('stuck')));
    });
    await expect(app.close()).rejects.toMatchObject({ errors: [{ message: 'stuck' }] });
    expect(closed).toEqual(['first']);
  });
});

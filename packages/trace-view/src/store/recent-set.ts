/** A set that forgets its oldest members once it holds `capacity`. */
export class RecentSet {
  readonly #members = new Set<string>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(member: string): void {
    this.#members.add(member);
    if (this.#members.size <= this.#capacity) return;
    for (const oldest of this.#members) {
      this.#members.delete(oldest);
      return;
    }
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  clear(): void {
    this.#members.clear();
  }
}

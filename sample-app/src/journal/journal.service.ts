import { Injectable } from '@nestjs/common';
import { appendFileSync } from 'node:fs';
import { currentLease } from 'nestjs-redis-lock';
import { settings } from '../settings.js';
import { currentArrival } from './arrival.js';
import type { JournalEntry } from './journal-entry.interface.js';

const KEPT_IN_MEMORY = 200;

/** Writes down who is in which guarded section, and when. */
@Injectable()
export class JournalService {
  private readonly entries: JournalEntry[] = [];
  private passes = 0;

  latest(): readonly JournalEntry[] {
    return this.entries;
  }

  async section<T>(section: string, work: () => Promise<T>): Promise<T> {
    const pass = ++this.passes;
    const fence = currentLease()?.fence ?? null;
    this.note(section, 'enter', { pass, fence });
    try {
      return await work();
    } finally {
      this.note(section, 'leave', { pass, fence });
    }
  }

  note(section: string, event: string, details: object = {}): void {
    const at = Number(process.hrtime.bigint()) / 1e6;
    const entry = {
      at,
      pid: process.pid,
      section,
      event,
      arrival: currentArrival(),
      ...details,
    };
    if (this.entries.push(entry) > KEPT_IN_MEMORY) this.entries.shift();
    // Synchronous, so that the last words of a process that gets killed are there.
    if (settings.journalFile) appendFileSync(settings.journalFile, `${JSON.stringify(entry)}\n`);
  }
}

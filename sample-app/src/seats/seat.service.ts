import { Injectable } from '@nestjs/common';
import { pause } from '../common/pause.js';
import { JournalService } from '../journal/journal.service.js';
import { FairLock } from '../locking.js';
import type { ReserveDto } from './reserve.dto.js';
import { SeatStore, type Ticket } from './seat.store.js';

@Injectable()
export class SeatService {
  constructor(
    private readonly seats: SeatStore,
    private readonly journal: JournalService,
  ) {}

  /** Who comes first gets the better seat, whichever process they came to. */
  @FairLock('seat:<0.showId>')
  reserve({ showId, guest, takes }: ReserveDto): Promise<Ticket> {
    return this.journal.section(`seat:${showId}`, async () => {
      const sold = await this.seats.sold(showId);
      await pause(takes);
      const ticket = { seat: sold.length + 1, guest };
      await this.seats.sell(showId, ticket);
      return ticket;
    });
  }

  sold(showId: string): Promise<Ticket[]> {
    return this.seats.sold(showId);
  }
}

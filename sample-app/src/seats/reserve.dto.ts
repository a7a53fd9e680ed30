import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ReserveDto {
  showId: string;

  @ApiProperty({ example: 'Ada' })
  guest: string;

  @ApiPropertyOptional({
    description: 'Milliseconds that the reservation takes',
    default: 20,
  })
  takes: number;
}

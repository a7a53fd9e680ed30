import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class PostEntryDto {
  @ApiProperty({ example: 'coffee' })
  text: string;

  @ApiPropertyOptional({
    description: 'Milliseconds of work before the entry is written',
    default: 20,
  })
  takes?: number;

  @ApiPropertyOptional({
    description: 'Do not hand lease.signal to that work',
    default: false,
  })
  careless?: boolean;
}

import { ApiPropertyOptional } from '@nestjs/swagger';

export class TakesDto {
  @ApiPropertyOptional({
    description: 'Milliseconds that the work takes',
    default: 20,
  })
  takes?: number;
}

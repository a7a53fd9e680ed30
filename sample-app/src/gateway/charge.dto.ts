import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ChargeDto {
  @ApiProperty({ example: 9.5 })
  amount: number;

  @ApiPropertyOptional({
    description: 'Milliseconds that the gateway takes',
    default: 100,
  })
  takes?: number;
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class PayDto {
  @ApiProperty({ example: 5 })
  amount: number;

  @ApiPropertyOptional({
    description: 'Milliseconds that the bank takes',
    default: 4,
  })
  takes?: number;
}

import { ApiProperty } from '@nestjs/swagger';

export class OrderDto {
  @ApiProperty()
  id: string;

  @ApiProperty({ required: false })
  note?: string;
}

/** Says nothing to swagger by itself: its document is what the plugin reads from here. */
export class SearchDto {
  /** Text to look for */
  text: string;

  /**
   * How many to give
   * @example 10
   */
  most?: number = 20;
}

export class ProductDto {
  /** Number of the product */
  id: string;
  price?: number;
  tags: string[];
}

const FORMATS = new Map<string, Intl.NumberFormat>();

/** `24.50 EUR` or `24.50` where the shop, and so the currency, is not known; decimals as the currency has them. */
export function formatPrice(amount: number, currency_code?: string): string {
  const code = currency_code !== undefined && /^[A-Z]{3}$/.test(currency_code) ? currency_code : undefined;
  const key = code ?? '';
  let format = FORMATS.get(key);
  if (!format) {
    const digits = code
      ? (new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
          .maximumFractionDigits ?? 2)
      : 2;
    format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    FORMATS.set(key, format);
  }
  return code ? `${format.format(amount)} ${code}` : format.format(amount);
}

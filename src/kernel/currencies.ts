export interface CurrencyRow {
  readonly minorUnits: number;
  readonly name: string;
  readonly symbol: string;
}

/**
 * The national currencies of ISO 4217: code, minor units, a symbol that is unique on an invoice, name. A row is never
 * removed: invoices in a withdrawn currency must stay readable.
 */
const ROWS = `
AED 2 د.إ UAE Dirham
AFN 2 ؋ Afghani
ALL 2 L Lek
AMD 2 ֏ Armenian Dram
AOA 2 Kz Kwanza
ARS 2 AR$ Argentine Peso
AUD 2 A$ Australian Dollar
AWG 2 ƒ Aruban Florin
AZN 2 ₼ Azerbaijan Manat
BAM 2 KM Convertible Mark
BBD 2 Bds$ Barbados Dollar
BDT 2 ৳ Taka
BGN 2 лв Bulgarian Lev
BHD 3 BD Bahraini Dinar
BIF 0 FBu Burundi Franc
BMD 2 BD$ Bermudian Dollar
BND 2 B$ Brunei Dollar
BOB 2 Bs Boliviano
BRL 2 R$ Brazilian Real
BSD 2 BS$ Bahamian Dollar
BTN 2 Nu. Ngultrum
BWP 2 P Pula
BYN 2 Br Belarusian Ruble
BZD 2 BZ$ Belize Dollar
CAD 2 C$ Canadian Dollar
CDF 2 FC Congolese Franc
CHF 2 CHF Swiss Franc
CLF 4 UF Unidad de Fomento
CLP 0 CL$ Chilean Peso
CNY 2 CN¥ Yuan Renminbi
COP 2 CO$ Colombian Peso
CRC 2 ₡ Costa Rican Colon
CUP 2 $MN Cuban Peso
CVE 2 Esc Cabo Verde Escudo
CZK 2 Kč Czech Koruna
DJF 0 Fdj Djibouti Franc
DKK 2 kr. Danish Krone
DOP 2 RD$ Dominican Peso
DZD 2 DA Algerian Dinar
EGP 2 E£ Egyptian Pound
ERN 2 Nfk Nakfa
ETB 2 ብር Ethiopian Birr
EUR 2 € Euro
FJD 2 FJ$ Fiji Dollar
FKP 2 FK£ Falkland Islands Pound
GBP 2 £ Pound Sterling
GEL 2 ₾ Lari
GHS 2 GH₵ Ghana Cedi
GIP 2 GI£ Gibraltar Pound
GMD 2 D Dalasi
GNF 0 FG Guinean Franc
GTQ 2 Q Quetzal
GYD 2 G$ Guyana Dollar
HKD 2 HK$ Hong Kong Dollar
HNL 2 L. Lempira
HTG 2 G Gourde
HUF 2 Ft Forint
IDR 2 Rp Rupiah
ILS 2 ₪ New Israeli Sheqel
INR 2 ₹ Indian Rupee
IQD 3 ع.د Iraqi Dinar
IRR 2 ﷼ Iranian Rial
ISK 0 kr Iceland Krona
JMD 2 J$ Jamaican Dollar
JOD 3 JD Jordanian Dinar
JPY 0 ¥ Yen
KES 2 KSh Kenyan Shilling
KGS 2 сом Som
KHR 2 ៛ Riel
KMF 0 CF Comorian Franc
KPW 2 ₩KP North Korean Won
KRW 0 ₩ Won
KWD 3 KD Kuwaiti Dinar
KYD 2 CI$ Cayman Islands Dollar
KZT 2 ₸ Tenge
LAK 2 ₭ Lao Kip
LBP 2 L£ Lebanese Pound
LKR 2 Rs Sri Lanka Rupee
LRD 2 L$ Liberian Dollar
LSL 2 M Loti
LYD 3 LD Libyan Dinar
MAD 2 DH Moroccan Dirham
MDL 2 MDL Moldovan Leu
MGA 2 Ar Malagasy Ariary
MKD 2 ден Denar
MMK 2 K Kyat
MNT 2 ₮ Tugrik
MOP 2 MOP$ Pataca
MRU 2 UM Ouguiya
MUR 2 Rs. Mauritius Rupee
MVR 2 Rf Rufiyaa
MWK 2 MK Malawi Kwacha
MXN 2 MX$ Mexican Peso
MYR 2 RM Malaysian Ringgit
MZN 2 MT Mozambique Metical
NAD 2 N$ Namibia Dollar
NGN 2 ₦ Naira
NIO 2 C$N Cordoba Oro
NOK 2 kr Norwegian Krone
NPR 2 रू Nepalese Rupee
NZD 2 NZ$ New Zealand Dollar
OMR 3 RO Rial Omani
PAB 2 B/. Balboa
PEN 2 S/ Sol
PGK 2 K. Kina
PHP 2 ₱ Philippine Peso
PKR 2 PRs Pakistan Rupee
PLN 2 zł Zloty
PYG 0 ₲ Guarani
QAR 2 QR Qatari Rial
RON 2 lei Romanian Leu
RSD 2 дин. Serbian Dinar
RUB 2 ₽ Russian Ruble
RWF 0 RF Rwanda Franc
SAR 2 SR Saudi Riyal
SBD 2 SI$ Solomon Islands Dollar
SCR 2 SRe Seychelles Rupee
SDG 2 SDG Sudanese Pound
SEK 2 kr Swedish Krona
SGD 2 S$ Singapore Dollar
SHP 2 SH£ Saint Helena Pound
SLE 2 Le Leone
SOS 2 Sh.So. Somali Shilling
SRD 2 SR$ Surinam Dollar
SSP 2 SS£ South Sudanese Pound
STN 2 Db Dobra
SVC 2 SV₡ El Salvador Colon
SYP 2 LS Syrian Pound
SZL 2 E Lilangeni
THB 2 ฿ Baht
TJS 2 SM Somoni
TMT 2 m Turkmenistan New Manat
TND 3 DT Tunisian Dinar
TOP 2 T$ Pa’anga
TRY 2 ₺ Turkish Lira
TTD 2 TT$ Trinidad and Tobago Dollar
TWD 2 NT$ New Taiwan Dollar
TZS 2 TSh Tanzanian Shilling
UAH 2 ₴ Hryvnia
UGX 0 USh Uganda Shilling
USD 2 $ US Dollar
UYU 2 $U Peso Uruguayo
UZS 2 soʻm Uzbekistan Sum
VED 2 Bs.D Bolívar Digital
VES 2 Bs.S Bolívar Soberano
VND 0 ₫ Dong
VUV 0 VT Vatu
WST 2 WS$ Tala
XAF 0 FCFA CFA Franc BEAC
XCD 2 EC$ East Caribbean Dollar
XCG 2 Cg Caribbean Guilder
XOF 0 CFA CFA Franc BCEAO
XPF 0 ₣ CFP Franc
YER 2 YR Yemeni Rial
ZAR 2 R Rand
ZMW 2 ZK Zambian Kwacha
ZWG 2 ZiG Zimbabwe Gold
`;

export const CURRENCIES: ReadonlyMap<string, CurrencyRow> = new Map(
  ROWS.trim()
    .split('\n')
    .map((row) => {
      const [code, minorUnits, symbol, ...name] = row.split(' ');
      return [code!, { minorUnits: Number(minorUnits), symbol: symbol!, name: name.join(' ') }];
    }),
);

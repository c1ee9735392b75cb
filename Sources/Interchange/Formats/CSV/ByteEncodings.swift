/// The characters of one-byte encodings for the bytes from 0x80 on; those below are ASCII.
///
/// Runs of neighbours are written `start+count` in hexadecimal. A byte that an encoding leaves
/// undefined is the control character of its number, so that every file comes back byte for byte.
enum ByteEncodings {
  /// The names of each encoding, the usual one first, and its characters.
  static let all: [(names: [String], runs: String)] = [
    (
      ["iso-8859-1", "latin1", "latin-1", "l1"],
      """
      80+80
      """
    ),
    (
      ["iso-8859-2", "latin2", "latin-2"],
      """
      80+21 104 2D8 141 A4 13D 15A A7+2 160 15E 164 179 AD 17D 17B B0 105 2DB 142 B4 13E \
      15B 2C7 B8 161 15F 165 17A 2DD 17E 17C 154 C1+2 102 C4 139 106 C7 10C C9 118 CB 11A \
      CD+2 10E 110 143 147 D3+2 150 D6+2 158 16E DA 170 DC+2 162 DF 155 E1+2 103 E4 13A \
      107 E7 10D E9 119 EB 11B ED+2 10F 111 144 148 F3+2 151 F6+2 159 16F FA 171 FC+2 163 \
      2D9
      """
    ),
    (
      ["iso-8859-5", "cyrillic"],
      """
      80+21 401+C AD 40E+42 2116 451+C A7 45E+2
      """
    ),
    (
      ["iso-8859-7", "greek"],
      """
      80+21 2018+2 A3 20AC 20AF A6+4 37A AB+4 2015 B0+4 384+3 B7 388+3 BB 38C BD 38E+14 D2 \
      3A3+2C FF
      """
    ),
    (
      ["iso-8859-9", "latin5", "latin-5"],
      """
      80+50 11E D1+C 130 15E DF+11 11F F1+C 131 15F FF
      """
    ),
    (
      ["iso-8859-15", "latin9", "latin-9"],
      """
      80+24 20AC A5 160 A7 161 A9+B 17D B5+3 17E B9+3 152+2 178 BF+41
      """
    ),
    (
      ["windows-1250", "cp1250"],
      """
      20AC 81 201A 83 201E 2026 2020+2 88 2030 160 2039 15A 164 17D 179 90 2018+2 201C+2 \
      2022 2013+2 98 2122 161 203A 15B 165 17E 17A A0 2C7 2D8 141 A4 104 A6+4 15E AB+4 17B \
      B0+2 2DB 142 B4+5 105 15F BB 13D 2DD 13E 17C 154 C1+2 102 C4 139 106 C7 10C C9 118 \
      CB 11A CD+2 10E 110 143 147 D3+2 150 D6+2 158 16E DA 170 DC+2 162 DF 155 E1+2 103 E4 \
      13A 107 E7 10D E9 119 EB 11B ED+2 10F 111 144 148 F3+2 151 F6+2 159 16F FA 171 FC+2 \
      163 2D9
      """
    ),
    (
      ["windows-1251", "cp1251"],
      """
      402+2 201A 453 201E 2026 2020+2 20AC 2030 409 2039 40A 40C 40B 40F 452 2018+2 201C+2 \
      2022 2013+2 98 2122 459 203A 45A 45C 45B 45F A0 40E 45E 408 A4 490 A6+2 401 A9 404 \
      AB+4 407 B0+2 406 456 491 B5+3 451 2116 454 BB 458 405 455 457 410+40
      """
    ),
    (
      ["windows-1252", "cp1252", "ansi"],
      """
      20AC 81 201A 192 201E 2026 2020+2 2C6 2030 160 2039 152 8D 17D 8F+2 2018+2 201C+2 \
      2022 2013+2 2DC 2122 161 203A 153 9D 17E 178 A0+60
      """
    ),
    (
      ["windows-1253", "cp1253"],
      """
      20AC 81 201A 192 201E 2026 2020+2 88 2030 8A 2039 8C+5 2018+2 201C+2 2022 2013+2 98 \
      2122 9A 203A 9C+5 385+2 A3+C 2015 B0+4 384 B5+3 388+3 BB 38C BD 38E+14 D2 3A3+2C FF
      """
    ),
    (
      ["windows-1254", "cp1254"],
      """
      20AC 81 201A 192 201E 2026 2020+2 2C6 2030 160 2039 152 8D+4 2018+2 201C+2 2022 \
      2013+2 2DC 2122 161 203A 153 9D+2 178 A0+30 11E D1+C 130 15E DF+11 11F F1+C 131 15F \
      FF
      """
    ),
    (
      ["windows-1257", "cp1257"],
      """
      20AC 81 201A 83 201E 2026 2020+2 88 2030 8A 2039 8C A8 2C7 B8 90 2018+2 201C+2 2022 \
      2013+2 98 2122 9A 203A 9C AF 2DB 9F+9 D8 A9 156 AB+4 C6 B0+8 F8 B9 157 BB+4 E6 104 \
      12E 100 106 C4+2 118 112 10C C9 179 116 122 136 12A 13B 160 143 145 D3 14C D5+3 172 \
      141 15A 16A DC 17B 17D DF 105 12F 101 107 E4+2 119 113 10D E9 17A 117 123 137 12B \
      13C 161 144 146 F3 14D F5+3 173 142 15B 16B FC 17C 17E 2D9
      """
    ),
    (
      ["koi8-r", "koi8r"],
      """
      2500 2502 250C 2510 2514 2518 251C 2524 252C 2534 253C 2580 2584 2588 258C 2590+4 \
      2320 25A0 2219+2 2248 2264+2 A0 2321 B0 B2 B7 F7 2550+3 451 2553+F 401 2562+B A9 44E \
      430+2 446 434+2 444 433 445 438+8 44F 440+4 436 432 44C 44B 437 448 44D 449 447 44A \
      42E 410+2 426 414+2 424 413 425 418+8 42F 420+4 416 412 42C 42B 417 428 42D 429 427 \
      42A
      """
    ),
    (
      ["ibm437", "cp437"],
      """
      C7 FC E9 E2 E4 E0 E5 E7 EA+2 E8 EF EE EC C4+2 C9 E6 C6 F4 F6 F2 FB F9 FF D6 DC A2+2 \
      A5 20A7 192 E1 ED F3 FA F1 D1 AA BA BF 2310 AC BD BC A1 AB BB 2591+3 2502 2524 \
      2561+2 2556 2555 2563 2551 2557 255D 255C 255B 2510 2514 2534 252C 251C 2500 253C \
      255E+2 255A 2554 2569 2566 2560 2550 256C 2567+2 2564+2 2559 2558 2552+2 256B 256A \
      2518 250C 2588 2584 258C 2590 2580 3B1 DF 393 3C0 3A3 3C3 B5 3C4 3A6 398 3A9 3B4 \
      221E 3C6 3B5 2229 2261 B1 2265 2264 2320+2 F7 2248 B0 2219 B7 221A 207F B2 25A0 A0
      """
    ),
    (
      ["ibm850", "cp850"],
      """
      C7 FC E9 E2 E4 E0 E5 E7 EA+2 E8 EF EE EC C4+2 C9 E6 C6 F4 F6 F2 FB F9 FF D6 DC F8 A3 \
      D8 D7 192 E1 ED F3 FA F1 D1 AA BA BF AE AC BD BC A1 AB BB 2591+3 2502 2524 C1+2 C0 \
      A9 2563 2551 2557 255D A2 A5 2510 2514 2534 252C 251C 2500 253C E3 C3 255A 2554 2569 \
      2566 2560 2550 256C A4 F0 D0 CA+2 C8 131 CD+3 2518 250C 2588 2584 A6 CC 2580 D3 DF \
      D4 D2 F5 D5 B5 FE DE DA+2 D9 FD DD AF B4 AD B1 2017 BE B6 A7 F7 B8 B0 A8 B7 B9 B3 B2 \
      25A0 A0
      """
    ),
    (
      ["macintosh", "macroman", "mac"],
      """
      C4+2 C7 C9 D1 D6 DC E1 E0 E2 E4 E3 E5 E7 E9 E8 EA+2 ED EC EE+2 F1 F3 F2 F4 F6 F5 FA \
      F9 FB+2 2020 B0 A2+2 A7 2022 B6 DF AE A9 2122 B4 A8 2260 C6 D8 221E B1 2264+2 A5 B5 \
      2202 2211 220F 3C0 222B AA BA 3A9 E6 F8 BF A1 AC 221A 192 2248 2206 AB BB 2026 A0 C0 \
      C3 D5 152+2 2013+2 201C+2 2018+2 F7 25CA FF 178 2044 20AC 2039+2 FB01+2 2021 B7 201A \
      201E 2030 C2 CA C1 CB C8 CD+3 CC D3+2 F8FF D2 DA+2 D9 131 2C6 2DC AF 2D8+3 B8 2DD \
      2DB 2C7
      """
    ),
  ]
}

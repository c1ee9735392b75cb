/// What to write here for the words and signs of other languages: SQL, JavaScript, jq and QGIS.
///
/// Only texts that are no expression are looked up: none of these words is reserved.
enum ForeignWords {
  /// For a name before a bracket, in small letters.
  static let functions = table([
    ("length char_length character_length strlen size", "len(text)"),
    ("avg average", "mean(value)"),
    ("concat concat_ws join", "a + ', ' + b"),
    ("ifnull nvl isnull nullif", "coalesce(a, b), or a is null"),
    ("iif case when choose decode", "if(condition, value, other value)"),
    (
      "cast convert try_cast tonumber to_number to_int to_real int integer float double parseint "
        + "parsefloat tostring to_string str string",
      "number(value) or text(value)"
    ),
    ("ceil ceiling", "-floor(-x)"),
    ("trunc truncate", "floor(x)"),
    ("mod", "a % b"),
    ("pow power sqrt exp ln log", "a * a for a square; there are no other powers or logarithms"),
    (
      "to_date todate to_datetime datetime strftime date_trunc timestamp",
      "date(text), which brings ISO dates to UTC"
    ),
    ("now current_date current_timestamp today", "the date as text: '2024-05-01'"),
    (
      "regexp_match regexp_matches regexp_like regexp_substr regex regexp rlike test match",
      "name matches '^a.*z$'"
    ),
    ("startswith starts_with", "name like 'a%'"),
    ("endswith ends_with", "name like '%z'"),
    ("contains includes strpos instr position locate indexof", "name like '%part%'"),
    (
      "substr substring left right mid strtrim",
      "split(text, ',', 1) for parts, like 'a%' for beginnings"
    ),
    ("ucase touppercase toupper", "upper(text)"), ("lcase tolowercase tolower", "lower(text)"),
    ("ltrim rtrim btrim", "trim(text)"), ("greatest", "max(a, b)"), ("least", "min(a, b)"),
    ("st_within st_contains st_coveredby contains_geometry", "within(layer)"),
    ("st_intersects st_touches st_overlaps overlay_intersects", "intersects(layer)"),
    ("st_distance st_dwithin overlay_nearest near", "distance(layer) <= 500"),
    ("st_area", "$area"), ("st_length st_perimeter perimeter", "$length"),
    ("st_x", "$x"), ("st_y", "$y"), ("st_npoints st_numpoints num_points", "$vertices"),
    ("st_geometrytype geometry_type geom_type", "$type"), ("st_azimuth azimuth", "$bearing"),
    ("select filter", "the condition alone: pop > 1e6"),
    ("distinct", "--by name, which has one row for each value"),
    ("exists", "name is not null"),
    ("row_number rank dense_rank", "$id, or sort"),
  ])

  /// For a word that does not continue an expression, in small letters.
  static let words = table([
    ("select from where having", "the condition alone: pop > 1e6"),
    ("order sort", "the condition alone, and --sort -pop beside it"),
    ("by", "by within the brackets: sum(pop by country)"),
    ("group", "count(value by attribute), or --by beside the condition"),
    ("over partition", "by within the brackets: sum(pop by country)"),
    ("limit top", "the condition alone, and --limit 10 beside it"),
    ("distinct", "--by name, which has one row for each value"),
    ("case when then else end", "if(condition, value, other value)"),
    ("cast", "number(value) or text(value)"),
    ("escape", "\\% and \\_ for the signs themselves; no escape is named"),
    ("regexp rlike similar glob", "name matches '^a.*z$', or name like 'a%'"),
    ("contains includes", "name like '%part%'"),
    ("startswith starts beginswith", "name like 'a%'"),
    ("endswith ends", "name like '%z'"),
    ("isnull", "name is null"), ("notnull", "name is not null"),
    ("equals eq", "=="), ("ne", "!="), ("gt", ">"), ("lt", "<"), ("gte ge", ">="), ("lte le", "<="),
    ("mod", "a % b"), ("div", "floor(a / b)"), ("xor", "a != b of two conditions"),
    ("as", "NAME=EXPRESSION in a list of fields"),
    ("date timestamp interval", "dates as texts: '2024-05-01'"),
    ("if", "if(condition, value, other value)"),
    ("exists any all some", "in ('a', 'b'), or a figure such as max(pop by country)"),
    ("asc desc", "--sort name, or --sort -name"),
  ])

  /// Those of the words that others begin with: here they were taken for attributes.
  static let beginnings: Set = [
    "select", "from", "where", "case", "distinct", "exists", "date", "timestamp", "interval",
  ]

  /// For a sign, or several that stand together.
  static let signs = table([
    ("===", "=="), (":=", "==, or set NAME := EXPRESSION"), ("!== =!", "!="), ("=>", ">="),
    ("=<", "<="), ("><", "!="),
    ("≥", ">="), ("≤", "<="), ("≠", "!="), ("− – —", "-"), ("× ·", "*"), ("÷", "/"),
    ("=~ ~ ~* !~ ~=", "name matches '^a.*z$'"), ("^ **", "a * a: there are no powers"),
    ("//", "floor(a / b)"), ("[ ] { }", "round brackets: in ('a', 'b')"),
    (";", "one condition, without a semicolon"), ("@", "$id, $x and so on for qualities"),
    ("? ??", "if(condition, value, other value) or coalesce(a, b)"),
    ("::", "number(value) or text(value)"), ("\\", "two quotes for one within a text: 'O''Hare'"),
    ("#", "a colour or comment as text in quotes"), ("→ ->", "the name of an attribute"),
    (".", "the name of an attribute alone, in \"…\" if it has a dot"),
  ])

  /// The quality that others have as an attribute of this name, in small letters.
  static let qualities = table([
    ("fid ogc_fid ogr_fid rowid gid objectid feature_id id", "$id"),
    ("ogr_geom_area area shape_area st_area", "$area"),
    ("length shape_length shape_leng perimeter", "$length"),
    ("ogr_geometry geometry_type geom_type geomtype type", "$type"),
    ("x lon lng long longitude", "$x"), ("y lat latitude", "$y"), ("layer", "$layer"),
    ("geometry geom the_geom shape", "$type, $x, $y, $area, $length or $vertices"),
  ])

  private static func table(_ rows: [(String, String)]) -> [String: String] {
    var table: [String: String] = [:]
    for (words, advice) in rows {
      for word in words.split(separator: " ") { table[String(word)] = advice }
    }
    return table
  }
}

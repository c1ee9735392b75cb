#ifndef PORTOLAN_CNCURSES_SHIM_H
#define PORTOLAN_CNCURSES_SHIM_H

/// What Swift cannot see of ncurses: macros, `stdscr`, and cells in bulk.

#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#include <curses.h>
#include <stdint.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

/// The scalars of a cell that curses keeps: a base and at most four marks.
enum { PORTOLAN_CELL_SCALARS = 5, PORTOLAN_RUN_MAX = 256 };

/// Attributes of a cell, as bits.
enum {
  PORTOLAN_BOLD = 1,
  PORTOLAN_DIM = 2,
  PORTOLAN_UNDERLINE = 4,
  PORTOLAN_REVERSE = 8,
  PORTOLAN_ITALIC = 16
};

/// One glyph with its looks; unused scalars are 0.
typedef struct {
  uint32_t scalars[PORTOLAN_CELL_SCALARS];
  uint32_t attributes;
  int32_t pair;
} portolan_cell;

/// Why a terminal type cannot be used; `PORTOLAN_TYPE_FINE` when it can.
enum {
  PORTOLAN_TYPE_FINE,
  PORTOLAN_TYPE_UNKNOWN,
  PORTOLAN_TYPE_INCAPABLE,
  PORTOLAN_TYPE_NO_DATABASE
};

static inline int portolan_check_type(const char *type, int output) {
  int status = 0;
  if (setupterm((char *)type, output, &status) != OK)
    return status < 0 ? PORTOLAN_TYPE_NO_DATABASE : PORTOLAN_TYPE_UNKNOWN;
  const char *move = tigetstr("cup");
  int fine = move && move != (const char *)-1 && tigetflag("hc") <= 0;
  del_curterm(cur_term);
  return fine ? PORTOLAN_TYPE_FINE : PORTOLAN_TYPE_INCAPABLE;
}

/// A screen on two descriptors, which it then owns; NULL for an unknown type.
static inline SCREEN *portolan_new_screen(const char *type, int output, int input, FILE **files) {
  files[0] = fdopen(output, "w");
  files[1] = fdopen(input, "r");
  SCREEN *screen = files[0] && files[1] ? newterm(type, files[0], files[1]) : NULL;
  if (screen) return screen;
  if (files[0]) fclose(files[0]); else close(output);
  if (files[1]) fclose(files[1]); else close(input);
  files[0] = files[1] = NULL;
  return NULL;
}

/// Sets how curses reads and draws, and enters the keypad's mode.
static inline void portolan_configure(void) {
  set_escdelay(25);
  raw();
  noecho();
  nonl();
  typeahead(-1);
  keypad(stdscr, TRUE);
  leaveok(stdscr, FALSE);
  scrollok(stdscr, FALSE);
}

static inline void portolan_draw(int row, int column, const portolan_cell *cells, int count) {
  cchar_t run[PORTOLAN_RUN_MAX];
  if (count > PORTOLAN_RUN_MAX) count = PORTOLAN_RUN_MAX;
  for (int i = 0; i < count; i++) {
    wchar_t text[PORTOLAN_CELL_SCALARS + 1] = {0};
    for (int j = 0; j < PORTOLAN_CELL_SCALARS && cells[i].scalars[j]; j++)
      text[j] = (wchar_t)cells[i].scalars[j];
    attr_t attributes = A_NORMAL;
    if (cells[i].attributes & PORTOLAN_BOLD) attributes |= A_BOLD;
    if (cells[i].attributes & PORTOLAN_DIM) attributes |= A_DIM;
    if (cells[i].attributes & PORTOLAN_UNDERLINE) attributes |= A_UNDERLINE;
    if (cells[i].attributes & PORTOLAN_REVERSE) attributes |= A_REVERSE;
    if (cells[i].attributes & PORTOLAN_ITALIC) attributes |= A_ITALIC;
    int pair = cells[i].pair;
    setcchar(&run[i], text, attributes, 0, &pair);
  }
  mvwadd_wchnstr(stdscr, row, column, run, count);
}

/// Sends what changed; the cursor at a cell, or hidden where `row` is negative.
static inline void portolan_show(int row, int column) {
  if (row >= 0) wmove(stdscr, row, column);
  wnoutrefresh(stdscr);
  doupdate();
}

/// Forgets what the terminal shows.
static inline void portolan_forget(void) {
  clearok(curscr, TRUE);
  touchwin(stdscr);
}

static inline void portolan_clear(void) { werase(stdscr); }

static inline int portolan_colour_count(void) { return COLORS; }
static inline int portolan_pair_count(void) { return COLOR_PAIRS; }

/// A capability's string; NULL when the terminal lacks it.
static inline const char *portolan_string_capability(const char *name) {
  const char *text = tigetstr(name);
  return text == (const char *)-1 ? NULL : text;
}

/// The scalar of a byte in the locale's coding; -1 for bytes that are no character alone.
static inline int32_t portolan_scalar(int byte) {
  wint_t scalar = btowc(byte);
  return scalar == WEOF ? -1 : (int32_t)scalar;
}

/// The columns that the C library gives a scalar: what curses goes by.
static inline int portolan_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

#endif

#ifndef PORTOLAN_CCAIRO_H
#define PORTOLAN_CCAIRO_H

/// The calls of cairo and Pango that pictures need, found when the first picture needs them.
///
/// The libraries are no part of the build and of no start of the program: see
/// Docs/decisions/cairo-at-run-time.md. The declarations follow the libraries' references,
/// https://www.cairographics.org/manual/ and https://docs.gtk.org/Pango/; both keep their binary
/// interfaces within libcairo.so.2 and libpango-1.0.so.0.

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo_font_options cairo_font_options_t;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoAttribute PangoAttribute;
typedef struct {
  int x, y, width, height;
} PangoRectangle;
/// A part of a path: its kind and the number of elements with it, or one of its points after that.
typedef union {
  struct {
    int kind, length;
  } header;
  struct {
    double x, y;
  } point;
} portolan_cairo_path_element;
typedef struct {
  int status;
  portolan_cairo_path_element *_Nullable elements;
  int count;
} portolan_cairo_path;
typedef int (*portolan_cairo_write)(void *_Nullable closure, const unsigned char *_Nullable bytes,
                                    unsigned int count);

/// Each call: its library, its result, its name, its parameters.
#define PORTOLAN_CAIRO_CALLS(CALL)                                                                 \
  CALL(cairo, cairo_surface_t *_Nullable, cairo_image_surface_create, (int, int, int))             \
  CALL(cairo, unsigned char *_Nullable, cairo_image_surface_get_data,                              \
       (cairo_surface_t * _Nullable))                                                              \
  CALL(cairo, int, cairo_image_surface_get_stride, (cairo_surface_t * _Nullable))                  \
  CALL(cairo, cairo_surface_t *_Nullable, cairo_pdf_surface_create_for_stream,                     \
       (portolan_cairo_write _Nullable, void *_Nullable, double, double))                          \
  CALL(cairo, void, cairo_pdf_surface_set_metadata,                                                \
       (cairo_surface_t * _Nullable, int, const char *_Nullable))                                  \
  CALL(cairo, int, cairo_surface_write_to_png_stream,                                              \
       (cairo_surface_t * _Nullable, portolan_cairo_write _Nullable, void *_Nullable))             \
  CALL(cairo, int, cairo_surface_status, (cairo_surface_t * _Nullable))                            \
  CALL(cairo, void, cairo_surface_flush, (cairo_surface_t * _Nullable))                            \
  CALL(cairo, void, cairo_surface_finish, (cairo_surface_t * _Nullable))                           \
  CALL(cairo, void, cairo_surface_destroy, (cairo_surface_t * _Nullable))                          \
  CALL(cairo, const char *_Nullable, cairo_status_to_string, (int))                                \
  CALL(cairo, cairo_t *_Nullable, cairo_create, (cairo_surface_t * _Nullable))                     \
  CALL(cairo, void, cairo_destroy, (cairo_t * _Nullable))                                          \
  CALL(cairo, int, cairo_status, (cairo_t * _Nullable))                                            \
  CALL(cairo, void, cairo_save, (cairo_t * _Nullable))                                             \
  CALL(cairo, void, cairo_restore, (cairo_t * _Nullable))                                          \
  CALL(cairo, void, cairo_scale, (cairo_t * _Nullable, double, double))                            \
  CALL(cairo, void, cairo_translate, (cairo_t * _Nullable, double, double))                        \
  CALL(cairo, void, cairo_stroke_preserve, (cairo_t * _Nullable))                                  \
  CALL(cairo, void, cairo_rotate, (cairo_t * _Nullable, double))                                   \
  CALL(cairo, portolan_cairo_path *_Nullable, cairo_copy_path, (cairo_t * _Nullable))              \
  CALL(cairo, void, cairo_path_destroy, (portolan_cairo_path * _Nullable))                         \
  CALL(cairo, void, cairo_curve_to,                                                                \
       (cairo_t * _Nullable, double, double, double, double, double, double))                      \
  CALL(cairo, void, cairo_set_source_rgba, (cairo_t * _Nullable, double, double, double, double))  \
  CALL(cairo, void, cairo_set_source_surface,                                                      \
       (cairo_t * _Nullable, cairo_surface_t * _Nullable, double, double))                         \
  CALL(cairo, void, cairo_set_operator, (cairo_t * _Nullable, int))                                \
  CALL(cairo, void, cairo_set_antialias, (cairo_t * _Nullable, int))                               \
  CALL(cairo, void, cairo_set_fill_rule, (cairo_t * _Nullable, int))                               \
  CALL(cairo, void, cairo_set_line_width, (cairo_t * _Nullable, double))                           \
  CALL(cairo, void, cairo_set_line_cap, (cairo_t * _Nullable, int))                                \
  CALL(cairo, void, cairo_set_line_join, (cairo_t * _Nullable, int))                               \
  CALL(cairo, void, cairo_set_dash, (cairo_t * _Nullable, const double *_Nullable, int, double))   \
  CALL(cairo, void, cairo_new_path, (cairo_t * _Nullable))                                         \
  CALL(cairo, void, cairo_move_to, (cairo_t * _Nullable, double, double))                          \
  CALL(cairo, void, cairo_line_to, (cairo_t * _Nullable, double, double))                          \
  CALL(cairo, void, cairo_close_path, (cairo_t * _Nullable))                                       \
  CALL(cairo, void, cairo_arc, (cairo_t * _Nullable, double, double, double, double, double))      \
  CALL(cairo, void, cairo_rectangle, (cairo_t * _Nullable, double, double, double, double))        \
  CALL(cairo, void, cairo_fill, (cairo_t * _Nullable))                                             \
  CALL(cairo, void, cairo_fill_preserve, (cairo_t * _Nullable))                                    \
  CALL(cairo, void, cairo_stroke, (cairo_t * _Nullable))                                           \
  CALL(cairo, void, cairo_clip, (cairo_t * _Nullable))                                             \
  CALL(cairo, void, cairo_paint, (cairo_t * _Nullable))                                            \
  CALL(cairo, cairo_font_options_t *_Nullable, cairo_font_options_create, (void))                  \
  CALL(cairo, void, cairo_font_options_destroy, (cairo_font_options_t * _Nullable))                \
  CALL(cairo, void, cairo_font_options_set_antialias, (cairo_font_options_t * _Nullable, int))     \
  CALL(cairo, void, cairo_font_options_set_hint_style, (cairo_font_options_t * _Nullable, int))    \
  CALL(cairo, void, cairo_font_options_set_hint_metrics, (cairo_font_options_t * _Nullable, int))  \
  CALL(pangocairo, PangoLayout *_Nullable, pango_cairo_create_layout, (cairo_t * _Nullable))       \
  CALL(pangocairo, void, pango_cairo_context_set_font_options,                                     \
       (PangoContext * _Nullable, const cairo_font_options_t *_Nullable))                          \
  CALL(pangocairo, void, pango_cairo_layout_path, (cairo_t * _Nullable, PangoLayout * _Nullable))  \
  CALL(pangocairo, void, pango_cairo_show_layout, (cairo_t * _Nullable, PangoLayout * _Nullable))  \
  CALL(pango, PangoContext *_Nullable, pango_layout_get_context, (PangoLayout * _Nullable))        \
  CALL(pango, void, pango_context_set_round_glyph_positions, (PangoContext * _Nullable, int))      \
  CALL(pango, PangoFontDescription *_Nullable, pango_font_description_new, (void))                 \
  CALL(pango, void, pango_font_description_free, (PangoFontDescription * _Nullable))               \
  CALL(pango, void, pango_font_description_set_family,                                             \
       (PangoFontDescription * _Nullable, const char *_Nullable))                                  \
  CALL(pango, void, pango_font_description_set_weight, (PangoFontDescription * _Nullable, int))    \
  CALL(pango, void, pango_font_description_set_style, (PangoFontDescription * _Nullable, int))     \
  CALL(pango, void, pango_font_description_set_absolute_size,                                      \
       (PangoFontDescription * _Nullable, double))                                                 \
  CALL(pango, void, pango_layout_set_font_description,                                             \
       (PangoLayout * _Nullable, const PangoFontDescription *_Nullable))                           \
  CALL(pango, void, pango_layout_set_single_paragraph_mode, (PangoLayout * _Nullable, int))        \
  CALL(pango, void, pango_layout_set_text,                                                         \
       (PangoLayout * _Nullable, const char *_Nullable, int))                                      \
  CALL(pango, void, pango_layout_get_extents,                                                      \
       (PangoLayout * _Nullable, PangoRectangle *_Nullable, PangoRectangle *_Nullable))            \
  CALL(pango, PangoAttrList *_Nullable, pango_attr_list_new, (void))                               \
  CALL(pango, PangoAttribute *_Nullable, pango_attr_letter_spacing_new, (int))                     \
  CALL(pango, void, pango_attr_list_insert,                                                        \
       (PangoAttrList * _Nullable, PangoAttribute * _Nullable))                                    \
  CALL(pango, void, pango_attr_list_unref, (PangoAttrList * _Nullable))                            \
  CALL(pango, void, pango_layout_set_attributes,                                                   \
       (PangoLayout * _Nullable, PangoAttrList * _Nullable))                                       \
  CALL(pango, int, pango_layout_get_baseline, (PangoLayout * _Nullable))                           \
  CALL(pango, int, pango_layout_get_unknown_glyphs_count, (PangoLayout * _Nullable))               \
  CALL(gobject, void, g_object_unref, (void *_Nullable))                                           \
  CALL(zlib, unsigned long, compressBound, (unsigned long))                                        \
  CALL(zlib, int, compress2,                                                                       \
       (unsigned char *_Nullable, unsigned long *_Nullable, const unsigned char *_Nullable,        \
        unsigned long, int))                                                                       \
  CALL(zlib, unsigned long, crc32, (unsigned long, const unsigned char *_Nullable, unsigned int))

#define PORTOLAN_CAIRO_FIELD(library, result, name, parameters) result(*_Nonnull name) parameters;

/// The calls by their names in the libraries.
typedef struct {
  PORTOLAN_CAIRO_CALLS(PORTOLAN_CAIRO_FIELD)
} portolan_cairo;

/// Finds all calls: returns NULL, or the file name of the library that is missing or too old.
///
/// The libraries stay loaded. Where it fails, some of the calls are unset: use none.
const char *_Nullable portolan_cairo_find(portolan_cairo *_Nonnull calls);

#endif
